"""Encoding that is cancelled, or finds what it needs gone: one sentence, and no file that no row names."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.utils import timezone

from curation import tasks, uploading
from curation.actions import exact_run, generations, jobs
from curation.models import Corpus, EmbeddingSpace, Job, Miner
from curation.retrieval import vectors
from tests.bringing import bring, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def claims(tmp_path: Path, settings: LazySettings) -> Corpus:
    settings.DATA_DIR = tmp_path / "data"
    texts = ("hail on the roof", "theft of tools", "flood in the cellar")
    rows = ({"id": f"d{place}", "locale": "en", "text": text} for place, text in enumerate(texts))
    assert bring("import_corpus", "claims", written(tmp_path, "c.jsonl", *rows)).code == 0
    query = {"query_id": "q1", "locale": "en", "text": "hail roof", "gold_canonical_id": "d0"}
    assert bring("import_queries", "claims", written(tmp_path, "q.jsonl", query)).code == 0
    return Corpus.objects.get()


def vectors_files(settings: LazySettings) -> list[Path]:
    return sorted(path for path in (Path(settings.DATA_DIR) / "vectors").rglob("*") if path.is_file())


def encoded_again(corpus: Corpus) -> Job:
    corpus.documents.filter(external_id="d2").update(gone_at=timezone.now())
    job = uploading.ask_encoding(corpus=corpus, asked_by=None, now=timezone.now())
    assert job is not None
    return tasks.wait_for(job.pk)


def test_encoding_cancelled_before_its_last_transaction_leaves_no_file(
    claims: Corpus, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, write = vectors_files(settings), vectors.write_vectors

    def cancelled(*args: object, **options: object) -> str:
        jobs.cancel(job_id=Job.objects.latest("pk").pk, now=timezone.now())
        return write(*args, **options)  # type: ignore[arg-type]  # whatever it is called with

    monkeypatch.setattr("curation.actions.embeddings.write_vectors", cancelled)
    assert encoded_again(claims).state == "cancelled"
    assert vectors_files(settings) == before
    assert EmbeddingSpace.objects.count() == 1


def test_what_a_worker_left_that_died_while_it_encoded_is_removed_a_day_later(
    claims: Corpus, settings: LazySettings
) -> None:
    before = vectors_files(settings)
    old, new = (before[0].parent / f"tmp{age}" / "rows.npy" for age in ("old", "new"))
    orphan = before[0].with_name("0123.npy")
    for path in (old, new, orphan):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"half")
    for path in (old, old.parent, orphan, *before):
        os.utime(path, (0, 0))
    assert encoded_again(claims).state == "done"
    kept = vectors_files(settings)
    assert {*before, new} < set(kept)
    assert not {old, orphan} & set(kept)
    assert not old.parent.exists()


@pytest.mark.parametrize("miner", [Miner.HARD_NEGATIVE, Miner.NEAR_DUPLICATE])
def test_vectors_that_are_gone_end_mining_in_one_sentence(miner: Miner, claims: Corpus, settings: LazySettings) -> None:
    shutil.rmtree(Path(settings.DATA_DIR) / "vectors")
    [asked] = generations.mine_now(corpus=claims, miners=[miner], asked_by=None, now=timezone.now())
    job = tasks.wait_for(asked.pk)
    assert job.state == "failed"
    assert job.error.endswith("import or encode the vectors again.")


def test_an_encoder_folder_that_is_gone_ends_a_measurement_in_one_sentence(
    claims: Corpus, settings: LazySettings
) -> None:
    shutil.rmtree(Path(settings.DATA_DIR) / "encoders")
    job = tasks.wait_for(exact_run.ask_to_measure(corpus=claims, asked_by=None, now=timezone.now()).pk)
    assert job.state == "failed"
    assert job.error == "The encoder lsa has not been fitted to this corpus; embed the corpus first."


def test_encoding_and_measuring_tell_how_many_in_words(claims: Corpus) -> None:
    assert encoded_again(claims).progress_words == "2 of 2 documents encoded"
    job = tasks.wait_for(exact_run.ask_to_measure(corpus=claims, asked_by=None, now=timezone.now()).pk)
    assert job.progress_words == "1 of 1 queries searched"
