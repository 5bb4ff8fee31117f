"""A set version as a zip: the folder of the command, at once or by a job, for leads alone."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
from django.core.management.base import CommandError
from django.http import FileResponse
from django.test import Client
from django.utils import timezone

from curation.actions import set_exporting
from curation.formats.export.folder import FORMS
from curation.models import FrozenQuery, Job, SetVersion
from curation.tasks import work_on
from tests import factories
from tests.bringing import run
from tests.judging.stage import a_document, a_text

pytestmark = pytest.mark.django_db
BEIR = "/c/claims/sets/hard/1/export/beir"


@pytest.fixture
def lena() -> Client:
    """The lead of a corpus with a set, `hard@1`, and one document."""
    corpus = factories.a_corpus("claims")
    a_text(a_document(corpus, "d1"), "Hail is covered.")
    factories.frozen_set(corpus)
    client = Client()
    client.force_login(factories.lena(corpus))
    return client


def fetched(client: Client, address: str = BEIR) -> bytes:
    answer = client.get(address)
    assert isinstance(answer, FileResponse)
    assert answer["Content-Disposition"] == f'attachment; filename="hard-1-{address.rpartition("/")[2]}.zip"'
    return answer.getvalue()


def test_the_zip_holds_the_folder_of_the_command_and_has_the_same_bytes_twice(lena: Client, tmp_path: Path) -> None:
    run("export_set", "hard@1", "--format", "beir", "--out", tmp_path / "out")
    packed = fetched(lena)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == sorted(archive.namelist())
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        for name in archive.namelist():
            assert archive.read(name) == (tmp_path / "out" / name).read_bytes()
        assert len(archive.namelist()) == sum(path.is_file() for path in (tmp_path / "out").rglob("*"))
    assert fetched(lena) == packed


def test_a_large_one_is_packed_by_a_job_and_fetched_when_it_is_done(
    lena: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = fetched(lena)
    monkeypatch.setattr(set_exporting, "AT_ONCE", 0)
    assert lena.get(BEIR).status_code == 404
    assert ">Pack<" in shown(lena)
    answer = lena.post(BEIR)
    assert (answer.status_code, answer["Location"]) == (302, "/c/claims/sets/hard/1/")
    job = Job.objects.get()
    assert "being packed" in shown(lena)
    Job.objects.update(state=Job.State.RUNNING, heartbeat=timezone.now())
    assert "Cancel keeps nothing of what is packed so far." in lena.get(f"/c/claims/jobs/{job.pk}/").content.decode()
    Job.objects.update(state=Job.State.QUEUED)
    assert lena.post(BEIR).status_code == 302
    assert list(Job.objects.all()) == [job]
    assert work_on(job.pk)
    assert fetched(lena) == small
    assert f'href="{BEIR}"' in shown(lena)
    assert fetched(lena, BEIR.replace("beir", "trec"))


def test_a_job_that_cannot_pack_says_why_and_leaves_no_file(
    lena: Client, monkeypatch: pytest.MonkeyPatch, own_data_folder: Path
) -> None:
    monkeypatch.setattr(set_exporting, "AT_ONCE", 0)
    lena.post(BEIR)
    a_query_with_a_space()
    assert work_on(Job.objects.get().pk)
    job = Job.objects.get()
    assert job.state == Job.State.FAILED
    assert "'q 1'" in job.error
    assert list((own_data_folder / "exports").iterdir()) == []


def test_what_a_worker_left_that_died_while_it_packed_is_removed_by_the_next(
    lena: Client, monkeypatch: pytest.MonkeyPatch, own_data_folder: Path
) -> None:
    monkeypatch.setattr(set_exporting, "AT_ONCE", 0)
    lena.post(BEIR)
    archive = set_exporting.archive_path(SetVersion.objects.get(), "beir")
    left = Path(tempfile.mkdtemp(dir=made(archive.parent), prefix=f"{archive.name}."))
    (left / "corpus.jsonl").write_text("half")
    assert work_on(Job.objects.get().pk)
    assert list((own_data_folder / "exports").iterdir()) == [archive]


def made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def test_a_layout_that_cannot_hold_the_set_is_a_page_with_the_reason_and_a_way_back(lena: Client) -> None:
    a_query_with_a_space()
    answer = lena.get(BEIR)
    assert answer.status_code == 409
    assert b"&#x27;q 1&#x27;. Export JSONL instead." in answer.content
    assert b'href="/c/claims/sets/hard/1/"' in answer.content


def test_every_layout_is_offered(lena: Client) -> None:
    page = shown(lena)
    assert all(f'href="{BEIR.replace("beir", form)}"' in page for form in FORMS)
    assert "manage.py export_set hard@1" in page


def test_c78_a_strange_layout_or_set_is_not_there(lena: Client, cases: Path) -> None:
    for name in (cases / "c78-names.txt").read_text(encoding="utf-8").splitlines():
        strange = quote(name, safe="")
        for address in (BEIR.replace("beir", strange), BEIR.replace("hard", strange)):
            assert lena.get(address).status_code in {400, 404}, name
    assert lena.get("/c/claims/sets/hard/2/export/beir").status_code == 404


def a_query_with_a_space() -> None:
    first = FrozenQuery.objects.order_by("pk").values("pk")[:1]
    FrozenQuery.objects.filter(pk__in=first).update(external_id="q 1")
    factories.hash_again(SetVersion.objects.get())


def shown(client: Client) -> str:
    """The set's page."""
    return client.get("/c/claims/sets/hard/1/").content.decode()


def test_a_touched_set_is_neither_exported_nor_downloaded(lena: Client, tmp_path: Path) -> None:
    FrozenQuery.objects.filter(set_version__name="hard").update(gold_canonical_id="another")
    with pytest.raises(CommandError, match="The rows of hard@1 do not give its hash any more") as refused:
        run("export_set", "hard@1", "--format", "beir", "--out", tmp_path / "out")
    assert refused.value.returncode == 2
    assert not (tmp_path / "out").exists()
    answer = lena.get(BEIR)
    assert answer.status_code == 409
    assert "do not give its hash any more" in answer.content.decode()
