"""The judging page: what each row shows, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.models import Corpus, Generation, MiningRun, Need, Query, Role, TargetIndex
from judging.models import Assignment, Candidate
from judging.reports.group_names import shared_title
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db

PAGE = 16  # statements: two tell who asks, four renew the lease, ten read


def opened(corpus: Corpus) -> tuple[str, Assignment]:
    """The first page a judge gets, as text."""
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    held = judge.next()
    assert held is not None
    response = judge.client.get(f"/c/{corpus.slug}/judge/{held.pk}/")
    assert response.status_code == 200
    return response.content.decode(), held


def with_documents(*documents: Mapping[str, object], query: str = "dolu hasarı") -> Corpus:
    """A corpus of these documents in rank order, with one query drawn for."""
    corpus = factories.a_corpus()
    for place, given in enumerate(documents):
        fields = dict(given)
        stage.a_document(corpus, str(fields.pop("id", f"d{place}")), str(fields.pop("text", "")), **fields)
    stage.a_space(
        corpus,
        {
            name: float(at)
            for at, name in enumerate(corpus.documents.values_list("external_id", flat=True).order_by("pk"))
        },
    )
    need = Need.objects.create(corpus=corpus, text="What is paid after a hail storm from 1 July 2024?")
    stage.aims(factories.a_query(factories.a_stratum(corpus), query, need=need))
    stage.call("draw_pools", corpus)
    factories.marek(corpus)
    return corpus


def test_rows_come_in_exact_order_and_show_neither_rank_nor_score() -> None:
    page, held = opened(stage.a_judged_corpus(12))
    keys = list(held.pool.candidates.order_by("exact_rank").values_list("pk", flat=True))
    assert [int(key) for key in re.findall(r'data-candidate="(\d+)"', page)] == keys
    assert "score" not in page
    assert "rank" not in page


def test_words_of_query_and_need_are_marked_and_dates_in_any_language() -> None:
    corpus = with_documents(
        {"text": "A roof. Hailstorms from 1 July 2024 are covered. More."},
        {"text": "Dolu hasarları 1 Temmuz 2024 tarihinden beri ödenir.", "language": "tr", "id": "tr"},
    )
    page, _ = opened(corpus)
    assert "<mark>Hailstorms</mark> from <mark>1 July 2024</mark> are covered." in page
    assert "<mark>Dolu hasarları 1 Temmuz 2024</mark> tarihinden beri ödenir." in page


def test_the_passage_begins_where_the_query_is_answered() -> None:
    filler = "Nothing of interest stands in this sentence about the office. " * 6
    corpus = with_documents({"text": f"{filler}A hail storm is paid. {filler}"})
    page, _ = opened(corpus)
    assert '<p class="pass2" lang="en" dir="auto">… A <mark>hail storm</mark> is <mark>paid</mark>.' in page


def test_c74_c75_texts_never_become_markup() -> None:
    evil = "<script>alert('hail')</script> <img src=x onerror=alert(1)> <mark>storm</mark> hx-get=/out"
    corpus = with_documents(
        {"id": '"><b>id', "text": evil, "title": evil, "facts": {"jurisdiction": evil, "limit_amount": evil}},
        {"id": "b", "language": '"><i>'},
        query="<b>storm</b> & hail",
    )
    page, _ = opened(corpus)
    for tag in ("<script>alert", "<img", "<b>storm", "<b>id", "<i>"):
        assert tag not in page
    assert "&lt;script&gt;alert(&#x27;<mark>hail</mark>&#x27;)&lt;/script&gt;" in page
    assert "&lt;mark&gt;<mark>storm</mark>&lt;/mark&gt;" in page


def test_facts_stand_in_columns_with_the_asked_date_marked() -> None:
    facts = {"effective_date": "2024-07-01", "limit_amount": "TRY 15000000", "jurisdiction": "TR"}
    corpus = with_documents({"facts": facts}, {"facts": {}})
    page, _ = opened(corpus)
    assert '<span class="fact" dir="auto"><mark>1 Jul 2024</mark></span>' in page
    assert '<span class="fact" dir="auto">TRY 15,000,000</span>' in page


def test_a_corpus_without_facts_has_no_empty_columns() -> None:
    page, _ = opened(stage.a_judged_corpus(3))
    assert "Territory" not in page
    assert 'class="fact"' not in page


def test_near_duplicates_share_one_passage_and_keep_their_own_grades() -> None:
    corpus = with_documents(
        {"id": "a22", "title": "Hail endorsement, edition 2022", "facts": {"effective_date": "2022-01-01"}},
        {"id": "other", "title": "Something else"},
        {"id": "a24", "title": "Hail endorsement, edition 2024", "facts": {"effective_date": "2024-07-01"}},
    )
    group_together(corpus, "a22", "a24")
    page, _ = opened(corpus)
    group = page[page.index('<section class="grp"') : page.index("</section>", page.index('<section class="grp"'))]
    assert "2 versions" in group
    assert '<span class="ne">2 dates</span>' in group
    assert group.count('class="pass2"') == 1
    assert group.count('role="radiogroup"') == 2
    assert re.findall(r'class="tt"[^>]*>([^<]*)(?:<mark>)?', group)[1:] == ["edition 2022", "edition 2024"]
    assert "in 2 rows" in page


def test_a_row_of_a_large_group_names_eight_of_the_other_values_and_counts_the_rest() -> None:
    names = [f"a{year}" for year in range(2010, 2022)]
    corpus = with_documents(*({"id": name, "facts": {"jurisdiction": f"Land {name}"}} for name in names))
    group_together(corpus, *names)
    page, _ = opened(corpus)
    for own in (names[0], names[-1]):
        others = [f"Land {name}" for name in names if name != own][:8]
        assert f'Land {own}</span> <span class="ne">others {", ".join(others)} and 3 more' in page


def group_together(corpus: Corpus, *names: str) -> None:
    """A finished run that found these documents to be near-duplicates."""
    index = TargetIndex.objects.get_or_create(corpus=corpus, name="exact", defaults={"kind": "exact"})[0]
    now = timezone.now()
    generation = Generation.objects.create(index=index, number=1, due_on=date(2026, 7, 1), opened_at=now)
    run = MiningRun.objects.create(
        generation=generation, miner="near_duplicate", state="done", created_at=now, finished_at=now
    )
    group = run.groups.create(key="k", min_cosine=0.9)
    for document in corpus.documents.filter(external_id__in=names):
        group.members.create(document=document, min_cosine=0.9)


@pytest.mark.parametrize(
    ("titles", "shared"),
    [
        (["Fraud, edition 2022", "Fraud, edition 2024, Türkiye"], "Fraud,"),
        (["Version 12", "Version 13"], "Version "),
        (["Article 11: duty", "Article 16: duty"], ""),
        (["Guide", "Guidebook"], ""),
        (["Same", "Same"], ""),
        (["", "Title"], ""),
    ],
)
def test_titles_of_a_group_are_cut_where_they_part(titles: list[str], shared: str) -> None:
    assert shared_title(titles) == shared


@pytest.mark.parametrize(
    ("titles", "name", "members"),
    [
        (
            ["Sanctions clause (insurer)", "Sanctions clause (company)"],
            "Sanctions clause",
            ["(insurer)", "(company)"],
        ),
        (
            ["Daily allowance from day 182", "Daily allowance from day 42"],
            "Daily allowance",
            ["from day 182", "from day 42"],
        ),
        (["Version 12", "Version 13"], "Version", ["Version 12", "Version 13"]),
        (["Hail cover Germany", "Hail cover France"], "Hail cover", ["Germany", "France"]),
    ],
)
def test_members_of_a_group_are_named_by_whole_phrases(titles: list[str], name: str, members: list[str]) -> None:
    documents: list[dict[str, object]] = [{"id": f"d{n}", "title": title} for n, title in enumerate(titles)]
    corpus = with_documents(*documents, query="Frost")
    group_together(corpus, *(f"d{n}" for n in range(len(titles))))
    page, _ = opened(corpus)
    group = page[page.index('<section class="grp"') : page.index("</section>", page.index('<section class="grp"'))]
    words = re.sub(r"</?mark>", "", group)
    assert re.findall(r'class="tt"[^>]*>([^<]*)', words) == [name, *members]


def test_folded_translations_are_counted_and_named() -> None:
    corpus = with_documents(
        {"id": "hail-en", "canonical_id": "hail"}, {"id": "hail-tr", "canonical_id": "hail", "language": "tr"}
    )
    page, held = opened(corpus)
    assert held.pool.candidates.count() == 1
    assert "1 translation folded" in page
    assert re.findall(r'<li data-document="\d+"><span data-language>(\w+)</span></li>', page) == ["English"]
    assert "One grade counts for the document and its translations." in page


@pytest.mark.parametrize("count", [2, 50])
def test_the_page_asks_the_database_the_same_for_any_pool(count: int) -> None:
    corpus = stage.a_judged_corpus(count)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    held = judge.next()
    assert held is not None
    judge.mark(held, "d001", 3)
    with CaptureQueriesContext(connection) as asked:
        judge.client.get(f"/c/claims/judge/{held.pk}/")
    assert len(asked) == PAGE


def test_a_finished_query_leads_on_to_the_next_one() -> None:
    corpus = stage.a_judged_corpus(2, queries=2)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    held = judge.next()
    assert held is not None
    judge.mark(held, "d001", 3)
    judge.finish(held)
    response = judge.client.get(f"/c/claims/judge/{held.pk}/", follow=True)
    assert "You have finished query" in response.content.decode()
    assert response.redirect_chain[-1][0] == f"/c/claims/judge/{judge.next().pk}/"  # type: ignore[union-attr]  # two queries


def test_the_answer_to_finish_carries_the_next_page_and_one_lease() -> None:
    corpus = stage.a_judged_corpus(2, queries=3)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    held = judge.next()
    assert held is not None
    judge.mark(held, "d001", 3)
    told = judge.finish(held).json()
    assert "finished." in told["page"]
    assert f"<b>Turkish distinctive</b> in <bdi>{corpus.name}</bdi>" in told["page"]
    assert told["next"] == f"/c/claims/judge/{judge.next().pk}/"  # type: ignore[union-attr]  # three queries
    assert f'action="{told["next"]}finish"' in told["page"]
    assert Assignment.objects.filter(finished_at=None, place__isnull=False).count() == 1


def test_the_whole_need_stands_above_the_list_with_its_context() -> None:
    corpus = stage.a_judged_corpus(2)
    need = Need.objects.create(corpus=corpus, text="Why is a document refused?", context="PDF from the <tax> office")
    Query.objects.update(need=need)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    held = judge.next()
    assert held is not None
    page = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    whole = (
        '<bdi lang="en">Why is a document refused?</bdi> <b>Context:</b> <bdi>PDF from the &lt;tax&gt; office</bdi></p>'
    )
    assert whole in page
    assert '<p class="need">' in page
    Need.objects.update(context=50 * "context ")
    assert '<p class="need long">' in judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()


def test_pages_of_a_judge_travel_compressed() -> None:
    corpus = stage.a_judged_corpus(20)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    held = judge.next()
    assert held is not None
    response = judge.client.get(f"/c/claims/judge/{held.pk}/", headers={"Accept-Encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"


def test_a_year_alone_is_not_the_date_that_is_asked_for() -> None:
    corpus = with_documents(
        {"text": "Hail in 2024. Snow on 2 July 2024."}, {"id": "de", "language": "de", "text": "Nebel ab 01.07.2024."}
    )
    page, _ = opened(corpus)
    assert "<mark>Hail</mark> in 2024. Snow on 2 July 2024." in page
    assert "Nebel ab <mark>01.07.2024</mark>." in page


ASKED = {"text": "From 1 January 2024. From 1 July 2024. In 2024."}


@pytest.mark.parametrize(
    ("query", "need", "marked"),
    [
        ("ab juli 2024", "the autumn of 2024", ["1 July 2024"]),
        ("2024 temmuz", "the year 2024", ["1 July 2024"]),
        ("2024 sonbaharında", "the fall of 2024", []),
        ("2024 kuralları", "the year 2024", ["1 January 2024", "1 July 2024", "2024"]),
        ("2024 kuralları", "the autumn of 2023", ["1 January 2024", "1 July 2024", "2024"]),
    ],
)
def test_a_year_is_marked_only_where_no_month_or_season_of_it_is_asked_for(
    query: str, need: str, marked: list[str]
) -> None:
    corpus = with_documents(ASKED, query=query)
    Need.objects.update(text=need)
    locale = "de" if query.startswith("ab") else "tr"
    corpus.strata.update(query_language=locale)
    page, _ = opened(corpus)
    passage = page[page.index("<article") : page.index("</article>")]
    assert [each for each in dict.fromkeys(re.findall("<mark>(.*?)</mark>", passage)) if "2024" in each] == marked


def test_place_and_median_speak_of_ones_own_work() -> None:
    corpus = stage.a_judged_corpus(2, queries=3)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    for seconds in (60, 94):
        held = judge.next()
        assert held is not None
        judge.mark(held, "d001", 3, seconds=seconds)
        judge.finish(held, seconds=0)
    page, _ = opened(corpus)
    assert "<b>3</b> of 3" in page
    assert "Your median 1:17" in page


def test_a_document_longer_than_the_page_holds_says_that_it_goes_on() -> None:
    corpus = with_documents({"text": "hail " * 4000})
    assert "The text goes on" in opened(corpus)[0]


def test_texts_of_an_undetermined_language_are_shown() -> None:
    corpus = with_documents({"language": "und", "text": "Hail on 1 July 2024."})
    assert "<mark>Hail</mark>" in opened(corpus)[0]


def test_every_row_carries_the_fingerprint_of_its_text() -> None:
    page, held = opened(stage.a_judged_corpus(1))
    sha256 = Candidate.objects.get(pool=held.pool).document.texts.get().sha256
    assert re.findall(r'name="text-\d+" value="(\w+)"', page) == [sha256[:16]]
    assert Query.objects.count() == 1
