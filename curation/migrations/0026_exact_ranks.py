from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0025_gold_ranks"),
    ]

    operations = [
        migrations.AddField(
            model_name="nearduplicategroup",
            name="exact_ranks",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
