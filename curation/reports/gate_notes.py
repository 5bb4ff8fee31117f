"""What the reader of a gate must know beside its figures; some of it warns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from curation.formats.manifest import ManifestRefused, manifest_of
from curation.measures.headline import Headline
from curation.models import Corpus, DocumentText, Generation, SetVersion

from .gate_baseline import ANSWERS, Baseline
from .gate_floors import level_in_words, lowered_in_words
from .gate_outcome import Outcome
from .generations import generations_of, mined_index
from .measured import Measured
from .moments import day_in_words
from .run_answers import Answers
from .run_words import counted, queries
from .schedule import quarters_after, today_in

LARGE_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence; with `warns`, a gate that would pass warns instead."""

    text: str
    warns: bool = False


def newest_generation(version: SetVersion) -> Generation | None:
    """The newest generation of the index that the set's corpus is mined against now."""
    index = mined_index(version.corpus)
    return generations_of(version.corpus).filter(index=index).first() if index else None


def notes_of(version: SetVersion, outcome: Outcome, *, manifest: Mapping[str, Any], now: datetime) -> list[Note]:
    """Everything worth knowing of a run that was measured on `version`, warnings first."""
    answers, measured = outcome.answers, outcome.measured
    found = [*age(version, now=now), *overtaken(answers, version.corpus)]
    found += [*headline(outcome.reading.headline, outcome.floors.headline), *undated(answers, version.corpus, now=now)]
    found += [*depth(measured), *untied(outcome.baseline), *absent(measured), *misnamed(version, manifest)]
    found += [Note(told) for told in [lowered_in_words(version.corpus, outcome.floors)] if told]
    return sorted(found, key=lambda note: not note.warns)


def age(version: SetVersion, *, now: datetime) -> list[Note]:
    """A set of another index or not of the newest generation, or older than a quarter, may be easier than it looks."""
    notes = [_mined_otherwise(version)]
    if today_in(version.corpus, now) > quarters_after(today_in(version.corpus, version.frozen_at), 1):
        notes.append(f"The set was frozen on {version.frozen_at:%-d %B %Y}, more than a quarter ago.")
    return [Note(text, warns=True) for text in notes if text]


def _mined_otherwise(version: SetVersion) -> str:
    """In what the set is not of the newest generation of the index that is mined against; "" where it is."""
    index, newest, own = mined_index(version.corpus), newest_generation(version), version.generation
    of = f"generation {own.number}" if own else "no generation"
    if own is not None and index is not None and index != own.index:
        return (
            f"The set is of {of}, mined against {own.index.name}, and {index.name} has taken its place since: what is "
            "hard for it may be something else. Mine against it, and freeze a new version."
        )
    if newest is not None and newest != own:
        return (
            f"The set is of {of}, and the index has been mined again since (generation {newest.number}): what was hard "
            "then may be easy now. Freeze a new version."
        )
    other = generations_of(version.corpus).first()
    if own is None and newest is None and other is not None and index is not None:
        return (
            f"The set is of {of}: generation {other.number} was mined against {other.index.name}, and {index.name} is "
            "not mined yet, so what is hard for it may be something else. Mine against it, and freeze a new version."
        )
    return ""


def headline(told: Headline | None, alarm: float) -> list[Note]:
    """The smoke alarm for what breaks everywhere: `told` warns below `alarm`."""
    if told is None or told.value is None or told.value >= alarm:
        return []
    heard = f"Traffic-weighted hit@10 is {told.value:.3f} over {told.covered:.0%} of the traffic, under the alarm at"
    return [Note(f"{heard} {level_in_words(alarm)}: a global regression? It neither passes nor rejects.", warns=True)]


