from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("curation", "0029_document_languages")]

    operations = [
        migrations.AddField(
            model_name="gatereport",
            name="run_dated",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
