"""Query types: codes first, then questions, then names."""

import csv
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.retrieval.locales import canonical_locale
from curation.retrieval.query_types import QUERY_TYPES, is_code_like, query_type

SHARED = Path(os.environ.get("HARDSET_SHARED", "../shared"))
GLOSSARY = Path(__file__).parents[3] / "docs" / "GLOSSARY.md"


@pytest.mark.parametrize(
    "text",
    [
        "ERR_MANDATE_REVOKED",
        "err_mandate_revoked",
        "ERR_MANDATE_REVOKED ne demek?",
        "E-1234",
        "E1234 beim Start",
        "CY-EX-114",
        "cy-ex-114 hangi riski kapsar?",
        "CG-077",
        "ORA-00942",
        "CVE-2021-44228",
        "KB4023057",
        "HTTP 500",
        "http status code 503",
        "error 404",
        "Error: 1603",
        "hata kodu 1603",
        "エラー 500",
        "错误代码 1020",
        "código de error 500",
        "код ошибки 43",
        "0x80070005",
        "NullPointerException",
        "nullpointerexception",
        "java.lang.RuntimeException: closed",
        "TypeError: undefined",
        "550e8400-e29b-41d4-a716-446655440000",
        "a41d9c7f2b3e55",
    ],
)
def test_a_code_decides_the_type(text: str) -> None:
    assert is_code_like(text)
    assert query_type(text, "tr") == "error_string"


@pytest.mark.parametrize(
    "text",
    [
        "invoice download",
        "covid-19",
        "COVID-19 test",
        "SARS-CoV-2",
        "2019-nCoV",
        "iPhone 12",
        "WH-1000XM4",
        "Windows 10",
        "form 1040",
        "zip code 90210",
        "Terror 1984",
        "pre-1900 houses",
        "an exception applies",
        "by default",
        "https://example.org/novel_coronavirus.html",
        "2,500,000",
        "2024-07-01",
        "1234567890123",
    ],
)
def test_a_name_a_number_or_an_address_is_no_code(text: str) -> None:
    assert not is_code_like(text)
    assert query_type(text, "en") == "navigational"


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("coronavirus deadly?", "en"),
        ("how to file a claim", "en"),
        ("is it covered", "en"),
        ("what’s covered", "en"),
        ("ما هي التغطية؟", "ar"),
        ("هل تغطى السرقة", "ar"),
        ("補償されますか？", "ja"),
        ("何が対象", "ja"),
        ("λειτουργεί παντού;", "el"),
        ("Ποιος λειτουργεί", "el"),
        ("πως λειτουργει", "el"),
        ("¿Cubre el robo", "es"),
        ("görüşme kaydı nasıl alınır", "tr"),
        ("gorusme kaydi nasil alinir", "tr"),
        ("GÖRÜŞME KAYDI NASIL ALINIR", "tr"),
        ("hasar karşılanır mı", "tr"),
        ("шта покрива полиса", "sr-Cyrl"),
        ("sta pokriva polisa", "sr-Latn"),
        ("ทำไมถูกปฏิเสธ", "th"),
        ("为什么被拒绝", "zh-Hans"),
        ("bao nhiêu tiền", "vi"),
        ("qu'est-ce que la franchise", "fr"),
        ("hvorfor avslag", "nb"),
        ("a-t-il droit au remboursement", "fr"),
        ("à quel guichet payer", "fr"),
        ("in welchem Jahr endet die Frist", "de"),
        ("в каком году введён налог", "ru"),
        ("за яким тарифом", "uk"),
        ("in quale ufficio si paga", "it"),
        ("em que dia vence", "pt"),
        ("a számla mikor esedékes", "hu"),
        ("van-e önrész", "hu"),
        ("σε ποιο γραφείο", "el"),
        ("sigorta kaçıncı günde biter", "tr"),
        ("Ինչպե՞ս", "hy"),
    ],
)
def test_a_question_is_told_by_its_mark_or_its_words(text: str, locale: str) -> None:
    assert query_type(text, locale) == "question"


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("can opener", "en"),
        ("in the box", "en"),
        ("rendez-vous en ligne", "fr"),
        ("carte grise pour voiture", "fr"),
        ("e-számla", "hu"),
        ("kapcsolja ki", "hu"),
        ("whatsapp login", "en"),
        ("https://example.org/?q=a", "en"),
        ("bảo hiểm xe", "vi"),
        ("bao hiem xe", "vi"),
        ("fatura indir", "tr"),
        ("minibüs kaskosu", "tr"),
        ("共同海損 分担金", "ja"),
        ("τιμολόγιο", "el"),
        ("Schadenmeldung; Formular;", "de"),
        ("قيمة الفاتورة", "ar"),
        ("", "en"),
    ],
)
def test_everything_else_is_navigational(text: str, locale: str) -> None:
    assert query_type(text, locale) == "navigational"


def test_the_glossary_lists_every_query_type() -> None:
    section = GLOSSARY.read_text(encoding="utf-8").partition("## Query types")[2].partition("\n## ")[0]
    listed = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert listed == list(QUERY_TYPES)


@given(text=st.text(), locale=st.sampled_from(["en", "tr", "ja", "el", "chr", "zh-Hans"]))
def test_any_text_has_a_type(text: str, locale: str) -> None:
    assert query_type(text, locale) in QUERY_TYPES


def shared_file(name: str) -> Path:
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip("the shared corpora are not here (HARDSET_SHARED names their folder)")
    return path


def types_of(corpus: str) -> Counter[str]:
    rows = map(json.loads, shared_file(f"{corpus}/queries.jsonl").read_text(encoding="utf-8").splitlines())
    return Counter(query_type(row["text"], canonical_locale(row["lang"], row["script"])) for row in rows)


def test_nearly_every_xquad_question_is_told_a_question() -> None:
    """One need names the flight AS-206, in eleven languages and two spellings; some others are imperatives."""
    found = types_of("xquad-locales")
    assert found["error_string"] == 12
    assert found["navigational"] <= 30
    assert found.total() == 6186


def test_product_searches_are_navigational() -> None:
    assert types_of("electronics-keywords") == {"navigational": 135}


def test_a_query_log_about_a_virus_holds_no_codes() -> None:
    with shared_file("covid-query-log/querylog.csv").open(encoding="utf-8", newline="") as file:
        texts = {row["query"] for row in csv.DictReader(file)}
    assert [text for text in sorted(texts) if is_code_like(text)] == []
