"""Figures of every locale, and what stands beside them."""

from decimal import Decimal

import pytest

from curation.miners.figures import figures, parse_figure, plain
from curation.miners.quantities import counted, measured


def read(text: str, tag: str) -> list[tuple[str, str]]:
    return [(fact.kind, fact.value) for fact in measured(text, tag)]


def counts(text: str, tag: str) -> list[str]:
    return [fact.value for fact in counted(text, tag)]


@pytest.mark.parametrize(
    ("written", "tag", "value"),
    [
        ("15.000.000", "tr", "15000000"),
        ("250,000", "en", "250000"),
        ("1.500", "de", "1500"),
        ("1.500", "en", "1.5"),
        ("1,5", "tr", "1.5"),
        ("1.234,56", "de", "1234.56"),
        ("1,234.56", "en", "1234.56"),
        ("1,234.56", "de", "1234.56"),
        ("1'500.50", "de-CH", "1500.5"),
        ("5,00,000", "hi", "500000"),
        ("1 000 000", "fr", "1000000"),
        ("1\u202f000,5", "fr", "1000.5"),
        ("٥٠٠", "ar", "500"),
        ("١٬٥٠٠٫٥", "ar", "1500.5"),
        ("0.125", "de", "0.125"),
        ("007", "en", "7"),
    ],
)
def test_separators_are_the_locales(written: str, tag: str, value: str) -> None:
    number = parse_figure(written, tag)
    assert number is not None
    assert plain(number) == value


@pytest.mark.parametrize("written", ["1.2.3", "10.1.12", "1,2,3"])
def test_a_paragraph_number_is_no_figure(written: str) -> None:
    assert parse_figure(written, "en") is None


@pytest.mark.parametrize(
    ("text", "tag", "value"),
    [
        ("5 million", "en", 5_000_000),
        ("2,5 Mio.", "de", 2_500_000),
        ("5 bin", "tr", 5_000),
        ("15 milyon", "tr", 15_000_000),
        ("1億5,000万", "ja", 150_000_000),
        ("500万", "zh-Hans", 5_000_000),
        ("5 लाख", "hi", 500_000),
        ("$5M", "en", 5_000_000),
        ("thirty (30)", "en", 30),
        ("twenty-five", "en", 25),
    ],
)
def test_words_multiply_and_spell(text: str, tag: str, value: int) -> None:
    assert [figure.value for figure in figures(text, tag)] == [Decimal(value)]


@pytest.mark.parametrize(
    ("text", "tag", "value"),
    [
        ("TRY 15.000.000", "tr", "TRY 15000000"),
        ("15 milyon TL", "tr", "TRY 15000000"),
        ("15.000.000 Türk lirası", "tr", "TRY 15000000"),
        ("€250,000", "en", "EUR 250000"),
        ("EUR 250.000", "de", "EUR 250000"),
        ("2,5 Mio. EUR", "de", "EUR 2500000"),
        ("1.500 Euro", "de", "EUR 1500"),
        ("1 000 €", "fr", "EUR 1000"),
        ("2,5 millions d’euros", "fr", "EUR 2500000"),
        ("$40 million", "en", "USD 40000000"),
        ("US$100", "en", "USD 100"),
        ("CA$100", "en", "CAD 100"),
        ("1,500万円", "ja", "JPY 15000000"),
        ("￥1,000", "ja", "JPY 1000"),
        ("500万元", "zh-Hans", "CNY 5000000"),
        ("500만원", "ko", "KRW 5000000"),
        ("500,000 บาท", "th", "THB 500000"),
        ("٥٠٠ ريال سعودي", "ar", "SAR 500"),
        ("₹5,00,000", "hi", "INR 500000"),
        ("1 000 000 рублей", "ru", "RUB 1000000"),
        ("RSD 2.500.000", "sr-Latn", "RSD 2500000"),
        ("CHF 30'000", "de-CH", "CHF 30000"),
    ],
)
def test_money_is_a_code_and_a_number(text: str, tag: str, value: str) -> None:
    assert read(text, tag) == [("amount", value)]


@pytest.mark.parametrize(
    ("text", "tag", "value"),
    [
        ("1,5 %", "tr", "1.5"),
        ("%1,5", "tr", "1.5"),
        ("yüzde 25", "tr", "25"),
        ("10 Prozent", "de", "10"),
        ("5 percent", "en", "5"),
        ("2 per cent", "en", "2"),
        ("5パーセント", "ja", "5"),
        ("٥٪", "ar", "5"),
        ("5 प्रतिशत", "hi", "5"),
        ("100分の5を乗じた額", "ja", "5"),
        ("百分の5", "ja", "5"),
        ("１００分の１０", "ja", "10"),
        ("按百分之5计算", "zh-Hans", "5"),
        ("100분의 5 이하", "ko", "5"),
    ],
)
def test_a_percentage_is_a_number(text: str, tag: str, value: str) -> None:
    assert read(text, tag) == [("percent", value)]


@pytest.mark.parametrize(
    ("text", "tag", "value"),
    [
        ("thirty (30) days", "en", "30 day"),
        ("a 60-day history", "en", "60 day"),
        ("two business days", "en", "2 business day"),
        ("30 calendar days", "en", "30 calendar day"),
        ("in 14 Tagen", "de", "14 day"),
        ("24 Monaten", "de", "24 month"),
        ("3 Werktage", "de", "3 business day"),
        ("30 günlük süre", "tr", "30 day"),
        ("2 iş günü", "tr", "2 business day"),
        ("30日以内", "ja", "30 day"),
        ("3か月", "ja", "3 month"),
        ("10个工作日", "zh-Hans", "10 business day"),
        ("30 jours ouvrables", "fr", "30 business day"),
        ("30 يومًا", "ar", "30 day"),
        ("30 วัน", "th", "30 day"),
        ("30 дней", "ru", "30 day"),
    ],
)
def test_a_span_of_time_is_a_number_and_a_unit(text: str, tag: str, value: str) -> None:
    assert read(text, tag) == [("duration", value)]


@pytest.mark.parametrize(
    ("text", "tag", "durations"),
    [
        ("3分の2以上", "ja", []),
        ("1100分の5", "ja", []),
        ("5분의 1 이상, 30분 이내", "ko", [("duration", "30 minute")]),
        ("3分の遅延、5分間", "ja", [("duration", "3 minute"), ("duration", "5 minute")]),
    ],
)
def test_the_sign_of_a_minute_inside_a_fraction_is_no_span_of_time(
    text: str, tag: str, durations: list[tuple[str, str]]
) -> None:
    assert read(text, tag) == durations


def test_an_amount_keeps_its_words() -> None:
    (fact,) = measured("a limit of US$ 5 million applies", "en")
    assert fact.written == "US$ 5 million"


def test_bare_figures_are_counts() -> None:
    assert counts("fewer than 25 loans, at least five hundred? 1,000 lines, 25件", "en") == ["25", "5", "1000", "25"]


@pytest.mark.parametrize(
    "text", ["CG-077", "policy 1234567890", "(2) Scope", "§ 1003.2", "1003.2(g)", "A4", "4x", "one loan", "a@7.de"]
)
def test_codes_numbers_of_paragraphs_and_one_are_no_counts(text: str) -> None:
    assert counts(text, "en") == []
