"""What every endpoint answers with: JSON as the command line prints it, and one shape for whatever went wrong."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any

from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.views import defaults
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError
from pydantic import AfterValidator, BaseModel, Field

from curation.actions.refusal import is_ours

WRITTEN_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""NUL as JSON writes it: an escape that is not itself escaped."""
log = logging.getLogger(__name__)
MOST_DETAILS = 1_000
NEEDS_TOKEN = "This needs an API token that is neither revoked nor run out: Authorization: Bearer hs_…"  # noqa: S105  (a sentence)
OUR_FAULT = "This is a fault of the program; the log of the server tells more."
UNREAD = "The request cannot be read: it has too many fields, or is put together wrongly."
SOON = 5
"""Seconds after which to ask again where the database did not answer."""


class Unstorable(ValueError):
    """What no database can hold; its text is one sentence for whoever sent it."""


def plain(text: str) -> str:
    """The text, which a database can hold.

    Raises:
        Unstorable: it holds NUL or half of a surrogate pair.
    """
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Unstorable("A text holds a letter that no text has (NUL or half of a pair).")
    return text


def storable(record: dict[str, Any]) -> dict[str, Any]:
    """The record, which a database can hold.

    Raises:
        Unstorable: it holds a letter or a number that no JSON has.
    """
    try:
        written = json.dumps(record, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError) as fault:
        raise Unstorable("The record holds a number that no JSON has, or is nested too deep.") from fault
    plain(WRITTEN_NUL.sub("\0", written))
    return record


Words = Annotated[str, Field(max_length=300), AfterValidator(plain)]
Plain = Annotated[str, AfterValidator(plain)]


class Detail(BaseModel):
    """One thing that is wrong: where (a field, or a line and id), and why."""

    where: str
    reason: str


class Problem(BaseModel):
    """What is answered with every status from 400 on: a sentence, and what it is about where that is known."""

    error: str
    details: list[Detail] = []


def answer(told: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """`told` as the command line prints it with --json."""
    content = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    return HttpResponse(content, status=status, content_type="application/json; charset=utf-8")


def problem(status: int, error: str, details: Iterable[Detail] = (), **more: Any) -> HttpResponse:  # noqa: ANN401  (JSON)
    """An answer that says what went wrong."""
    return answer({"error": error, "details": [each.model_dump() for each in details], **more}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What is answered to a request that reaches no view: below the API as any problem, a page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.bad_request(request, exception)
    if isinstance(exception, DisallowedHost):
        return problem(400, "This server does not go by that host name; its operator names those in ALLOWED_HOSTS.")
    return problem(400, UNREAD)


def add_handlers(api: NinjaAPI) -> None:
    """Let everything that an endpoint raises be answered in the one shape."""
    handlers: tuple[tuple[type[Exception], Callable[[HttpRequest, Any], HttpResponse]], ...] = (
        (Http404, lambda _, fault: problem(404, str(fault) or "There is nothing here.")),
        (PermissionDenied, lambda _, fault: problem(403, str(fault))),
        (RequestDataTooBig, lambda *_: problem(413, "The body is larger than this endpoint takes.")),
        (UnreadablePostError, lambda *_: problem(400, "The body broke off before its end.")),
        (SuspiciousOperation, lambda *_: problem(400, UNREAD)),
        (OperationalError, _silent),
        (InterfaceError, _silent),
        (HttpError, lambda _, fault: problem(fault.status_code, f"{fault.message.rstrip('.')}.")),
        (AuthenticationError, _unknown),
        (Throttled, _throttled),
        (ValidationError, _invalid),
        (ValueError, _refused),
        (Exception, _fault),
    )
    for kind, told in handlers:
        api.add_exception_handler(kind, told)


def _unknown(_request: HttpRequest, _fault: AuthenticationError) -> HttpResponse:
    told = problem(401, NEEDS_TOKEN)
    told["WWW-Authenticate"] = "Bearer"
    return told


def _throttled(_request: HttpRequest, fault: Throttled) -> HttpResponse:
    told = problem(429, f"Too many requests; wait {fault.wait} s.")
    told["Retry-After"] = str(fault.wait)
    return told


def _silent(request: HttpRequest, fault: Exception) -> HttpResponse:
    log.error("the database did not answer at %s %s", request.method, request.path, exc_info=fault)
    told = problem(503, "The database does not answer; ask again in a moment.")
    told["Retry-After"] = str(SOON)
    return told


def _invalid(_request: HttpRequest, fault: ValidationError) -> HttpResponse:
    found = [Detail(where=_where(each["loc"]), reason=_reason(each["msg"])) for each in fault.errors]
    first = f": {found[0].where}: {found[0].reason}" if found else ""
    return problem(422, f"The request is not as described{first}.", found[:MOST_DETAILS])


def _where(place: Sequence[str | int]) -> str:
    """The field as whoever sends it names it: without where it was read from, and without our name for the whole."""
    source, *path = place
    return ".".join(map(str, path[1:] or (path if source != "body" else [source])))


def _reason(told: str) -> str:
    return told.removeprefix("Value error, ").rstrip(".")


def _refused(request: HttpRequest, fault: ValueError) -> HttpResponse:
    return problem(422, str(fault)) if is_ours(fault) else _fault(request, fault)


def _fault(request: HttpRequest, fault: Exception) -> HttpResponse:
    log.error("fault at %s %s", request.method, request.path, exc_info=fault)
    return problem(500, OUR_FAULT)
