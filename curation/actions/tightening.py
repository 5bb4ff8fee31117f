"""Near-duplicate groups at a tighter bar, from the scores that a run kept: stored as a run of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from curation.actions import generations
from curation.actions.families.found import Found, fingerprint, store
from curation.actions.families.near_duplicate import counted, members_of, proposals_of, row_of
from curation.actions.lookups import rows_in
from curation.actions.refusal import Refused
from curation.miners.documents import Documents
from curation.miners.group import Group
from curation.miners.kept import KeptGroup, kept_group
from curation.miners.tightening import tightened
from curation.models import (
    Corpus,
    Document,
    DocumentText,
    Job,
    Miner,
    MiningRun,
    NearDuplicateGroup,
    NearDuplicateMember,
    User,
)
from curation.reports.thresholds import THRESHOLD, TIGHTENED_FROM, mined_for, newest_groups, why_not_kept


def tighten(*, corpus: Corpus, threshold: float, now: datetime) -> MiningRun:
    """Group the kept scores at `threshold`, and return the finished run that holds the groups; no vectors are read.

    The same rule as mining gives the groups, verdicts on groups that stay are carried over, and choosing the bar that
    was mined brings all groups back. Asked for again, it is the same run.

    Raises:
        Refused: nothing was mined, the bar is looser than the mined one or above 1, or the scores serve no more.
    """
    with transaction.atomic():
        shown = newest_groups(corpus)
        if shown is None:
            raise Refused(f"No near-duplicate groups were mined in {corpus.slug} yet; mine them first.")
        generations.locked(shown.generation.index)
        mined = mined_for(shown)
        _require(mined, threshold)
        if shown.params[THRESHOLD] == threshold:
            return shown
        run = MiningRun.objects.create(
            generation=shown.generation,
            miner=Miner.NEAR_DUPLICATE,
            state=MiningRun.State.DONE,
            created_at=now,
            finished_at=now,
        )
        store(run, _found(run, mined, threshold))
        return run


def tighten_or_mine(*, corpus: Corpus, threshold: float, asked_by: User | None, now: datetime) -> MiningRun | Job:
    """Groups at `threshold`: from kept scores where they serve, else a run that is asked for.

    Raises:
        Refused: the corpus has no index, the threshold is no cosine, or groups are being mined at this moment.
    """
    if not 0 < threshold <= 1:
        raise Refused(f"{threshold:g} is no threshold; choose a cosine above 0, up to 1.")
    with transaction.atomic():
        shown = newest_groups(corpus)
        generation = generations.current(corpus=corpus, now=now)
        if generation.runs.filter(miner=Miner.NEAR_DUPLICATE, state__in=Job.LIVE).exists():
            raise Refused("Near-duplicate groups are being mined at this moment; wait for that run, or cancel it.")
        if shown and shown.generation_id == generation.pk:
            mined = mined_for(shown)
            if not why_not_kept(mined) and mined.params[THRESHOLD] <= threshold:
                return tighten(corpus=corpus, threshold=threshold, now=now)
        [job] = generations.mine_now(
            corpus=corpus, miners=[Miner.NEAR_DUPLICATE], asked_by=asked_by, now=now, threshold=threshold
        )
        return job


def _require(mined: MiningRun, threshold: float) -> None:
    why_not = why_not_kept(mined)
    if why_not:
        raise Refused(why_not)
    if not mined.params[THRESHOLD] <= threshold <= 1:
        raise Refused(
            f"Scores were kept from a cosine of {mined.params[THRESHOLD]:g} on, so choose a threshold from there to 1;"
            " a looser one needs mining again."
        )


@dataclass(frozen=True)
class _Texts:
    """Texts by row, each read when it is asked for: only the groups that change need theirs."""

    keys: list[int]

    def __getitem__(self, row: int, /) -> str:
        text = DocumentText.objects.get(document=self.keys[row], current=True)
        return "\n".join(filter(None, (text.title, text.text)))


def _found(run: MiningRun, mined: MiningRun, threshold: float) -> Found:
    corpus = mined.generation.index.corpus
    stored = list(NearDuplicateGroup.objects.filter(run=mined).order_by("pk"))
    kept = [kept_group(each.facts, each.shared) for each in stored]
    places = corpus.documents.filter(gone_at=None).values_list("facts__jurisdiction", flat=True).distinct()
    found = tightened(
        kept, _documents(corpus, kept), threshold=threshold, places=frozenset(str(place) for place in places if place)
    )
    rows = [_copy(run, stored[each]) if isinstance(each, int) else row_of(run, each) for each in found]
    anew = [(each, row) for each, row in zip(found, rows, strict=True) if isinstance(each, Group)]
    whole = {stored[each].pk: row for each, row in zip(found, rows, strict=True) if isinstance(each, int)}
    params = {name: value for name, value in mined.params.items() if name in {"vectors", "documents"}}
    return Found(
        params={**params, THRESHOLD: threshold, TIGHTENED_FROM: mined.pk},
        summary={**counted(rows), "text_twins": mined.summary["text_twins"], THRESHOLD: threshold},
        groups=rows,
        members=[*_copied(mined, whole), *members_of(corpus, anew)],
        proposals=proposals_of(run, rows),
    )


def _documents(corpus: Corpus, kept: Iterable[KeptGroup]) -> Documents:
    """The documents of groups and of their renderings, as columns."""
    names = {name for group in kept for each in (group.scored, *group.renderings) for name in each.documents}
    rows = DocumentText.objects.filter(document__corpus=corpus, current=True).select_related("document").defer("text")
    texts = {text.document.external_id: text for text in rows_in(rows, "document__external_id", names)}
    ordered: list[tuple[DocumentText, Document]] = [(texts[name], texts[name].document) for name in sorted(names)]
    return Documents(
        external_ids=sorted(names),
        canonical_ids=[document.canonical_id for _, document in ordered],
        languages=[document.language for _, document in ordered],
        titles=[text.title for text, _ in ordered],
        texts=_Texts([document.pk for _, document in ordered]),
        sources=[document.is_source for _, document in ordered],
        facts=[{name: str(value) for name, value in document.facts.items()} for _, document in ordered],
    )


def _copy(run: MiningRun, group: NearDuplicateGroup) -> NearDuplicateGroup:
    return NearDuplicateGroup(
        run=run,
        key=fingerprint(*(member["document"] for member in group.facts["members"])),
        differs_in=group.differs_in,
        facts=group.facts,
        shared=group.shared,
        min_cosine=group.min_cosine,
        set_aside=group.set_aside,
    )


def _copied(mined: MiningRun, whole: dict[int, NearDuplicateGroup]) -> list[NearDuplicateMember]:
    members = NearDuplicateMember.objects.filter(group__run=mined).order_by("pk")
    return [
        NearDuplicateMember(group=whole[each.group_id], document_id=each.document_id, min_cosine=each.min_cosine)
        for each in members
        if each.group_id in whole
    ]
