"""What is written for a cell and waits where its document language is unknown: on the way to the plan that asked."""

from __future__ import annotations

import hashlib
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from curation.models import Corpus, Need, Query, Stratum, User, WritingAssignment
from tests import factories
from tests.bringing import bring, written

from .scene import a_need, an_article

pytestmark = pytest.mark.django_db

ADDRESS, PLAN = "/c/claims/write/", "/c/claims/plan/"
PLAIN, MARKED = "tir gece bekcisiz kalirsa odenir mi?", "tır gece bekçisiz kalırsa ödenir mi?"


@pytest.fixture
def need(corpus: Corpus) -> Need:
    """A need whose article has three renderings, none of them the source; 9 of 30 Turkish queries are judged."""
    factories.judged_queries(factories.a_stratum(corpus, "tr tr Latn-plain question distinctive", planned=30), 9)
    an_article(corpus, "CG-214", "en", "tr", "ja", source="")
    return a_need(corpus, gold_canonical_id="CG-214")


def asked(client: Client) -> str:
    """The document language that the form on the desk hands on."""
    found = re.search(r'name="asked" value="([^"]*)"', client.get(ADDRESS).content.decode())
    return found[1] if found else "no desk"


def form(client: Client, need: Need, text: str, **fields: Any) -> dict[str, Any]:
    token = hashlib.md5(text.encode()).hexdigest()
    return {"need": need.pk, "locale": "tr", "token": token, "text": text, "asked": asked(client), **fields}


def save(client: Client, need: Need, text: str = PLAIN, **fields: Any) -> str:
    return shown(client.post(ADDRESS, form(client, need, text, **fields), follow=True).content.decode())


