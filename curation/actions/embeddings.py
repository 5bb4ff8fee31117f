"""Embedding spaces: a corpus encoded here, or with the vectors that were brought along."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import numpy as np
from django.conf import settings

from curation.actions.refusal import Refused
from curation.actions.writing import Guard, one_write
from curation.models import Corpus, EmbeddingSpace, TargetIndex
from curation.reports.embeddings import BROUGHT, EncodedText, documents_sha256, encoder_folder, texts_to_encode
from curation.retrieval.encoders import Encoder, TextsRefused, load_encoder, names
from curation.retrieval.encoders.lsa import Lsa, Progress, fit, revision_of, silent
from curation.retrieval.encoders.precomputed import Precomputed
from curation.retrieval.vectors import Matrix, Vectors, ids_path, write_vectors

DEFAULT_ENCODER = "lsa"
SEED = 1
BATCH = 256
LEFT_AFTER = timedelta(days=1)
NORMALISE, TRUNCATE = "l2_normalise", "truncate"


@dataclass(frozen=True, slots=True)
class Brought:
    """Who made vectors elsewhere; `native_dims` is the encoder's own width, which the file may have cut."""

    encoder: str
    revision: str
    native_dims: int | None = None


def encoder_for(corpus: Corpus, asked: str = "") -> str:
    """The encoder a corpus is to be encoded with: the one asked for, else its present one, else lsa.

    It is "" where the present vectors were brought along, because nothing here can make new ones.

    Raises:
        Refused: there is no such encoder.
    """
    ours = encoders_for(asked)
    space = corpus.embedding_spaces.filter(current=True).first()
    present = space.encoder if space else DEFAULT_ENCODER
    return asked or (present if present in ours else "")


def encoders_for(asked: str) -> list[str]:
    """The encoders that work here.

    Raises:
        Refused: `asked` is none of them; "" asks for none.
    """
    ours = [name for name in names() if name != BROUGHT]
    if asked and asked not in ours:
        raise Refused(f"There is no encoder {asked}. Known: {', '.join(ours)}.")
    return ours


def encode_corpus(
    *,
    corpus: Corpus,
    encoder: str,
    progress: Progress | None = None,
    fitting: Progress = silent,
    guard: Guard | None = None,
) -> EmbeddingSpace:
    """Encode every document and make the result the corpus's current space.

    Runs for minutes: the vectors go to a file first, then one short transaction names it. Where the current space
    fits already, it is returned as it is. `progress(done, total)` counts documents, `fitting(done, total)` the steps of
    fitting an encoder to them before; both may raise to stop. `guard` opens the transaction.

    Raises:
        Refused: the corpus is empty, the encoder unknown, or a document holds nothing to encode.
    """
    name = encoder_for(corpus, encoder)
    if not name:
        raise Refused("The vectors of this corpus were brought along; bring new ones, or name an encoder of Hardset's.")
    texts = texts_to_encode(corpus)
    if not texts:
        raise Refused(f"The corpus {corpus.slug} holds no document to encode; import some first.")
    made_of = documents_sha256(texts)
    try:
        made_by = _ready(corpus, name, texts, fitting=fitting)
        known = corpus.embedding_spaces.filter(
            current=True, encoder=name, revision=made_by.revision, documents_sha256=made_of
        ).first()
        if known is not None:
            return known
        with TemporaryDirectory(dir=_folder(corpus)) as scratch:
            rows = _encoded(made_by, texts, path=Path(scratch) / "rows.npy", progress=progress)
            vectors = Vectors(ids=tuple(text.external_id for text in texts), rows=rows)
            return _store(corpus, vectors, made_by, made_of=made_of, guard=guard)
    except TextsRefused as fault:
        named = ", ".join(texts[position].external_id for position in fault.positions[:5])
        raise Refused(f"{fault} The documents are {named}." if named else str(fault)) from fault


