"""From a fresh log to queries in the strata that the set has left behind: import, tick, proposals, review."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation import tasks
from curation.actions import generations
from curation.models import Corpus, Miner, MiningRun, Proposal, Query, TargetIndex
from curation.reports.log_period import last_full_quarter
from tests import factories
from tests.bringing import bring, run, written

from .scene import a_corpus, counted, searched

pytestmark = pytest.mark.django_db
LATIN = "dolu hasarı için ne kadar ödeniyor acaba"
PLAIN = "dolu hasari icin ne kadar odeniyor acaba"


def fresh_day() -> date:
    """A day of the last full quarter."""
    return last_full_quarter(timezone.now().date()).since


@pytest.fixture
def corpus() -> Corpus:
    """A set of 40 questions with Turkish letters, as it was asked before."""
    made = a_corpus("tr", "en")
    counted(made, "tr en Latn question distinctive", *(f"{LATIN} {number}?" for number in range(40)))
    return made


def mined() -> MiningRun:
    code, out = run("mine", "claims", "--miner", "short_keyword", "--wait")
    assert code == 0, out
    return MiningRun.objects.latest("pk")


def longer(run: MiningRun) -> list[Proposal]:
    """The longer wordings of a run in their order."""
    return [each for each in run.proposals.order_by("rank") if each.evidence.get("slice")]


def test_a_fresh_log_becomes_a_query_in_the_stratum_the_set_has_left_behind(
    corpus: Corpus, tmp_path: Path, client: Client
) -> None:
    day = fresh_day().isoformat()
    lines = [f"{PLAIN} {number}?,{day},{42 if number == 3 else 2}" for number in range(50)]
    lines += [f"{LATIN} {number}?,{day},8" for number in range(50)]
    bring("import_log", "claims", written(tmp_path, "log.csv", "query,date,count", *lines), "--locale", "tr")
    TargetIndex.objects.update(remine_anchor=timezone.now().date(), remine_due_on=timezone.now().date())
    [ticked] = generations.tick(now=timezone.now())
    [job] = [each for each in ticked.jobs if each.params["miner"] == Miner.SHORT_KEYWORD]
    assert tasks.work_on(job.pk)
    proposals = longer(MiningRun.objects.get(job=job))
    assert len(proposals) == 30
    assert {each.evidence["stratum"]["script"] for each in proposals} == {"Latn-plain"}
    [most_asked] = [each for each in proposals if each.text == f"{PLAIN} 3?"]
    client.force_login(factories.marek(corpus))
    address = reverse("review", args=["claims", "short_keyword"])
    shown = client.get(f"{address}?at={most_asked.pk}").content.decode()
    period = last_full_quarter(timezone.now().date()).words
    assert (
        f"Asked 42 times in {period}. 26 % of the searches in Turkish are of this kind (Latin without diacritics, "
        "question, six words or more); the set holds 0 counted queries of it." in shown
    )
    assert "<b>Slice</b> distinctive" in shown
    client.post(reverse("review_accept", args=["claims", "short_keyword", most_asked.pk]), {"locale": "tr"})
    made = Query.objects.get(proposal=most_asked)
    assert (made.status, made.origin, made.text) == ("ready", "log", f"{PLAIN} 3?")
    stratum = made.stratum
    assert (stratum.query_language, stratum.script) == ("tr", "Latn-plain")
    assert (stratum.query_type, stratum.slice) == ("question", "distinctive")


def test_where_the_set_asks_what_people_ask_no_longer_wording_is_proposed(corpus: Corpus) -> None:
    searched(corpus, f"{LATIN} today?", 200, day=fresh_day())
    assert longer(mined()) == []
    assert "left_behind" not in MiningRun.objects.latest("pk").summary


def test_a_thin_log_asks_for_nothing(corpus: Corpus) -> None:
    searched(corpus, f"{PLAIN}?", 99, day=fresh_day())
    assert longer(mined()) == []


def test_mined_again_in_the_same_generation_the_draw_and_the_verdicts_stay(corpus: Corpus) -> None:
    for number in range(60):
        searched(corpus, f"{PLAIN} {number}?", 3, day=fresh_day())
    first = longer(mined())
    reviewed = verdicts(corpus, first)
    again = longer(mined())
    assert [each.text for each in again] == [each.text for each in first]
    assert {each.text: each.status for each in again if each.status != "pending"} == reviewed


def verdicts(corpus: Corpus, proposals: list[Proposal]) -> dict[str, str]:
    """Accept the first and reject the second, as an adjuster."""
    client = Client()
    client.force_login(factories.marek(corpus))
    accepted, rejected = proposals[:2]
    client.post(reverse("review_accept", args=["claims", "short_keyword", accepted.pk]), {"locale": "tr"})
    client.post(reverse("review_reject", args=["claims", "short_keyword", rejected.pk]), {"reason": "off topic"})
    return {accepted.text: "accepted", rejected.text: "rejected"}


def test_the_next_generation_proposes_neither_queries_of_the_set_nor_what_was_rejected(corpus: Corpus) -> None:
    for number in range(60):
        searched(corpus, f"{PLAIN} {number}?", 3, day=fresh_day())
    reviewed = verdicts(corpus, longer(mined()))
    before = corpus.indexes.get().generations.get()
    before.due_on = date(2020, 1, 1)
    before.closed_at = timezone.now()
    before.save(update_fields=["due_on", "closed_at"])
    after = longer(mined())
    assert len(after) == 30
    assert not reviewed.keys() & {each.text for each in after}


def test_personal_data_and_cut_off_searches_are_not_proposed(corpus: Corpus) -> None:
    searched(corpus, f"{PLAIN} jo.doe@example.org?", 100, day=fresh_day())
    searched(corpus, f"{PLAIN} bu ay?", 100, day=fresh_day())
    assert [each.text for each in longer(mined())] == [f"{PLAIN} bu ay?"]


def test_days_before_the_quarter_are_not_drawn_from(corpus: Corpus) -> None:
    searched(corpus, f"{PLAIN} bu ay?", 100, day=fresh_day())
    searched(corpus, f"{PLAIN} o zaman?", 900, day=date(2020, 1, 1))
    assert [each.text for each in longer(mined())] == [f"{PLAIN} bu ay?"]


def test_short_queries_of_such_a_stratum_say_what_the_set_lacks(corpus: Corpus) -> None:
    searched(corpus, "dolu hasari", 100, day=fresh_day())
    [short] = mined().proposals.all()
    told: dict[str, Any] = short.evidence["lack"]
    assert (told["is_short"], told["traffic_share"], told["queries"]) == (True, 1.0, 0)
    assert "slice" not in short.evidence


def test_a_reviewer_stays_with_the_proposals_of_a_language(corpus: Corpus, client: Client) -> None:
    searched(corpus, "dolu hasari", 9, day=fresh_day())
    searched(corpus, "sel hasari", 7, day=fresh_day())
    searched(corpus, "hail damage", 8, locale="en", guess="en", day=fresh_day())
    first, hail, second = mined().proposals.order_by("rank")
    client.force_login(factories.marek(corpus))
    address = reverse("review", args=["claims", "short_keyword"])
    shown = client.get(f"{address}?locale=tr").content.decode()
    assert '<option value="tr" selected>Turkish</option>' in shown
    assert f"at={first.pk}" in shown
    assert f"at={hail.pk}" not in shown
    posted = client.post(
        reverse("review_accept", args=["claims", "short_keyword", first.pk]) + "?locale=tr", {"locale": "tr"}
    )
    assert posted.headers["Location"] == f"{address}?at={second.pk}&locale=tr"
    assert f"at={hail.pk}" in client.get(f"{address}?locale=qq").content.decode()
    assert "Nothing in Turkish matches “fog”." in client.get(f"{address}?locale=tr&q=fog").content.decode()


def test_the_run_says_how_many_it_drew_and_for_how_many_strata(corpus: Corpus) -> None:
    for number in range(3):
        searched(corpus, f"{PLAIN} {number}?", 60, day=fresh_day())
    code, out = run("mine", "claims", "--miner", "short_keyword", "--wait")
    assert code == 0
    assert "and 3 longer wordings for 1 stratum that the set has left behind, to review" in out
