"""Near-duplicate groups at a tighter bar, from the scores that a run kept: a run of its own, as mining is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from curation.actions.families.found import Found, fingerprint
from curation.actions.families.near_duplicate import as_read, counted, members_of, proposals_of, row_of
from curation.actions.lookups import rows_in
from curation.actions.refusal import Refused
from curation.miners.documents import Documents
from curation.miners.group import Group
from curation.miners.kept import KeptGroup, kept_group
from curation.miners.progress import Progress
from curation.miners.tightening import tightened
from curation.models import Corpus, Document, DocumentText, MiningRun, NearDuplicateGroup, NearDuplicateMember
from curation.reports.thresholds import (
    DESCRIBED,
    DOCUMENTS,
    THRESHOLD,
    TIGHTENED_FROM,
    VECTORS,
    mined_for,
    why_not_kept,
)


def find(run: MiningRun, progress: Progress) -> Found:
    """Group the scores that the run named by `tightened_from` kept, at the threshold asked for; no vector is read.

    Raises:
        Refused: the scores serve no more.
    """
    mined, threshold = mined_for(run), run.params[THRESHOLD]
    if why_not := why_not_kept(mined):
        raise Refused(why_not)
    corpus = mined.generation.index.corpus
    stored = list(NearDuplicateGroup.objects.filter(run=mined).order_by("pk"))
    kept = [kept_group(each.facts, each.shared) for each in stored]
    places = corpus.documents.filter(gone_at=None).values_list("facts__jurisdiction", flat=True).distinct()
    texts = _texts_of(corpus, kept)
    documents = _documents(texts)
    found = tightened(
        kept,
        documents,
        threshold=threshold,
        places=frozenset(str(place) for place in places if place),
        progress=progress,
    )
    read = as_read(documents, {name: text.sha256 for name, text in texts.items()})
    rows = [_copy(run, stored[each]) if isinstance(each, int) else row_of(run, each, read=read) for each in found]
    anew = [(each, row) for each, row in zip(found, rows, strict=True) if isinstance(each, Group)]
    whole = {stored[each].pk: row for each, row in zip(found, rows, strict=True) if isinstance(each, int)}
    params = {name: value for name, value in mined.params.items() if name in {VECTORS, DOCUMENTS, DESCRIBED}}
    return Found(
        params={**params, THRESHOLD: threshold, TIGHTENED_FROM: mined.pk},
        summary={**counted(rows), "text_twins": mined.summary["text_twins"], THRESHOLD: threshold},
        groups=rows,
        members=[*_copied(mined, whole), *members_of(corpus, anew)],
        proposals=proposals_of(run, rows),
    )


@dataclass(frozen=True)
class _Texts:
    """Texts by row, each read when it is asked for: only the groups that change need theirs."""

    keys: list[int]

    def __getitem__(self, row: int, /) -> str:
        text = DocumentText.objects.get(document=self.keys[row], current=True)
        return "\n".join(filter(None, (text.title, text.text)))


def _texts_of(corpus: Corpus, kept: Iterable[KeptGroup]) -> dict[str, DocumentText]:
    """The current texts of the documents of groups and of their renderings, by external id."""
    names = {name for group in kept for each in (group.scored, *group.renderings) for name in each.documents}
    rows = DocumentText.objects.filter(document__corpus=corpus, current=True).select_related("document").defer("text")
    return {text.document.external_id: text for text in rows_in(rows, "document__external_id", names)}


def _documents(texts: Mapping[str, DocumentText]) -> Documents:
    """The documents of texts, as columns."""
    names = sorted(texts)
    ordered: list[tuple[DocumentText, Document]] = [(texts[name], texts[name].document) for name in names]
    return Documents(
        external_ids=names,
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
