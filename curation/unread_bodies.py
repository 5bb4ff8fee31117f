"""What a view leaves unread of a body, read once its answer is sent: only then does who still sends get the answer.

The web server discards at most 64 KiB of such a body, and closes where there is more: the client, still at its body,
then finds its connection broken instead of an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

BLOCK = 64 * 1024
SECONDS = 5.0
"""How long a client may take to send what nobody waits for; beyond it the connection is closed."""
Environ = dict[str, Any]


def read_to_the_end(application: WSGIApplication) -> WSGIApplication:
    """The application, which leaves at most what exceeds UPLOAD_BYTES of a body unread.

    Nothing is read where the server does not end the body itself, as a read past its end would wait for ever.
    """

    def called(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        answer = application(environ, start_response)
        has_body = environ.get("CONTENT_LENGTH") or environ.get("HTTP_TRANSFER_ENCODING")
        if not has_body or not environ.get("wsgi.input_terminated"):
            return answer
        return Answered(answer, partial(read_rest, environ, most=settings.UPLOAD_BYTES))

    return called


class Answered:
    """An answer, and what is done once it is sent."""

    def __init__(self, answer: Iterable[bytes], then: Callable[[], None]) -> None:
        self._answer, self._then = answer, then

    def __iter__(self) -> Iterator[bytes]:
        """The blocks of the answer."""
        return iter(self._answer)

    def close(self) -> None:
        """What a server calls at the end."""
        try:
            if close := getattr(self._answer, "close", None):
                close()
        finally:
            self._then()


def read_rest(environ: Environ, *, most: int) -> None:
    """Read the body to its end, at most `most` bytes and for five seconds; a client that goes away ends it."""
    connection = environ.get("gunicorn.socket")
    before = connection.gettimeout() if connection else None
    until = time.monotonic() + SECONDS
    try:
        while most > 0 and (left := until - time.monotonic()) > 0:
            if connection:
                connection.settimeout(left)
            block = environ["wsgi.input"].read(BLOCK)
            if not block:
                return
            most -= len(block)
    except OSError:
        return  # gone, or silent: the server closes a connection whose body did not end
    finally:
        if connection:
            connection.settimeout(before)
