"""Flags on candidates that are not what their row says."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from curation.models import Corpus, Qrel, Role
from judging.models import Assignment, Candidate, Judgment, JudgmentEvent, Mismatch, Pool
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge
from tests.judging.test_pool_page import group_together

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]


def stage_rows() -> None:
    corpus = factories.a_corpus()
    for language in ("en", "tr", "de"):
        stage.a_document(corpus, f"hail-{language}", canonical_id="hail", language=language)
    stage.a_document(corpus, "snow")
    stage.a_space(corpus, {"hail-en": 0.0, "hail-tr": 1.0, "hail-de": 2.0, "snow": 3.0})
    stage.aims(factories.a_query(factories.a_stratum(corpus, "en en Latn question distinctive")))
    stage.call("draw_pools", corpus)
    factories.marek(corpus)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


def flag(judge: Judge, held: Assignment, reason: str, *, about: str = "", token: str = "f1") -> int:
    """Flag the row of the hail document; the status of the answer."""
    fields = {"document": held.pool.query.corpus.documents.get(external_id=about).pk} if about else {}
    key = stage.candidate(held.pool, "hail-en").pk
    status: int = judge.post("mismatch", held, candidate=key, reason=reason, token=token, **fields).status_code
    return status


def page(judge: Judge, held: Assignment) -> str:
    return judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()


def rows(judge: Judge, held: Assignment) -> list[str]:
    keys = re.findall(r'data-candidate="(\d+)"', page(judge, held))
    return [Candidate.objects.get(pk=key).document.external_id for key in keys]


def test_a_flag_is_stored_once_and_shown_on_its_row(judge: Judge, held: Assignment) -> None:
    assert [flag(judge, held, "country"), flag(judge, held, "country")] == [200, 200]
    stored = Mismatch.objects.get()
    assert (stored.reason, stored.assessor, stored.document) == ("country", judge.user, None)
    assert 'aria-hidden="true"></span>Wrong country</span>' in page(judge, held)
    assert rows(judge, held) == ["hail-en", "snow"]


def test_what_is_not_the_same_document_is_a_row_of_its_own_behind_it(judge: Judge, held: Assignment) -> None:
    flag(judge, held, "not_same", about="hail-tr")
    assert rows(judge, held) == ["hail-en", "hail-tr", "snow"]
    assert "1 translation folded" in page(judge, held)
    assert stage.candidate(held.pool, "hail-tr").canonical_id == "hail"


def test_the_whole_fold_opens_where_no_translation_is_named(judge: Judge, held: Assignment) -> None:
    flag(judge, held, "not_same")
    assert sorted(rows(judge, held)) == ["hail-de", "hail-en", "hail-tr", "snow"]


def test_an_unfolded_document_is_judged_and_the_best_grade_counts(judge: Judge, held: Assignment) -> None:
    flag(judge, held, "not_same", about="hail-tr")
    judge.mark(held, "hail-en", 1)
    judge.mark(held, "hail-tr", 3)
    assert judge.finish(held, "snow").status_code == 200
    assert dict(Qrel.objects.values_list("canonical_id", "grade")) == {"hail": 3, "snow": 0}


def test_a_flag_taken_back_folds_the_row_and_clears_what_was_marked_there(judge: Judge, held: Assignment) -> None:
    flag(judge, held, "not_same", about="hail-tr")
    judge.mark(held, "hail-tr", 3)
    flag(judge, held, "", token="f2")
    assert rows(judge, held) == ["hail-en", "snow"]
    assert [each.reason for each in Mismatch.objects.exclude(undone_at=None).order_by("pk")] == ["not_same", ""]
    assert Judgment.objects.get().state == "cleared"
    assert list(JudgmentEvent.objects.values_list("state", flat=True)) == ["graded", "cleared"]


def test_another_reason_replaces_the_one_before(judge: Judge, held: Assignment) -> None:
    flag(judge, held, "facts", about="hail-tr")
    flag(judge, held, "withdrawn", token="f2")
    assert list(Mismatch.objects.filter(undone_at=None).values_list("reason", flat=True)) == ["withdrawn"]


def undo(judge: Judge, held: Assignment, token: str) -> str:
    """Press u; the query that the judge goes on with."""
    address: str = judge.post("undo", held, token=token).json()["next"]
    return address


def stands() -> list[tuple[str, str | None]]:
    """What is flagged: (reason, rendering)."""
    flags = Mismatch.objects.filter(undone_at=None).order_by("pk")
    return list(flags.values_list("reason", "document__external_id"))


def test_a_token_names_one_flag_only(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    Pool.objects.update(opinions=2)
    other = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))
    theirs = other.next()
    assert theirs is not None
    assert flag(judge, held, "facts", token="t") == 200
    assert flag(other, theirs, "country", token="t") == 409
    assert stands() == [("facts", None)]


def test_undo_takes_back_flags_and_marks_in_the_order_they_were_made(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "hail-en", 1)
    flag(judge, held, "facts", about="hail-tr")
    flag(judge, held, "not_same", about="hail-de", token="f2")
    judge.mark(held, "hail-de", 3)
    undo(judge, held, "u1")
    assert Judgment.objects.get(document__external_id="hail-de").state == "cleared"
    assert stands() == [("not_same", "hail-de")]
    for _ in range(2):  # one press, sent twice
        undo(judge, held, "u2")
    assert stands() == [("facts", "hail-tr")]
    assert rows(judge, held) == ["hail-en", "snow"]
    undo(judge, held, "u3")
    assert stands() == []
    assert Judgment.objects.get(document__external_id="hail-en").grade == 1
    undo(judge, held, "u4")
    assert Judgment.objects.get(document__external_id="hail-en").state == "cleared"


def test_undo_brings_back_a_flag_that_was_taken_back_and_then_the_marks_that_went_with_it(
    judge: Judge, held: Assignment
) -> None:
    flag(judge, held, "not_same", about="hail-tr")
    judge.mark(held, "hail-tr", 3)
    flag(judge, held, "", token="f2")
    undo(judge, held, "u1")
    assert rows(judge, held) == ["hail-en", "hail-tr", "snow"]
    undo(judge, held, "u2")
    assert Judgment.objects.get().grade == 3
    undo(judge, held, "u3")
    assert (Judgment.objects.get().state, stands()) == ("cleared", [("not_same", "hail-tr")])
    undo(judge, held, "u4")
    assert stands() == []


def test_undo_reaches_a_flag_across_queries_and_keeps_every_press(
    corpus: Corpus, judge: Judge, held: Assignment
) -> None:
    stage.aims(factories.a_query(held.pool.query.stratum))
    stage.call("draw_pools", corpus)
    judge.mark(held, "hail-en", 3)
    flag(judge, held, "country")
    judge.finish(held, "snow")
    second = judge.next()
    assert second is not None
    assert undo(judge, second, "u1") == f"/c/claims/judge/{held.pk}/"
    assert stands() == [("country", None)]
    told = judge.post("undo", held, token="u2").json()
    assert told["words"] == "hail-en: the flag “Wrong country” is taken back."
    assert stands() == []
    assert Judgment.objects.get(document__external_id="hail-en").grade == 3
    history = Mismatch.objects.order_by("pk").values_list("reason", "token", "undoes__token")
    assert list(history) == [("country", "f1", None), ("", "u2", "f1")]


def test_the_page_takes_back_its_own_flag_by_its_token(judge: Judge, held: Assignment) -> None:
    key = stage.candidate(held.pool, "hail-en").pk
    flag(judge, held, "facts")
    flag(judge, held, "country", token="f2")
    back = {"candidate": key, "token": "b1", "undoes": "f2"}
    assert [judge.post("mismatch", held, **back).json()["reason"] for _ in range(2)] == ["facts", "facts"]
    assert judge.post("mismatch", held, candidate=key, token="b2", undoes="f2").json()["reason"] == "facts"
    assert stands() == [("facts", None)]
    undo(judge, held, "u1")
    assert stands() == []


def test_a_flag_that_is_not_there_is_taken_back_without_a_trace(judge: Judge, held: Assignment) -> None:
    assert flag(judge, held, "") == 200
    assert Mismatch.objects.count() == 0


def test_what_one_judge_unfolds_another_does_not_see(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    flag(judge, held, "not_same")
    Assignment.objects.update(lease_until=timezone.now() - timedelta(hours=1))
    other = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))
    theirs = other.next()
    assert theirs is not None
    assert rows(other, theirs) == ["hail-en", "snow"]
    other.mark(theirs, "hail-en", 2)
    other.finish(theirs, "snow")
    assert Judgment.objects.filter(assessor=other.user).count() == 2


def test_a_document_that_is_not_folded_there_is_refused(judge: Judge, held: Assignment) -> None:
    assert flag(judge, held, "facts", about="snow") == 409
    assert Mismatch.objects.count() == 0


@pytest.mark.parametrize("reason", ["facts", "not_same"])
def test_where_nothing_is_folded_no_translation_can_be_wrong(judge: Judge, held: Assignment, reason: str) -> None:
    snow = {"candidate": stage.candidate(held.pool, "snow").pk, "token": "t"}
    answer = judge.post("mismatch", held, reason=reason, **snow)
    assert (answer.status_code, Mismatch.objects.count()) == (409, 0)
    assert "No translation is folded into this document" in answer.json()["refused"]
    asked = judge.client.post(f"/c/claims/judge/{held.pk}/mismatch", snow).content.decode()
    assert re.findall(r'name="reason" value="(\w*)"', asked) == ["country", "withdrawn"]


def test_what_was_unfolded_stands_behind_its_group_as_a_document_of_its_own(judge: Judge, held: Assignment) -> None:
    group_together(held.pool.query.corpus, "hail-en", "snow")
    flag(judge, held, "not_same")
    shown = page(judge, held)
    group, behind = shown[shown.index('<section class="grp"') :].split("</section>", 1)
    assert ("2 versions" in group, group.count("data-candidate")) == (True, 2)
    assert behind.count('class="cand"') == 2
    assert "4 documents</b> in 3 rows" in shown


def test_a_flag_on_the_page_of_someone_else_is_not_saved(judge: Judge, held: Assignment) -> None:
    key = stage.candidate(held.pool, "snow").pk
    answer = judge.post("mismatch", held, candidate=key, reason="facts", token="x", assessor=judge.user.pk + 1)
    assert (answer.status_code, answer.json()["someone_else"]) == (409, True)
    assert Mismatch.objects.count() == 0


def test_without_script_a_page_asks_for_the_reason_and_keeps_the_marks(judge: Judge, held: Assignment) -> None:
    key = stage.candidate(held.pool, "hail-en").pk
    where = f"/c/claims/judge/{held.pk}/mismatch"
    asked = judge.client.post(where, {"candidate": key, "token": "t", f"grade-{key}": "2"}).content.decode()
    assert "Translation states different facts" in asked
    assert "Turkish" in asked
    assert Judgment.objects.get().grade == 2
    judge.client.post(where, {"candidate": key, "token": "t", "reason": "facts", "note": "other limit"})
    assert list(Mismatch.objects.values_list("reason", "note")) == [("facts", "other limit")]


def test_leads_see_the_flags_and_a_command_exports_them(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    flag(judge, held, "facts", about="hail-tr")
    lead = stage.signed_in(factories.lena(corpus))
    assert "1 mismatch flagged" in lead.get("/c/claims/").content.decode()
    listed = lead.get("/c/claims/mismatches/").content.decode()
    assert "Translation states different facts" in listed
    assert 'lang="en" dir="auto">Text of hail-en.</span> <bdi class="small muted mono">hail-en</bdi>' in listed
    assert 'lang="tr" dir="auto">Text of hail-tr.</span> <bdi class="small muted mono">hail-tr</bdi>' in listed
    out = StringIO()
    call_command("mismatches", "claims", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert [(each["document_id"], each["rendering_id"], each["reason"]) for each in told] == [
        ("hail-en", "hail-tr", "facts")
    ]
    out = StringIO()
    call_command("mismatches", "claims", stdout=out)
    query = held.pool.query.external_id
    said = f"hail-en for query {query}: Translation states different facts (translation hail-tr), by marek\n"
    assert out.getvalue() == f"{said}1 open, 0 dealt with.\n"


def test_a_flag_is_told_in_the_time_zone_of_its_corpus(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    lena, at = factories.lena(corpus), datetime(2026, 3, 31, 15, 59, tzinfo=UTC)
    flag(judge, held, "country")
    Mismatch.objects.update(at=at, dealt_with_at=at, dealt_with_by=lena)
    Corpus.objects.update(time_zone="Asia/Tokyo")
    assert "1 Apr 2026, 00:59 by" in stage.signed_in(lena).get("/c/claims/mismatches/").content.decode()


@pytest.mark.parametrize(("reason", "of_all"), [("facts", True), ("country", False), ("withdrawn", False)])
def test_a_flag_speaks_of_all_translations_only_where_its_reason_does(
    corpus: Corpus, judge: Judge, held: Assignment, reason: str, of_all: bool
) -> None:
    flag(judge, held, reason)
    listed = stage.signed_in(factories.lena(corpus)).get("/c/claims/mismatches/").content.decode()
    assert ("all of them" in listed) == of_all


def test_every_page_counts_what_was_unfolded_while_it_is(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    lead, address = stage.signed_in(factories.lena(corpus)), f"/c/claims/queries/{held.pool.query_id}/"

    def told() -> list[bool]:
        count = f"{len(rows(judge, held))} documents</b>" in page(judge, held)
        of_pool = lead.get(f"{address}pool/").content.decode()
        return [count, f"{len(rows(judge, held))} candidates" in of_pool, "hail-tr" in of_pool]

    flag(judge, held, "not_same", about="hail-tr")
    assert (len(rows(judge, held)), told()) == (3, [True, True, True])
    flag(judge, held, "", token="f2")
    assert (len(rows(judge, held)), told()) == (2, [True, True, False])
    flag(judge, held, "not_same", about="hail-tr", token="f3")
    judge.mark(held, "hail-en", 3)
    judge.finish(held, "hail-tr", "snow")
    settled = lead.get(address).content.decode()
    assert "3 judged, 1 positive, pool of 3" in settled
    assert "Text of hail-en.</span>" in settled


def test_the_menu_of_a_lead_leads_to_the_flags_and_counts_them(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    flag(judge, held, "country")
    page = stage.signed_in(factories.lena(corpus)).get("/c/claims/queries/").content.decode()
    entry = re.search(r'href="/c/claims/mismatches/"[^>]*>(.*?)</a>', page, re.DOTALL)
    assert entry is not None
    assert re.sub(r"<.*?>|\s", "", entry[1]) == "Mismatches1"


def deal(client: Client, flag: Mismatch, **fields: str) -> str:
    """Press a button of the list of flags; the page after it."""
    page: str = client.post("/c/claims/mismatches/deal", {"flag": flag.pk, **fields}, follow=True).content.decode()
    return page


def test_a_flag_that_is_dealt_with_leaves_the_open_list_and_says_by_whom(
    corpus: Corpus, judge: Judge, held: Assignment
) -> None:
    flag(judge, held, "facts")
    (flagged,) = Mismatch.objects.all()
    lena, ines = factories.lena(corpus), factories.member(corpus, factories.person("ines", name="Ines"), Role.LEAD)
    before = stage.signed_in(lena).get("/c/claims/mismatches/").content.decode()
    assert "<summary>Dealt with" not in before
    page = deal(stage.signed_in(lena), flagged)
    waiting, dealt = page.split("<summary>Dealt with: 1")
    assert "The flag on hail-en is dealt with." in waiting
    assert "No mismatch is open" in waiting
    assert "by <bdi>Lena</bdi>" in dealt
    assert "/c/claims/mismatches/" in stage.signed_in(lena).get("/c/claims/disagreements/").content.decode()
    assert "mismatch flagged" not in stage.signed_in(lena).get("/c/claims/").content.decode()
    flagged.refresh_from_db()
    first = flagged.dealt_with_at
    assert "Lena dealt with the flag on hail-en at " in deal(stage.signed_in(ines), flagged)
    flagged.refresh_from_db()
    assert (flagged.dealt_with_by, flagged.dealt_with_at) == (lena, first)
    out = StringIO()
    call_command("mismatches", "claims", "--json", stdout=out)
    assert json.loads(out.getvalue())[0]["dealt_with_by"] == "lena"
    assert "is open again." in deal(stage.signed_in(ines), flagged, again="1")
    assert "1 mismatch flagged" in stage.signed_in(lena).get("/c/claims/").content.decode()


def test_what_a_judge_took_back_is_not_dealt_with(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    flag(judge, held, "facts")
    (flagged,) = Mismatch.objects.all()
    undo(judge, held, "u1")
    page = deal(stage.signed_in(factories.lena(corpus)), flagged)
    assert "The judge took the flag on hail-en back meanwhile." in page
    assert Mismatch.objects.filter(dealt_with_at=None).count() == 2


def test_only_leads_of_the_corpus_deal_with_its_flags(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    flag(judge, held, "facts")
    (flagged,) = Mismatch.objects.all()
    assert judge.client.post("/c/claims/mismatches/deal", {"flag": flagged.pk}).status_code == 403
    other = stage.signed_in(factories.member(factories.a_corpus("other"), factories.person("omar"), Role.LEAD))
    assert other.post("/c/other/mismatches/deal", {"flag": flagged.pk}).status_code == 404
    lena = stage.signed_in(factories.lena(corpus))
    assert "nothing was changed" in lena.post("/c/claims/mismatches/deal", {"flag": "x"}, follow=True).content.decode()
    flagged.refresh_from_db()
    assert flagged.dealt_with_at is None


def test_a_lead_who_judges_a_query_reads_what_others_flagged_on_it_once_they_have_finished(
    corpus: Corpus, judge: Judge, held: Assignment
) -> None:
    flag(judge, held, "country")
    Assignment.objects.update(released_at=timezone.now(), place=None)
    lead = Judge(factories.lena(corpus))
    theirs = lead.next()
    assert theirs is not None
    listed, menu = "/c/claims/mismatches/", "/c/claims/"
    assert "Wrong country" not in lead.client.get(listed).content.decode()
    assert "mismatch flagged" not in lead.client.get(menu).content.decode()
    Mismatch.objects.update(dealt_with_at=timezone.now(), dealt_with_by=theirs.assessor)
    assert "Wrong country" not in lead.client.get(listed).content.decode()
    Mismatch.objects.update(dealt_with_at=None, dealt_with_by=None)
    flag(lead, theirs, "withdrawn", token="own")
    page = lead.client.get(listed).content.decode()
    assert ("Withdrawn edition" in page, "Wrong country" in page) == (True, False)
    lead.mark(theirs, "hail-en", 3)
    lead.finish(theirs, "snow")
    assert "Wrong country" in lead.client.get(listed).content.decode()
    Assignment.objects.filter(assessor=lead.user).update(reopened_at=timezone.now())
    assert "Wrong country" not in lead.client.get(listed).content.decode()


def test_a_flag_that_is_taken_back_in_two_windows_is_taken_back_once(judge: Judge, held: Assignment) -> None:
    flag(judge, held, "country", token="f1")
    undo(judge, held, "u1")
    key = stage.candidate(held.pool, "hail-en").pk
    again = judge.post("mismatch", held, candidate=key, reason="", token="u2", undoes="f1")
    assert (again.status_code, again.json()["reason"]) == (200, "")
    assert Mismatch.objects.count() == 2
