"""The body of a request: of what kind it is, how long, and whether it came whole."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from ninja.operation import Operation
from pydantic import BaseModel, ConfigDict

from curation.api.answers import problem

JSON, A_FORM, BYTES = "application/json", "multipart/form-data", "application/octet-stream"
BLOCK = 64 * 1024


class Body(BaseModel):
    """A body of JSON; a field that it does not have is refused, or a misspelt one would count as left out."""

    model_config = ConfigDict(extra="forbid")


def kinds_taken(operation: Operation) -> tuple[str, ...]:
    """The media types that an operation says it takes; none where it takes no body."""
    described = (operation.openapi_extra or {}).get("requestBody")
    if described:
        return tuple(described["content"])
    return (JSON,) if any(model.__ninja_param_source__ == "body" for model in operation.models) else ()


def refusal(request: HttpRequest, kinds: Collection[str]) -> HttpResponse | None:
    """Why the request cannot be taken as it comes, told before its body is read; None where it can."""
    if settings.HTTPS and not request.is_secure() and "Authorization" in request.headers:
        return problem(403, "This is asked over https; revoke the token, which came over http for anybody to read.")
    if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
        return problem(411, "The request does not say how long its body is; send it with Content-Length.")
    unlike = _unlike(request, kinds) if kinds and length_of(request) else ""
    return problem(415, unlike) if unlike else None


def _unlike(request: HttpRequest, kinds: Collection[str]) -> str:
    """In what the body is not of the kind that is taken, "" where it is."""
    sent = request.content_type or ""
    if JSON not in kinds:
        return "This takes the file itself as its body, not a form." if sent == A_FORM else ""
    if sent not in {"", JSON} and not sent.endswith("+json"):
        return f"This takes {JSON}, and the request says that it carries {sent}."
    is_packed = request.META.get("HTTP_CONTENT_ENCODING", "identity") not in {"", "identity"}
    return "This takes JSON as it is, not packed." if is_packed else ""


def length_of(request: HttpRequest) -> int:
    """How many bytes the request says that its body has."""
    told = str(request.META.get("CONTENT_LENGTH") or "")
    return int(told) if told.isdecimal() else 0


def whole(request: HttpRequest, *, most: int) -> Iterator[bytes]:
    """The body, a block in memory at once; UnreadablePostError where it ends before the length that was told.

    Raises:
        RequestDataTooBig: it is longer than `most` bytes.
    """
    if length_of(request) > most:
        raise RequestDataTooBig
    return _blocks(request)


def _blocks(request: HttpRequest) -> Iterator[bytes]:
    left = length_of(request)
    while block := request.read(BLOCK):
        left -= len(block)
        yield block
    if left:
        raise UnreadablePostError
