"""Keyword queries mined from a log: drawn by stratum as a lead asked, with what was left out counted and never shown."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.utils import timezone

from curation.actions import generations, jobs
from curation.actions.mining import Settings, last_draw
from curation.actions.refusal import Refused
from curation.miners.keyword_draw import Draw
from curation.models import Corpus, CorpusLocale, Job, LogQuery, Miner, MiningRun, Proposal, TargetIndex
from tests import factories
from tests.bringing import run

pytestmark = pytest.mark.django_db
LOG = Path(os.environ.get("HARDSET_SHARED", "../shared")) / "data" / "covid-query-log" / "querylog.csv"


@pytest.fixture
def corpus() -> Corpus:
    """A corpus in three languages, without documents, with an index of its own."""
    made = factories.a_corpus("claims")
    TargetIndex.objects.create(corpus=made, name="exact", kind="exact")
    CorpusLocale.objects.bulk_create(CorpusLocale(corpus=made, locale=tag) for tag in ("en", "de", "ja"))
    return made


def logged(corpus: Corpus, *lines: tuple[str, str, int]) -> None:
    LogQuery.objects.bulk_create(
        LogQuery(corpus=corpus, text=text, locale=locale, count=count, sha256=f"{number:064x}")
        for number, (text, locale, count) in enumerate(lines)
    )


def mined(*words: object) -> dict[str, Any]:
    code, out = run("mine", "claims", "--miner", "short_keyword", "--wait", "--json", *words)
    assert code == 0, out
    told: dict[str, Any] = json.loads(out)["summary"]
    return told


def test_as_many_are_drawn_in_each_way_as_the_lead_asked_for(corpus: Corpus) -> None:
    logged(corpus, *((f"hail {number}", "en", 100 - number) for number in range(40)), ("雹", "ja", 5))
    told = mined("--top", 3, "--random", 4, "--proportional", 5, "--seed", 9)
    assert (told["found"], told["proposed"]) == (41, 12 + 1)
    assert told["by_draw"] == {"top": 4, "random": 4, "proportional": 5}
    assert [(one["locale"], one["script"], one["found"]) for one in told["strata"]] == [
        ("en", "Latn", 40),
        ("ja", "Jpan-kanji", 1),
    ]


def test_each_proposal_tells_how_it_was_drawn(corpus: Corpus) -> None:
    logged(corpus, ("hail", "en", 9), ("storm", "en", 3))
    mined("--top", 1, "--random", 1)
    told = [(each.text, each.evidence["drawn"], each.evidence["stratum"]) for each in Proposal.objects.order_by("rank")]
    stratum = {"locale": "en", "script": "Latn", "query_type": "navigational", "found": 2}
    assert told == [("hail", "top", stratum), ("storm", "random", stratum)]


def test_the_same_seed_draws_the_same_again_and_another_one_others(corpus: Corpus) -> None:
    logged(corpus, *((f"hail {number}", "en", 1) for number in range(60)))

    def drawn(seed: int) -> list[str]:
        mined("--top", 0, "--random", 10, "--proportional", 0, "--seed", seed)
        return list(
            Proposal.objects.filter(run=MiningRun.objects.latest("pk")).order_by("rank").values_list("text", flat=True)
        )

    first, again, other = drawn(1), drawn(1), drawn(2)
    assert first == again
    assert set(first) != set(other)


def test_the_next_run_draws_as_many_as_the_last_one_was_asked_for(corpus: Corpus) -> None:
    logged(corpus, *((f"hail {number}", "en", 1) for number in range(60)))
    mined("--top", 2, "--random", 3, "--proportional", 0)
    told = mined()
    assert told["by_draw"] == {"top": 2, "random": 3, "proportional": 0}
    assert last_draw(corpus) == Draw(top=2, random=3, proportional=0)


def test_other_numbers_are_refused_while_a_run_is_at_work(corpus: Corpus) -> None:
    def asked(draw: Draw | None) -> list[Job]:
        now = timezone.now()
        return generations.mine_now(
            corpus=corpus, miners=[Miner.SHORT_KEYWORD], asked_by=None, now=now, settings=Settings(draw=draw)
        )

    [job] = asked(Draw(top=5))
    assert [job] == asked(None) == asked(Draw(top=5))
    with pytest.raises(Refused, match="being mined with other numbers"):
        asked(Draw(top=6))
    jobs.cancel(job_id=job.pk, now=timezone.now())
    assert asked(Draw(top=6)) != [job]


def test_a_number_beyond_the_most_is_refused_in_words(corpus: Corpus) -> None:
    with pytest.raises(CommandError, match="--top takes a whole number from 0 to 10,000, not -1"):
        run("mine", "claims", "--miner", "short_keyword", "--top", -1)
    assert not Job.objects.exists()


def test_personal_data_is_counted_by_kind_and_its_text_is_kept_nowhere(corpus: Corpus) -> None:
    logged(
        corpus,
        ("call +90 532 123 45 67", "tr", 2),
        ("jo.doe@example.org claim", "en", 1),
        ("policy no 123456 jo.doe@example.org", "en", 1),
        ("hail", "en", 1),
    )
    told = mined()
    assert (told["found"], told["personal"]) == (1, 4)
    assert told["personal_by_kind"] == {"mail address": 2, "policy number": 1, "telephone number": 2}
    kept = json.dumps([list(table.objects.values()) for table in (Proposal, MiningRun, Job)], default=str)
    assert not any(secret in kept for secret in ("532 123", "jo.doe", "no 123456"))


def test_cut_off_queries_are_counted_and_the_most_asked_of_them_shown_beside_what_finishes_them(
    corpus: Corpus,
) -> None:
    logged(corpus, ("hail dama", "en", 6), ("hail damage", "en", 51), ("hail dam", "en", 7))
    told = mined()
    assert (told["found"], told["cut_off"]) == (1, 2)
    assert told["cut_off_shown"] == [["hail dam", "hail damage", 7], ["hail dama", "hail damage", 6]]


def test_a_text_in_the_script_of_no_locale_of_the_corpus_gets_no_hint(corpus: Corpus) -> None:
    logged(corpus, ("коронавирус", "", 4), ("hagelschaden melden", "", 3))
    mined()
    hints = {each.text: each.evidence["hint"] for each in Proposal.objects.all()}
    assert hints == {"коронавирус": "", "hagelschaden melden": "de"}


@pytest.mark.skipif(not LOG.is_file(), reason=f"{LOG} is not here: set HARDSET_SHARED")
def test_a_real_log_is_drawn_from_every_stratum(corpus: Corpus) -> None:
    with LOG.open(encoding="utf-8", newline="") as file:
        logged(corpus, *((row["query"], "", int(row["popularity"])) for row in csv.DictReader(file)))
    told = mined("--top", 20, "--random", 10, "--proportional", 50)
    assert told["log_lines"] == 33_871
    assert told["proposed"] == Proposal.objects.count() == sum(told["by_draw"].values())
    assert sum(one["found"] for one in told["strata"]) == told["found"] > 5_000
    for one in told["strata"]:
        assert one["top"] == min(20, one["found"])
        assert one["random"] == min(10, one["found"] - one["top"])
    assert told["by_draw"]["proportional"] == 50
