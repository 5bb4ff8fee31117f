from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("curation", "0022_unjudged_total")]

    operations = [
        migrations.AddField(
            model_name="rankedrun",
            name="provenance",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
