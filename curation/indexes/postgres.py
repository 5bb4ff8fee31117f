"""Questions to a PostgreSQL of the operator's: read-only but for a rollback's and a manifest's, in one snapshot.

No fault repeats what the server or the connection string says, for a password may stand in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from curation.indexes.base import IndexRefused
from curation.indexes.remote import client_library
from curation.indexes.server import Server
from curation.retrieval.patience import Patience, attempt

if TYPE_CHECKING:
    import psycopg

Answer = TypeVar("Answer")
WORDS = {
    "28": "refuses the login; correct its user or password",
    "3D": "holds no database of that name; correct its address",
    "22": "cannot compare these vectors; they are not all of one width",
    "42": "refuses the question; its user may not read the table, or not change what is to be changed, or the extension"
    " vector is not on its search path",
}


class Database:
    """The database of a server whose address is a connection string."""

    def __init__(self, server: Server, patience: Patience) -> None:
        """Connects to nothing yet.

        Raises:
            IndexRefused: the client library is not here.
        """
        client_library("psycopg", install="pip install 'psycopg[binary]'")
        self._name = f"The database {server.name}"
        self._connection_string = server.url
        self._patience = patience

    def ask(
        self,
        question: Callable[[psycopg.Cursor[Any]], Answer],
        *,
        seconds: float | None = None,
        writes: bool = False,
    ) -> Answer:
        """What `question` learns from a cursor; each of its statements may take `seconds` (the patience's without).

        One that `writes` does so in one transaction, and must be safe to repeat.

        Raises:
            IndexRefused: the database does not answer, not in time, or refuses.
        """
        import psycopg

        try:
            return attempt(
                lambda: self._once(question, seconds or self._patience.timeout_s, writes=writes),
                again=(psycopg.OperationalError,),
                patience=self._patience,
            )
        except psycopg.Error as fault:
            words = WORDS.get(
                (fault.sqlstate or "")[:2], "does not answer; look whether it runs and its address is right"
            )
            raise IndexRefused(f"{self._name} {words}.") from None

    def _once(self, question: Callable[[psycopg.Cursor[Any]], Answer], seconds: float, *, writes: bool) -> Answer:
        import psycopg

        wait = math.ceil(self._patience.timeout_s)
        with psycopg.connect(self._connection_string, connect_timeout=wait, prepare_threshold=None) as connection:
            connection.read_only = not writes
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{math.ceil(seconds * 1000)}ms"])
                try:
                    return question(cursor)
                except psycopg.errors.QueryCanceled:
                    words = f"{self._name} did not answer within {seconds:g} s; build an index on the vectors"
                    raise IndexRefused(f"{words}, or try again when it has less to do.") from None
