"""What a corpus's vectors were made of, where they lie, and which encoder speaks their language."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from curation.models import Corpus, DocumentText, EmbeddingSpace
from curation.retrieval.addresses import AddressRules
from curation.retrieval.encoders import Encoder, load_encoder, names
from curation.retrieval.encoders.http import Endpoint, Http

BROUGHT = "precomputed"


@dataclass(frozen=True, slots=True)
class EncodedText:
    """What is encoded for one document: its title and text, and the fingerprint of both."""

    external_id: str
    text: str
    sha256: str


def texts_to_encode(corpus: Corpus) -> list[EncodedText]:
    """The current text of each document that is not gone, in ascending external id (code point) order."""
    rows = DocumentText.objects.filter(document__corpus=corpus, document__gone_at=None, current=True)
    found = rows.values_list("document__external_id", "title", "text", "sha256")
    texts = [EncodedText(name, "\n".join(filter(None, (title, text))), digest) for name, title, text, digest in found]
    return sorted(texts, key=lambda text: text.external_id)


def documents_sha256(texts: list[EncodedText]) -> str:
    """The hash by which a space tells whether it still fits its corpus."""
    return _digest((text.external_id, text.sha256) for text in texts)


def current_documents_sha256(corpus: Corpus) -> str:
    """The same hash of the corpus as it is now, without reading a text."""
    rows = DocumentText.objects.filter(document__corpus=corpus, document__gone_at=None, current=True)
    return _digest(sorted(rows.values_list("document__external_id", "sha256")))


def _digest(documents: Iterable[tuple[str, str]]) -> str:
    digest = hashlib.sha256()
    for external_id, text in documents:
        digest.update(f"{external_id}\0{text}\n".encode())
    return digest.hexdigest()


def vectors_path(space: EmbeddingSpace) -> Path:
    """Where the vectors of a space lie."""
    return Path(settings.DATA_DIR) / space.vectors_file


def encoder_folder(corpus: Corpus, *, encoder: str, revision: str) -> Path:
    """Where an encoder keeps what it needs for one corpus; each revision has a folder of its own."""
    name = hashlib.sha256(f"{encoder}\0{revision}".encode()).hexdigest()[:16]
    return Path(settings.DATA_DIR) / "encoders" / corpus.slug / name


def encoder_of(space: EmbeddingSpace) -> Encoder:
    """The encoder that made a space; one that is not of ours is asked at the operator's endpoint.

    Without an endpoint it is known by name alone and encodes nothing.

    Raises:
        TextsRefused: what it keeps on disk is missing or damaged.
    """
    folder = encoder_folder(space.corpus, encoder=space.encoder, revision=space.revision)
    if space.encoder in names():
        return load_encoder(space.encoder, folder=folder)
    if not settings.OPENAI_BASE_URL:
        return load_encoder(BROUGHT, folder=folder)
    rules = AddressRules(settings.ALLOWED_ADDRESSES)
    endpoint = Endpoint(settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, rules)
    return Http(endpoint, space.encoder, space.revision, space.native_dims)
