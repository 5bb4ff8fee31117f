"""Dates as people write them, in the languages of the corpora."""

import pytest

from curation.miners.reading import facts_in


def read(text: str, tag: str) -> list[str]:
    return [fact.value for fact in facts_in(text, tag) if fact.kind == "date"]


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("tr", "1 Temmuz 2024 tarihinden itibaren"),
        ("tr", "1 TEMMUZ 2024"),
        ("tr", "1 temmuz 2024'te"),
        ("de", "ab dem 1. Juli 2024"),
        ("de", "seit 01.07.2024"),
        ("de", "seit 01.07.24"),
        ("en", "July 1, 2024"),
        ("en", "on 1 July 2024"),
        ("en", "July 1st, 2024"),
        ("en", "07/01/2024"),
        ("en-GB", "01/07/2024"),
        ("ja", "2024年7月1日から"),
        ("ja", "令和6年7月1日"),
        ("zh-Hans", "自2024年7月1日起"),
        ("ko", "2024년 7월 1일"),
        ("fr", "le 1er juillet 2024"),
        ("es", "el 1 de julio de 2024"),
        ("pt", "1º de julho de 2024"),
        ("it", "1 luglio 2024"),
        ("vi", "ngày 1 tháng 7 năm 2024"),
        ("th", "1 กรกฎาคม 2567"),
        ("ar", "١ يوليو ٢٠٢٤"),
        ("hi", "1 जुलाई 2024"),
        ("he", "1 ביולי 2024"),
        ("ru", "1 июля 2024 г."),
        ("el", "1 Ιουλίου 2024"),
        ("pl", "1 lipca 2024"),
        ("hu", "2024. július 1."),
        ("xx", "2024-07-01"),
        ("de", "dated 1 July 2024 (English inside a German text)"),
    ],
)
def test_a_day_is_the_same_in_every_language(tag: str, text: str) -> None:
    assert read(text, tag) == ["2024-07-01"]


@pytest.mark.parametrize(("text", "value"), [("KASIM 2024", "2024-11"), ("HAZİRAN 2024", "2024-06")])
def test_turkish_capitals_are_read_by_turkish_rules(text: str, value: str) -> None:
    assert read(text, "tr") == [value]


def test_the_order_of_figures_is_the_locales() -> None:
    assert read("03.04.2026", "tr") == ["2026-04-03"]
    assert read("03/04/2026", "en") == ["2026-03-04"]


def test_a_day_beyond_twelve_settles_the_order() -> None:
    assert read("25/12/2026", "en") == ["2026-12-25"]


def test_a_date_says_no_more_than_its_text() -> None:
    assert read("in April 2025, in 2026, and each December 31", "en") == ["2025-04", "2026", "--12-31"]


def test_a_query_in_small_letters_names_its_month() -> None:
    assert read("hagel selbstbehalt bayern ab april 2025", "de") == ["2025-04"]


def test_the_verb_may_is_no_month() -> None:
    assert read("the insurer may 30 days later refuse", "en") == []


def test_the_article_die_is_no_date() -> None:
    assert read("Die Frist endet", "de") == []


@pytest.mark.parametrize("text", ["§ 2013.2", "CG-2024-7", "1.2.3", "line 2024a", "$2024", "EUR 2024", "2024 %"])
def test_what_no_calendar_has_is_no_date(text: str) -> None:
    assert read(text, "en") == []


def test_an_amount_after_a_date_takes_nothing_from_it() -> None:
    assert read("ab 1. Juli 2024 EUR 500", "de") == ["2024-07-01"]


def test_a_date_keeps_its_words_and_place() -> None:
    (fact,) = facts_in("From July 21, 2011 on", "en")
    assert (fact.written, fact.start, fact.end) == ("July 21, 2011", 5, 18)


def test_a_day_no_calendar_has_leaves_its_year() -> None:
    assert read("31 February 2024", "en") == ["2024"]
