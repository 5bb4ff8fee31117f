"""Facts of whole sentences: what a number is when several readings fit."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.miners.reading import facts_in


def read(text: str, tag: str, declared: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    return [(fact.kind, fact.value) for fact in facts_in(text, tag, declared=declared)]


def test_an_english_rule_is_read_in_order() -> None:
    text = (
        "(2) As of October 1, 2017, § 1005.2(b)(3) covers 25 loans under 12 CFR 1026.36(a)(1), section 5 and Table I."
    )
    assert read(text, "en") == [
        ("article_number", "(2)"),
        ("date", "2017-10-01"),
        ("citation", "§1005.2(b)(3)"),
        ("count", "25"),
        ("citation", "12cfr1026.36(a)(1)"),
        ("article_number", "section5"),
        ("article_number", "tablei"),
    ]


def test_a_turkish_clause_is_read_in_order() -> None:
    text = "Madde 12/1: 6102 sayılı Kanun, Almanya'da 1 Temmuz 2024 tarihli sürüm 2.1, TRY 15.000.000, %1,5"
    assert read(text, "tr") == [
        ("article_number", "madde12/1"),
        ("citation", "6102sayılı"),
        ("jurisdiction", "DE"),
        ("date", "2024-07-01"),
        ("version", "2.1"),
        ("amount", "TRY 15000000"),
        ("percent", "1.5"),
    ]


def test_a_japanese_clause_is_read_in_order() -> None:
    assert read("第5条 第2版 2024年7月1日 ドイツ 25件 1,500万円", "ja") == [
        ("article_number", "第5条"),
        ("version", "2"),
        ("date", "2024-07-01"),
        ("jurisdiction", "DE"),
        ("count", "25"),
        ("amount", "JPY 15000000"),
    ]


@pytest.mark.parametrize(
    ("text", "tag", "expected"),
    [
        ("edition 2023", "en", ("version", "2023")),
        ("2. Auflage", "de", ("version", "2")),
        ("v2.1", "en", ("version", "2.1")),
        ("the Dodd-Frank Act of 2010", "en", ("citation", "actof2010")),
        ("Regulation (EU) 2016/679", "en", ("citation", "(eu)2016/679")),
        ("Directive 2009/138/EC", "en", ("citation", "2009/138/ec")),
        ("Line 103", "en", ("article_number", "line103")),
        ("in footnote 12", "en", ("footnote", "footnote12")),
        ("the limit[3]", "en", ("footnote", "[3]")),
        ("Phụ lục 3", "vi", ("article_number", "phụlục3")),
        ("phiên bản 2.1", "vi", ("version", "2.1")),
        ("المادة 5", "ar", ("article_number", "المادة5")),
        ("en Allemagne", "fr", ("jurisdiction", "DE")),
        ("в Австрии", "ru", ("jurisdiction", "AT")),
    ],
)
def test_a_reference_is_no_count(text: str, tag: str, expected: tuple[str, str]) -> None:
    assert read(text, tag) == [expected]


def test_half_a_term_is_not_the_term() -> None:
    assert read("nộp 3 bản 2 lần", "vi") == [("count", "3"), ("count", "2")]


def test_the_corpus_names_jurisdictions_of_its_own() -> None:
    assert read("vehicles garaged in Bavaria", "en", frozenset({"Bavaria"})) == [("jurisdiction", "bavaria")]
    assert read("vehicles garaged in Bavaria", "en") == []


def test_a_country_in_small_letters_is_a_bird() -> None:
    assert read("roast turkey", "en") == []


@given(st.text(), st.sampled_from(["en", "tr", "de", "ja", "ar", "th", "und", "zh-Hant"]))
def test_any_text_is_read_into_spans_that_do_not_overlap(text: str, tag: str) -> None:
    facts = facts_in(text, tag)
    assert all(text[fact.start : fact.end] == fact.written for fact in facts)
    assert all(before.end <= after.start for before, after in itertools.pairwise(facts))


WORDS = [
    "1",
    "2024",
    "30",
    "İ",
    "ı",
    "HAZİRAN",
    "six",
    "ſix",
    "Juli",
    "§",
    "%",
    "TL",
    "million",
    "Kelvin",
    "(a)",
    ",",
    ".",
]


@given(st.lists(st.sampled_from([*WORDS, "days", "Mai", "€", "-", "/", "v", "第", "条", "年", "月", "万", "円"])))
def test_any_order_of_loaded_words_is_read(words: list[str]) -> None:
    for text in ("".join(words), " ".join(words)):
        for tag in ("en", "tr", "de", "ja"):
            facts = facts_in(text, tag)
            assert all(text[fact.start : fact.end] == fact.written for fact in facts)
