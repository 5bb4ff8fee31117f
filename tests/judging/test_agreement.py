"""The agreement report, by its command and its page: who is heard, what is counted, what is shown."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import krippendorff
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from sklearn.metrics import cohen_kappa_score

from curation.models import Corpus, DocumentText, Qrel, Query, Role, User
from curation.reports.counts import DIMENSIONS
from curation.reports.coverage import Question
from curation.templatetags.strata import figure, interval
from judging.models import Adjudication, Assignment, Candidate, Judgment, Pool
from judging.reports.agreement import agreement
from tests import factories
from tests.judging import stage, two_judges
from tests.judging.judges import another
from tests.judging.two_judges import CANT_TELL, SWEPT, UNSEEN, Said, a_query_of, settled

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

PAIR = "query_language,corpus_language"
MIXED: list[Said] = [3, 2, 1, 0, SWEPT, SWEPT, 3, 0, 1, 2]
OTHER: list[Said] = [3, SWEPT, 1, 0, SWEPT, 2, 2, 0, SWEPT, 2]
# Relevant from 2: of the ten pairs the second and the sixth differ; five have a relevant on some side.


def stage_rows() -> None:
    corpus = factories.a_corpus()
    two_judges.documents(corpus, 50)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


@pytest.fixture
def marek(corpus: Corpus) -> User:
    return factories.marek(corpus)


@pytest.fixture
def bora(corpus: Corpus) -> User:
    return factories.member(corpus, factories.person("bora"), Role.ADJUSTER)


def told(corpus: Corpus, *words: str) -> dict[str, Any]:
    printed = StringIO()
    call_command("agreement", corpus.slug, *words, "--json", stdout=printed)
    answer: dict[str, Any] = json.loads(printed.getvalue())
    return answer


def pairs(corpus: Corpus) -> tuple[int, int]:
    overall = told(corpus)["overall"]
    return overall["pairs"], overall["agree"]


def page(corpus: Corpus, query: str = "") -> str:
    lena = User.objects.filter(username="lena").first() or factories.lena(corpus)
    return stage.signed_in(lena).get(f"/c/{corpus.slug}/agreement/{query}").content.decode()


def at_home(corpus: Corpus, judge: User) -> str:
    """My work of a judge, without tags."""
    told = stage.signed_in(judge).get(f"/c/{corpus.slug}/").content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", told).split())


def test_pairs_are_counted_on_relevant_or_not_and_thin_ones_have_no_rate(
    corpus: Corpus, marek: User, bora: User
) -> None:
    a_query_of(corpus, {marek: MIXED, bora: OTHER})
    found = told(corpus)["overall"]
    assert (found["pairs"], found["agree"], found["pairs_with_a_relevant"]) == (10, 8, 5)
    assert (found["all_give_one_grade"], found["answers"]) == (6, 10)
    for name in ("agree_share", "kappa", "kappa_ci", "disagreement", "alpha_ordinal", "kappa_of_grades"):
        assert found[name] is None
    assert "count only" in page(corpus)
    assert "8 of 10 pairs" in at_home(corpus, bora)


def test_a_hundred_pairs_have_the_figures_of_independent_libraries(corpus: Corpus, marek: User, bora: User) -> None:
    for _ in range(10):
        a_query_of(corpus, {marek: MIXED, bora: OTHER})
    found = told(corpus)
    grades = [[0 if word == SWEPT else int(word) for word in said] * 10 for said in (MIXED, OTHER)]
    (judges,) = found["judges"]
    assert judges["judges"] == ["marek", "bora"]
    assert judges["kappa"] == pytest.approx(cohen_kappa_score(*[[g >= 2 for g in each] for each in grades]))
    alpha = krippendorff.alpha(grades, level_of_measurement="ordinal")
    (cell,), (month,) = found["cells"], found["months"]
    for group in (found["overall"], judges, cell, month):
        assert group["alpha_ordinal"] == pytest.approx(alpha)
        assert group["alpha_ordinal_ci"][0] < alpha < group["alpha_ordinal_ci"][1]
    assert found["overall"]["agree_share"] == 0.8
    low, high = found["overall"]["kappa_ci"]
    assert low < found["overall"]["kappa"] < high
    assert f"{found['overall']['kappa']:.2f}" in page(corpus)
    assert "80.0 % of 100 pairs" in at_home(corpus, bora)
    assert "of 100 pairs" not in at_home(corpus, another(corpus, "defne").user)


def test_surplus_undecided_reopened_and_withdrawn_opinions_enter_nothing(
    corpus: Corpus, marek: User, bora: User
) -> None:
    for change in (
        {"surplus": True, "place": None},
        {"nothing_because": "cannot_tell", "place": None},
        {"reopened_at": timezone.now()},
        {"finished_at": None},
    ):
        query = a_query_of(corpus, {marek: MIXED, bora: OTHER})
        Assignment.objects.filter(pool__query=query, assessor=bora).update(**change)
    query = a_query_of(corpus, {marek: MIXED, bora: OTHER})
    Query.objects.filter(pk=query.pk).update(status="retired", retired_reason="Asks two things.")
    assert pairs(corpus) == (0, 0)


def test_three_opinions_make_three_pairs_and_imported_ones_count(corpus: Corpus, marek: User, bora: User) -> None:
    query = a_query_of(corpus, {marek: [3, 0], bora: [3, 3]})
    crowd = factories.person("crowd")
    for document, grade in zip(corpus.documents.order_by("pk")[:2], (3, 0), strict=True):
        Judgment.objects.create(
            query=query, document=document, canonical_id=document.canonical_id, assessor=crowd, grade=grade,
            state="graded", text_sha256=two_judges.sha(document), judged_at=timezone.now(),
        )  # fmt: skip
    assert pairs(corpus) == (6, 4)
    assert {tuple(each["judges"]): (each["pairs"], each["agree"]) for each in told(corpus)["judges"]} == {
        ("marek", "bora"): (2, 1),
        ("marek", "crowd"): (2, 2),
        ("bora", "crowd"): (2, 1),
    }


def test_who_did_not_see_it_or_could_not_tell_has_no_voice(corpus: Corpus, marek: User, bora: User) -> None:
    a_query_of(corpus, {marek: [3, UNSEEN, 2, CANT_TELL], bora: [3, 0, CANT_TELL, 1]})
    assert pairs(corpus) == (1, 1)


def test_the_highest_grade_of_its_documents_speaks_for_an_article(corpus: Corpus, marek: User, bora: User) -> None:
    """Marek's 3 is on one chunk, Bora's on the other; of the second article Bora did not see both."""
    a_query_of(corpus, {marek: [3, 0, 0, 0], bora: [0, 3, UNSEEN, 0]})
    for first, second in (("d0", "d1"), ("d2", "d3")):
        for model in (corpus.documents, Judgment.objects):
            model.filter(canonical_id=second).update(canonical_id=first)
    assert pairs(corpus) == (1, 1)


def test_an_opinion_on_a_text_that_changed_or_went_is_left_out_and_told(
    corpus: Corpus, marek: User, bora: User
) -> None:
    a_query_of(corpus, {marek: [3, 3, 3], bora: [3, 3, 3]})
    changed, gone = corpus.documents.order_by("pk")[:2]
    DocumentText.objects.filter(document=changed).update(current=False)
    DocumentText.objects.create(document=changed, text="new", sha256="1" * 64)
    Judgment.objects.filter(document=changed, assessor=bora).update(text_sha256="1" * 64)
    corpus.documents.filter(pk=gone.pk).update(gone_at=timezone.now())
    assert pairs(corpus) == (1, 1)
    assert told(corpus)["opinions_left_out"] == 3
    assert "3 opinions left out." in page(corpus)


def test_locales_cells_and_months_split_the_same_pairs(corpus: Corpus, marek: User, bora: User) -> None:
    both = {marek: MIXED, bora: OTHER}
    a_query_of(corpus, both, at=datetime(2026, 3, 31, 22, 30, tzinfo=UTC))
    a_query_of(corpus, both, stratum="tr de Latn question distinctive", at=datetime(2026, 4, 9, tzinfo=UTC))
    a_query_of(corpus, both, stratum="ja en Jpan-kanji question keyword", at=datetime(2026, 4, 9, tzinfo=UTC))
    Corpus.objects.filter(pk=corpus.pk).update(time_zone="Europe/Istanbul")
    found = told(corpus, "--by", PAIR)
    assert {each["locale"]: each["pairs"] for each in found["locales"]} == {"tr": 20, "ja": 10}
    cells = {(each["query_language"], each["corpus_language"]): each["pairs"] for each in found["cells"]}
    assert cells == {("tr", "en"): 10, ("tr", "de"): 10, ("ja", "en"): 10}
    assert {each["month"]: each["pairs"] for each in found["months"]} == {"2026-04": 30}


def test_causes_are_counted_by_locale_without_those_taken_back(corpus: Corpus, marek: User, bora: User) -> None:
    query = a_query_of(corpus, {marek: MIXED, bora: OTHER})
    causes = [("missed", None), ("missed", None), ("edition", None), ("slip", timezone.now())]
    for number, (cause, undone) in enumerate(causes):
        Adjudication.objects.create(
            query=query, canonical_id=f"d{number}", grade=2, cause=cause, decided_by=marek,
            decided_at=timezone.now(), token=f"press-{number}", undone_at=undone,
        )  # fmt: skip
    (turkish,) = told(corpus)["locales"]
    assert [turkish[cause] for cause in ("missed", "rubric", "edition", "slip")] == [2, 0, 1, 0]


@pytest.mark.parametrize("together", [(), ("d0", "d4", "d7", "d9", "d44")], ids=["alone", "grouped"])
def test_what_was_missed_stands_at_its_place_on_the_judges_screen(
    corpus: Corpus, marek: User, bora: User, together: tuple[str, ...]
) -> None:
    """Near-duplicates stand together as they did then: what a later run groups moves nothing."""
    query = a_query_of(corpus, {marek: [3, 0, 2, *[SWEPT] * 47], bora: [SWEPT, 0, 2, *[SWEPT] * 47]})
    settled(query, {"d0": 3, "d2": 2, "d4": 3, "d1": 0})
    opened = Assignment.objects.earliest("pk").opened_at
    two_judges.near_duplicates(corpus, *together, at=opened - timedelta(days=1))
    expected = [[0, 0] for _ in range(10)]
    for judge, missed in ((marek, {"d4"}), (bora, {"d0", "d4"})):
        order = two_judges.on_screen(query, judge)
        for name in ("d0", "d2", "d4"):
            tenth = expected[order.index(name) // 5]
            tenth[0] += name in missed
            tenth[1] += 1
    two_judges.near_duplicates(corpus, "d2", "d8", "d20", "d30", "d40", at=opened + timedelta(days=1))
    found = told(corpus)["missed_by_place"]
    assert [[each["missed"], each["relevant"]] for each in found] == expected
    assert sum(each["missed"] for each in found) == 3
    assert {each["share"] for each in found} == {None}


def test_what_joined_a_list_after_it_was_read_moves_no_place(corpus: Corpus, marek: User, bora: User) -> None:
    query = a_query_of(corpus, {marek: [3, *[SWEPT] * 19], bora: [SWEPT] * 20})
    settled(query, {"d0": 3})
    places = [two_judges.on_screen(query, judge).index("d0") // 2 for judge in (marek, bora)]
    pool = query.pools.get()
    for document in corpus.documents.order_by("pk")[20:]:
        Candidate.objects.create(pool=pool, document=document, canonical_id=document.canonical_id)
    found = told(corpus)["missed_by_place"]
    assert [each["relevant"] for each in found] == [places.count(tenth) for tenth in range(10)]


def test_an_order_that_was_not_blind_says_nothing_of_places(corpus: Corpus, marek: User, bora: User) -> None:
    query = a_query_of(corpus, {marek: [3], bora: [SWEPT]})
    settled(query, {"d0": 3})
    Assignment.objects.filter(assessor=bora).update(blind=False)
    found = told(corpus)["missed_by_place"]
    assert (sum(each["missed"] for each in found), sum(each["relevant"] for each in found)) == (0, 1)


def test_flips_are_told_beside_what_is_to_be_expected(corpus: Corpus, marek: User, bora: User) -> None:
    """62 pairs with a relevant a query: 12 differ in two queries, so 24 of 124; 118 queries with 68 hits."""
    for _ in range(2):
        a_query_of(corpus, {marek: [3] * 50, bora: [2] * 41 + [1] * 9})
    judged = factories.judged_queries(factories.a_stratum(corpus), 118)
    factories.a_run(corpus, judged[:68], judged[68:], name="exact")
    other = factories.judged_queries(factories.a_stratum(corpus, "de de Latn question distinctive"), 100)
    factories.a_run(corpus, other + judged[:68], judged[68:], name="newer")
    factories.judged_queries(factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive"), 12)
    flips = told(corpus, "--run", "newer", "--by", PAIR)["flips"]
    assert [(each["query_language"], each["fewest"]) for each in flips] == [("tr", 3), ("de", 41), ("ja", None)]
    cells = {each["query_language"]: each for each in flips}
    assert cells["tr"]["across"] == {"count": 3, "lifts": True}
    assert cells["tr"]["past"] is None
    assert cells["tr"]["is_worst"] is True
    assert cells["tr"]["disagreement"] == 0.18
    assert cells["tr"]["expected_wrong"] == pytest.approx(0.09 * 118)
    assert cells["tr"]["may_turn"] is True
    assert cells["de"]["across"] == {"count": 41, "lifts": False}
    assert cells["de"]["past"] == {"count": 43, "lifts": False}
    assert cells["de"]["read_in"] == "all locales"
    assert (cells["ja"]["n"], cells["ja"]["hits"], cells["ja"]["across"]) == (12, None, None)
    shown = page(corpus, "?run=newer")
    assert "3 flipped grades would lift it over 0.60" in shown
    assert "at 18.0 % disagreement in Turkish about 11 of 118 are wrong" in shown
    assert "43 would make it the worst" in shown
    assert "1 cell with its count only</summary>" in shown


def test_flips_are_told_per_cell_of_all_five_dimensions_the_fewest_first(corpus: Corpus) -> None:
    """Of 100 each, hits 64, 61 and 40: 5 push the first under 0.60, 2 the second; 20 lift the third, and 22 off worst."""
    judged = {
        kind: factories.judged_queries(factories.a_stratum(corpus, f"tr en Latn {kind}"), 100)
        for kind in ("question distinctive", "question keyword", "navigational keyword")
    }
    hits = [query for queries, found in zip(judged.values(), (64, 61, 40), strict=True) for query in queries[:found]]
    factories.judged_queries(factories.a_stratum(corpus, "tr en Latn error_string keyword"), 40)
    factories.a_run(corpus, hits, [], name="newer")
    cells = told(corpus, "--run", "newer")["flips"]
    fewest = [(each["query_type"], each["slice"], each["fewest"]) for each in cells]
    assert fewest == [
        ("question", "keyword", 2),
        ("question", "distinctive", 5),
        ("navigational", "keyword", 20),
        ("error_string", "keyword", None),
    ]
    assert [each["is_worst"] for each in cells] == [False, False, True, False]
    assert cells[2]["past"] == {"count": 22, "lifts": True}
    Qrel.objects.filter(query__stratum__slice="distinctive").update(judged_depth=50)
    bounds = {each["slice"]: each["lower_bound"] for each in told(corpus, "--run", "newer")["flips"] if each["fewest"]}
    assert bounds == {"keyword": True, "distinctive": False}
    (pair,) = told(corpus, "--run", "newer", "--by", PAIR)["flips"]
    assert (pair["n"], pair["hits"]) == (340, 165)
    assert page(corpus, "?run=newer").count(">worst cell<") == 1
    rolled = page(corpus, f"?run=newer&by={PAIR}")
    assert ">lowest of these<" in rolled
    assert ">worst cell<" not in rolled
    thin = told(corpus, "--run", "newer", "--use", "screen")["flips"]
    assert [each["n"] for each in thin if each["fewest"] is None] == []


def test_a_filter_chooses_cells_and_leaves_the_worst_where_it_is(corpus: Corpus) -> None:
    low = factories.judged_queries(factories.a_stratum(corpus, "tr en Latn question keyword"), 100)
    high = factories.judged_queries(factories.a_stratum(corpus, "tr en Latn question distinctive"), 100)
    factories.a_run(corpus, low[:40] + high[:80], [], name="newer")
    shown = page(corpus, "?run=newer&slice=distinctive")
    assert "question, distinctive<" in shown
    assert "question, keyword" not in shown
    assert "worst cell" not in shown
    recounted = page(corpus, f"?run=newer&slice=distinctive&by={PAIR}")
    assert re.search(r'>Turkish × English.*?<td class="num">100</td>', recounted, re.DOTALL)
    assert "No query of these cells is counted." in page(corpus, "?query_language=fr")


@pytest.mark.parametrize("asked", ["by=colour", "by=", "use=none", "run=none", "by=slice,slice"])
def test_a_mistyped_question_is_not_found(corpus: Corpus, asked: str) -> None:
    assert stage.signed_in(factories.lena(corpus)).get(f"/c/claims/agreement/?{asked}").status_code == 404


def test_without_a_run_cells_have_their_counts(corpus: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(corpus), 118)
    (cell,) = told(corpus)["flips"]
    assert (cell["n"], cell["score"], cell["across"]) == (118, None, None)
    assert "Nothing is measured yet" in page(corpus)


def test_a_run_that_is_not_there_is_not_found(corpus: Corpus) -> None:
    lena = factories.lena(corpus)
    assert stage.signed_in(lena).get("/c/claims/agreement/?run=none").status_code == 404
    with pytest.raises(CommandError, match="no run called none"):
        call_command("agreement", "claims", "--run", "none")


def test_the_command_tells_it_in_words(corpus: Corpus, marek: User, bora: User) -> None:
    for _ in range(10):
        a_query_of(corpus, {marek: MIXED, bora: OTHER})
    printed = StringIO()
    call_command("agreement", "claims", stdout=printed)
    assert "80 of 100 pairs agree on relevant or not, Fleiss' kappa 0.5" in printed.getvalue()
    assert "marek, bora  100    80" in printed.getvalue()


@pytest.mark.parametrize(
    ("ci", "words"), [((0.05, 0.161), "0.05–0.16"), ((-0.012, 1.0), "−0.01 to 1.00"), ((-0.001, 1.0), "0.00–1.00")]
)
def test_a_bound_below_zero_has_a_minus_sign_and_zero_has_none(ci: tuple[float, float], words: str) -> None:
    assert interval(ci) == words
    assert figure(ci[0]) == re.split("–| to ", words)[0]


def test_an_empty_corpus_says_what_brings_agreement(corpus: Corpus) -> None:
    assert "No answer has two opinions yet." in page(corpus)


def test_the_number_of_sql_queries_does_not_grow(
    corpus: Corpus, marek: User, bora: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_query_of(corpus, {marek: MIXED, bora: OTHER})
    judged = factories.judged_queries(factories.a_stratum(corpus), 3)
    run = factories.a_run(corpus, judged, [])
    for _ in range(2):
        with django_assert_num_queries(12):
            agreement(corpus, Question(by=DIMENSIONS, run=run))
        for _ in range(3):
            query = a_query_of(corpus, {marek: MIXED, bora: OTHER}, stratum="ja en Jpan-kanji question keyword")
            settled(query, {"d0": 3})
    assert Pool.objects.count() == 7
