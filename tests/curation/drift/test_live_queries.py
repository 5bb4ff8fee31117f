"""Live queries come in once, by the API's action or from the operator's file."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from curation.actions.live_files import live_file_of, read_live_file
from curation.actions.live_queries import MOST_AT_ONCE, forget_old, take
from curation.actions.refusal import Refused
from curation.formats.live_queries import LiveQueryRefused, read_line, read_object
from curation.models import LiveFile, LiveQuery, TargetIndex
from tests import factories
from tests.curation.drift.live import NOW

pytestmark = pytest.mark.django_db
AT = "2026-07-13T16:04:05+02:00"


@pytest.fixture
def index() -> TargetIndex:
    return factories.a_corpus("claims").indexes.create(name="r3", kind="exact", is_production=True)


@pytest.fixture
def file(index: TargetIndex, settings: LazySettings) -> Path:
    path = live_file_of(index)
    assert path == Path(settings.INDEX_FOLDER).resolve() / "live-queries" / "claims" / "r3.jsonl"
    path.parent.mkdir(parents=True)
    path.touch()
    return path


def line(text: str, **fields: Any) -> str:
    return json.dumps({"text": text, "asked_at": AT, **fields}) + "\n"


def texts() -> list[str]:
    return list(LiveQuery.objects.order_by("pk").values_list("text", flat=True))


def test_a_search_is_read_as_it_was_told() -> None:
    query = read_line(line(" Hagel  ", locale="tr-TR", served=["a", "b"], token="s-1"))
    assert (query.text, query.locale, query.served, query.token) == ("Hagel", "tr", ("a", "b"), "s-1")
    assert query.asked_at.isoformat() == AT
    bare = read_line(line("Hagel"))
    assert (bare.locale, bare.served, len(bare.token)) == ("und", None, 64)
    assert read_line(line("Hagel", locale="no such")).locale == "und"
    assert bare.token != read_line(line("Hagel", served=[])).token


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("{", "no JSON;"),
        ("[1]", "no JSON object"),
        (json.dumps({"asked_at": AT}), "text is empty"),
        (json.dumps({"text": "a\0b", "asked_at": AT}), "NUL"),
        (json.dumps({"text": "x" * 2001, "asked_at": AT}), "at most 2,000 characters"),
        (json.dumps({"text": "a"}), "asked_at must be a moment"),
        (json.dumps({"text": "a", "asked_at": "2026-07-13T16:04:05"}), "names no time zone"),
        (json.dumps({"text": "a", "asked_at": AT, "served": "d1"}), "served must be a list"),
        (json.dumps({"text": "a", "asked_at": AT, "served": [1]}), "served must be a list"),
        (json.dumps({"text": "a", "asked_at": AT, "query": "a"}), "no field 'query'"),
        (json.dumps({"text": "a", "asked_at": AT, "served": ["\ud800"]}), "served must be a list"),
        (json.dumps({"text": "a", "asked_at": "0001-01-01T00:00:00+14:00"}), "asked_at lies before 2000"),
    ],
)
def test_what_is_no_live_query_is_refused_in_words(told: str, words: str) -> None:
    with pytest.raises(LiveQueryRefused, match=words):
        read_line(told)


def test_a_batch_sent_again_is_stored_once(index: TargetIndex) -> None:
    batch = [read_object({"text": "hail", "asked_at": AT, "token": f"s-{number % 2}"}) for number in range(3)]
    first, second = (take(index=index, queries=batch, now=NOW) for _ in range(2))
    assert ((first.stored, first.known), (second.stored, second.known)) == ((2, 1), (0, 3))
    other = index.corpus.indexes.create(name="other", kind="bm25")
    assert take(index=other, queries=batch, now=NOW).stored == 2


def test_a_batch_has_a_bound_and_no_future(index: TargetIndex) -> None:
    query = read_object({"text": "hail", "asked_at": AT})
    with pytest.raises(Refused, match="At most 1,000 live queries are taken at once, and these are 1,001"):
        take(index=index, queries=[query] * (MOST_AT_ONCE + 1), now=NOW)
    with pytest.raises(Refused, match="lies in the future"):
        take(index=index, queries=[query], now=query.asked_at - timedelta(hours=2))


def test_old_ones_are_forgotten(index: TargetIndex) -> None:
    take(index=index, queries=[read_object({"text": "hail", "asked_at": AT})], now=NOW)
    assert (forget_old(now=NOW), forget_old(now=NOW + timedelta(days=31))) == (0, 1)


def test_the_file_is_read_on_from_where_it_stopped(index: TargetIndex, file: Path) -> None:
    file.write_text(line("one") + "nonsense\n\n" + line("half")[:20])
    reading = read_live_file(index=index, now=NOW)
    assert (texts(), reading.stored) == (["one"], 1)
    place = LiveFile.objects.get()
    assert (place.refused, place.fault) == (1, "The line is no JSON; write one object a line.")
    with file.open("a") as written:
        written.write(line("half")[20:] + line("two"))
    assert read_live_file(index=index, now=NOW).stored == 2
    assert (texts(), read_live_file(index=index, now=NOW).stored) == (["one", "half", "two"], 0)
    assert LiveFile.objects.get().refused == 1


def test_a_rotated_file_is_read_to_its_end_before_its_successor(index: TargetIndex, file: Path) -> None:
    file.write_text(line("one"))
    read_live_file(index=index, now=NOW)
    with file.open("a") as written:
        written.write(line("late"))
    file.rename(file.with_name("r3.jsonl.1"))
    file.write_text(line("fresh"))
    read_live_file(index=index, now=NOW)
    assert texts() == ["one", "late", "fresh"]


@pytest.mark.parametrize("after", [line("b"), line("begins otherwise and is longer than it was before")])
def test_a_file_cut_and_written_anew_is_read_from_its_beginning(index: TargetIndex, file: Path, after: str) -> None:
    file.write_text(line("before it was cut"))
    read_live_file(index=index, now=NOW)
    file.write_text(after)
    assert read_live_file(index=index, now=NOW).stored == 1


def test_a_name_never_leads_out_of_the_operators_folder(index: TargetIndex) -> None:
    for name in ("../../etc/passwd", "a/b", "/etc/passwd", "a\0b", "é" * 130):
        index.name = name
        assert live_file_of(index) is None
        assert read_live_file(index=index, now=NOW).stored == 0