def depth(measured: Measured) -> list[Note]:
    """What k means in a corpus of this size."""
    share = measured.k / measured.documents if measured.documents else 1.0
    if share <= LARGE_SHARE:
        return []
    documents = counted(measured.documents, "document")
    return [
        Note(
            f"k = {measured.k} is {min(1.0, share):.1%} of the corpus's {documents}. Above {LARGE_SHARE:.0%}, most of "
            f"what is relevant comes back whatever the index does, so recall@{measured.k} cannot show what depth "
            "costs; read the dial at smaller k."
        )
    ]


def overtaken(answers: Answers, corpus: Corpus) -> list[Note]:
    """A run, unlike exact search, did not have to find its way among documents that came after it.

    So its recall is not that of the corpus of today: it may warn and reject, and does not pass.
    """
    if answers.dated is None:
        return []
    texts = DocumentText.objects.filter(document__corpus=corpus, document__gone_at=None, current=True)
    later = texts.filter(Q(created_at__gt=answers.dated) | Q(taken_up_at__gt=answers.dated)).count()
    if not later:
        return []
    came = f"{'stored' if answers.run else 'made'} on {day_in_words(answers.dated, corpus)}"
    return [
        Note(
            f"The run was {came}, and {counted(later, 'document')} of the corpus came or changed since: it answers for "
            "the corpus of that day. Bring the answers of today.",
            warns=True,
        )
    ]


def undated(answers: Answers, corpus: Corpus, *, now: datetime) -> list[Note]:
    """What nothing can tell of a file that came without a date: whether documents have overtaken it."""
    if answers.dated is not None:
        return []
    return [
        Note(
            f"The run came in as a file on {day_in_words(now, corpus)}, and when its answers were made is not known: "
            "documents that came or changed since then are not told of. Name that day with --run-date."
        )
    ]


def misnamed(version: SetVersion, manifest: Mapping[str, Any]) -> list[Note]:
    """A report counts for the manifest that names its set version, and this says so while it can still be corrected."""
    if not manifest:
        return []
    idle = "so this report lets nobody write it. Name"
    try:
        named = manifest_of(manifest).set_version
    except ManifestRefused as refusal:
        return [Note(f"The manifest is none of version 2, so this report lets nobody write it. {refusal}")]
    if not named:
        return [Note(f"The manifest names no evaluation.query_set, {idle} {version} there, and gate it again.")]
    if named == str(version):
        return []
    told = f"The manifest's evaluation.query_set names {named}, and this is {version}, {idle}"
    return [Note(f"{told} {version} there and gate it again, or gate it on {named}.", warns=True)]


def untied(baseline: Baseline) -> list[Note]:
    """A baseline of an earlier day need not name its answers: what makes it one is the hash of its vectors."""
    if baseline.is_tied:
        return []
    return [
        Note(
            f"The provenance of the baseline {baseline.answers.name} names no {ANSWERS}, so nothing ties these answers "
            "to it: another run may stand in their place. Export the exact run again, or use the baseline exact."
        )
    ]


def absent(measured: Measured) -> list[Note]:
    """Queries that a run left out, and answers that no run can find."""
    notes = []
    if measured.missing:
        notes.append(f"The run does not answer {queries(len(measured.missing))}; each scores 0.")
    if unplaced := sum(member.external_id not in measured.baseline for member in measured.members):
        notes.append(f"The baseline does not answer {queries(unplaced)}, whose text the encoder cannot place.")
    if measured.gone:
        notes.append(
            f"{counted(measured.gone, 'relevant article')} of the set are gone from the corpus: no run finds them."
        )
    if measured.strays:
        notes.append(
            f"The corpus does not hold, or not any more, {counted(len(measured.strays), 'document')} among the run's "
            f"first {measured.k}, such as {min(measured.strays)}: what it does not hold is not relevant."
        )
    if measured.unjudged:
        documents = sum(map(len, measured.unjudged.values()))
        notes.append(
            f"{counted(documents, 'document')} among the first {measured.k} of {queries(len(measured.unjudged))} were "
            "never judged, and count as not relevant."
        )
    return [Note(text) for text in notes]
