from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0028_queries_by_origin'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='document',
            index=models.Index(condition=models.Q(('gone_at__isnull', True)), fields=['corpus', 'language', 'canonical_id'], name='document_language'),
        ),
    ]
