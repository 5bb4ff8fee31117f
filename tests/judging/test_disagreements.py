"""The disagreements page: what is open and in which order, settling by a press, undo, skip, conflicts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from html import unescape
from io import StringIO
from typing import Any, TypeAlias

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import Corpus, DocumentText, OpenDispute, Qrel, Query, Role, User
from judging.models import Adjudication, Assignment, Judgment
from judging.reports.pool_page import shown_order
from tests import factories
from tests.judging import stage
from tests.judging.judges import another, corpus_of, finish_with, marek
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

Clock: TypeAlias = time_machine.Traveller
PAGE = "/c/claims/disagreements/"


TEN = datetime(2026, 7, 14, 10, 0, tzinfo=timezone.get_default_timezone())


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that the test moves."""
    with time_machine.travel(TEN, tick=False) as moved:
        yield moved


@time_machine.travel(TEN, tick=False)
def stage_rows() -> None:
    """Two judges disagree on d001 (3 and 2) and d002 (2 and left unmarked)."""
    corpus = corpus_of(2)
    finish_with(marek(corpus), {"d001": 3, "d002": 2})
    finish_with(another(corpus), {"d001": 2})


@pytest.fixture
def corpus(clock: Clock) -> Corpus:
    return Corpus.objects.get()


@pytest.fixture
def lena(corpus: Corpus) -> User:
    return factories.lena(corpus)


QUERIES = 18  # of the whole page, whatever is open


class Lead:
    """A lead at the page, as a browser without script: a form sends what the page holds."""

    def __init__(self, user: User, clock: Clock) -> None:
        self.clock = clock
        self.client: Client = stage.signed_in(user)
        self.page = ""
        self.status = 0

    def open(self, address: str = PAGE) -> Lead:
        return self._take(self.client.get(address, follow=True))

    def settle(self, grade: object, cause: str, *, after: float = 9, **fields: Any) -> Lead:
        self.clock.shift(after)
        given = {"seconds": "", "again": self.held("again"), "grade": grade, "cause": cause, **fields}
        return self._take(self.client.post(f"{PAGE}settle", {"showing": self.held("showing"), **given}, follow=True))

    def skip(self) -> Lead:
        return self._take(self.client.post(f"{PAGE}skip", {"showing": self.held("showing")}, follow=True))

    def undo(self) -> Lead:
        return self._take(self.client.post(f"{PAGE}undo", {"adjudication": self.held("adjudication")}, follow=True))

    def held(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page)
        assert found, f"the page has no field {name}"
        return unescape(found[1])

    @property
    def words(self) -> str:
        body = self.page[self.page.index('id="main"') :]
        return unescape(" ".join(re.sub(r"<[^>]+>", " ", body).split()))

    @property
    def code(self) -> str:
        """The document on show."""
        found = re.search(r'<span class="code"><bdi>(\w+)', self.page)
        assert found, "no document is on show"
        return found[1]

    def _take(self, response: Any) -> Lead:
        self.page, self.status = response.content.decode(), response.status_code
        return self


@pytest.fixture
def lead(lena: User, clock: Clock) -> Lead:
    return Lead(lena, clock).open()


def disputed() -> set[str]:
    return set(OpenDispute.objects.values_list("canonical_id", flat=True))


def test_those_on_different_sides_of_relevant_come_first_and_each_shows_its_grades(lead: Lead) -> None:
    assert "2 open, 1 of them on different sides of relevant (grade 2)." in lead.words
    listed = lead.page.partition('aria-label="Open disagreements"')[2]
    first, second = (row.partition("</a>")[0] for row in listed.split('<a class="qi"')[1:])
    assert (sorted(re.findall(r'class="gb (\w+)"', first)), 'aria-current="true"' in first) == (["n2", "seen"], True)
    assert (sorted(re.findall(r'class="gb (\w+)"', second)), "the same side" in second) == (["n2", "n3"], True)
    assert lead.code == "d002"
    assert "All 2 block the next freeze of the sets" in lead.words
    assert listed.count(", blocks the freeze,") == 2


def test_a_note_stands_beside_the_opinion_of_who_wrote_it(lead: Lead) -> None:
    Judgment.objects.filter(assessor__username="bora", document__external_id="d002").update(note="Hail, not <storm>.")
    accounts = lead.open().words.partition("Judge A")[2].split("Judge B")
    [noted] = [words for words in accounts if "Note: Hail, not <storm>." in words]
    assert "Seen, left unmarked" in noted


def test_the_older_of_two_alike_comes_first(corpus: Corpus, lead: Lead) -> None:
    OpenDispute.objects.filter(canonical_id="d001").update(opened_at=timezone.now() - timedelta(days=1))
    Judgment.objects.filter(document__external_id="d001", grade=2).update(grade=1)
    assert lead.open().code == "d001"


