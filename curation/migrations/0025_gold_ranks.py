"""Boards read runs as gates do: a document that is gone, or was never there, answers nothing."""

from typing import Any

from django.db import migrations


def rank_again(apps: Any, _editor: Any) -> None:  # noqa: ANN401  (Django's registry of the models of that day)
    """Look up anew where each gold stands among the documents that its corpus holds."""
    scores = apps.get_model("curation", "QueryScore").objects
    for corpus in apps.get_model("curation", "Corpus").objects.order_by("pk"):
        standing = dict(corpus.documents.filter(gone_at=None).values_list("external_id", "canonical_id"))
        golds = scores.filter(run__corpus=corpus).exclude(query__gold_canonical_id="")
        rows = golds.values_list("pk", "hits", "query__gold_canonical_id", "gold_rank")
        moved = [(key, now) for key, hits, gold, then in rows if (now := rank_of(gold, hits, standing)) != then]
        for key, rank in moved:
            scores.filter(pk=key).update(gold_rank=rank)


def rank_of(gold: str, hits: list[str], standing: dict[str, str]) -> int | None:
    """Where the first document stands that renders the gold, from 1."""
    return next((place for place, hit in enumerate(hits, 1) if standing.get(hit) == gold), None)


class Migration(migrations.Migration):
    dependencies = [("curation", "0024_asked_languages")]
    operations = [migrations.RunPython(rank_again, migrations.RunPython.noop, elidable=True)]
