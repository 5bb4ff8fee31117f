"""What a set version holds: the counted queries of a corpus with every settled grade, as they stand or as they stood.

A query that is settled with no relevant document is in no n and no mean, so it is no member; the certificate counts it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import F, QuerySet

from curation.formats.set_form import GRADE, MEMBER, FrozenGrade, FrozenMember, Rules, sha256_of_form
from curation.models import Corpus, FrozenQrel, FrozenQuery, Generation, Qrel, Query, SetVersion

from .counts import DIMENSIONS, counted
from .generations import newest_for_sets
from .traffic import traffic_shares

OF_STRATUM = (*DIMENSIONS, "use")
OF_QUERY = ("external_id", "text", "origin", "gold_canonical_id")
OF_QREL = tuple(name for name in GRADE if name != "gold_document")


class SetBelied(ValueError):
    """A frozen set is no longer what it was frozen as; the text is one plain sentence."""


@dataclass(frozen=True)
class Content:
    """Members by the key of their query, and what is true of all of them; `generation` is the newest of production."""

    rules: Rules
    members: Mapping[int, FrozenMember]
    generation: Generation | None = None

    @cached_property
    def sha256(self) -> str:
        """The hash of the canonical form."""
        return sha256_of_form(self.rules, self.members.values())

    @property
    def judgments(self) -> int:
        """The settled grades."""
        return sum(len(member.grades) for member in self.members.values())


def content_of(corpus: Corpus) -> Content:
    """What a freeze of `corpus` would hold now; six SQL queries."""
    generation = newest_for_sets(corpus)
    return Content(rules_of(corpus, generation), dict(live_members(live_queries(corpus))), generation)


def content_frozen(version: SetVersion) -> Content:
    """What `version` holds, read back from its rows; two SQL queries."""
    members = frozen_members(FrozenQuery.objects.filter(set_version=version))
    return Content(rules_frozen(version), dict(members), version.generation)


def rules_of(corpus: Corpus, generation: Generation | None) -> Rules:
    """What is true of the whole corpus now; two SQL queries."""
    plan = corpus.strata.filter(planned__gt=0).values(*OF_STRATUM, "planned")
    number = generation.number if generation else None
    return Rules(corpus.slug, corpus.relevant_from, number, traffic_shares(corpus), list(plan))


def rules_frozen(version: SetVersion) -> Rules:
    """What was true of the whole corpus when `version` was frozen."""
    number = version.generation.number if version.generation else None
    return Rules(version.corpus.slug, version.relevant_from, number, version.traffic, version.plan)


def live_queries(corpus: Corpus) -> QuerySet[Query]:
    """The queries that count now, in no order."""
    return Query.objects.filter(counted(corpus), corpus=corpus, status=Query.Status.JUDGED).order_by()


def frozen_members(queries: QuerySet[FrozenQuery]) -> Iterator[tuple[int, FrozenMember]]:
    """Each of `queries` with its grades, by the key of the query it was; two SQL queries."""
    grades: defaultdict[int, list[FrozenGrade]] = defaultdict(list)
    for row in FrozenQrel.objects.filter(query__in=queries.values("pk")).values("query_id", *GRADE):
        grades[row.pop("query_id")].append(FrozenGrade(**row))
    for row in queries.values("pk", "query_id", *MEMBER):
        yield row.pop("query_id"), FrozenMember(grades=grades[row.pop("pk")], **row)


def live_members(queries: QuerySet[Query]) -> Iterator[tuple[int, FrozenMember]]:
    """Each of `queries` as a freeze would hold it, by its key; two SQL queries."""
    grades, depths = _live_grades(queries)
    columns = {name: F(f"stratum__{name}") for name in OF_STRATUM}
    related = {
        "need_text": F("need__text"),
        "need_called": F("need__external_id"),
        "first": F("variant_of__external_id"),
    }
    for row in queries.values("pk", *OF_QUERY, **columns, **related):
        told = {"need": row.pop("need_text") or "", "need_external_id": row.pop("need_called") or ""}
        told["variant_of"] = row.pop("first") or ""
        pk = row.pop("pk")
        yield pk, FrozenMember(**row, **told, judged_depth=depths.get(pk), grades=grades[pk])


def _live_grades(queries: QuerySet[Query]) -> tuple[Mapping[int, list[FrozenGrade]], Mapping[int, int]]:
    """Every settled grade of `queries` by query, and the deepest that each was judged, where that is known."""
    grades: defaultdict[int, list[FrozenGrade]] = defaultdict(list)
    depths: dict[int, int] = {}
    settled = Qrel.objects.filter(query__in=queries.values("pk")).order_by()
    for row in settled.values("query_id", "judged_depth", *OF_QREL, document=F("gold_document__external_id")):
        query, depth = row.pop("query_id"), row.pop("judged_depth")
        depths[query] = max(depth or 0, depths.get(query, 0))
        grades[query].append(FrozenGrade(gold_document=row.pop("document") or "", **row))
    return grades, {query: depth for query, depth in depths.items() if depth}


def is_intact(version: SetVersion) -> bool:
    """Whether the rows of `version` still hash to what it was frozen with: nobody has touched them."""
    return content_frozen(version).sha256 == version.sha256


def content_intact(version: SetVersion) -> Content:
    """What `version` holds, for a verdict or an export, which say its hash.

    Raises:
        SetBelied: somebody wrote to its rows, so that they do not give the hash any more.
    """
    content = content_frozen(version)
    if content.sha256 != version.sha256:
        raise SetBelied(
            f"The rows of {version} do not give its hash any more: somebody wrote to the database past Hardset. "
            "Freeze a new version, or bring these rows back from a backup."
        )
    return content
