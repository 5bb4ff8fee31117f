"""Information needs stated by hand."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db import transaction

from curation.models import Corpus, Document, Need, User

MOST_CHARACTERS = 2000


class NeedRefused(ValueError):
    """A need that cannot be stored; says why, and names the form field it is about."""

    def __init__(self, words: str, *, field: str) -> None:
        super().__init__(words)
        self.field = field


@dataclass(frozen=True, slots=True)
class Stated:
    """What a lead writes down: the need in English, who asks, the gold where known, and the slice it is meant for."""

    text: str
    context: str = ""
    gold_canonical_id: str = ""
    slice_hint: str = ""


@transaction.atomic
def state_need(*, corpus: Corpus, stated: Stated, by: User) -> Need:
    """Store a new need; the same person stating the same again gets the need that is there.

    Raises:
        NeedRefused: see `check`; or another need has this text.
    """
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)  # two copies of one form take turns
    check(corpus, stated)
    known = corpus.needs.filter(text=stated.text).first()
    if known is None:
        return Need.objects.create(corpus=corpus, created_by=by, **asdict(stated))
    if known.created_by_id == by.pk and stated == stated_in(known):
        return known
    raise NeedRefused(
        "A need with this text is here already; edit that one, or say how this one differs.", field="text"
    )


@transaction.atomic
def restate_need(*, need: Need, stated: Stated) -> Need:
    """Change a need. Queries that word it stay in their strata; those written from now on follow the change.

    Raises:
        NeedRefused: see `check`; or another need has this text.
    """
    corpus = Corpus.objects.select_for_update(no_key=True).get(pk=need.corpus_id)
    check(corpus, stated)
    if corpus.needs.filter(text=stated.text).exclude(pk=need.pk).exists():
        raise NeedRefused("Another need has this text already; say how this one differs.", field="text")
    held = Need.objects.get(pk=need.pk)
    held.is_english = held.is_english or held.text != stated.text
    for name, value in asdict(stated).items():
        setattr(held, name, value)
    held.save(update_fields=[*asdict(stated), "is_english"])
    return held


def check(corpus: Corpus, stated: Stated) -> None:
    """Refuse a need without a text, or with a gold that no document of the corpus has.

    Raises:
        NeedRefused: it is one of these.
    """
    gold = stated.gold_canonical_id
    if not stated.text.strip():
        raise NeedRefused("A need says what someone wants to know. Write it in English.", field="text")
    if gold and not Document.objects.filter(corpus=corpus, canonical_id=gold, gone_at=None).exists():
        raise NeedRefused(
            f"No document of this corpus has the canonical id {gold}. Correct it, or leave it empty.",
            field="gold_canonical_id",
        )


def stated_in(need: Need) -> Stated:
    """What a stored need says."""
    return Stated(need.text, need.context, need.gold_canonical_id, need.slice_hint)
