"""Lists that may be long, a hundred rows a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from pydantic import BaseModel, Field

ROWS = 100
Row = TypeVar("Row", bound=Model)


class PageAsked(BaseModel):
    """Which page of a list; `next` of an answer is the address of the one behind it."""

    page: Annotated[int, Field(ge=1, le=1_000_000)] = 1


def page_of(
    request: HttpRequest, asked: PageAsked, rows: QuerySet[Row], *, told: Callable[[Row], Any]
) -> tuple[list[Any], str | None]:
    """The rows of a page as `told` tells each, and the address of the next page, None behind the last."""
    start = (asked.page - 1) * ROWS
    found = list(rows[start : start + ROWS + 1])
    following = f"{request.path}?page={asked.page + 1}" if len(found) > ROWS else None
    return [told(row) for row in found[:ROWS]], following