def test_no_name_is_shown_before_it_is_settled_and_all_are_afterwards(lead: Lead) -> None:
    assert "Judge A" in lead.words
    assert "Judge B" in lead.words
    assert not re.search("Marek|Bora", lead.words)
    lead.settle(2, "missed")
    assert re.search(r"Judge [AB] was Marek \(2\)", lead.words)
    assert re.search(r"Judge [AB] was Bora \(left unmarked\)", lead.words)


def test_an_account_tells_the_place_in_the_judges_own_list_and_when_it_was_marked(corpus: Corpus, lead: Lead) -> None:
    judge, other = (Assignment.objects.get(assessor__username=name) for name in ("marek", "bora"))
    Judgment.objects.filter(assessor=judge.assessor, document__external_id="d001").update(seconds_active=30)
    Judgment.objects.filter(assessor=judge.assessor, document__external_id="d002").update(seconds_active=11)
    Assignment.objects.filter(pk=other.pk).update(seconds_active=75)
    place = [stage.ids(shown_order(each)).index("d002") + 1 for each in (judge, other)]
    lead.open()
    assert f"Marked at 0:41 , shown at place {place[0]} of 6, blind order" in lead.words.replace("0:41,", "0:41 ,")
    assert f"Took 1:15 for the list, shown at place {place[1]} of 6, blind order" in lead.words


def test_how_long_an_unmarked_document_was_on_screen_is_kept_and_told(corpus: Corpus, lead: Lead) -> None:
    held = Assignment.objects.get(assessor__username="bora")
    Assignment.objects.filter(pk=held.pk).update(reopened_at=timezone.now())
    bora, key = Judge(held.assessor), stage.candidate(held.pool, "d002").pk
    Judgment.objects.filter(assessor=held.assessor, document__external_id="d002").update(state="unseen", grade=None)
    assert bora.finish(held, "d002", screen="1:x").status_code == 400
    assert bora.finish(held, "d002", screen=f"{key}:1149 999999:7 ").status_code == 200
    assert Judgment.objects.get(assessor=held.assessor, document__external_id="d002").screen_ms == 1149
    lead.open()
    assert "On screen for 1.1 s, shown at place" in lead.words
    assert re.search(r"Probably missed while scanning: Judge [AB] had it on screen for 1\.1 s and left it", lead.words)


def test_a_relevant_document_left_unmarked_late_in_the_list_was_probably_missed(corpus: Corpus, lead: Lead) -> None:
    other = Assignment.objects.get(assessor__username="bora")
    for seed in range(200):
        other.order_seed = seed
        place = stage.ids(shown_order(other)).index("d002") + 1
        Assignment.objects.filter(pk=other.pk).update(order_seed=seed)
        said = re.search(r"Probably missed while scanning: Judge [AB] had it at place (\d) of 6", lead.open().words)
        assert bool(said) == (place > 4)
        if said:
            assert said[1] == str(place)
            return
    pytest.fail("no seed showed it late")


def test_a_lead_who_judged_is_told_so(clock: Clock, corpus: Corpus) -> None:
    judge = factories.member(corpus, User.objects.get(username="bora"), Role.LEAD)
    lead = Lead(judge, clock).open()
    assert "(you)" in lead.words
    assert "One of these opinions is your own." in lead.words


@pytest.mark.parametrize("is_variant", [False, True])
def test_a_lead_who_wrote_the_query_is_told_so_and_the_decision_says_it(
    corpus: Corpus, clock: Clock, is_variant: bool
) -> None:
    author, query = factories.lena(corpus), Query.objects.get()
    assert "You wrote this query." not in Lead(author, clock).open().words
    if is_variant:
        query.variant_of = factories.a_query(query.stratum, "q-original", author=author)
    else:
        query.author = author
    query.save()
    lead = Lead(author, clock).open()
    assert "You wrote this query. Another lead would decide with more distance; you may settle it" in lead.words
    assert f"for query {query.external_id}, which you wrote, settled at 2." in lead.settle(2, "missed").words
    assert merged()["d002"]["how"] == "lena, who wrote the query, decided: missed while scanning; grades 0, 2 disagreed"
    page = lead.client.get(f"/c/claims/queries/{query.pk}/").content.decode()
    assert "by <bdi>Lena</bdi>, who wrote the query" in page


