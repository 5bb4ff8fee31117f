"""Twins marked with one key; and the settled grades of before learn which text they were given to."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce


def tell_texts(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each settled grade the fingerprint that the earliest opinion on its document saw."""
    judgments = apps.get_model("judging", "Judgment").objects.filter(
        query=OuterRef("query"), document=OuterRef("gold_document")
    )
    seen = judgments.exclude(state__in=["unseen", "cleared"]).order_by("judged_at").values("text_sha256")[:1]
    qrels = apps.get_model("curation", "Qrel").objects.filter(gold_document__isnull=False, text_sha256="")
    qrels.update(text_sha256=Coalesce(Subquery(seen), Value("")))


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0005_corpus_moves"),
        ("judging", "0005_origins_by_rank"),
    ]

    operations = [
        migrations.AddField(model_name="judgment", name="for_twins", field=models.BooleanField(default=False)),
        migrations.RunPython(tell_texts, migrations.RunPython.noop, elidable=True),
    ]
