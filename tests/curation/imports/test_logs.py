"""Query logs: lines are kept once, however often the file comes."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from curation.models import LogQuery
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
