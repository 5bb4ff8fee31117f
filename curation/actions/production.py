"""Which index stands for production: hard negatives are mined against it."""

from __future__ import annotations

from django.db import transaction

from curation.models import Corpus, TargetIndex


def index_of_run(*, corpus: Corpus, name: str) -> TargetIndex | None:
    """The index that answers by the imported run of that name, where one does."""
    return corpus.indexes.filter(kind=TargetIndex.Kind.RUN, name=name).first()


@transaction.atomic
def put_in_production(*, corpus: Corpus, run_name: str) -> TargetIndex:
    """Let the imported run of that name stand for production; it takes the re-mining dates over."""
    index, _ = TargetIndex.objects.get_or_create(corpus=corpus, name=run_name, defaults={"kind": TargetIndex.Kind.RUN})
    before = corpus.indexes.select_for_update().filter(is_production=True).exclude(pk=index.pk).first()
    if before is not None:
        index.remine_anchor, index.remine_due_on = before.remine_anchor, before.remine_due_on
        before.is_production, before.remine_anchor, before.remine_due_on = False, None, None
        before.save(update_fields=["is_production", "remine_anchor", "remine_due_on"])
    index.is_production = True
    index.save(update_fields=["is_production", "remine_anchor", "remine_due_on"])
    return index
