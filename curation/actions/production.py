"""Which index of a corpus stands for production: hard negatives are mined against it."""

from __future__ import annotations

from django.db import transaction

from curation.actions.refusal import Refused
from curation.models import Corpus, TargetIndex


def hold_indexes(corpus: Corpus) -> None:
    """Hold the indexes of a corpus until the transaction ends; look at them only after this.

    So one at a time opens a generation, or changes what is in production and when it is mined.
    """
    list(TargetIndex.objects.select_for_update(no_key=True).filter(corpus=corpus).order_by("pk").values_list("pk"))


def index_of_run(*, corpus: Corpus, name: str) -> TargetIndex | None:
    """The index that answers by the imported run of that name, where one does."""
    return corpus.indexes.filter(kind=TargetIndex.Kind.RUN, name=name).first()


@transaction.atomic
def put_run_in_production(*, corpus: Corpus, name: str) -> TargetIndex:
    """Let the imported run of that name stand for production.

    Raises:
        Refused: an index of another kind has the name.
    """
    index, _ = TargetIndex.objects.get_or_create(corpus=corpus, name=name, defaults={"kind": TargetIndex.Kind.RUN})
    if index.kind != TargetIndex.Kind.RUN:
        raise Refused(f"The index {name} is of kind {index.kind}; give the run another name.")
    return put_in_production(index=index)


@transaction.atomic
def put_in_production(*, index: TargetIndex) -> TargetIndex:
    """Let the index stand for production; it takes the re-mining dates over, and is in the shadow stage no more."""
    hold_indexes(index.corpus)
    index.refresh_from_db(fields=["remine_anchor", "remine_due_on"])  # somebody may have done this just now
    before = TargetIndex.objects.filter(corpus=index.corpus_id, is_production=True).exclude(pk=index.pk).first()
    if before is not None:
        index.remine_anchor, index.remine_due_on = before.remine_anchor, before.remine_due_on
        before.is_production, before.remine_anchor, before.remine_due_on = False, None, None
        before.save(update_fields=["is_production", "remine_anchor", "remine_due_on"])
    index.is_production, index.in_shadow = True, False
    index.save(update_fields=["is_production", "in_shadow", "remine_anchor", "remine_due_on"])
    return index
