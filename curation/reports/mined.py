"""What a mining run found, as the lines of its export: the same run gives the same lines in the same order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from curation.miners.differences import Column
from curation.miners.kept import KeptGroup, kept_group
from curation.models import Corpus, Miner, MiningRun, NearDuplicateGroup, Proposal
from curation.reports import negative_lines
from curation.retrieval.exact import as_cosine

Line = dict[str, Any]
AT_ONCE = 500  # rows that an export holds in memory


def newest_run(corpus: Corpus, miner: Miner, *, generation: int | None = None) -> MiningRun | None:
    """The run that is read: the newest finished one, of one generation where its number is given."""
    runs = MiningRun.objects.filter(generation__index__corpus=corpus, miner=miner, state=MiningRun.State.DONE)
    if generation is not None:
        runs = runs.filter(generation__number=generation)
    return runs.select_related("generation__index__corpus").order_by("-pk").first()


def lines_of(run: MiningRun) -> Iterator[Line]:
    """The export of a run, line by line."""
    return LINES[Miner(run.miner)](run)


def groups(run: MiningRun) -> Iterator[Line]:
    """Every near-duplicate group, those set aside too; members by external id in code point order."""
    for group in NearDuplicateGroup.objects.filter(run=run).order_by("pk").iterator(chunk_size=AT_ONCE):
        kept = kept_group(group.facts, ())
        yield {
            "group": group.key,
            "members": [member.document for member in kept.members],
            "differs_in": group.differs_in,
            "set_aside": group.set_aside,
            "facts": facts_by_document(kept, stated=True),
            "declared_only": facts_by_document(kept, stated=False),
            "min_cosine": as_cosine(group.min_cosine),
        }


def facts_by_document(group: KeptGroup, *, stated: bool) -> dict[str, dict[str, list[str]]]:
    """What is told of each member: by its text, title or a field that counts, else by a field alone."""
    columns = [column for column in group.columns if column.stated == stated]
    return {member.document: facts_at(columns, place) for place, member in enumerate(group.members)}


def facts_at(columns: Sequence[Column], place: int) -> dict[str, list[str]]:
    """What one member states, as written, by the kind of fact."""
    stated: defaultdict[str, list[str]] = defaultdict(list)
    for column in columns:
        value = column.values[place]
        if value is not None:
            stated[column.kind].append(value)
    return stated


def terms(run: MiningRun) -> Iterator[Line]:
    """Rare terms with the chunk that holds each and the query drafted from it."""
    for proposal in (
        Proposal.objects.filter(run=run).select_related("document").order_by("rank").iterator(chunk_size=AT_ONCE)
    ):
        yield {
            "term": proposal.evidence["term"],
            "df": proposal.evidence["df"],
            "document": proposal.document and proposal.document.external_id,
            "text": proposal.text,
            "rank": proposal.rank,
        }


def keywords(run: MiningRun) -> Iterator[Line]:
    """Short keyword queries, the most asked first."""
    for proposal in Proposal.objects.filter(run=run).order_by("rank").iterator(chunk_size=AT_ONCE):
        yield {
            "text": proposal.text,
            "locale": proposal.locale,
            "count": proposal.evidence["count"],
            "tokens": proposal.evidence["tokens"],
        }


LINES: Mapping[Miner, Callable[[MiningRun], Iterator[Line]]] = {
    Miner.NEAR_DUPLICATE: groups,
    Miner.HARD_NEGATIVE: negative_lines.lines,
    Miner.RARE_ENTITY: terms,
    Miner.SHORT_KEYWORD: keywords,
}