def test_an_imported_judge_is_named_as_imported(corpus: Corpus, lead: Lead) -> None:
    document = corpus.documents.get(external_id="d002")
    Judgment.objects.create(
        query=Query.objects.get(), document=document, canonical_id="d002", assessor=factories.person("file-7"),
        grade=1, state="graded", text_sha256="", judged_at=datetime(2025, 3, 3, 9, 30, tzinfo=timezone.get_default_timezone()),
    )  # fmt: skip
    lead.open()
    assert "Judge C" in lead.words
    assert re.search(r"Judge [ABC], imported grade 1 Same topic Marked 3 Mar 2025, 09:30", lead.words)
    assert "file-7" not in lead.page


def test_the_text_that_was_judged_is_shown_with_the_words_of_the_query(corpus: Corpus, lead: Lead) -> None:
    query, document = Query.objects.get(), corpus.documents.get(external_id="d002")
    Query.objects.update(text="deductible")
    before = DocumentText.objects.get(document=document)
    stage.a_text(document, "Another text now.")
    lead.open()
    assert query.stratum.query_language == "tr"
    assert before.text in lead.words
    assert "The document has another text by now. Your grade is stored for the present text, so read" in lead.words
    assert "Another text now." in lead.words.partition("The whole present text")[2]
    assert re.search(r"Earlier text.*Text now.* Another text now", lead.words)
    DocumentText.objects.filter(pk=before.pk).update(text="The deductible is € 5.")
    assert "<mark>deductible</mark>" in lead.open().page
    lead.settle(3, "slip")
    present = DocumentText.objects.get(document=document, current=True)
    assert Qrel.objects.get(canonical_id="d002").text_sha256 == present.sha256


def test_settling_opens_the_next_and_the_last_one_turns_the_query_judged(lead: Lead, lena: User) -> None:
    lead.settle(0, "missed")
    assert lead.code == "d001"
    assert "1 of 2 settled today" in lead.words
    assert Query.objects.get().status == "ready"
    lead.settle(3, "rubric")
    assert "No disagreement is open" in lead.words
    assert Query.objects.get().status == "judged"
    made = {each.canonical_id: each for each in Adjudication.objects.all()}
    assert {name: (each.grade, each.cause, each.decided_by) for name, each in made.items()} == {
        "d002": (0, "missed", lena),
        "d001": (3, "rubric", lena),
    }
    assert Qrel.objects.get(canonical_id="d001").source == "adjudicated"


@pytest.mark.parametrize(
    ("grade", "cause", "words"),
    [("", "slip", "Choose a grade from 0 to 3"), ("3", "", "Say why the opinions differed")],
)
def test_a_grade_and_a_cause_are_required_and_what_was_chosen_is_kept(
    lead: Lead, grade: str, cause: str, words: str
) -> None:
    lead.settle(grade, cause)
    assert (lead.status, lead.code) == (422, "d002")
    assert words in lead.words
    assert re.search(rf'id="missing"[^>]*>{words}', lead.page)
    assert len(re.findall(r" checked", lead.page)) == 1
    assert not Adjudication.objects.exists()


def test_what_was_decided_in_under_two_seconds_is_asked_once_more_and_stays_known(lead: Lead) -> None:
    lead.settle(3, "slip", seconds=1.9)
    assert (lead.status, lead.code) == (422, "d002")
    assert "Decided in under 2 s. Press again to settle it all the same, or look once more." in lead.words
    lead.settle(2, "slip", seconds=1.2)  # another press is not the same one
    assert lead.status == 422
    assert not Adjudication.objects.exists()
    lead.settle(2, "slip", seconds=0.8)
    made = Adjudication.objects.get()
    assert (made.grade, made.seconds) == (2, 0)
    assert merged()["d002"]["how"] == "lena decided in under 2 s: slip of the key; grades 0, 2 disagreed"


def test_without_script_the_server_measures_the_seconds(lead: Lead) -> None:
    assert lead.settle(3, "slip", after=1).status == 422
    assert lead.settle(3, "slip", after=7.5).status == 200
    made = Adjudication.objects.get()
    assert made.seconds == 7


def test_no_more_seconds_count_than_have_passed(lead: Lead) -> None:
    lead.settle(3, "slip", after=5, seconds=500)
    assert Adjudication.objects.get().seconds == 5


def test_a_press_sent_twice_decides_once(lead: Lead) -> None:
    showing = lead.held("showing")
    lead.settle(3, "slip")
    assert lead.settle(3, "slip", showing=showing).status == 200
    assert Adjudication.objects.count() == 1


def test_who_comes_second_reads_who_settled_it_when_and_goes_on_at_the_same_place(
    clock: Clock, corpus: Corpus, lead: Lead
) -> None:
    other = Lead(factories.member(corpus, factories.person("ines", name="Ines"), Role.LEAD), clock).open()
    lead.settle(3, "slip", after=120)
    other.settle(0, "missed")
    assert "Lena settled this at 10:02 with grade 3." in other.words
    assert other.code == "d001"
    assert Adjudication.objects.get().grade == 3


