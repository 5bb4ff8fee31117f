"""Cancel while an import or an export is at work, in each of its parts: nobody waits, and it stops there."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from curation import uploading
from curation.actions import corpora, holds, set_exporting, signs
from curation.actions.uploads import Sent, keep_upload
from curation.formats.export import folder
from curation.models import Corpus, Document, Job
from curation.reports import set_exports
from curation.tasks import work_on
from curation.uploading import ask_import
from tests import factories
from tests.faults.threads import beside
from tests.judging import stage

pytestmark = pytest.mark.django_db(transaction=True)
LASTS = 60.0  # seconds that a part takes where nothing stops it
WITHIN = 30.0  # seconds; a loaded machine takes what takes one
Part = tuple[Any, str]
READING: list[Part] = [(corpora, "read_documents"), (corpora, "plan_documents"), (corpora, "find_gone")]
WRITING: list[Part] = [
    (corpora, "write_documents"),
    (corpora, "settle_golds_again"),
    (corpora, "rank_moved_golds"),
    (uploading, "witnessed"),
    (uploading, "ask_encoding"),
    (holds, "_check_references"),
]
EXPORTING: list[Part] = [
    (set_exports, "content_intact"),
    (set_exports, "renderings_of"),
    (set_exports, "moved_since"),
    (set_exports, "document_rows"),
    (folder, "write_strata"),
    (folder, "write_about"),
]


@pytest.fixture
def lena(monkeypatch: pytest.MonkeyPatch) -> Client:
    """The lead of a corpus with a judged query and the set hard@1, whose jobs look often whether they were cancelled."""
    monkeypatch.setattr(holds, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(signs, "MOMENT", 0.05)
    monkeypatch.setattr(set_exporting, "AT_ONCE", 0)
    corpus = factories.a_corpus()
    for name in ("d1", "d2"):
        stage.a_document(corpus, name)
    factories.frozen_set(corpus)
    return stage.signed_in(factories.lena(corpus))


def cancelled_in(part: Part, job: Job, lena: Client) -> tuple[float, float]:
    """How long (seconds) a lead waited for the answer to Cancel in that part, and how long the job was at work."""
    module, name = part
    called: Callable[..., Any] = getattr(module, name)
    waited: list[float] = []
    with beside() as start, pytest.MonkeyPatch.context() as patch:

        def lasting(*given: Any, **named: Any) -> Any:
            answer = called(*given, **named)
            patch.setattr(module, name, called)
            start(lambda: waited.append(press(job, lena)))
            time.sleep(LASTS)
            return answer

        patch.setattr(module, name, lasting)
        began = time.monotonic()
        assert work_on(job.pk)
        went_on = time.monotonic() - began
    return waited[0], went_on


def press(job: Job, lena: Client) -> float:
    began = time.monotonic()
    assert lena.post(f"/c/claims/jobs/{job.pk}/cancel").status_code == 302
    return time.monotonic() - began


def states() -> set[str]:
    return set(Job.objects.values_list("state", flat=True))


def test_an_import_is_cancelled_in_each_of_its_parts(lena: Client) -> None:
    corpus, asked_by = Corpus.objects.get(), factories.charlie()
    for part in READING + WRITING:
        rows = [b'{"id": "d1", "text": "Another text of d1."}\n', b'{"id": "d3", "text": "Text of d3."}\n']
        sent = Sent("documents.jsonl", sum(map(len, rows)), rows)
        whole = {"whole": "on"}
        upload = keep_upload(corpus=corpus, kind="documents", sent=sent, options=whole, now=timezone.now())
        job = ask_import(corpus=corpus, upload=upload, step="all", asked_by=asked_by, now=timezone.now())
        waited, went_on = cancelled_in(part, job, lena)
        assert (waited < WITHIN, went_on < WITHIN) == (True, True), (part, waited, went_on)
    assert (states(), list(Document.objects.order_by("pk").values_list("external_id", "gone_at"))) == (
        {"cancelled"},
        [("d1", None), ("d2", None)],
    )


def test_an_export_is_cancelled_in_each_of_its_parts(lena: Client, own_data_folder: Any) -> None:
    for part in EXPORTING:
        assert lena.post("/c/claims/sets/hard/1/export/beir").status_code == 302
        waited, went_on = cancelled_in(part, Job.objects.latest("pk"), lena)
        assert (waited < WITHIN, went_on < WITHIN) == (True, True), (part, waited, went_on)
    assert states() == {"cancelled"}
    assert list((own_data_folder / "exports").iterdir()) == []
