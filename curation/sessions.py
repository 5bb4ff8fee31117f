"""Sessions in the database, looked up by a query that is put together once: every request asks for one."""

from __future__ import annotations

from functools import cache

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

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
