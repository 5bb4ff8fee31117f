"""Sessions and who they are of, looked up by queries that are put together once: every request asks for both."""

from __future__ import annotations

from functools import cache

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from curation.models import User
from curation.reports.memberships import person_with_memberships
from curation.reports.prepared import NAME, NOW, PreparedRows


class SessionStore(db.SessionStore):
    """Django's own store."""

    def _get_session_from_db(self) -> Session | None:
        found = _session_asked().rows({NAME: self.session_key or "", NOW: timezone.now()})
        if not found:
            self._session_key = None
            return None
        return found[0]


@cache
def _session_asked() -> PreparedRows[Session]:
    return PreparedRows(Session.objects.filter(session_key=NAME, expire_date__gt=NOW))


class NamesAndPasswords(ModelBackend):
    """Django's own way to sign in."""

    def get_user(self, user_id: int) -> User | None:
        """Who a session is of; None where they may sign in no more."""
        found = person_with_memberships(user_id)
        return found if found and self.user_can_authenticate(found) else None
