"""The cast: Aylin writes Turkish, Marek adjusts, Lena leads, Charlie is outside."""

from __future__ import annotations

import itertools
from typing import Any

from django.utils import timezone

from curation.actions.freezing import freeze
from curation.actions.traffic import Statement, state_traffic
from curation.models import (
    Corpus,
    Membership,
    Qrel,
    Query,
    QueryScore,
    RankedRun,
    Role,
    SetVersion,
    Slice,
    Stratum,
    TrafficReading,
    User,
)
from curation.reports.set_content import content_frozen

PASSWORD = "a long enough password"
_numbers = itertools.count(1)


def person(username: str, *, name: str = "") -> User:
    """A person with an account and no membership."""
    return User.objects.create_user(username, password=PASSWORD, name=name or username.title())


def aylin(corpus: Corpus) -> User:
    """Aylin writes Turkish."""
    return member(corpus, person("aylin"), Role.WRITER, languages=["tr"])


def marek(corpus: Corpus) -> User:
    """Marek adjusts."""
    return member(corpus, person("marek"), Role.ADJUSTER)


def lena(corpus: Corpus) -> User:
    """Lena leads."""
    return member(corpus, person("lena"), Role.LEAD)


def theo(corpus: Corpus) -> User:
    """Theo leads Turkish."""
    return member(corpus, person("theo"), Role.LEAD, languages=["tr"])


def charlie() -> User:
    """Charlie has an account and belongs to no corpus of ours."""
    return person("charlie")


def member(corpus: Corpus, user: User, role: Role, *, languages: list[str] | None = None) -> User:
    """`user`, now with `role` in `corpus`."""
    Membership.objects.create(corpus=corpus, user=user, role=role, languages=languages or [])
    return user


def a_corpus(slug: str = "claims", **fields: Any) -> Corpus:
    """A corpus without documents, whose queries one person judges unless told otherwise."""
    return Corpus.objects.create(slug=slug, **{"name": slug.title(), "double_judged": 0, **fields})


def some_traffic(corpus: Corpus, **shares: float) -> None:
    """Searches of the corpus split so; `_` stands for the joint of a locale (`sr_Latn`). The shares sum to 1."""
    split = {locale.replace("_", "-"): share for locale, share in shares.items()}
    state_traffic(corpus=corpus, statement=Statement(split, TrafficReading.Source.TYPED), now=timezone.now())


def a_stratum(corpus: Corpus, key: str = "tr en Latn question distinctive", **fields: Any) -> Stratum:
    """The stratum named by its five dimensions, separated by spaces."""
    language, document, script, query_type, family = key.split()
    stratum, _ = Stratum.objects.get_or_create(
        corpus=corpus,
        query_language=language,
        corpus_language=document,
        script=script,
        query_type=query_type,
        slice=family,
        defaults=fields,
    )
    return stratum


def a_query(stratum: Stratum, text: str = "", **fields: Any) -> Query:
    """A READY query in `stratum`."""
    query = _a_query(stratum, text, **fields)
    query.save(force_insert=True)
    return query


def _a_query(stratum: Stratum, text: str = "", **fields: Any) -> Query:
    number = next(_numbers)
    text = text or f"query {number}"
    given = {"external_id": f"q{number}", "original_text": text, "folded_hash": f"{number:064x}", "origin": "imported"}
    return Query(corpus=stratum.corpus, stratum=stratum, text=text, **{**given, **fields})


def judged_queries(stratum: Stratum, count: int, *, grade: int = 3, source: str = "agreed") -> list[Query]:
    """`count` JUDGED queries in `stratum`, each with one qrel for a gold of its own."""
    made = [_a_query(stratum, status="judged") for _ in range(count)]
    for query in made:
        query.gold_canonical_id = f"gold-{query.external_id}"
    Query.objects.bulk_create(made)
    Qrel.objects.bulk_create(
        Qrel(query=query, canonical_id=query.gold_canonical_id, grade=grade, source=source) for query in made
    )
    return made


def a_run(corpus: Corpus, found: list[Query], missed: list[Query], *, name: str = "a-run", k: int = 10) -> RankedRun:
    """A run that ranks the gold of `found` first and does not find that of `missed`."""
    run = RankedRun.objects.create(corpus=corpus, name=name, k=k, measured_at=timezone.now())
    QueryScore.objects.bulk_create(
        QueryScore(run=run, query=query, k=k, hits=[], gold_rank=rank)
        for queries, rank in ((found, 1), (missed, None))
        for query in queries
    )
    return run


def judged_across_slices(corpus: Corpus, each: int = 2, *, locale: str = "tr") -> dict[str, list[Query]]:
    """`each` judged queries in every slice, by slice: a gold at 3, another relevant answer at 2, one at 0 that was swept.

    Their strata plan 120 queries each, so that they are on the board.
    """
    made: dict[str, list[Query]] = {}
    for family in Slice.values:
        stratum = a_stratum(corpus, f"{locale} en Latn question {family}", planned=120)
        made[family] = judged_queries(stratum, each)
    Qrel.objects.bulk_create(
        Qrel(query=query, canonical_id=f"{name}-{query.pk}", grade=grade, source="agreed", swept=not grade)
        for queries in made.values()
        for query in queries
        for name, grade in (("second", 2), ("other", 0))
    )
    return made


def frozen_set(corpus: Corpus, name: str = "hard", *, frozen_by: User | None = None) -> SetVersion:
    """The next version of the set `name`: what `corpus` counts now, frozen; two queries a slice where it counts none."""
    if not corpus.queries.filter(status=Query.Status.JUDGED).exists():
        judged_across_slices(corpus)
    return freeze(corpus=corpus, name=name, frozen_by=frozen_by, now=timezone.now())


def hash_again(version: SetVersion) -> None:
    """As if the rows of `version`, which a test wrote to, had been frozen so."""
    SetVersion.objects.filter(pk=version.pk).update(sha256=content_frozen(version).sha256)
