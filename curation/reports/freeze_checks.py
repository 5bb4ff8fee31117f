"""What stands between a corpus and a freeze, and what a version frozen now would not show.

The page, the command and the certificate say the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from django.db.models import Count, Exists, OuterRef

from curation.measures.depth import POOL_DEPTH
from curation.measures.targets import COUNT_TARGETS
from curation.measures.targets import Use as Target
from curation.models import Corpus, Generation, Job, Qrel, Query, RankedRun, Slice

from .counts import COUNTING_SOURCES, StratumCount, stratum_counts
from .footing import together
from .gate_baseline import newest_at_full_width
from .generations import mined_index, newest_for_sets
from .moves import gone_articles, waiting_disputes
from .partition import partition_of
from .set_content import live_queries

GATE = COUNT_TARGETS["gate"]
EXACT = "exact"
IMPORT = "import"
"""The kind of a job that brings rows in."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the list: "stop" blocks the freeze, "warn" is printed on the certificate, "pass" is in order.

    `title` is the fact in figures, `text` the rest of the sentence; `page` names the list behind it, `asked` what that
    list is asked, `action` the way there.
    """

    kind: Literal["stop", "warn", "pass"]
    title: str
    text: str = ""
    page: str = ""
    action: str = ""
    asked: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The whole sentence."""
        return f"{self.title} {self.text}".strip()

    def as_json(self) -> dict[str, str]:
        """The finding as the command prints it and the certificate keeps it."""
        return {"kind": self.kind, "words": self.words}