def store_vectors(*, corpus: Corpus, vectors: Vectors, brought: Brought) -> EmbeddingSpace:
    """Make vectors from elsewhere the corpus's current space.

    Raises:
        Refused: they bear the name of an encoder of ours, are wider than their encoder, or are not those of exactly
            the documents of the corpus.
        VectorsRefused: a row cannot be ranked.
    """
    texts = texts_to_encode(corpus)
    if brought.encoder in names():
        raise Refused(f"{brought.encoder} is an encoder of Hardset's own; name the encoder that made these vectors.")
    if {text.external_id for text in texts} != set(vectors.ids):
        raise Refused("The vectors are not those of the documents in the corpus; each document needs one vector.")
    dims = vectors.rows.shape[1]
    native = brought.native_dims or dims
    if native < dims:
        raise Refused(
            f"The file's vectors have {dims:,} dimensions, more than the {native:,} of {brought.encoder}; "
            "correct --native-dims."
        )
    made_by = Precomputed(name=brought.encoder, revision=brought.revision, native_dims=native)
    made_by.keep(encoder_folder(corpus, encoder=made_by.name, revision=made_by.revision))
    return _store(corpus, vectors, made_by, made_of=documents_sha256(texts))


def _ready(corpus: Corpus, name: str, texts: Sequence[EncodedText], *, fitting: Progress) -> Encoder:
    """The encoder, fitted to these texts where it is one that fits."""
    if name != Lsa.name:
        return load_encoder(name, folder=encoder_folder(corpus, encoder=name, revision=""))
    words = [text.text for text in texts]
    folder = encoder_folder(corpus, encoder=name, revision=revision_of(words, seed=SEED))
    try:
        return Lsa.load(folder)
    except TextsRefused:  # not fitted to these texts yet
        return fit(words, seed=SEED, folder=folder, progress=fitting)


def _encoded(encoder: Encoder, texts: Sequence[EncodedText], *, path: Path, progress: Progress | None) -> Matrix:
    """The texts' vectors, shape (texts, native_dims), memory-mapped so that a large corpus needs little memory."""
    rows: Matrix = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(len(texts), encoder.native_dims))
    for first in range(0, len(texts), BATCH):
        part = [text.text for text in texts[first : first + BATCH]]
        try:
            rows[first : first + len(part)] = encoder.encode(part)
        except TextsRefused as fault:
            raise TextsRefused(str(fault), [first + position for position in fault.positions]) from fault
        if progress is not None:
            progress(first + len(part), len(texts))
    return rows


def _store(
    corpus: Corpus, vectors: Vectors, made_by: Encoder, *, made_of: str, guard: Guard | None = None
) -> EmbeddingSpace:
    dims = vectors.rows.shape[1]
    order = [NORMALISE] if made_by.native_dims == dims else [TRUNCATE, NORMALISE]
    path = _folder(corpus) / f"{uuid4().hex}.npy"
    digest = write_vectors(path, vectors, order=order)
    try:
        with one_write(guard):
            corpus.embedding_spaces.filter(current=True).update(current=False)
            space = EmbeddingSpace.objects.create(
                corpus=corpus,
                encoder=made_by.name,
                revision=made_by.revision,
                encoder_sha256=made_by.sha256,
                native_dims=made_by.native_dims,
                dims=dims,
                transform_order=order,
                vectors_file=str(path.relative_to(settings.DATA_DIR)),
                sha256=digest,
                documents_sha256=made_of,
                rows=len(vectors.ids),
            )
            corpus.indexes.filter(kind=TargetIndex.Kind.EXACT).update(embedding_space=space)
    except BaseException:  # whatever it is, no row names these files
        path.unlink()
        ids_path(path).unlink()
        raise
    return space


def remove_left(*, corpus: Corpus, now: datetime) -> None:
    """Remove what encodings left whose worker died: no row names it, and nobody has written to it for a day."""
    spaces = corpus.embedding_spaces.values_list("vectors_file", flat=True)
    named = {path.name for file in spaces for path in (Path(file), ids_path(Path(file)))}
    for path in _folder(corpus).iterdir():
        written = max(each.stat().st_mtime for each in (path, *path.glob("*")))
        if path.name not in named and written < (now - LEFT_AFTER).timestamp():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _folder(corpus: Corpus) -> Path:
    folder = Path(settings.DATA_DIR) / "vectors" / corpus.slug
    folder.mkdir(parents=True, exist_ok=True)
    return folder
