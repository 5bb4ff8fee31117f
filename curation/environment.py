"""Variables of the environment that are more than text; nonsense stops the start with one sentence."""

from __future__ import annotations

import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from curation.measures.floors import Floors

env = environ.Env()

WEAK_KEYS = {"change-me", "changeme", "secret", "insecure", "test"}
KEY_BYTES = 64
MOST_COUNT = 1 << 50


@contextmanager
def usable(name: str) -> Iterator[None]:
    """What the system refuses inside stops the start in words that name the variable at fault."""
    try:
        yield
    except OSError as fault:
        raise ImproperlyConfigured(
            f"{name} cannot be used ({fault.filename}: {fault.strerror}); name a folder that Hardset may write to."
        ) from fault


def folder_named(name: str, default: Path) -> Path:
    """The folder that a variable names, `default` where it is empty."""
    try:
        folder = Path(env.str(name, default="") or default).expanduser().absolute()
        str(folder).encode()  # bytes that are no text cannot be told of, nor handed on
    except (RuntimeError, UnicodeError) as fault:
        raise ImproperlyConfigured(f"{name} names no folder that there can be ({fault}).") from fault
    return folder


@usable("DATA_DIR")
def storage_folder(default: Path) -> Path:
    """The folder for everything the product stores outside its database."""
    folder = folder_named("DATA_DIR", default)
    if folder.exists() and not folder.is_dir():
        raise ImproperlyConfigured(f"DATA_DIR names a file, not a folder: {folder}.")
    return folder


@usable("DATA_DIR")
def key_of_product(folder: Path, *, team: bool) -> str:
    """The key of SECRET_KEY, else of the private key file, which the embedded default makes for itself."""
    given: str = env.str("SECRET_KEY", default="")
    if given:
        if given.lower() in WEAK_KEYS or len(given) < 32:
            raise ImproperlyConfigured(
                "SECRET_KEY is too weak: give at least 32 random characters, or leave it out on one machine."
            )
        return given
    file = folder / "secret_key"
    if file.exists():
        return key_of(file)
    if team:
        raise ImproperlyConfigured(
            "SECRET_KEY is missing: a team set-up (DATABASE_URL is set) must share one key between its machines."
        )
    return new_key(file)


def key_of(file: Path) -> str:
    """The key stored in `file`, which nobody but its owner may read."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if mode & 0o077:
        raise ImproperlyConfigured(f"{file} can be read by others (mode {mode:04o}): run chmod 600 on it.")
    key = file.read_text(encoding="ascii", errors="replace").strip()
    if len(key) < 32 or not key.isascii():
        raise ImproperlyConfigured(f"{file} holds no usable key: delete it and start again to get a new one.")
    return key


def new_key(file: Path) -> str:
    """Make a key and store it for its owner alone; a second starter that comes first wins."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = secrets.token_urlsafe(KEY_BYTES)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="ascii") as written:
        written.write(key)
    own = Path(written.name)
    try:
        file.hardlink_to(own)
    except FileExistsError:
        return key_of(file)
    finally:
        own.unlink()
    return key


def switch(name: str, *, default: bool) -> bool:
    """A yes-or-no variable that refuses anything else."""
    given: str = env.str(name, default="").strip().lower()
    if given in {"", "1", "true", "yes", "on", "0", "false", "no", "off"}:
        return default if given == "" else given in {"1", "true", "yes", "on"}
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {given!r}.")


def count_of(name: str, *, default: int) -> int:
    """A variable that counts something, from 1."""
    given: str = env.str(name, default="").strip() or str(default)
    if not (given.isascii() and given.isdigit() and 0 < int(given[:20]) <= MOST_COUNT):
        raise ImproperlyConfigured(f"{name} must be a whole number from 1 to {MOST_COUNT:,}, not {given[:40]!r}.")
    return int(given)


def gate_floors() -> Floors:
    """The floors of GATE_FLOORS (`absolute=0.9,cell=0.5`); what it does not name stays as the house has it."""
    given: dict[str, str] = env.dict("GATE_FLOORS", default={})
    try:
        return Floors(**{name: float(level) for name, level in given.items()})
    except (TypeError, ValueError) as fault:
        raise ImproperlyConfigured(
            "GATE_FLOORS names floors between 0 and 1, as in absolute=0.88,relative=0.97,cell=0.60,headline=0.80."
        ) from fault
