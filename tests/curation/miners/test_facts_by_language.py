"""Every kind of fact in seven languages, alone and as what sets two texts apart."""

import pytest

from curation.miners.differences import compare, set_aside
from curation.miners.facts import Kind
from curation.miners.reading import facts_in

# By kind and language: two wordings with what they are compared by.
FACTS: dict[Kind, dict[str, tuple[tuple[str, str], tuple[str, str]]]] = {
    "date": {
        "en": (("July 1, 2024", "2024-07-01"), ("July 1, 2025", "2025-07-01")),
        "de": (("1. Juli 2024", "2024-07-01"), ("1. Juli 2025", "2025-07-01")),
        "tr": (("1 Temmuz 2024", "2024-07-01"), ("1 Temmuz 2025", "2025-07-01")),
        "ru": (("1 июля 2024", "2024-07-01"), ("1 июля 2025", "2025-07-01")),
        "ar": (("1 يوليو 2024", "2024-07-01"), ("1 يوليو 2025", "2025-07-01")),
        "ja": (("2024年7月1日", "2024-07-01"), ("令和7年7月1日", "2025-07-01")),
        "th": (("1 กรกฎาคม 2567", "2024-07-01"), ("1 กรกฎาคม 2568", "2025-07-01")),
    },
    "amount": {
        "en": (("$500", "USD 500"), ("$5 million", "USD 5000000")),
        "de": (("500 Euro", "EUR 500"), ("1.500 Euro", "EUR 1500")),
        "tr": (("500 TL", "TRY 500"), ("15.000 TL", "TRY 15000")),
        "ru": (("500 рублей", "RUB 500"), ("1 500 рублей", "RUB 1500")),
        "ar": (("١٠٠ دولار", "USD 100"), ("٢٠٠ دولار", "USD 200")),
        "ja": (("1,500万円", "JPY 15000000"), ("500円", "JPY 500")),
        "th": (("500 บาท", "THB 500"), ("900 บาท", "THB 900")),
    },
    "percent": {
        "en": (("5 percent", "5"), ("7.5%", "7.5")),
        "de": (("5,5 Prozent", "5.5"), ("7 %", "7")),
        "tr": (("yüzde 25", "25"), ("%30", "30")),
        "ru": (("5,5 процента", "5.5"), ("10 %", "10")),
        "ar": (("٥٪", "5"), ("٧٪", "7")),
        "ja": (("5パーセント", "5"), ("7%", "7")),
        "th": (("ร้อยละ 5", "5"), ("7 เปอร์เซ็นต์", "7")),
    },
    "count": {
        "en": (("25", "25"), ("100", "100")),
        "de": (("25", "25"), ("1.000", "1000")),
        "tr": (("25", "25"), ("1.000", "1000")),
        "ru": (("25", "25"), ("100", "100")),
        "ar": (("25", "25"), ("٣٠", "30")),
        "ja": (("25件", "25"), ("30件", "30")),
        "th": (("25", "25"), ("30", "30")),
    },
    "duration": {
        "en": (("30 days", "30 day"), ("two business days", "2 business day")),
        "de": (("14 Tage", "14 day"), ("3 Werktage", "3 business day")),
        "tr": (("30 gün", "30 day"), ("2 iş günü", "2 business day")),
        "ru": (("30 дней", "30 day"), ("10 рабочих дней", "10 business day")),
        "ar": (("3 أشهر", "3 month"), ("10 أيام عمل", "10 business day")),
        "ja": (("24時間", "24 hour"), ("3営業日", "3 business day")),
        "th": (("3 เดือน", "3 month"), ("15 วันทำการ", "15 business day")),
    },
    "jurisdiction": {
        "en": (("Germany", "DE"), ("Austria", "AT")),
        "de": (("Deutschland", "DE"), ("Österreich", "AT")),
        "tr": (("Almanya'da", "DE"), ("Avusturya'da", "AT")),
        "ru": (("в России", "RU"), ("в Германии", "DE")),
        "ar": (("ألمانيا", "DE"), ("النمسا", "AT")),
        "ja": (("ドイツ", "DE"), ("オーストリア", "AT")),
        "th": (("เยอรมนี", "DE"), ("ออสเตรีย", "AT")),
    },
    "version": {
        "en": (("version 2.1", "2.1"), ("edition 2024", "2024")),
        "de": (("Fassung 2024", "2024"), ("2. Auflage", "2")),
        "tr": (("sürüm 2.1", "2.1"), ("sürüm 3", "3")),
        "ru": (("версия 2.1", "2.1"), ("редакция 3", "3")),
        "ar": (("الإصدار 2", "2"), ("الإصدار 3", "3")),
        "ja": (("第2版", "2"), ("バージョン3", "3")),
        "th": (("ฉบับที่ 2", "2"), ("ฉบับที่ 3", "3")),
    },
    "article_number": {
        "en": (("Article 5", "article5"), ("Article 6", "article6")),
        "de": (("Artikel 5", "artikel5"), ("Absatz 2", "absatz2")),
        "tr": (("madde 12", "madde12"), ("madde 13", "madde13")),
        "ru": (("статья 5", "статья5"), ("пункт 3", "пункт3")),
        "ar": (("المادة 5", "المادة5"), ("الفقرة 2", "الفقرة2")),
        "ja": (("第5条", "第5条"), ("第2項", "第2項")),
        "th": (("มาตรา 12", "มาตรา12"), ("ข้อ 5", "ข้อ5")),
    },
}
SENTENCES = {
    "en": "The rule holds for {} here.",
    "de": "Die Regel gilt für {} hier.",
    "tr": "Kural {} için geçerlidir.",
    "ru": "Правило действует для {} здесь.",
    "ar": "تنطبق القاعدة على {} هنا.",
    "ja": "この規則は{}に適用される。",
    "th": "กฎนี้ใช้กับ {} ที่นี่",
}
CASES = [(kind, tag) for kind, by_language in FACTS.items() for tag in by_language]


