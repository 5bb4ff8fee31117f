"""Imports in the background that are broken off: by a worker that dies, or by a lead who cancels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from curation import uploading
from curation.actions import uploads
from curation.actions.documents import DocumentPlan, plan_documents
from curation.models import Corpus, Document, Job
from curation.tasks import work_on
from tests import factories
from tests.curation.api.calling import caller

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """The worker is gone, without a word."""


@pytest.fixture
def corpus() -> Corpus:
    return factories.a_corpus()


@pytest.fixture
def lena(corpus: Corpus) -> Client:
    client = Client()
    client.force_login(factories.lena(corpus))
    return client


@pytest.fixture
def address(lena: Client, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page of two documents whose import waits for a worker."""
    monkeypatch.setattr(uploading, "AT_ONCE", 10)
    rows = "".join(json.dumps({"id": name, "text": f"Text of {name}"}) + "\n" for name in ("d1", "d2"))
    file = SimpleUploadedFile("documents.jsonl", rows.encode())
    page = str(lena.post("/c/claims/import/", {"kind": "documents", "file": file})["Location"])
    assert work_on(Job.objects.get().pk)
    lena.post(page, {"step": "all"})
    return page


def when_noted(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Let something happen once the rows are stored, before the receipt is."""
    record = uploads._record

    def recorded(upload: uploads.Upload) -> Any:
        happens()
        return record(upload)

    monkeypatch.setattr(uploads, "_record", recorded)


def dies_before_it_is_noted(job: Job) -> None:
    def killed() -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        when_noted(patch, killed)
        with pytest.raises(Killed):
            work_on(job.pk)


def test_a_worker_that_dies_once_the_rows_are_stored_leaves_the_receipt_and_the_job_of_the_vectors(
    lena: Client, address: str, own_data_folder: Path
) -> None:
    dies_before_it_is_noted(Job.objects.latest("pk"))
    assert Document.objects.count() == 2
    shown = lena.get(address).content.decode()
    assert "Imported documents" in shown
    assert "Nothing of it is stored" not in shown
    assert [path.suffix for path in (own_data_folder / "uploads").iterdir()] == [".json"]
    assert list(Job.objects.order_by("pk").values_list("kind", "state")[1:]) == [
        ("import", "done"),
        ("encode", "queued"),
    ]


def test_a_program_that_asks_for_such_a_job_is_given_its_receipt(corpus: Corpus, lena: Client, address: str) -> None:
    job = Job.objects.latest("pk")
    dies_before_it_is_noted(job)
    asks = caller(corpus.memberships.get().user)
    told = asks.get(f"corpora/claims/jobs/{job.pk}").json()
    assert (told["state"], told["result"]["stored"], told["exit_code"]) == ("done", 2, 0)


def test_what_is_stored_is_not_cancelled_any_more(lena: Client, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    job, told = Job.objects.latest("pk"), []

    def cancel() -> None:
        answer = lena.post(f"/c/claims/jobs/{job.pk}/cancel", follow=True)
        told.append(answer.content.decode())

    when_noted(monkeypatch, cancel)
    assert work_on(job.pk)
    assert "This job has ended already: done." in told[0]
    job.refresh_from_db()
    assert (job.state, Document.objects.count()) == ("done", 2)
    assert "Imported documents" in lena.get(address).content.decode()


def test_a_cancelled_import_stores_nothing_and_is_asked_for_again(lena: Client, address: str) -> None:
    job = Job.objects.latest("pk")

    def cancel_and_plan(*given: Any) -> DocumentPlan:
        lena.post(f"/c/claims/jobs/{job.pk}/cancel")
        return plan_documents(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curation.actions.corpora.plan_documents", cancel_and_plan)
        assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, Document.objects.count()) == ("cancelled", 0)
    assert "Nothing of it is stored yet." in lena.get(address).content.decode()
    lena.post(address, {"step": "all"})
    assert work_on(Job.objects.latest("pk").pk)
    assert Document.objects.count() == 2
