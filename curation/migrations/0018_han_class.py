"""A script class for Han characters alone; lines of the log that were "another script" are read again by the sweep."""

from django.db import migrations, models

KNOWN = (
    "Latn", "Latn-plain", "Latn-romanised", "Cyrl", "Grek", "Arab", "Arab-plain", "Hebr", "Hans", "Hant", "Hani",
    "Jpan-kanji", "Jpan-kana", "Jpan-romaji", "Hang", "Thai", "Deva", "Armn", "Beng", "Ethi", "Geor", "Gujr", "Guru",
    "Khmr", "Knda", "Laoo", "Mlym", "Mong", "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thaa", "Tibt", "Zyyy", "Zzzz",
)


def read_again(apps, schema_editor):
    apps.get_model("curation", "LogQuery").objects.filter(script="Zzzz").update(words=None)


class Migration(migrations.Migration):

    dependencies = [
        ("curation", "0017_api_tokens"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="stratum", name="stratum_script_known"),
        migrations.AddConstraint(
            model_name="stratum",
            constraint=models.CheckConstraint(
                condition=models.Q(("script__in", KNOWN)), name="stratum_script_known"
            ),
        ),
        migrations.RunPython(read_again, migrations.RunPython.noop),
    ]
