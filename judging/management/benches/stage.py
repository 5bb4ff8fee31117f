"""The corpus that judges are measured on: many pools of 50 candidates, none of them judged."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Iterable, Iterator, Sequence

from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.utils import timezone

from curation.models import Corpus, Document, DocumentText, EmbeddingSpace, Membership, Query, Role, Stratum, User
from judging.models import Candidate, Pool
from judging.reports.findings import Finder

SLUG, PASSWORD = "bench", "judges at the bench, many at once"
DEPTH, DOCUMENTS, TEXT_WORDS = 50, 1000, 110  # candidates a pool, documents, words a document
TWICE = 10  # every tenth pool is judged by two, as the default of a corpus has it
LANGUAGES, SLICES = ("en", "de", "fr", "es", "tr"), ("distinctive", "near_duplicate", "rare_entity", "keyword")
WORDS = tuple(f"{head}{tail}" for head in ("cover", "claim", "loss", "limit", "date") for tail in "abcdefghijklmnopqr")


def plant(*, pools: int, judges: int) -> Corpus:
    """A corpus with `pools` drawn pools over 20 strata, and its judges.

    The judges are named judge-0, judge-1 … and sign in with PASSWORD.
    """
    now = timezone.now()
    corpus = Corpus.objects.create(slug=SLUG, name="Bench")
    documents = _documents(corpus, DOCUMENTS)
    queries = Query.objects.bulk_create(_queries(corpus, pools), batch_size=500)
    space = EmbeddingSpace.objects.create(
        corpus=corpus, encoder="bench", revision="1", native_dims=1, dims=1, rows=len(documents), vectors_file="none"
    )
    drawn = Pool.objects.bulk_create(
        (
            Pool(query=query, embedding_space=space, depth=DEPTH, drawn_at=now, opinions=1 + (place % TWICE == 0))
            for place, query in enumerate(queries)
        ),
        batch_size=500,
    )
    Candidate.objects.bulk_create(_found(_candidates(drawn, documents)), batch_size=2000)
    _judges(corpus, judges)
    _look_again()
    return corpus


def _look_again() -> None:
    """Let the database look at what was filled, as it does by itself within a minute.

    Not at what is empty: PostgreSQL takes a table that it never saw for one of ten pages, and one that it saw empty for
    empty, so that it reads all of it for each row while it fills.
    """
    filled = [model._meta.db_table for model in apps.get_models() if model._default_manager.exists()]  # noqa: SLF001  (Django documents both)
    with connection.cursor() as cursor:
        for table in filled:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")


def _documents(corpus: Corpus, count: int) -> list[Document]:
    rows = (
        Document(corpus=corpus, external_id=f"d{n:05}", canonical_id=f"d{n:05}", language="en", is_source=True)
        for n in range(count)
    )
    documents = Document.objects.bulk_create(rows, batch_size=500)
    DocumentText.objects.bulk_create(map(_text, documents), batch_size=500)
    return documents


def _text(document: Document) -> DocumentText:
    drawn = random.Random(document.external_id)  # noqa: S311  (the same texts each time)
    sentences = (" ".join(drawn.choices(WORDS, k=10)).capitalize() for _ in range(TEXT_WORDS // 10))
    title, text = " ".join(drawn.choices(WORDS, k=5)), ". ".join(sentences)
    name = hashlib.sha256(text.encode()).hexdigest()
    return DocumentText(document=document, title=title, text=text, sha256=name, folded_sha256=name)


def _queries(corpus: Corpus, count: int) -> Iterator[Query]:
    strata = Stratum.objects.bulk_create(
        Stratum(
            corpus=corpus,
            query_language=language,
            corpus_language="en",
            script="Latn",
            query_type="question",
            slice=family,
        )
        for language, family in itertools.product(LANGUAGES, SLICES)
    )
    drawn = random.Random(SLUG)  # noqa: S311  (the same queries each time)
    for number in range(count):
        text = f"{' '.join(drawn.choices(WORDS, k=6))} {number}"
        yield Query(
            corpus=corpus,
            external_id=f"q{number:05}",
            stratum=strata[number % len(strata)],
            text=text,
            original_text=text,
            folded_hash=f"{number:064x}",
            origin=Query.Origin.IMPORTED,
        )


def _candidates(pools: Sequence[Pool], documents: Sequence[Document]) -> Iterator[Candidate]:
    """DEPTH documents a pool, each pool from another place of the corpus on."""
    for place, pool in enumerate(pools):
        for rank in range(DEPTH):
            document = documents[(place * 7 + rank) % len(documents)]
            yield Candidate(
                pool=pool,
                document=document,
                canonical_id=document.canonical_id,
                exact_rank=rank + 1,
                score=1 - rank / 100,
                origins={"exact": rank + 1},
            )


def _found(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates with what drawing a pool finds in their texts and keeps."""
    texts = {text.document_id: text for text in DocumentText.objects.all()}
    for pool, ours in itertools.groupby(candidates, key=lambda candidate: candidate.pool):
        finder = Finder(pool.query)
        for candidate in ours:
            candidate.highlights = dict(finder.to_keep(candidate.document, texts[candidate.document_id]))
            yield candidate


def _judges(corpus: Corpus, count: int) -> None:
    password = make_password(PASSWORD)
    people = User.objects.bulk_create(
        User(username=f"judge-{number}", name=f"Judge {number}", password=password) for number in range(count)
    )
    Membership.objects.bulk_create(Membership(corpus=corpus, user=person, role=Role.ADJUSTER) for person in people)