def shown(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def told() -> dict[str, Any]:
    out = StringIO()
    call_command("plan", "claims", "--use", "screen", "--json", stdout=out)
    return dict(json.loads(out.getvalue()))


def has(corpus_language: str, script: str = "Latn-plain") -> dict[str, int]:
    """What the plan command says of a Turkish stratum."""
    places = {(each["corpus_language"], each["script"]): each for each in told()["strata"]}
    found = places[corpus_language, script]
    return {name: found[name] for name in ("n", "ready", "coming", "passing")}


def test_written_query_counts_toward_the_cell_that_the_desk_asked_for(writer: Client, need: Need) -> None:
    before = told()["next"]
    page = save(writer, need)
    assert Query.objects.get(need=need).stratum.corpus_language == "und"
    turkish = "Turkish × Turkish, Latin without diacritics, question, distinctive"
    assert f"Turkish × Unknown language, {turkish[19:]}. Once judged, it joins {turkish}: 10 of 30." in page
    assert (has("tr"), has("und")) == (
        {"n": 9, "ready": 0, "coming": 1, "passing": 0},
        {"n": 0, "ready": 1, "coming": 0, "passing": 1},
    )
    after = told()["next"]
    assert [(each["to_write"], each["to_judge"]) for each in (before, after)] == [(21, 21), (20, 21)]
    home = shown(writer.get("/c/claims/").content.decode())
    assert "Write query 11 of 30" in home
    assert "20 left" in home


def test_desk_says_while_one_types_which_cell_the_text_joins(writer: Client, need: Need) -> None:
    given = form(writer, need, PLAIN)
    told_live = shown(writer.post(f"{ADDRESS}checks/", given, headers={"HX-Request": "true"}).content.decode())
    assert "Joins Turkish × Turkish, Latin without diacritics, question, distinctive once judged" in told_live
    assert "9 → 10 of 30" in told_live
    marked = shown(
        writer.post(f"{ADDRESS}checks/", {**given, "text": MARKED}, headers={"HX-Request": "true"}).content.decode()
    )
    assert "Lands in Turkish × Unknown language, Latin, diacritics, question, distinctive" in marked
    assert "Turkish × Turkish, Latin without diacritics, question, distinctive, once judged" in marked, "its spelling"


def test_desk_goes_on_to_the_cell_that_is_emptier_once_this_one_fills(
    writer: Client, need: Need, corpus: Corpus
) -> None:
    factories.judged_queries(factories.a_stratum(corpus, "tr ja Latn-plain question keyword", planned=30), 10)
    assert asked(writer) == "tr"
    for number in range(2):
        save(writer, a_need(corpus, f"Need {number}", gold_canonical_id="CG-214"), f"{number} odenir mi?")
    assert asked(writer) == "ja"


def test_assignment_counts_what_is_on_the_way_and_is_not_asked_for_again(
    client: Client, need: Need, aylin: User, lena: User
) -> None:
    client.force_login(lena)
    everything = {"use": "screen", "run": ""}
    client.post(f"{PLAN}assign/all/", everything)
    client.force_login(aylin)
    save(client, need)
    home = shown(client.get("/c/claims/").content.decode())
    assert "1 of 21 20" in home
    assert [(each["written"], each["count"]) for each in told()["assigned"]] == [(1, 21)]
    client.force_login(lena)
    assert "Nothing more was to be assigned." in shown(
        client.post(f"{PLAN}assign/all/", everything, follow=True).content.decode()
    )
    assert "0 of 1 in use" in shown(client.get("/c/claims/").content.decode())
    Stratum.objects.filter(corpus_language="und").update(planned=5)
    assert "0 of 2 in use" in shown(client.get("/c/claims/").content.decode())


@pytest.mark.parametrize(("rendering", "turkish"), [("tr", 10), ("ja", 9)])
def test_judged_query_counts_where_it_settled(
    writer: Client, need: Need, tmp_path: Path, rendering: str, turkish: int
) -> None:
    save(writer, need)
    query = Query.objects.get(need=need)
    row = "\t".join([query.external_id, f"CG-214.{rendering}", "3"])
    assert bring("import_qrels", "claims", written(tmp_path, "q.tsv", "query-id\tcorpus-id\tscore", row)).code == 0
    query.refresh_from_db()
    assert (query.status, query.stratum.corpus_language) == ("judged", rendering)
    assert has("tr") == {"n": turkish, "ready": 0, "coming": 0, "passing": 0}
    assert told()["next"]["to_write"] == 30 - turkish


def test_text_in_another_script_and_its_spelling_count_toward_the_plans_of_their_scripts(
    writer: Client, need: Need, corpus: Corpus, tmp_path: Path
) -> None:
    factories.a_stratum(corpus, "tr tr Latn question distinctive", planned=30)
    assert asked(writer) == "tr"
    page = save(writer, need, MARKED, spelling="plain")
    assert "Once judged, it joins Turkish × Turkish, Latin, diacritics, question, distinctive: 1 of 30." in page
    assert "Once judged, it joins Turkish × Turkish, Latin without diacritics, question, distinctive: 10 of 30." in page
    assert (has("tr", "Latn")["coming"], has("tr")["coming"]) == (1, 1)
    assert told()["next"]["to_write"] == 30 - 9 - 1, "the two count once where both are in"
    assert on_the_way("query_language", "corpus_language") == {("tr", "tr"): 1, ("tr", "und"): 0}
    assert listed(writer, "coming", corpus_language="tr") == [MARKED], "the list behind that count"
    assert listed(writer, "coming", corpus_language="tr", script="Latn-plain") == [PLAIN]
    assert listed(writer, "passing", corpus_language="und") == [PLAIN, MARKED]
    assert on_the_way("script") == {("Latn",): 0, ("Latn-plain",): 0}, "both wait in these already"
    row = "\t".join([Query.objects.get(origin="written").external_id, "CG-214.tr", "3"])
    assert bring("import_qrels", "claims", written(tmp_path, "q.tsv", "query-id\tcorpus-id\tscore", row)).code == 0
    assert on_the_way("query_language", "corpus_language") == {("tr", "tr"): 0, ("tr", "und"): 0}, "it counts already"
    assert listed(writer, "coming", corpus_language="tr") == []
    assert told()["next"]["to_write"] == 30 - 10


@pytest.mark.parametrize(
    ("languages", "coming"),
    [("en tr ja", 1), ("en ja", 0), ("tr", 1)],
    ids=["its own rendering is judged", "nobody knows", "there is no other language"],
)
def test_what_a_file_brings_counts_toward_the_plan_where_it_will_be_judged(
    need: Need, corpus: Corpus, tmp_path: Path, languages: str, coming: int
) -> None:
    gone = corpus.documents.exclude(language__in=languages.split())
    gone.update(gone_at=timezone.now())
    need_of_file = {"information_need_id": "N1"} if len(languages) > 2 else {}
    Need.objects.filter(pk=need.pk).update(external_id="N1")
    row = {"query_id": "f1", "locale": "tr", "text": PLAIN, **need_of_file}
    assert bring("import_queries", "claims", written(tmp_path, "q.jsonl", row)).code == 0
    assert (has("tr")["coming"], has("und")["passing"], has("und")["ready"]) == (coming, coming, 1)
    assert on_the_way("corpus_language") == {("tr",): coming, ("und",): 0}
    assert told()["next"]["to_write"] == 30 - 9 - coming


def listed(client: Client, status: str, **dimensions: str) -> list[str]:
    """The texts of the list of queries, the newest first."""
    answer = client.get("/c/claims/queries/", {"status": status, **dimensions})
    assert answer.status_code == 200
    return [query.text for query in answer.context["page"]]


def on_the_way(*by: str) -> dict[tuple[str, ...], int]:
    """What the coverage command says is on the way to each cell."""
    cells = bring("coverage", "claims", "--by", ",".join(by)).json["cells"]
    return {tuple(cell[name] for name in by): cell["coming"] for cell in cells}


def test_query_on_the_way_is_in_no_second_plan(writer: Client, need: Need, corpus: Corpus, aylin: User) -> None:
    unknown = factories.a_stratum(corpus, "tr und Latn-plain question distinctive", planned=30)
    factories.judged_queries(unknown, 20)
    assert asked(writer) == "und"  # the need belongs there
    for stratum in corpus.strata.order_by("corpus_language"):
        WritingAssignment.objects.create(
            stratum=stratum, person=aylin, count=5, assigned_by=aylin, assigned_at=timezone.now()
        )
    save(writer, need, asked="tr")
    assert [each["written"] for each in told()["assigned"]] == [1, 0]
    save(writer, a_need(corpus, "Another", gold_canonical_id="CG-214"), "odenir mi?")
    assert has("und") == {"n": 20, "ready": 2, "coming": 0, "passing": 1}
    for language in ("tr", "und"):
        waits = has(language)["ready"] + has(language)["coming"] - has(language)["passing"]
        assert len(listed(writer, "waiting", corpus_language=language)) == waits == 1
    # 30 - 9 - 1 lack in the one plan, 30 - 20 - 1 in the other.
    assert told()["cost"]["locales"]["tr"]["writing_seconds"] == (20 + 9) * 180
    assert "29 left" in shown(writer.get("/c/claims/").content.decode())


def test_query_for_a_cell_that_nobody_plans_any_more_is_on_the_way_to_none(writer: Client, need: Need) -> None:
    save(writer, need)
    Stratum.objects.update(planned=0)
    assert (has("tr")["coming"], has("und")["passing"]) == (0, 0)
