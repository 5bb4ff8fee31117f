"""Serve everything from one command: broker, worker, scheduler and web, stopped together."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from argparse import ArgumentParser

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connections, transaction

from curation.commandline import PlainCommand, require_known_database
from curation.management import supervisor
from curation.management.folder_lock import locked
from curation.management.supervisor import Supervisor, netloc
from curation.models import User

STOP_WITHIN = 60.0  # seconds that loading the demo may take to stop: one batch of texts at the encoder
OWN_ADDRESSES = ("127.0.0.1", "localhost", "::1")
FIRST_PERSON = "Make the first account with: manage.py createsuperuser"


class Command(PlainCommand):
    """Start what the product needs, keep it alive, and stop it together."""

    help = "Serve Hardset: broker, worker, scheduler and web server, stopped together by Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen, and whether to load the demo first."""
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine)")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--demo", action="store_true", help="load the demo corpus first")

    def handle(self, *, host: str, port: int, demo: bool, **_: object) -> None:
        """Prepare the data folder, then serve until Ctrl-C or SIGTERM."""
        address = f"http://{netloc(host, port)}/"
        with locked(settings.DATA_DIR / "run", holder=f"process {os.getpid()}, {address}"):
            require_free(host, port)
            self.prepare()
            if demo:
                load_demo(address)
            require_people(host)
            self.serve(host, port, address=address)

    def prepare(self) -> None:
        """Bring the database and the static files up to date."""
        self.say(f"Preparing {settings.DATA_DIR} …")
        require_known_database()
        call_command("migrate", verbosity=0)
        with transaction.atomic():  # where nothing was migrated, nothing was written yet
            User.objects.filter(pk=0).update(name="")
        call_command("collectstatic", verbosity=0, interactive=False)

    def serve(self, host: str, port: int, *, address: str) -> None:
        """Start all parts in order, say where they answer, and keep them until told to stop."""
        nobody = not User.objects.exists()
        connections.close_all()
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        parts = supervisor.children(host=host, port=port, logs=settings.DATA_DIR / "log")
        kept = Supervisor(parts, say=self.say)
        with kept.signals():
            try:
                kept.start()
                self.say(f"Hardset is up: {address}  (Ctrl-C stops it; logs: {settings.DATA_DIR / 'log'})")
                if nobody:
                    self.say(FIRST_PERSON)
                kept.watch()
            finally:
                self.say("Stopping …")
                kept.stop()
        self.say("Stopped.")

    def say(self, words: str) -> None:
        """Print one line at once, also where the output is a file."""
        self.stdout.write(words)
        self.stdout.flush()


def load_demo(address: str) -> None:
    """Load the demo in a program of its own: what encoding and mining take of memory and threads ends with it.

    Raises:
        CommandError: it could not be loaded; it has said why.
    """
    words = [sys.executable, str(settings.BASE_DIR / "manage.py"), "demo", "--address", address]
    with subprocess.Popen(words) as loading:  # noqa: S603  (our own command line, no shell)
        try:
            loading.wait()
        except KeyboardInterrupt as stop:
            await_end(loading)
            raise CommandError("Not started.", returncode=130) from stop
    if loading.returncode:
        raise CommandError("The demo was not loaded; without --demo, Hardset starts on what is there.")


def await_end(loading: subprocess.Popen[bytes]) -> None:
    """Let the program, which Ctrl-C reached as well, end what it is at and say so; a second Ctrl-C ends it at once.

    `subprocess.run` would kill it after 0.25 s, in the middle of a step and without a word.
    """
    try:
        loading.wait(STOP_WITHIN)
    except (KeyboardInterrupt, subprocess.TimeoutExpired):
        loading.kill()


def require_free(host: str, port: int) -> None:
    """Refuse an address that something else listens on, or that is none.

    Raises:
        CommandError: the address cannot be had.
    """
    if not host:
        raise CommandError("--host names no address; leave it out to listen on this machine alone.")
    if not 0 < port < 65536:
        raise CommandError(f"A port is a number from 1 to 65535, which {port} is not; choose another with --port.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, TypeError) as fault:  # of the latter kind is a host that is no text
            raise CommandError(f"{host}:{port} is not to be had ({fault}); choose another with --port.") from fault


def require_people(host: str) -> None:
    """Keep a set-up without any account on this machine: whoever came first could make themselves its lead.

    Raises:
        CommandError: the address can be reached from elsewhere and nobody has an account.
    """
    if host not in OWN_ADDRESSES and not User.objects.exists():
        raise CommandError(f"Nobody has an account yet, so {host} stays closed. {FIRST_PERSON}")
