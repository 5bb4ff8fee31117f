"""The judges of `manage.py bench judging` send what the judging page sends, so that what a finish costs is measured."""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from curation.models import Corpus, User
from judging.management.benches import clients
from judging.management.benches.clients import ON_SCREEN, Load
from judging.models import Assignment, Judgment
from tests.judging import stage

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "judges at the bench"


@pytest.fixture
def corpus() -> Corpus:
    """Two queries with three documents."""
    return stage.a_judged_corpus(3, queries=2)


@pytest.fixture
def judge(corpus: Corpus, live_server: LiveServer) -> Iterator[clients.Judge]:
    """A judge of the bench who marks the first document of a query, signed in."""
    person = User.objects.get(username="marek")
    person.set_password(PASSWORD)
    person.save()
    host, port = live_server.thread.host, live_server.thread.port
    at_work = clients.Judge(Load(host, port, corpus.slug, ["marek"], PASSWORD, seconds=60, marks=1), 0)
    at_work.sign_in()
    yield at_work
    at_work.window.link.close()


def test_a_finish_tells_the_texts_that_were_on_screen_and_for_how_long(judge: clients.Judge, corpus: Corpus) -> None:
    opened = judge.opened()
    assert opened is not None
    document = corpus.documents.get(external_id="d003")
    on_screen = document.texts.get()
    stage.a_text(document, "Another text since.")
    judge.mark(opened, next(iter(opened.rows)), 1)
    judge.give_back(opened)
    assert judge.log.errors == []
    assert judge.log.finished == [opened.assignment]
    swept = Judgment.objects.filter(state="swept").order_by("document")
    assert list(swept.values_list("document__external_id", "screen_ms")) == [("d002", ON_SCREEN), ("d003", ON_SCREEN)]
    assert swept.get(document=document).text_sha256 == on_screen.sha256


def test_a_judge_of_the_bench_goes_on_with_the_query_that_came_with_the_answer(judge: clients.Judge) -> None:
    assert [judge.one_query(math.inf), judge.one_query(math.inf)] == [True, True]
    assert judge.log.errors == []
    assert Assignment.objects.filter(finished_at__isnull=False).count() == 2
    assert Judgment.objects.filter(state="graded", grade=3).count() == 2


def test_pages_come_packed_as_to_a_browser(judge: clients.Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked: list[int] = []
    unpack = gzip.decompress

    def noted(content: bytes) -> bytes:
        unpacked.append(len(content))
        return unpack(content)

    monkeypatch.setattr(gzip, "decompress", noted)
    assert judge.one_query(math.inf)
    assert len(unpacked) == 2  # the page, and the next one with the answer to Finish


def test_a_press_says_for_whom_the_page_was(judge: clients.Judge) -> None:
    opened = judge.opened()
    assert opened is not None
    assert opened.assessor == str(User.objects.get(username="marek").pk)
    judge.mark(clients.Opened(opened.assignment, "0", opened.rows, opened.since), next(iter(opened.rows)), 1)
    assert "You are signed in as" in judge.log.errors[0]