def test_who_comes_a_day_later_reads_the_date_too(clock: Clock, corpus: Corpus, lead: Lead) -> None:
    other = Lead(factories.member(corpus, factories.person("ines", name="Ines"), Role.LEAD), clock).open()
    lead.settle(3, "slip", after=120)
    other.settle(0, "missed", after=86_400)
    assert "Lena settled this on 14 Jul 2026 at 10:02 with grade 3." in other.words


def test_undo_opens_ones_own_last_decision_again(lead: Lead) -> None:
    lead.settle(3, "slip")
    lead.undo()
    assert lead.code == "d002"
    assert "waits for a decision again" in lead.words
    assert disputed() == {"d001", "d002"}
    assert 'name="adjudication"' not in lead.page


def tally_of(lead: Lead) -> tuple[int, int]:
    """How many queries coverage and the list of queries call "judged, no answer"."""
    told = StringIO()
    call_command("coverage", "claims", "--json", stdout=told)
    counted = sum(cell["no_answer"] for cell in json.loads(told.getvalue())["cells"])
    listed = lead.client.get("/c/claims/queries/", {"status": "no_answer"}).content.decode()
    return counted, listed.count('role="rowheader"')


def test_undoing_the_last_decision_lets_the_query_wait_again(lead: Lead) -> None:
    lead.settle(0, "slip").settle(3, "slip")
    assert Query.objects.get().status == "judged"
    lead.undo()
    assert Query.objects.get().status == "ready"
    assert tally_of(lead) == (0, 0)
    assert lead.settle(0, "slip").status == 200
    assert Query.objects.get().status == "judged"
    assert tally_of(lead) == (1, 1)


def test_what_was_judged_before_is_no_answer_only_once_nothing_waits_for_a_decision(lead: Lead) -> None:
    Query.objects.update(status="judged")
    lead.settle(0, "slip")
    assert tally_of(lead) == (0, 0)
    lead.settle(0, "slip").undo()
    assert Query.objects.get().status == "judged"
    assert tally_of(lead) == (0, 0)


def test_undo_opens_it_again_in_its_old_place(corpus: Corpus, lead: Lead) -> None:
    Judgment.objects.filter(document__external_id="d001", grade=2).update(grade=1)
    lead.open()
    assert lead.code == "d001"
    order = re.findall(r'class="qi".*?</a>', lead.page, re.DOTALL)
    since = OpenDispute.objects.get(canonical_id="d001").opened_at
    lead.settle(3, "slip").undo()
    assert OpenDispute.objects.get(canonical_id="d001").opened_at == since
    assert len(again := re.findall(r'class="qi".*?</a>', lead.open().page, re.DOTALL)) == 2
    assert [re.findall(r"gb \w+", row) for row in again] == [re.findall(r"gb \w+", row) for row in order]
    assert lead.code == "d001"


def test_undo_pressed_twice_takes_back_one_decision(lead: Lead) -> None:
    lead.settle(3, "slip").settle(3, "slip")
    pressed = lead.held("adjudication")
    for _ in range(2):
        lead.client.post(f"{PAGE}undo", {"adjudication": pressed})
    assert Adjudication.objects.filter(undone_at=None).count() == 1


def test_nobody_takes_back_what_another_lead_decided(clock: Clock, corpus: Corpus, lead: Lead) -> None:
    lead.settle(3, "slip")
    other = Lead(factories.member(corpus, factories.person("ines"), Role.LEAD), clock).open()
    assert 'name="adjudication"' not in other.page
    made = Adjudication.objects.get()
    assert other.client.post(f"{PAGE}undo", {"adjudication": made.pk}).status_code == 404
    assert Adjudication.objects.get().undone_at is None


def test_what_was_skipped_comes_back_last(corpus: Corpus, lead: Lead) -> None:
    assert lead.skip().code == "d001"
    assert lead.open().code == "d001"
    assert lead.settle(3, "slip").code == "d002"


def test_a_withdrawn_query_waits_for_no_decision(lead: Lead) -> None:
    Query.objects.update(status="retired", retired_reason="Asks two things.")
    lead.settle(3, "slip")
    assert "was withdrawn: Asks two things." in lead.words
    assert "No disagreement is open" in lead.words


