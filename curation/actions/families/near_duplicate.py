"""Near-duplicate groups of the current vectors: all are stored, those that differ in nothing asked for set aside."""

from __future__ import annotations

from collections.abc import Iterable

from curation.actions.families.found import Found, documents_named, fingerprint
from curation.actions.refusal import Refused
from curation.miners.group import Group
from curation.miners.kept import facts_of, shared_of
from curation.miners.near_duplicate import NearDuplicates, mine
from curation.miners.progress import Progress
from curation.models import Corpus, MiningRun, NearDuplicateGroup, NearDuplicateMember, Proposal
from curation.reports.embeddings import documents_sha256, encoder_of, texts_to_encode, vectors_path
from curation.reports.exact_search import current_space
from curation.reports.gathered import documents_of
from curation.retrieval.vectors import open_vectors


def find(run: MiningRun, progress: Progress) -> Found:
    """Mine the groups, at the cosine that is the encoder's own bar.

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
    threshold = encoder_of(space).near_duplicate_cosine
    vectors = open_vectors(vectors_path(space)).matrix
    mined = mine(vectors, documents_of(corpus, texts), threshold=threshold, progress=progress)
    rows = [row_of(run, group) for group in mined.groups]
    reviewed = [(group, row) for group, row in zip(mined.groups, rows, strict=True) if not group.set_aside]
    return Found(
        params={"threshold": threshold, "vectors": space.sha256},
        summary=figures(mined),
        groups=rows,
        members=members_of(corpus, zip(mined.groups, rows, strict=True)),
        proposals=[
            Proposal(run=run, fingerprint=row.key, rank=rank, text=group.topic, locale=group.language, group=row)
            for rank, (group, row) in enumerate(reviewed, 1)
        ],
    )


def row_of(run: MiningRun, group: Group) -> NearDuplicateGroup:
    """The group as it is stored; its key names its members, so that a later run finds the verdict again."""
    return NearDuplicateGroup(
        run=run,
        key=fingerprint(*(member.external_id for member in group.members)),
        differs_in=list(group.differs_in),
        facts=facts_of(group),
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


def figures(mined: NearDuplicates) -> dict[str, int | float]:
    """What the run tells about itself."""
    set_aside = sum(group.set_aside for group in mined.groups)
    return {
        "found": len(mined.groups),
        "proposed": len(mined.groups) - set_aside,
        "set_aside": set_aside,
        "largest": mined.largest,
        "pairs": mined.pairs,
        "text_twins": len(mined.twins),
        "threshold": mined.threshold,
    }
