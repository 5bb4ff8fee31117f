"""The BM25 index of a corpus, built where its documents have changed and kept in the data folder."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from curation.indexes.bm25 import BUILT_BY, Bm25Index, WordedText, build
from curation.models import Corpus, DocumentText


def word_index(corpus: Corpus) -> Bm25Index:
    """BM25 over the title and text of every document that is not gone; those built before make way.

    Raises:
        IndexRefused: they hold no word.
    """
    found = DocumentText.objects.filter(document__corpus=corpus, document__gone_at=None, current=True)
    rows = sorted(found.values_list("document__external_id", "document__language", "sha256"))
    digest = hashlib.sha256("\n".join([BUILT_BY, *("\t".join(row) for row in rows)]).encode()).hexdigest()
    folder = Path(settings.DATA_DIR) / "bm25" / corpus.slug / digest[:16]
    if not folder.exists():
        earlier = list(folder.parent.iterdir()) if folder.parent.exists() else []
        texts = found.values_list("document__external_id", "document__language", "title", "text")
        build(_worded(sorted(texts)), folder)
        for other in earlier:
            shutil.rmtree(other, ignore_errors=True)
    return Bm25Index(folder)


def _worded(rows: Iterable[tuple[str, str, str, str]]) -> Iterable[WordedText]:
    return (WordedText(name, language, f"{title}\n{text}") for name, language, title, text in rows)
