"""Two queries are the same when their folded texts are (C46, C47)."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.retrieval.folding import fold, folded_hash, nfc

CASES = Path(__file__).parents[2] / "data" / "cases"
ZWNJ = "\u200c"
# printf 'claims\0tr\0ışık' | sha256sum
HASH = "87fc4811746b876736d0351252f9153f35c096700e1c6d07910112fe4f3d4c72"


def case_queries(name: str) -> dict[str, tuple[str, str]]:
    """Text and locale of each query of a case file."""
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return {row["id"]: (row["text"], row["locale"]) for row in map(json.loads, lines)}


def test_c46_composed_and_decomposed_queries_are_the_same() -> None:
    queries = case_queries("c46-queries.jsonl")
    assert queries["q1"] != queries["q2"]
    assert nfc(queries["q1"][0]) == nfc(queries["q2"][0])
    assert fold(*queries["q1"]) == fold(*queries["q2"]) != fold(*queries["q3"])


def test_c47_turkish_capitals_fold_the_turkish_way_and_a_plain_spelling_stays_apart() -> None:
    folded = {query: fold(*row) for query, row in case_queries("c47-queries.jsonl").items()}
    assert folded["q1"] == folded["q2"] == "ışık hasarı"
    assert folded["q3"] == "isik hasari"
    assert folded["q4"] == folded["q5"] == "istanbul şubesi"
    assert folded["q6"] == folded["q7"] == "istanbul branch"


@pytest.mark.parametrize("locale", ["tr", "en", "lt", "az", "de"])
@pytest.mark.parametrize("spelling", ["İstanbul", "I\u0307stanbul", "i\u0307stanbul", "İstanbul".lower()])
def test_c47_no_folded_text_holds_a_stray_dot(locale: str, spelling: str) -> None:
    assert fold(spelling, locale) == "istanbul"


@pytest.mark.parametrize(
    ("one", "other", "locale"),
    [
        ("  invoice\u00a0\u3000download\n", "Invoice download", "en"),
        ("\u200fما الاسم", "ما الاسم", "ar"),
        ("\ufeffque\u00adry", "query", "en"),
        ("lo\u200cgin", "login", "en"),  # a joiner that shapes nothing
        ("ΟΔΟΣ", "οδοσ", "el"),
        ("STRAẞE", "straße", "de"),
        ("👨\u200d👩\u200d👧", "👨👩👧", "en"),
    ],
)
def test_case_white_space_and_the_invisible_make_no_second_query(one: str, other: str, locale: str) -> None:
    assert fold(one, locale) == fold(other, locale)


@pytest.mark.parametrize(
    ("one", "other", "locale"),
    [
        ("görüşme kaydı", "gorusme kaydi", "tr"),
        ("Straße", "Strasse", "de"),
        ("تأمين", "تامين", "ar"),
        (f"می{ZWNJ}خواهم", "میخواهم", "fa"),
        ("क्\u200dष", "क्ष", "hi"),
        ("İSTANBUL", "ISTANBUL", "tr"),
    ],
)
def test_a_spelling_variant_is_a_query_of_its_own(one: str, other: str, locale: str) -> None:
    assert fold(one, locale) != fold(other, locale)


def test_the_hash_is_of_corpus_locale_and_folded_text() -> None:
    assert folded_hash("claims", "tr", " IŞIK ") == HASH
    assert folded_hash("claims", "tr", "ışık") == HASH
    assert folded_hash("claims", "az", "ışık") != HASH
    assert folded_hash("others", "tr", "ışık") != HASH


def test_an_unpaired_surrogate_has_no_hash() -> None:
    with pytest.raises(UnicodeEncodeError):
        folded_hash("claims", "en", "\ud800")


@given(text=st.text(), locale=st.sampled_from(["en", "tr", "de", "fa", "hi", "lt", "el"]))
def test_folding_a_folded_text_changes_nothing(text: str, locale: str) -> None:
    once = fold(text, locale)
    assert fold(once, locale) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == " ".join(once.split())