@pytest.mark.parametrize("showing", ["", "forged", "eyJ9:1x:y"])
def test_a_form_that_no_page_of_ours_sent_changes_nothing(lead: Lead, showing: str) -> None:
    for press in (
        lead.client.post(f"{PAGE}{name}", {"showing": showing}, follow=True) for name in ("settle", "skip", "undo")
    ):
        assert "nothing was changed" in press.content.decode()
    assert not Adjudication.objects.exists()


def test_the_address_of_a_settled_one_leads_to_the_list(lead: Lead) -> None:
    gone = OpenDispute.objects.get(canonical_id="d002").pk
    lead.settle(3, "slip").open(f"{PAGE}{gone}/")
    assert "That disagreement is not open any more." in lead.words
    assert lead.code == "d001"


def test_the_menu_and_my_work_count_what_is_open_for_leads_alone(corpus: Corpus, lead: Lead) -> None:
    assert 'Disagreements<span class="n">2</span>' in lead.page
    home = lead.open("/c/claims/")
    assert "2 documents judged differently 1 query waits for your decision" in home.words
    theo = factories.theo(corpus)
    assert "2 documents judged differently" in stage.signed_in(theo).get("/c/claims/").content.decode()
    theo.memberships.update(languages=["ja"])
    assert "judged differently" not in stage.signed_in(theo).get("/c/claims/").content.decode()
    judge = stage.signed_in(User.objects.get(username="marek"))
    assert "Disagreements" not in judge.get("/c/claims/").content.decode()
    assert judge.get(PAGE).status_code == 403


def test_a_query_that_waits_for_a_decision_says_so_where_queries_are_listed(lead: Lead) -> None:
    query = Query.objects.get()
    for address in ("/c/claims/queries/", f"/c/claims/queries/{query.pk}/", "/c/claims/queries/?status=disputed"):
        assert "Waits for a decision" in re.sub(r"<option.*?</option>", "", lead.open(address).page)
    lead.open().settle(3, "slip").settle(3, "slip")
    lead.open("/c/claims/queries/")
    assert "Waits for a decision" not in re.sub(r"<option.*?</option>", "", lead.page)
    assert query.external_id not in lead.open("/c/claims/queries/?status=disputed").words


def test_the_page_asks_no_more_of_the_database_for_more_disagreements(
    clock: Clock, corpus: Corpus, lena: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    lead = Lead(lena, clock)
    lead.open()
    with django_assert_num_queries(QUERIES):
        lead.open()
    stratum = corpus.strata.get()
    stage.in_stratum(stratum, 4)
    stage.call("draw_pools", corpus)
    for name, grade in (("marek", 3), ("bora", 2)):
        judge = Judge(User.objects.get(username=name))
        judge.presses = 100  # what it pressed before bears the tokens below
        for _ in range(4):
            finish_with(judge, {"d001": grade, "d003": grade})
    assert len(disputed()) == 3
    assert OpenDispute.objects.count() == 10
    with django_assert_num_queries(QUERIES):
        lead.open()


def test_the_command_lists_them_as_the_page_does(corpus: Corpus) -> None:
    out = StringIO()
    call_command("disagreements", "claims", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert [(each["canonical_id"], each["splits"]) for each in told["open"]] == [("d002", True), ("d001", False)]
    first = told["open"][0]
    assert (first["query_language"], first["corpus_language"]) == ("tr", "en")
    assert sorted((each["grade"], each["swept"], each["imported"]) for each in first["opinions"]) == [
        (0, True, False),
        (2, False, False),
    ]
    assert told["settled_today"] == 0
    said = StringIO()
    call_command("disagreements", "claims", stdout=said)
    assert re.search(r"d002 +Judge A (2|unmarked), Judge B (2|unmarked)", said.getvalue())
    assert "2 open, 1 of them on different sides of relevant (grade 2). 0 settled today." in said.getvalue()


def merged() -> dict[str, dict[str, Any]]:
    """The merged export, line by line."""
    out = StringIO()
    call_command("export_judgments", "claims", "--merged", stdout=out, stderr=StringIO())
    return {line["canonical_id"]: line for line in map(json.loads, out.getvalue().splitlines())}


def test_c04_the_merged_line_says_who_settled_it_and_why_they_differed(corpus: Corpus, lead: Lead) -> None:
    lead.settle(2, "missed")
    lines = merged()
    assert (lines["d002"]["grade"], lines["d002"]["decided_by"], lines["d002"]["grades"]) == (
        2,
        "lena",
        {"0": 1, "2": 1},
    )
    assert lines["d002"]["how"] == "lena decided: missed while scanning; grades 0, 2 disagreed"
    assert (lines["d001"]["grade"], lines["d001"]["how"]) == (None, "not settled: grades 2, 3 disagree")
    assert "decided_by" not in lines["d001"]
