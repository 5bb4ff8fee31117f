"""A real browser for the walks: one Chromium a session, a fresh window a test, and axe."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import LazySettings
from django.test import Client
from playwright.sync_api import Browser, Page, expect, sync_playwright

from curation.models import User

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# A walk waits for a fact however long a busy machine takes; the limit ends only a walk whose fact never comes.
PATIENCE = 60_000
SignIn = Callable[[Page, User], None]
Readable = Callable[[Page, str], None]
EveryLook = Callable[[Page, str], None]


def chromium_path() -> str | None:
    """The browser named by CHROMIUM, else the first one on the path; the one without windows draws in half the time."""
    names = (os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for the session; tests that need it skip where none is installed."""
    path = chromium_path()
    if path is None:
        pytest.skip("no Chromium on the path; install chromium or name one in CHROMIUM")
    # Playwright keeps an event loop in this thread, which Django would take for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: Browser, live_server: LiveServer) -> Iterator[Callable[..., Page]]:
    """Open windows on the live server; `window(color_scheme="dark", viewport=…)`.

    A script error, or anything that the content security policy refused, fails the test at its end.
    """
    complaints: list[str] = []
    contexts = []

    def opened(**options: object) -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            **{"viewport": {"width": 1440, "height": 900}, **options},  # type: ignore[arg-type]  # options of new_context
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda line: complaints.append(line.text) if "Content Security Policy" in line.text else None
        )
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(window: Callable[..., Page]) -> Page:
    """One window of 1440 x 900."""
    return window()


@pytest.fixture
def sign_in(live_server: LiveServer) -> SignIn:
    """Sign a person in without the form: their session's cookie goes into the window."""

    def signed_in(page: Page, user: User) -> None:
        client = Client()
        client.force_login(user)
        cookie = client.cookies["sessionid"]
        page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])

    return signed_in


@pytest.fixture(scope="session")
def violations() -> Callable[[Page], list[str]]:
    """What axe finds on the page as it stands, WCAG 2 A to 2.2 AA: "rule: element" lines, empty when all is well."""
    axe = Axe()

    def found(page: Page) -> list[str]:
        options = {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]}
        response = axe.run(page, options=options).response
        return [f"{rule['id']}: {node['target'][0]}" for rule in response["violations"] for node in rule["nodes"]]

    return found


@pytest.fixture(params=[("light", 1440), ("dark", 1440), ("light", 360)], ids=["light", "dark", "narrow"])
def any_window(request: pytest.FixtureRequest, window: Callable[..., Page]) -> Page:
    """A window as people have them: light, dark, narrow."""
    theme, width = request.param
    return window(color_scheme=theme, viewport={"width": width, "height": 900})


@pytest.fixture
def readable(request: pytest.FixtureRequest, violations: Callable[[Page], list[str]]) -> Readable:
    """Hold the page as it stands to axe, and to its width; SCREENSHOTS names a folder that gets a picture of it."""

    def held(page: Page, name: str) -> None:
        if folder := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=f"{folder}/{name}-{request.node.callspec.id}.png", full_page=True)
        assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name

    return held


@pytest.fixture(scope="session")
def every_look(violations: Callable[[Page], list[str]]) -> EveryLook:
    """Hold an open page to axe in light, in dark, mirrored and narrow, and to its width; it is loaded once."""

    def held(page: Page, name: str) -> None:
        wide = page.viewport_size or {"width": 1440, "height": 900}
        changes: dict[str, Callable[[], None]] = {
            "light": lambda: page.emulate_media(color_scheme="light", reduced_motion="reduce"),
            "dark": lambda: page.emulate_media(color_scheme="dark"),
            "mirrored": lambda: page.evaluate("document.documentElement.dir = 'rtl'"),
            "narrow": lambda: page.set_viewport_size({"width": 360, "height": 780}),
        }
        for look, change in changes.items():
            change()
            if folder := os.environ.get("SCREENSHOTS"):
                page.screenshot(path=f"{folder}/{name}-{look}.png", full_page=True)
            assert violations(page) == [], f"{name}, {look}"
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name}, {look}"
        page.set_viewport_size(wide)

    return held


@pytest.fixture
def test_pages(settings: LazySettings) -> None:
    """Serve /states/ and /keys/ beside the product's own pages."""
    here = Path(__file__).parent
    settings.ROOT_URLCONF = "tests.flows.urls"
    template: dict[str, Any] = settings.TEMPLATES[0]
    settings.TEMPLATES = [{**template, "DIRS": [*template["DIRS"], here / "templates"]}]
    settings.STATICFILES_DIRS = [here / "static"]
