"""`manage.py plan SLUG`: the plan, what to write next, and the weights that restore the headline."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone

from curation.actions.runs import run_named, run_stored
from curation.commandline import corpus_named
from curation.measures.cost import Cost, in_hours
from curation.models import Use
from curation.reporting import ReportCommand
from curation.reports.coverage import Question
from curation.reports.plan import Planning, plan_csv, planning_of
from curation.reports.written_next import Next
from curation.templatetags.strata import times

K = 10


class Command(ReportCommand):
    """Tell the plan."""

    help = "What to write next so that every planned locale is readable, with people, hours and when it ends."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus, the target, and the run whose worst cell is split."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--use", default="gate", choices=Use.values, help="the count target in use")
        parser.add_argument("--run", help="the run that tells the worst cell; without it no cell is split")
        shape = parser.add_mutually_exclusive_group()
        shape.add_argument("--json", action="store_true", help="print the whole plan as JSON, with weights and costs")
        shape.add_argument("--csv", action="store_true", help="print the strata as import_plan reads them")

    def make_ready(self, options: dict[str, Any]) -> None:
        """Measure exact search where it is asked for and was not measured."""
        if options["run"]:
            run_named(corpus_named(options["slug"]), options["run"], k=K, now=timezone.now())

    def tell(self, options: Mapping[str, Any]) -> str:
        """The plan in the form that is asked for."""
        corpus = corpus_named(options["slug"])
        run = run_stored(corpus, options["run"]) if options["run"] else None
        told = planning_of(corpus, Question(use=options["use"], run=run, k=K), now=timezone.now())
        if options["json"]:
            return json.dumps(told.as_json(), ensure_ascii=False, indent=1)
        return plan_csv(told) if options["csv"] else "\n".join(in_words(told))


def in_words(told: Planning) -> list[str]:
    """The table of what to write next, and its total."""
    path = told.next.path
    if not path.planned:
        return ["Nothing is planned yet. Plan strata on the page Plan, or with import_plan."]
    if not path.steps:
        return [f"Every planned locale is readable at {path.target}."]
    way = f"Cheapest path to make every planned locale readable at {path.target}."
    rates = render_to_string("curation/_path_rates.html", {"next": told.next}).strip()
    total = f"Total: +{path.to_write}, {hours_in_words(path.cost)}. {told.next.total}"
    return [f"{way} {rates} Booked this month {told.next.booked}.", *map(step_in_words, told.next.rows), total]


def step_in_words(row: Next) -> str:
    """One step: "th × en: 36, +64 (4 more than planned), 3:12 h writing, 1:55 h judging, 3.4×. Locale not …"."""
    step = row.step
    beyond = f"{step.over_plan} more than planned" if step.over_plan else ""
    notes = ", ".join(note for note in (step.waiting_in_words, step.decided_in_words, beyond) if note)
    to_write = f"+{step.to_write} ({notes})" if notes else f"+{step.to_write}"
    told = [f"{step.n}", to_write, hours_in_words(step.cost), *filter(None, [times(step.oversample)])]
    people = ", ".join(row.people) or ("no writer" if step.to_write else "")
    assigned = f"{row.assigned} assigned" if row.assigned else ""
    words = [f"{' × '.join(step.dimensions.values())}: {', '.join(told)}", step.why, people, assigned]
    return ". ".join(word for word in words if word)


def hours_in_words(cost: Cost) -> str:
    """The hours of a step: "3:12 h writing, 1:55 h judging"."""
    return f"{in_hours(cost.writing)} h writing, {in_hours(cost.judging)} h judging"
