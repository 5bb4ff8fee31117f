"""The curation app."""

from django.apps import AppConfig


class CurationConfig(AppConfig):
    """The test collection: corpus, strata, needs, queries, mining, settled qrels, measurements."""

    name = "curation"
    verbose_name = "Curation"

    def ready(self) -> None:
        """Bind the Celery app, without which `.delay` would go to a default broker, and name the kinds of jobs."""
        import curation.celery
        import curation.tasks  # noqa: F401  (both imported for their effect)
        from curation import importers
        from curation.models import LOCALE_LEAD, Role
        from curation.reports import navigation
        from curation.reports.gate_report import newest_verdict
        from curation.reports.generations import live_runs
        from curation.reports.proposals import open_for
        from curation.reports.set_versions import version_in_menu
        from curation.reports.shortfall import to_write

        importers.add_importer(*importers.OWN)
        lead, leads = frozenset({Role.LEAD}), frozenset({Role.LEAD, LOCALE_LEAD})
        authors, reviewers = leads | {Role.WRITER}, leads | {Role.ADJUSTER}
        navigation.add(
            navigation.Entry("Work", 20, "Write", "write", authors, count=to_write),
            navigation.Entry("Work", 30, "Review mined", "review", reviewers, open_for),
            navigation.Entry("Work", 31, "Hard negatives", "hard_negatives", reviewers),
            navigation.Entry("Set", 0, "Coverage", "coverage", leads),
            navigation.Entry("Set", 5, "Mining", "mining", lead, lambda visit: live_runs(visit.corpus), "running"),
            navigation.Entry("Set", 10, "Queries", "queries", authors),
            navigation.Entry("Set", 11, "Needs", "needs", authors),
            navigation.Entry("Set", 12, "Plan", "plan", leads),
            navigation.Entry("Set", 13, "Traffic mix", "traffic_mix", lead),
            navigation.Entry("Set", 14, "Locales", "locales", lead),
            navigation.Entry("Set", 20, "Import", "import", lead),
            navigation.Entry("Ship", 0, "Sets", "sets", leads, says=lambda visit: version_in_menu(visit.corpus)),
            navigation.Entry("Ship", 10, "Gate", "gates", leads, says=lambda visit: newest_verdict(visit.corpus)),
            navigation.Entry("Ship", 20, "Drift", "drift", lead),
            navigation.Entry("People", 0, "People", "people", leads),
        )
