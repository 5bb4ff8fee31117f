"""The web processes' entry point."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import reload
from io import BytesIO
from typing import Any

import pytest
from django.conf import LazySettings, settings
from django.template import Engine
from django.template.loaders.cached import Loader

from curation import wsgi
from curation.unread_bodies import read_to_the_end


def test_a_web_process_hands_its_lock_over_sooner_than_python_does() -> None:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    try:
        reload(wsgi)
        assert sys.getswitchinterval() == pytest.approx(0.001)
    finally:
        sys.setswitchinterval(usual)


def test_a_web_process_has_read_every_page_before_the_first_request() -> None:
    (loader,) = Engine.get_default().template_loaders
    assert isinstance(loader, Loader)
    loader.reset()
    reload(wsgi)
    folder = settings.BASE_DIR / "templates"
    pages = {str(page.relative_to(folder)) for page in folder.rglob("*.html")}
    assert len(pages) > 100
    assert pages <= {template.name for template in loader.get_template_cache.values()}


class Body(BytesIO):
    """A body that knows when the answer stood, and may end in the middle."""

    breaks_at = -1

    def read(self, size: int | None = -1) -> bytes:
        if 0 <= self.breaks_at <= self.tell():
            raise TimeoutError
        return super().read(size)


def refused(_environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
    start_response("401 Unauthorized", [])
    return [b"no"]


def asked(body: Body, **environ: Any) -> bytes:
    """The answer of a view that reads nothing of the body, sent and closed as a server does."""
    told = {"CONTENT_LENGTH": str(len(body.getvalue())), "wsgi.input": body, "wsgi.input_terminated": True, **environ}
    answer: Any = read_to_the_end(refused)(told, lambda *_: lambda _: None)
    sent = b"".join(answer)
    assert body.tell() == 0
    if hasattr(answer, "close"):
        answer.close()
    return sent


def test_a_body_that_nobody_read_is_read_once_its_answer_is_sent_so_that_its_sender_gets_it() -> None:
    body = Body(b"x" * 500_000)
    assert asked(body) == b"no"
    assert body.tell() == 500_000
    in_pieces = Body(b"x" * 500_000)
    asked(in_pieces, CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked")
    assert in_pieces.tell() == 500_000


def test_a_body_beyond_what_may_be_uploaded_or_that_breaks_off_or_has_no_end_is_left(settings: LazySettings) -> None:
    settings.UPLOAD_BYTES = 100_000
    endless, broken, bare = Body(b"x" * 500_000), Body(b"x" * 90_000), Body(b"x" * 90_000)
    broken.breaks_at = 65_536
    for body, told in ((endless, {}), (broken, {}), (bare, {"wsgi.input_terminated": False})):
        assert asked(body, **told) == b"no"
    assert (endless.tell(), broken.tell(), bare.tell()) == (131_072, 65_536, 0)
