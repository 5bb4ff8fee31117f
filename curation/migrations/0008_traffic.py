"""Shares of traffic become readings with a date: what stood beside the locales is the first reading of its corpus."""

from typing import Any

from django.db import migrations, models

NOTE = "Stated before readings were dated"


def to_readings(apps: Any, _schema_editor: Any) -> None:
    """One reading a corpus that has shares, as of the day the corpus was made."""
    locales = apps.get_model("curation", "CorpusLocale").objects.filter(traffic_share__isnull=False)
    readings, shares = apps.get_model("curation", "TrafficReading"), apps.get_model("curation", "TrafficShare")
    for corpus in apps.get_model("curation", "Corpus").objects.filter(locales__in=locales).distinct():
        made = corpus.created_at
        reading = readings.objects.create(
            corpus=corpus, as_of=made.date(), source="file", note=NOTE, stated_at=made
        )
        shares.objects.bulk_create(
            shares(reading=reading, locale=each.locale, share=each.traffic_share)
            for each in locales.filter(corpus=corpus)
        )


def to_locales(apps: Any, _schema_editor: Any) -> None:
    """The shares of each corpus's newest reading, beside its locales again."""
    locales = apps.get_model("curation", "CorpusLocale").objects
    for reading in apps.get_model("curation", "TrafficReading").objects.order_by("as_of", "pk"):
        locales.filter(corpus=reading.corpus).update(traffic_share=None)
        for each in reading.shares.all():
            locales.update_or_create(
                corpus=reading.corpus, locale=each.locale, defaults={"traffic_share": each.share}
            )


class Migration(migrations.Migration):
    dependencies = [("curation", "0007_planning")]

    operations = [
        migrations.RunPython(to_readings, to_locales),
        migrations.RemoveConstraint(model_name="corpuslocale", name="corpus_locale_share_in_0_1"),
        migrations.RemoveField(model_name="corpuslocale", name="traffic_share"),
    ]
