"""A text that was read, stored as the query it is."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from curation.actions.strata import strata_for
from curation.models import Query
from curation.reports.checks import Reading
from curation.reports.places import UNKNOWN_LANGUAGE
from curation.retrieval.tokens import SEGMENTER

ID_BYTES = 5


def store_reading(reading: Reading, query: Query, *, noted: Mapping[str, object]) -> Query:
    """Store a reading as the new `query`: READY, in the stratum of its place, under an id of its own.

    `query` says where it comes from: corpus, need, origin, author, the text as given, the document language asked for
    (kept only where that of its place is not known). `noted` joins what the metadata
    tell of every text.

    Raises:
        IntegrityError: someone stored the same text, or worded the same need in that stratum, meanwhile.
    """
    query.external_id = f"{reading.place.query_language}-{secrets.token_hex(ID_BYTES)}"
    query.stratum = strata_for(corpus=query.corpus, keys=[reading.place])[reading.place]
    if reading.place.corpus_language != UNKNOWN_LANGUAGE:
        query.asked_corpus_language = ""
    query.text, query.folded_hash = reading.text, reading.folded_hash
    query.status = Query.Status.READY
    counted = {"guessed_type": reading.guessed_type, "words": reading.words, "segmenter": SEGMENTER}
    query.metadata = {**counted, **noted}
    query.save(force_insert=True)
    return query
