"""Query logs: lines are kept once, however often the file comes."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation import tasks
from curation.actions import log_reading
from curation.models import Corpus, CorpusLocale, LogQuery
from tests import factories
from tests.bringing import bring, written

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def corpus() -> None:
    factories.a_corpus()


def test_a_line_keeps_its_locale_date_count_and_other_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", "date,query,lang,country,popularity", "2026-01-31,dolu hasarı,tr-TR,Türkiye,7")
    assert bring("import_log", "claims", path).counts == (1, 1, 0, 0)
    line = LogQuery.objects.get()
    assert (line.text, line.locale, line.date, line.count) == ("dolu hasarı", "tr", date(2026, 1, 31), 7)
    assert line.columns == {"country": "Türkiye"}


def test_lines_that_name_no_locale_are_of_the_one_that_is_stated(tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", "query,lang", "dolu,", "hail,en")
    assert bring("import_log", "claims", path, "--locale", "tr-TR").counts == (2, 2, 0, 0)
    assert dict(LogQuery.objects.values_list("text", "locale")) == {"dolu": "tr", "hail": "en"}
    [reason] = bring("import_log", "claims", path, "--locale", "qq").reasons
    assert reason == 'The language code "qq" is not known; write a code such as tr or zh-Hant.'


def test_what_a_line_is_stands_beside_it_after_the_import(tmp_path: Path) -> None:
    CorpusLocale.objects.bulk_create(CorpusLocale(corpus=Corpus.objects.get(), locale=tag) for tag in ("en", "tr"))
    rows = ("does the policy cover hail on the roof,", "dolu hasari,tr", "ERR_MANDATE_REVOKED,tr")
    bring("import_log", "claims", written(tmp_path, "log.csv", "query,lang", *rows))
    read = LogQuery.objects.order_by("pk").values_list("language", "script", "query_type", "words")
    english, *turkish = read
    assert english == ("en", "Latn", "question", 8)
    assert [row[1:] for row in turkish] == [("Latn-plain", "navigational", 2), ("Latn-plain", "error_string", 1)]


def test_on_screen_a_log_takes_its_locale_from_the_form_and_is_read_in_a_job(client: Client) -> None:
    claims = Corpus.objects.get()
    client.force_login(factories.lena(claims))
    sent = {"kind": "log", "locale": "tr", "file": SimpleUploadedFile("log.csv", "query\ndolu hasarı\n".encode())}
    looked = client.post(reverse("import", args=["claims"]), sent)
    client.post(looked.headers["Location"], {"step": "all"})
    line = LogQuery.objects.get()
    assert (line.text, line.locale, line.words) == ("dolu hasarı", "tr", None)
    assert tasks.work_on(claims.jobs.get(kind=log_reading.KIND).pk)
    assert LogQuery.objects.get().words == 2


def test_lines_that_were_never_read_are_found_by_the_sweep(corpus: None) -> None:
    claims = Corpus.objects.get()
    LogQuery.objects.create(corpus=claims, text="hail", locale="en", sha256="0" * 64)
    now = timezone.now()
    [job] = log_reading.ask_where_due(now=now)
    assert log_reading.ask_where_due(now=now) == [job]
    assert tasks.work_on(job.pk)
    assert LogQuery.objects.get().words == 1
    assert log_reading.ask_where_due(now=now) == []


def test_reading_that_failed_waits_an_hour(corpus: None) -> None:
    claims, now = Corpus.objects.get(), timezone.now()
    LogQuery.objects.create(corpus=claims, text="hail", locale="en", sha256="0" * 64)
    claims.jobs.create(kind=log_reading.KIND, unique_key="before", state="failed", error="full", created_at=now)
    assert log_reading.ask_where_due(now=now + timedelta(minutes=59)) == []
    assert len(log_reading.ask_where_due(now=now + timedelta(minutes=61))) == 1


def test_equal_lines_of_one_file_are_one_with_the_sum_of_their_counts(tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", "query", "hail", "hail", "fog", "hail")
    assert bring("import_log", "claims", path).counts == (4, 2, 2, 0)
    assert dict(LogQuery.objects.values_list("text", "count")) == {"hail": 3, "fog": 1}


def test_the_same_file_again_merges(tmp_path: Path) -> None:
    path = written(tmp_path, "log.csv", "query,count", "hail,3", "hail,4", "fog,1")
    bring("import_log", "claims", path)
    assert bring("import_log", "claims", path).counts == (3, 0, 3, 0)
    assert LogQuery.objects.count() == 2


def test_a_count_no_column_can_hold_and_an_unknown_language_are_refused(tmp_path: Path) -> None:
    path = written(
        tmp_path, "log.csv", "query,count,lang", "hail,3000000000,", "fog,1,qq", "rain,2147483647,", "rain,1,"
    )
    answer = bring("import_log", "claims", path, "--keep-good")
    assert answer.counts == (4, 1, 0, 3)
    assert [error["line"] for error in answer.json["errors"]] == [2, 3, 5]


def test_real_covid_log_comes_in_whole(shared: Path) -> None:
    answer = bring("import_log", "claims", shared / "data" / "covid-query-log" / "querylog.csv")
    assert answer.counts == (33871, 33871, 0, 0)
    assert LogQuery.objects.values("text").distinct().count() == 6265
