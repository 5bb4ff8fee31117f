"""Words are counted as the query's language counts them, not by spaces."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.retrieval.folding import fold
from curation.retrieval.locales import canonical_locale
from curation.retrieval.tokens import SEGMENTER, words

CASES = Path(__file__).parents[2] / "data" / "cases"
SHARED = Path(os.environ.get("HARDSET_SHARED", "../shared"))


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("What does ERR_MANDATE_REVOKED mean?", "en", ["What", "does", "ERR_MANDATE_REVOKED", "mean"]),
        ("CY-EX-114 nedir", "tr", ["CY-EX-114", "nedir"]),
        ("積荷の盗難CY-EX-114", "ja", ["積荷", "の", "盗難", "CY-EX-114"]),
        ("covid-19 e-mail", "en", ["covid-19", "e", "mail"]),
        ("WH-1000XM4", "en", ["WH-1000XM4"]),
        ("2024-07-01", "en", ["2024", "07", "01"]),
        ("HTTP 500: java.lang.RuntimeException", "en", ["HTTP", "500", "java.lang.RuntimeException"]),
        ("2,500,000.00 EUR", "en", ["2,500,000.00", "EUR"]),
        ("Toyota'nın «lüks» bölümü…", "tr", ["Toyota'nın", "lüks", "bölümü"]),
        ("谁输给了野马队？", "zh-Hans", ["谁", "输给", "了", "野马", "队"]),
        ("การโจรกรรมสินค้า", "th", ["การ", "โจรกรรม", "สินค้า"]),
        ("می\u200cخواهم", "fa", ["می\u200cخواهم"]),
        ("👩\u200d👧 hello 👋🏽", "en", ["hello"]),
        ("— ?!", "en", []),
        ("", "en", []),
    ],
)
def test_words(text: str, locale: str, expected: list[str]) -> None:
    assert words(text, locale) == expected


def test_the_segmenter_names_its_versions() -> None:
    assert SEGMENTER.startswith("ICU ")
    assert "icu4py 1." in SEGMENTER


def test_c47_no_word_of_a_folded_query_holds_a_stray_dot() -> None:
    rows = map(json.loads, (CASES / "c47-queries.jsonl").read_text(encoding="utf-8").splitlines())
    found = {row["id"]: words(fold(row["text"], row["locale"]), row["locale"]) for row in rows}
    assert found["q1"] == found["q2"] == ["ışık", "hasarı"]
    assert found["q4"] == found["q5"] == ["istanbul", "şubesi"]
    assert found["q6"] == found["q7"] == ["istanbul", "branch"]


def test_threads_do_not_share_a_breaker() -> None:
    texts = [f"query number {number} about CY-EX-{number}" for number in range(2000)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: words(text, "en"), texts))
    assert found == [["query", "number", str(n), "about", f"CY-EX-{n}"] for n in range(2000)]


@given(text=st.text(), locale=st.sampled_from(["en", "th", "ja", "zh-Hans", "fa"]))
def test_words_stand_in_the_text_in_order(text: str, locale: str) -> None:
    place = 0
    for word in words(text, locale):
        place = text.index(word, place) + len(word)


def test_few_questions_in_unspaced_languages_are_short() -> None:
    path = SHARED / "data" / "xquad-locales" / "queries.jsonl"
    if not path.exists():
        pytest.skip("the shared corpora are not here (HARDSET_SHARED names their folder)")
    short: dict[str, int] = {"th": 0, "zh-Hans": 0, "en": 0}
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        locale = canonical_locale(row["lang"], row["script"])
        if locale in short and len(words(row["text"], locale)) < 6:
            short[locale] += 1
    assert short == {"th": 7, "zh-Hans": 29, "en": 23}