@dataclass(frozen=True, slots=True)
class Checks:
    """Every finding, what blocks first; `counts` are the strata they rest on."""

    findings: tuple[Finding, ...]
    counts: Sequence[StratumCount]

    @property
    def blocks(self) -> tuple[Finding, ...]:
        """What must be put right before the freeze."""
        return tuple(each for each in self.findings if each.kind == "stop")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What is frozen along, and said."""
        return tuple(each for each in self.findings if each.kind == "warn")


def freeze_checks(corpus: Corpus) -> Checks:
    """Look at everything that a freeze depends on; the number of SQL queries is fixed."""
    counts = stratum_counts(corpus)
    generation = newest_for_sets(corpus)
    blocking = [*_disagreements(corpus), *_golds(corpus), *_partition(corpus)]
    mined = [*_generation(corpus, generation), *_baseline(corpus, generation)]
    found = [*blocking, *_imports(corpus), *mined, *_strata(counts)]
    return Checks(tuple(sorted(found, key=lambda each: ("stop", "warn", "pass").index(each.kind))), counts)


def _disagreements(corpus: Corpus) -> Iterator[Finding]:
    """A query waits unjudged while opinions on it differ, so a freeze would leave it out in silence: all block."""
    by_slice = dict(
        waiting_disputes(corpus)
        .values_list("query__stratum__slice")
        .annotate(n=Count("pk"))
        .order_by("query__stratum__slice")
    )
    if not by_slice:
        yield Finding("pass", "No disagreement is open.")
        return
    total = sum(by_slice.values())
    verb = "is" if total == 1 else "are"
    yield Finding(
        "stop",
        _some(total, "disagreement"),
        f"in {', '.join(by_slice)} {verb} open.",
        page="disagreements",
        action="Settle them",
    )


def _golds(corpus: Corpus) -> Iterator[Finding]:
    """A gold is missing where its article is gone, or where it is not settled relevant (any more)."""
    answers = Qrel.objects.filter(query=OuterRef("pk"), source__in=COUNTING_SOURCES, grade__gte=corpus.relevant_from)
    standing = answers.exclude(canonical_id__in=gone_articles(corpus))
    judged = Query.objects.filter(Exists(answers), corpus=corpus, status=Query.Status.JUDGED)
    gone = judged.filter(~Exists(standing)).count()
    unsettled = judged.filter(Exists(standing), ~Exists(standing.filter(canonical_id=OuterRef("gold_canonical_id"))))
    if gone:
        yield Finding(
            "stop",
            f"{_some(gone, 'query', 'queries')} lost every answer:",
            "their documents are gone from the corpus. Retire them, or have them judged again.",
            page="queries",
            action="Show them",
            asked={"status": "answer_gone"},
        )
    named = sorted(unsettled.values_list("external_id", flat=True)[:NAMED])
    if named:
        yield Finding(
            "stop",
            f"{_some(unsettled.count(), 'query', 'queries')} without a gold:",
            f"what they name as gold is not settled relevant, or gone ({', '.join(named)}). Judge them again.",
            page="queries",
            action="Show the counted queries",
            asked={"status": "counted"},
        )
    if not gone and not named:
        yield Finding("pass", "Every gold document exists in the corpus and is settled relevant.")


NAMED = 3
"""How many queries a sentence names."""


def _partition(corpus: Corpus) -> Iterator[Finding]:
    partition = partition_of(corpus)
    if partition.holds:
        yield Finding("pass", "Every query sits in exactly one slice.")
    else:
        yield Finding("stop", "The partition is broken.", partition.fault, page="queries", action="Show the queries")


def _imports(corpus: Corpus) -> Iterator[Finding]:
    """An import is one transaction: a freeze holds all of it or nothing, and whoever waits for it should know which."""
    if Job.objects.filter(corpus=corpus, kind=IMPORT, params__step__in=("all", "good"), state__in=Job.LIVE).exists():
        told = "what is not stored when the freeze begins is not in the version."
        yield Finding("warn", "An import is at work:", told, page="import", action="Look at it")


def _generation(corpus: Corpus, generation: Generation | None) -> Iterator[Finding]:
    if generation is None:
        yield Finding("warn", "Nothing is mined yet:", "the set belongs to no generation.", "mining", "Start mining")
    elif (mined := mined_index(corpus)) is not None and mined != generation.index:
        told = (
            f"the newest generation, {generation.number}, was mined against {generation.index.name}, and what is hard "
            f"for {mined.name} may be something else. A gate on the set warns of it."
        )
        yield Finding("warn", f"{mined.name} is not mined yet:", told, "mining", "Start mining")
    else:
        yield Finding("pass", f"Generation {generation.number} of index {generation.index.name} is the newest.")


def _baseline(corpus: Corpus, generation: Generation | None) -> Iterator[Finding]:
    """Whether exact search over full width has answered what counts; a gate asks it again for itself."""
    space = newest_at_full_width(corpus)
    if space is None:
        yield Finding("warn", "No exact baseline:", "the corpus has no vectors at full width, so no gate can run yet.")
        return
    run = RankedRun.objects.filter(corpus=corpus, name=EXACT, embedding_space=space).first()
    missing = live_queries(corpus).exclude(scores__run=run).count() if run else None
    if missing is None:
        yield Finding("pass", "Baseline not measured on exact float32 yet; a gate measures it.")
    elif missing:
        verb = "is" if missing == 1 else "are"
        yield Finding(
            "pass", f"{_some(missing, 'query', 'queries')} {verb} new to exact float32; a gate measures them."
        )
    else:
        of = f", generation {generation.number}" if generation else ""
        yield Finding("pass", f"Baseline measured on exact float32{of}.")


def _strata(counts: Sequence[StratumCount]) -> Iterator[Finding]:
    """What the counts do not carry."""
    by_slice = Counter(dict.fromkeys(Slice.values, 0))
    planned: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    for count in counts:
        by_slice[count.slice] += count.n
        planned[count.query_language] += count.planned
        counted[count.query_language] += count.n
    yield from _slices(by_slice)
    thin = [count for count in counts if count.planned and count.n < COUNT_TARGETS[cast("Target", count.use)]]
    if thin:
        yield Finding(
            "warn",
            f"{_some(len(thin), 'planned stratum', 'planned strata')} below target:",
            "they hold fewer queries than their use takes, and carry no score.",
            page="coverage",
            action="Show coverage",
        )
    short = [
        f"{locale} ({counted[locale]:,})" for locale in sorted(planned) if planned[locale] and counted[locale] < GATE
    ]
    if short:
        yield Finding(
            "warn",
            f"{_some(len(short), 'planned locale')} below {GATE}:",
            f"{', '.join(short)}. A verdict on them is not evidence.",
            page="coverage",
            action="Show coverage",
        )
    yield from _footing(counts)


def _slices(by_slice: Mapping[str, int]) -> Iterator[Finding]:
    for name, n in by_slice.items():
        if not n:
            yield Finding("warn", f"{name} is empty.", "The gate will warn of it.", "coverage", "Show coverage")
        elif n < GATE:
            yield Finding("warn", f"{name} has {n:,}.", "Its gate verdict may be a warning that cannot decide.")


def _footing(counts: Sequence[StratumCount]) -> Iterator[Finding]:
    told = together(count.footing for count in counts)
    if told.on_changed_text:
        yield Finding(
            "warn",
            f"{_some(told.on_changed_text, 'query', 'queries')} judged on an earlier text:",
            "a relevant document changed since.",
            page="judge_again",
            action="Judge again",
        )
    if told.depth.shallow:
        yield Finding(
            "warn",
            f"{_some(told.depth.shallow, 'query', 'queries')} judged less deep than {POOL_DEPTH} documents:",
            "recall over them may be too low.",
            page="coverage",
            action="Show coverage",
        )


def _some(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"
