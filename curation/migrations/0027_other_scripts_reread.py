"""Queries that were "another script" before Han characters, kana and Hangul under any locale had classes are read again."""

from django.db import migrations

from curation.retrieval.scripts import OTHER_SCRIPT, script_class

PLACE = ("corpus_id", "query_language", "corpus_language", "query_type", "slice")
RULES = ("use", "opinions", "pool_kind")


def read_again(apps, schema_editor):
    Stratum = apps.get_model("curation", "Stratum")
    for stratum in Stratum.objects.filter(script=OTHER_SCRIPT).order_by("pk"):
        queries = list(stratum.queries.order_by("pk"))
        scripts = [script_class(query.text, stratum.query_language) for query in queries]
        place = {name: getattr(stratum, name) for name in PLACE}
        if len(set(scripts)) == 1 and not Stratum.objects.filter(script=scripts[0], **place).exists():
            Stratum.objects.filter(pk=stratum.pk).update(script=scripts[0])  # with its plan and who is asked for it
            continue
        rules = {name: getattr(stratum, name) for name in RULES}
        for query, script in zip(queries, scripts):
            if script != OTHER_SCRIPT:
                move(query, Stratum.objects.get_or_create(script=script, **place, defaults=rules)[0])


def move(query, stratum):
    """Move a query, unless its need has another wording there: a lead then retires one of the two."""
    rivals = stratum.queries.exclude(status="retired").filter(need=query.need_id)
    if query.status == "retired" or query.need_id is None or not rivals.exists():
        type(query).objects.filter(pk=query.pk).update(stratum=stratum)


class Migration(migrations.Migration):

    dependencies = [
        ("curation", "0026_exact_ranks"),
    ]

    operations = [
        migrations.RunPython(read_again, migrations.RunPython.noop),
    ]