@pytest.mark.parametrize(("kind", "tag"), CASES)
def test_a_fact_is_read_in_its_language(kind: Kind, tag: str) -> None:
    for written, value in FACTS[kind][tag]:
        text = SENTENCES[tag].format(written)
        assert [(fact.kind, fact.value) for fact in facts_in(text, tag)] == [(kind, value)]


@pytest.mark.parametrize(("kind", "tag"), CASES)
def test_two_texts_differ_in_that_kind_alone_and_an_article_number_is_set_aside(kind: Kind, tag: str) -> None:
    texts = [SENTENCES[tag].format(written) for written, _ in FACTS[kind][tag]]
    found = compare(texts, [facts_in(text, tag) for text in texts])
    assert kind in found.differs_in
    assert set(found.differs_in) <= {kind, "wording"}
    assert set_aside(found.differs_in) == (kind == "article_number")


@pytest.mark.parametrize(
    ("written", "fact"),
    [
        ("100 TÜRK LİRASI", ("amount", "TRY 100")),
        ("5 İNGİLİZ STERLİNİ", ("amount", "GBP 5")),
        ("3 İŞ GÜNÜ", ("duration", "3 business day")),
        ("3 TAKVİM GÜNÜ", ("duration", "3 calendar day")),
        ("2 YIL", ("duration", "2 year")),
        ("30 DAKİKA", ("duration", "30 minute")),
        ("1 KASIM 2024", ("date", "2024-11-01")),
        ("1 HAZİRAN 2024", ("date", "2024-06-01")),
    ],
)
def test_turkish_in_capitals_is_read(written: str, fact: tuple[str, str]) -> None:
    assert [(found.kind, found.value) for found in facts_in(f"KURAL {written} SÜRER", "tr")] == [fact]
