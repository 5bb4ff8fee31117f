"""`manage.py demo`: the claims corpus, mined and ready to be judged, with a login for each role."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from django.core.management.base import CommandError
from django.utils import timezone

from curation import registry, tasks
from curation.actions import demo, demo_gate
from curation.actions.demo_people import Login, load_people
from curation.actions.embeddings import encoders_for
from curation.actions.refusal import Refused
from curation.actions.runs import EXACT, run_named
from curation.commandline import PlainCommand, require_known_database
from curation.models import Corpus, Job, Miner

T = TypeVar("T")
K = 10
FIGURES = ("found", "proposed", "set_aside", "pools", "candidates")


class Command(PlainCommand):
    """Load the demo step by step, saying what each step did and how long it took."""

    help = "Load the demo corpus and its three people; run again, it adds only what is missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to encode with, and the address to print."""
        parser.add_argument("--encoder", default="use", help="for the documents, where they have no vectors yet")
        parser.add_argument("--address", default="", help="where Hardset answers, to be printed with the logins")

    def handle(self, *_args: object, encoder: str, address: str, **_: object) -> None:
        """Take every step, then print the logins."""
        started = time.monotonic()
        require_known_database()
        try:
            encoders_for(encoder)
            corpus = self.load(encoder)
            self.work(corpus)
            logins = self.told(
                "People",
                partial(load_people, corpus=corpus, now=timezone.now()),
                lambda people: f"{len(people)} logins",
            )
            for step in registry.demo_steps():
                self.told(step.title, partial(step.act, corpus, timezone.now()), str)
        except ValueError as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        except KeyboardInterrupt as stop:
            raise CommandError("Stopped. Started again, it goes on from here.", returncode=130) from stop
        self.stdout.write(f"The demo is ready, after {time.monotonic() - started:.0f} s.")
        self.stdout.write("\n".join(in_words(logins, address)))

    def load(self, encoder: str) -> Corpus:
        """What the files hold: documents, needs, plan, queries, log."""
        now = timezone.now()
        load_documents = partial(demo.load_documents, now=now)
        corpus = self.told("Documents", load_documents, lambda made: f"{made.documents.count()} documents")
        encode = partial(demo.encode, corpus=corpus, encoder=encoder)
        self.told("Vectors", encode, lambda space: f"{space.rows} by {space.encoder}, {space.dims} wide")
        self.told("Needs", partial(demo.load_needs, corpus=corpus), lambda count: f"{count} needs")
        self.told("Plan", partial(demo.load_plan, corpus=corpus), lambda count: f"{count} planned strata")
        for title, name in (("Judged queries", "queries.jsonl"), ("Open queries", "queries_open.jsonl")):
            load = partial(demo.load_queries, corpus=corpus, name=name, now=now)
            self.told(title, load, lambda count: f"{count} queries in all")
        self.told("Query log", partial(demo.load_log, corpus=corpus), lambda count: f"{count} lines")
        return corpus

    def work(self, corpus: Corpus) -> None:
        """What workers would do in the background: mine, draw pools, measure."""
        for job in demo.ask_for_mining(corpus=corpus, now=timezone.now()):
            self.told(f"Mining {Miner(job.params['miner']).label.lower()}", partial(ended, job), in_figures)
        for job in demo.ask_for_pools(corpus=corpus, now=timezone.now()):
            self.told("Pools", partial(ended, job), in_figures)
        measure = partial(run_named, corpus, EXACT, k=K, now=timezone.now())
        self.told("Exact search", measure, lambda run: f"{run.scores.count()} queries measured")
        self.ship(corpus)

    def ship(self, corpus: Corpus) -> None:
        """What a lead and a release engineer find: a frozen set, and a candidate that was held to its floors."""
        self.told("Set", partial(demo_gate.freeze_first, corpus=corpus, now=timezone.now()), str)
        measure = partial(demo_gate.measure_candidate, corpus=corpus, now=timezone.now())
        run = self.told("BM25", measure, lambda run: f"{run.scores.count()} queries measured")
        self.told("Gate", partial(demo_gate.gate_first, corpus=corpus, run=run, now=timezone.now()), str)

    def told(self, title: str, step: Callable[[], T], words: Callable[[T], str]) -> T:
        """Take `step`, saying before and after what it is."""
        self.say(f"{title} … ", end="")
        started = time.monotonic()
        try:
            done = step()
        except BaseException:
            self.say("stopped")
            raise
        self.say(f"{words(done)} ({time.monotonic() - started:.1f} s)")
        return done

    def say(self, words: str, *, end: str = "\n") -> None:
        """Print at once, also where the output is a file."""
        self.stdout.write(words, ending=end)
        self.stdout.flush()


def ended(job: Job) -> Job:
    """The job, done here or by the worker that holds it.

    Raises:
        Refused: it failed or was cancelled.
    """
    done = tasks.wait_for(job.pk)
    if done.state != Job.State.DONE:
        raise Refused(done.error or f"{done} was cancelled; start again to do it.")
    return done


def in_figures(job: Job) -> str:
    """The counts that say most of what a job did, in one line."""
    figures = {name: job.result[name] for name in FIGURES if job.result.get(name)}
    return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in figures.items()) or "nothing new"


def in_words(logins: Iterable[Login], address: str) -> Iterable[str]:
    """Who may sign in, and how."""
    yield f"Sign in{f' at {address}' if address else ''} as one of"
    for login in logins:
        yield f"  {login.role:<9} {login.username:<14} {login.password}"
