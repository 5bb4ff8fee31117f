from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0020_watching'),
    ]

    operations = [
        migrations.AddField(
            model_name='documenttext',
            name='taken_up_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
