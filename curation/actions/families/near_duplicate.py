"""Near-duplicate groups of the current vectors: all are stored, those that differ in nothing asked for set aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from curation.actions.families.found import Found, documents_named, fingerprint
from curation.actions.refusal import Refused
from curation.miners.documents import Documents
from curation.miners.group import Group
from curation.miners.kept import AsRead, facts_of, shared_of
from curation.miners.near_duplicate import mine
from curation.miners.progress import Progress
from curation.models import Corpus, MiningRun, NearDuplicateGroup, NearDuplicateMember, Proposal
from curation.reports.embeddings import documents_sha256, encoder_of, texts_to_encode, vectors_path
from curation.reports.exact_search import current_space
from curation.reports.gathered import documents_of
from curation.reports.thresholds import DESCRIBED, DOCUMENTS, THRESHOLD, TRUE_DUPLICATES, VECTORS, corpus_described
from curation.retrieval.vectors import open_vectors

MOST_TWINS = 10_000  # sets of true duplicates that a run keeps by name; its figures count all


def find(run: MiningRun, progress: Progress) -> Found:
    """Mine the groups, at the cosine the run was asked for with, else at the encoder's own bar.

    Raises:
        Refused: the vectors are not those of the documents as they are now.
        VectorsRefused: the corpus has no vectors.
    """
    corpus = run.generation.index.corpus
    space, texts = current_space(corpus), texts_to_encode(corpus)
    if space.documents_sha256 != documents_sha256(texts):
        raise Refused(
            f"The documents of {corpus.slug} changed after its vectors were made, so groups would be wrong; "
            "import the corpus again, with its encoder or with new vectors."
        )
    described = corpus_described(corpus)  # before the documents are read, so that what changes meanwhile is told
    threshold = run.params.get(THRESHOLD) or encoder_of(space).near_duplicate_cosine
    vectors = open_vectors(vectors_path(space)).matrix
    documents = documents_of(corpus, texts)
    mined = mine(vectors, documents, threshold=threshold, progress=progress)
    read = as_read(documents, {text.external_id: text.sha256 for text in texts})
    rows = [row_of(run, group, read=read) for group in mined.groups]
    return Found(
        params={
            THRESHOLD: threshold,
            VECTORS: space.sha256,
            DOCUMENTS: space.documents_sha256,
            DESCRIBED: described,
            TRUE_DUPLICATES: mined.twins[:MOST_TWINS],
        },
        summary={**counted(rows), "pairs": mined.pairs, "text_twins": len(mined.twins), THRESHOLD: threshold},
        groups=rows,
        members=members_of(corpus, zip(mined.groups, rows, strict=True)),
        proposals=proposals_of(run, rows),
    )


def proposals_of(run: MiningRun, rows: Iterable[NearDuplicateGroup]) -> list[Proposal]:
    """One proposal for each group that is not set aside, in the order of the groups."""
    reviewed = (row for row in rows if not row.set_aside)
    return [
        Proposal(
            run=run, fingerprint=row.key, rank=rank, text=row.facts["topic"], locale=row.facts["language"], group=row
        )
        for rank, row in enumerate(reviewed, 1)
    ]


def as_read(documents: Documents, versions: Mapping[str, str]) -> AsRead:
    """The hashes of what was read of `documents`, whose texts are of these versions, by external id."""
    return AsRead(versions, {name: documents.described(row) for row, name in enumerate(documents.external_ids)})


def row_of(run: MiningRun, group: Group, *, read: AsRead) -> NearDuplicateGroup:
    """The group as it is stored; its key names its members, so that a later run finds the verdict again."""
    return NearDuplicateGroup(
        run=run,
        key=fingerprint(*(member.external_id for member in group.members)),
        differs_in=list(group.differs_in),
        facts=facts_of(group, read=read),
        shared=shared_of(group),
        min_cosine=group.min_cosine,
        set_aside=group.set_aside,
    )


def members_of(corpus: Corpus, stored: Iterable[tuple[Group, NearDuplicateGroup]]) -> list[NearDuplicateMember]:
    """The documents of every group."""
    pairs = [(member, row) for group, row in stored for member in group.members]
    documents = documents_named(corpus, (member.external_id for member, _ in pairs))
    return [
        NearDuplicateMember(group=row, document_id=documents[member.external_id], min_cosine=member.min_cosine)
        for member, row in pairs
    ]


def counted(rows: Sequence[NearDuplicateGroup]) -> dict[str, int | float]:
    """What a run tells about its groups."""
    set_aside = sum(row.set_aside for row in rows)
    return {
        "found": len(rows),
        "proposed": len(rows) - set_aside,
        "set_aside": set_aside,
        "largest": max((len(row.facts["members"]) for row in rows), default=0),
    }
