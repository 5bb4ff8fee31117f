"""The three people of the demo, and their passwords: made once, kept for the owner of the data folder alone."""

from __future__ import annotations

import json
import secrets
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

from curation.actions.people import add_member
from curation.actions.refusal import Refused
from curation.models import Corpus, Role, User

FILE = "demo_logins.json"
# Without letters and digits that look alike; three groups of four are about 59 bits.
LETTERS, GROUPS, GROUP_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 3, 4


@dataclass(frozen=True, slots=True)
class Login:
    """One person of the demo: the role they show, the languages they write, and how to sign in as them."""

    role: str
    name: str
    username: str
    languages: Sequence[str]
    password: str


CAST = (
    (Role.WRITER, "Aylin", ("tr", "de")),
    (Role.ADJUSTER, "Marek", ()),
    (Role.LEAD, "Lena", ()),
)


def load_people(*, corpus: Corpus, now: datetime) -> list[Login]:
    """The demo's people with their memberships, and their logins.

    The logins are written before the accounts are made, so that no account is left without its password. An account
    that is there keeps what its owner and the leads made of it.

    Raises:
        Refused: the file of the logins holds something else.
    """
    logins = _logins(Path(settings.DATA_DIR) / FILE)
    for login in logins:
        with transaction.atomic():
            if not User.objects.filter(username=login.username).exists():
                _join(corpus, login, now=now)
    return logins


def _join(corpus: Corpus, login: Login, *, now: datetime) -> None:
    role = Role(login.role)
    member = add_member(
        corpus=corpus, username=login.username, role=role, now=now, languages=login.languages, new_account=True
    )
    member.user.name = login.name
    member.user.set_password(login.password)
    member.user.save(update_fields=["name", "password"])


def _logins(file: Path) -> list[Login]:
    if not file.exists():
        _keep(file, [Login(role, name, f"demo-{role}", languages, _password()) for role, name, languages in CAST])
    try:
        return [Login(**stored) for stored in json.loads(file.read_text(encoding="utf-8"))]
    except (TypeError, ValueError) as fault:
        raise Refused(f"{file} does not hold the logins of the demo any more; delete it to get new ones.") from fault


def _keep(file: Path, logins: Sequence[Login]) -> None:
    """Store the logins whole or not at all; temporary files are readable by their owner alone."""
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as written:
        json.dump([asdict(login) for login in logins], written, indent=1)
    Path(written.name).replace(file)


def _password() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS))
