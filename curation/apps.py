"""The curation app."""

from django.apps import AppConfig


class CurationConfig(AppConfig):
    """The test collection: corpus, strata, needs, queries, mining, settled qrels, measurements."""

    name = "curation"
    verbose_name = "Curation"

    def ready(self) -> None:
        """Bind the Celery app: without it `.delay` would go to a default broker."""
        import curation.celery  # noqa: F401  (imported for its effect)
