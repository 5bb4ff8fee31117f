"""The judging app."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Pools, leases, opinions, and the pages that mix both apps."""

    name = "judging"
    verbose_name = "Judging"

    def ready(self) -> None:
        """Add this app's pages to the menu, and name the kinds of jobs it does."""
        import judging.tasks  # noqa: F401  (imported for its effect)
        from curation.reports import navigation

        navigation.add(navigation.Entry("Work", 0, "My work", "home"))
