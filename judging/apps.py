"""The judging app."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Pools, leases, opinions, and the pages that mix both apps."""

    name = "judging"
    verbose_name = "Judging"

    def ready(self) -> None:
        """Add this app's pages to the menu, its imports to the import screen, and name the kinds of jobs it does."""
        import judging.tasks  # noqa: F401  (imported for its effect)
        from curation import registry
        from curation.actions.disputes import add_awaiting
        from curation.importers import add_witness
        from curation.reports.addressed import add_row
        from curation.reports.team import add_judged
        from curation.reports.testimony import add_testimony
        from curation.reports.to_judge import add_doubted, add_offered
        from judging.management.benches import judging as judges_at_once
        from judging.models import Assignment
        from judging.reports.pools import offered, still_judged
        from judging.reports.standing import standing_in_words
        from judging.reports.testimony import testimony
        from judging.reports.undecided import doubted
        from judging.reports.weeks import judged_by_people, seconds_by_kind

        registry.add_bench("judging", judges_at_once.bench)
        add_awaiting(still_judged)
        add_offered(offered)
        add_doubted(doubted)
        add_witness(standing_in_words)
        add_judged(seconds_by_kind, judged_by_people)
        add_testimony(testimony)
        add_row("assignment", Assignment, "pool__query__corpus")
        add_import()
        add_pages()


def add_import() -> None:
    """Offer judgments on the import screen."""
    from curation.formats.grades import grade_mapping
    from curation.formats.judgments import read_judgments
    from curation.formats.pairs import lines_of
    from curation.importers import Importer, add_importer
    from judging.actions.judgment_files import Judge, import_judgments

    add_importer(
        Importer(
            "judgments",
            "judgments",
            "query_id, doc_id, judge and grade; where known at and note",
            read_judgments,
            lambda corpus, intake, options, now: import_judgments(
                corpus=corpus,
                intake=intake,
                now=now,
                judge=Judge(options.get("judge", ""), grade_mapping(lines_of(options.get("map_grade", "")))),
            ),
        )
    )


def add_pages() -> None:
    """Add this app's pages to the menu."""
    from curation.models import LOCALE_LEAD, Role
    from curation.reports import navigation
    from judging.reports.disagreements import open_for as disputes_of
    from judging.reports.judging_again import to_send
    from judging.reports.mismatches import open_for as flags_of
    from judging.reports.waiting import to_judge

    leads = frozenset({Role.LEAD, LOCALE_LEAD})
    judges = leads | {Role.ADJUSTER}
    navigation.add(
        navigation.Entry("Work", 0, "My work", "home"),
        navigation.Entry("Work", 10, "Judge", "judge", judges, to_judge),
        navigation.Entry("Set", 13, "Judging rules", "judging_rules", leads),
        navigation.Entry("Work", 40, "Disagreements", "disagreements", leads, disputes_of),
        navigation.Entry("Work", 41, "Text twins", "twins", leads),
        navigation.Entry("Work", 42, "Text changed", "judge_again", leads, to_send),
        navigation.Entry("Work", 43, "Mismatches", "mismatches", leads, flags_of),
    )
