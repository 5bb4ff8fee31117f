"""Needs made of English queries that word none, so that other languages can word what was asked."""

from __future__ import annotations

from dataclasses import dataclass

from curation.actions.lookups import overwrite, rows_in
from curation.actions.writing import one_write
from curation.models import Corpus, Need, Query, Slice, User
from curation.reports.checks import live
from curation.reports.needs import unneeded


@dataclass(frozen=True, slots=True)
class Made:
    """How many needs were made, how many queries word one now, and a sentence for each that was left alone."""

    needs: int
    queries: int
    left: tuple[str, ...]


def make_needs(*, corpus: Corpus, by: User | None) -> Made:
    """Make each English query that words no need the wording of one that says the same; done again, it changes nothing.

    A need of the very same text is taken, else one is made with the query's gold and slice. Other spellings of a query
    go along. A query whose need is worded in its stratum already is left alone.

    Raises:
        Refused: someone else wrote the same rows meanwhile.
    """
    with one_write():
        Corpus.objects.select_for_update(no_key=True).get(
            pk=corpus.pk
        )  # a text stands once: whoever adds needs takes turns
        queries = list(unneeded(corpus).select_related("stratum").order_by("pk"))
        texts = rows_in(corpus.needs.order_by("-pk"), "text", (query.text for query in queries))
        known = {need.text: need for need in texts}
        made = {query.text: _need(query, by) for query in queries if query.text not in known}
        Need.objects.bulk_create(made.values())
        given, left = _give(corpus, queries, {**known, **made})
        overwrite(given, ["need"])
    return Made(len(made), len(given), tuple(left))


def _need(query: Query, by: User | None) -> Need:
    hint = query.stratum.slice
    return Need(
        corpus_id=query.corpus_id,
        text=query.text,
        gold_canonical_id=query.gold_canonical_id,
        slice_hint="" if hint == Slice.DISTINCTIVE else hint,
        created_by=by,
    )


def _give(corpus: Corpus, queries: list[Query], needs: dict[str, Need]) -> tuple[list[Query], list[str]]:
    """The queries with their needs, and why others stay without; nothing is saved here."""
    spelt = live(corpus).filter(need=None).order_by("pk")
    families: dict[int, list[Query]] = {query.pk: [query] for query in queries}
    for variant in rows_in(spelt, "variant_of_id", families):
        families[variant.variant_of_id or 0].append(variant)
    worded = live(corpus).values_list("need_id", "stratum_id", "external_id")
    known = (need.pk for need in needs.values())
    held = {(need, stratum): name for need, stratum, name in rows_in(worded, "need_id", known)}
    given, left = [], []
    for family in families.values():
        need = needs[family[0].text]
        rivals = [held[need.pk, each.stratum_id] for each in family if (need.pk, each.stratum_id) in held]
        if rivals:
            left.append(f"Query {family[0].external_id} stays without a need: query {rivals[0]} words it in its cell.")
            continue
        for each in family:
            each.need = need
            held[need.pk, each.stratum_id] = each.external_id
        given += family
    return given, left
