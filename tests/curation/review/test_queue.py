"""The review screen: its order, its counts, its empty states, and how little it asks of the database."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.models import Corpus, MiningRun, Proposal, Role
from tests import factories, reviewing

REVIEW = "/c/claims/review"


def shown(client: Client, address: str) -> str:
    answer = client.get(f"{REVIEW}/{address}")
    assert answer.status_code == 200
    return answer.content.decode()


def terms(run: MiningRun, *names: str) -> list[Proposal]:
    return [reviewing.a_term(run, name, text=f"A {name} in a chunk.") for name in names]


def heading(page: str) -> str:
    return page.split("<h1", 1)[1].split(">", 1)[1].split("<", 1)[0]


def test_the_first_family_with_something_to_review_opens(lena: Client, corpus: Corpus) -> None:
    reviewing.a_keyword(reviewing.a_finished_run(corpus, "short_keyword"))
    assert lena.get(f"{REVIEW}/").headers["Location"] == f"{REVIEW}/short_keyword/"


def test_who_reviews_one_language_begins_with_what_waits_in_it(corpus: Corpus) -> None:
    reviewing.a_group(reviewing.a_finished_run(corpus, "near_duplicate"))
    reviewing.a_keyword(reviewing.a_finished_run(corpus, "short_keyword"))
    client = Client()
    client.force_login(factories.member(corpus, factories.person("theo"), Role.ADJUSTER, languages=["de"]))
    assert client.get(f"{REVIEW}/").headers["Location"] == f"{REVIEW}/short_keyword/?locale=de"


def test_the_queue_follows_the_rank_and_opens_its_first_pending_proposal(lena: Client, corpus: Corpus) -> None:
    first, second, third = terms(reviewing.a_finished_run(corpus, "rare_entity"), "barratry", "jettison", "lightering")
    Proposal.objects.filter(pk=third.pk).update(rank=0)
    Proposal.objects.filter(pk=third.pk).update(status="rejected", reason="boilerplate")
    page = shown(lena, "rare_entity/")
    assert heading(page) == "barratry"
    places = [page.index(f'at={proposal.pk}"') for proposal in (third, first, second)]
    assert places == sorted(places)
    assert "1 of 3 reviewed" in page


def test_only_the_newest_finished_run_is_reviewed(lena: Client, corpus: Corpus) -> None:
    terms(reviewing.a_finished_run(corpus, "rare_entity"), "barratry")
    terms(reviewing.a_finished_run(corpus, "rare_entity"), "jettison")
    unfinished = reviewing.a_finished_run(corpus, "rare_entity", state="running", finished_at=None)
    terms(unfinished, "lightering")
    page = shown(lena, "rare_entity/")
    assert "jettison" in page
    assert "barratry" not in page
    assert "lightering" not in page


def test_the_filter_leaves_what_matches(lena: Client, corpus: Corpus) -> None:
    terms(reviewing.a_finished_run(corpus, "rare_entity"), "barratry", "jettison")
    page = shown(lena, "rare_entity/?q=JETT")
    assert heading(page) == "jettison"
    assert ">barratry<" not in page
    assert "Nothing matches “none”" in shown(lena, "rare_entity/?q=none")


def test_the_tabs_count_what_they_open(lena: Client, corpus: Corpus) -> None:
    factories.some_traffic(corpus, en=0.6, de=0.3, ja=0.1)
    keywords = reviewing.a_finished_run(corpus, "short_keyword")
    for text, locale, hint in (("hagel sb", "de", ""), ("flood zone", "en", "de"), ("sturm", "und", "de")):
        proposal = reviewing.a_keyword(keywords, text, locale=locale)
        Proposal.objects.filter(pk=proposal.pk).update(evidence={**proposal.evidence, "hint": hint})
    terms(reviewing.a_finished_run(corpus, "rare_entity"), "barratry")
    everything, german = (shown(lena, f"short_keyword/{asked}") for asked in ("", "?locale=de"))
    assert [re.findall(r"(\d+) left</span>", page) for page in (everything, german)] == [
        ["0", "1", "3"],
        ["0", "0", "2"],
    ]
    assert "0 of 2 reviewed" in german
    assert ">flood zone<" not in german
    assert f'href="{REVIEW}/rare_entity/?locale=de"' in german
    other = shown(lena, "rare_entity/?locale=de")
    assert "The newest run of rare terms proposed nothing in German." in other
    assert '<option value="de" selected>' in other


def test_a_group_without_scores_shows_its_least_similarity(lena: Client, mined: dict[str, Proposal]) -> None:
    group = mined["near_duplicate"].group
    assert group is not None
    del group.facts["scores"]
    group.save()
    assert "3 versions, similarity 0.95 and above." in " ".join(shown(lena, "near_duplicate/").split())


def test_a_group_shows_what_differs_and_what_each_version_fits(lena: Client, mined: dict[str, Proposal]) -> None:
    group = mined["near_duplicate"].group
    assert group is not None
    group.facts["scores"], group.min_cosine = [[0, 1, 0.99], [0, 2, 0.96], [1, 2, 0.97]], 0.96
    group.save()
    page = " ".join(shown(lena, "near_duplicate/").split())
    assert "3 versions, similarity 0.96 to 0.99, lowest between versions 1 and 3. 3 facts differ." in page
    assert "Same in all 3: <bdi>€40,000</bdi>." in page
    assert page.count('class="slot"') == 3
    assert "Fits 1 of 3 versions" in page
    assert page.count("no, date") == 2


def test_a_column_is_named_by_its_fact_and_says_where_it_stands(lena: Client, mined: dict[str, Proposal]) -> None:
    group = mined["near_duplicate"].group
    assert group is not None
    told = {"values": ["2", "3", "4"], "keys": ["2", "3", "4"], "declared": True}
    group.facts["columns"] = [
        {"kind": "version", "name": "title", **told},
        {"kind": "date", "name": "effective_date", "stated": False, **told},
        {"kind": "jurisdiction", "name": "jurisdiction", **told},
    ]
    group.save()
    page = " ".join(shown(lena, "near_duplicate/").split())
    assert '<span class="ne">Version</span> <small class="muted" dir="auto">in the title</small>' in page
    assert '<span class="ne">Effective</span> <small class="muted" dir="auto">declared only</small>' in page
    assert '<span class="ne">Territory</span></th>' in page


def test_a_check_answers_with_fragments_alone(lena: Client, mined: dict[str, Proposal]) -> None:
    address = f"{REVIEW}/near_duplicate/{mined['near_duplicate'].pk}/check/"
    given = {"text": "hail deductible in Germany", "locale": "en", "target": "1"}
    page = lena.post(address, given, headers={"HX-Request": "true"}).content.decode()
    assert "Fits 2 of 3 versions" in page
    assert 'id="fit-3" hx-swap-oob="true"><span class="muted">no, territory' in page
    assert "<html" not in page


def test_an_unknown_family_is_not_found(lena: Client) -> None:
    assert lena.get(f"{REVIEW}/hard_negative/").status_code == 404
    assert lena.get(f"{REVIEW}/nonsense/").status_code == 404


def test_nothing_mined_nothing_proposed_and_all_reviewed_are_told_apart(lena: Client, corpus: Corpus) -> None:
    assert "No run of rare terms has finished in this corpus yet." in shown(lena, "rare_entity/")
    run = reviewing.a_finished_run(corpus, "rare_entity")
    told = shown(lena, "rare_entity/")
    assert "The newest run of rare terms, finished 14 Jul 2026, proposed nothing." in told
    assert "The next re-mining is due on 14 Oct 2026." in told
    (proposal,) = terms(run, "barratry")
    Proposal.objects.filter(pk=proposal.pk).update(status="rejected", reason="boilerplate")
    assert "The newest run of rare terms has been reviewed: 0 of 1 kept." in shown(lena, "rare_entity/")


def test_a_proposal_outside_the_list_leads_back_to_it(lena: Client, corpus: Corpus) -> None:
    (old,) = terms(reviewing.a_finished_run(corpus, "rare_entity"), "barratry")
    terms(reviewing.a_finished_run(corpus, "rare_entity"), "jettison")
    assert "This proposal is not in the list" in shown(lena, f"rare_entity/?at={old.pk}")


def test_the_menu_counts_what_waits(lena: Client, mined: dict[str, Proposal]) -> None:
    assert 'Review mined<span class="n">3</span>' in lena.get("/c/claims/people/").content.decode()


def test_the_queries_of_the_page_do_not_grow_with_the_queue(lena: Client, corpus: Corpus) -> None:
    run = reviewing.a_finished_run(corpus, "rare_entity")
    groups = reviewing.a_finished_run(corpus, "near_duplicate")
    terms(run, "barratry", "jettison")
    reviewing.a_group(groups)
    reviewing.a_group(groups, {f"other-{name}": text for name, text in reviewing.HAIL.items()})
    asked = []
    for size in (0, 30):
        terms(run, *(f"term{number}" for number in range(size)))
        for number in range(size // 10):
            reviewing.a_group(groups, {f"{number}-{name}": text for name, text in reviewing.HAIL.items()})
        for family in ("rare_entity", "near_duplicate"):
            with CaptureQueriesContext(connection) as captured:
                shown(lena, f"{family}/")
            asked.append(len(captured))
    assert asked[:2] == asked[2:]
    assert max(asked) <= 20


def test_c74_markup_in_texts_and_terms_is_shown_as_text(lena: Client, corpus: Corpus, cases: Path) -> None:
    run = reviewing.a_finished_run(corpus, "rare_entity")
    lines = (cases / "c74-corpus.jsonl").read_bytes().decode().splitlines()
    for number, row in enumerate(map(json.loads, lines)):
        chunk = reviewing.a_document(corpus, row["id"], row["text"], title=row.get("title", ""))
        term = "flood" if number else "<img"
        proposal = reviewing.a_proposal(run, row["text"], document=chunk, evidence={"term": term, "df": 1})
        page = shown(lena, f"rare_entity/?at={proposal.pk}")
        for opening in ("<img", "<svg", "<script>", "<b>bold"):
            assert opening not in page
        assert "<mark>flood</mark>" in page or "<mark>&lt;img</mark>" in page


@pytest.mark.parametrize("family", ["near_duplicate", "rare_entity", "short_keyword"])
def test_writers_do_not_review(corpus: Corpus, family: str) -> None:
    client = Client()
    client.force_login(factories.aylin(corpus))
    assert client.get(f"{REVIEW}/{family}/").status_code == 403


def test_a_search_for_what_no_database_can_hold_finds_nothing_and_breaks_nothing(lena: Client, corpus: Corpus) -> None:
    terms(reviewing.a_finished_run(corpus, "rare_entity"), "barratry")
    assert "A barratry in a chunk." not in shown(lena, "rare_entity/?q=%00jettison")
    reviewing.a_finished_run(corpus, "hard_negative")
    assert lena.get("/c/claims/hard-negatives/?q=%00jettison").status_code == 200
