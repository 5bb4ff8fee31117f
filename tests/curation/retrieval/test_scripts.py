"""Script classes: how a query was typed."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.retrieval.locales import canonical_locale
from curation.retrieval.scripts import SCRIPT_CLASSES, classes_of, script_class, script_name

SHARED = Path(os.environ.get("HARDSET_SHARED", "../shared"))
GLOSSARY = Path(__file__).parents[3] / "docs" / "GLOSSARY.md"


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("ışık hasarı", "tr", "Latn"),
        ("isik hasari", "tr", "Latn-plain"),
        ("İSTANBUL", "tr", "Latn"),
        ("ISTANBUL", "tr", "Latn-plain"),
        ("ru\u0308zgar", "tr", "Latn"),  # a decomposed ü
        ("kâr payı", "tr", "Latn"),
        ("kar payi Beyoncé", "tr", "Latn-plain"),  # foreign diacritics do not count
        ("Beyoncé", "en", "Latn"),  # a language without letters of its own
        ("Straße", "de", "Latn"),
        ("STRASSE", "de", "Latn-plain"),
        ("asigurare şi daune", "ro", "Latn"),  # cedilla, as old keyboards type it
        ("ERR_MANDATE_REVOKED", "tr", "Latn-plain"),
        ("404", "tr", "Latn-plain"),
        ("404", "en", "Latn"),
        ("404", "ru", "Zyyy"),
        ("страховка ERR_MANDATE_REVOKED", "ru", "Cyrl"),  # one letter of its own script is enough
        ("strahovka", "ru", "Latn-romanised"),
        ("шта покрива полиса", "sr-Cyrl", "Cyrl"),
        ("šta pokriva polisa", "sr-Cyrl", "Latn"),  # Serbian in Latin is a spelling of its own
        ("sta pokriva polisa", "sr-Latn", "Latn-plain"),
        ("шта покрива полиса", "sr-Latn", "Cyrl"),
        ("تغطية السرقة", "ar", "Arab-plain"),
        ("تأمين السرقة", "ar", "Arab"),
        ("تغطِية السرقة", "ar", "Arab"),
        ("tameen", "ar", "Latn-romanised"),
        ("بیمه", "fa", "Arab"),
        ("共同海損 分担金", "ja", "Jpan-kanji"),
        ("きょうどうかいそん", "ja", "Jpan-kana"),
        ("サービスセンター", "ja", "Jpan-kana"),
        ("積荷の盗難", "ja", "Jpan-kanji"),
        ("夜間に無人の駐車場で積荷が盗まれたら補償される？", "ja", "Jpan-kanji"),
        ("ビットコインとは何ですか", "ja", "Jpan-kana"),
        ("yakan ni mujin no chushajo", "ja", "Jpan-romaji"),
        ("API 错误", "zh-Hans", "Hans"),
        ("API 錯誤", "zh-Hant-HK", "Hant"),
        ("bao xian", "zh-Hans", "Latn-romanised"),
        ("비트코인", "ko", "Hang"),
        ("保險", "ko", "Hang"),
        ("привет", "tr", "Cyrl"),
        ("東京", "tr", "Hani"),
        ("新型コロナ", "tr", "Jpan-kana"),
        ("ꓐꓯ", "tr", "Zzzz"),
        ("insurance", "und", "Latn"),
        ("ꓐꓯ insurance", "und", "Latn"),
        ("冠状病毒", "und", "Hani"),  # Chinese or Japanese: nothing in it tells which
        ("COVID-19 疫苗", "und", "Latn"),
        ("新型肺炎の症状", "und", "Jpan-kanji"),
        ("コロナウイルス 感染", "und", "Jpan-kana"),
        ("SARSの感染", "und", "Latn"),
        ("코로나 感染者", "und", "Hang"),
    ],
)
def test_script_class(text: str, locale: str, expected: str) -> None:
    assert script_class(text, locale) == expected


def test_the_latin_class_is_named_by_its_diacritics_only_where_the_language_has_some() -> None:
    assert script_name("Latn", "tr") == "Latin, diacritics"
    assert script_name("Latn", "en") == "Latin"
    assert script_name("Latn-plain", "tr") == "Latin without diacritics"


def test_the_glossary_lists_every_script_class() -> None:
    section = GLOSSARY.read_text(encoding="utf-8").partition("## Script classes")[2].partition("\n## ")[0]
    listed = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert listed == list(SCRIPT_CLASSES)


@given(text=st.text(), locale=st.sampled_from(["tr", "en", "ja", "sr-Cyrl", "ar", "zh-Hans", "ko", "und", "chr"]))
def test_any_text_has_a_class_of_the_closed_list(text: str, locale: str) -> None:
    assert script_class(text, locale) in SCRIPT_CLASSES


def queries(corpus: str) -> Iterator[tuple[str, str, str]]:
    """Locale, variant and text of each query of a shared corpus."""
    path = SHARED / "data" / corpus / "queries.jsonl"
    if not path.exists():
        pytest.skip("the shared corpora are not here (HARDSET_SHARED names their folder)")
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        locale = canonical_locale(row.get("locale") or row["lang"], row["script"])
        yield locale, row.get("variant", ""), row["text"]


def test_turkish_xquad_questions_fall_into_462_and_477() -> None:
    turkish = (row for row in queries("xquad-locales") if row[0] == "tr")
    found = Counter((variant, script_class(text, locale)) for locale, variant, text in turkish)
    assert found == {("native", "Latn"): 462, ("native", "Latn-plain"): 15, ("ascii-folded", "Latn-plain"): 462}


def test_the_two_greek_xquad_questions_left_in_english_are_romanised() -> None:
    found = Counter(script_class(text, locale) for locale, _, text in queries("xquad-locales") if locale == "el")
    assert found == {"Grek": 475, "Latn-romanised": 2}


def test_faq_questions_are_of_their_locales_script() -> None:
    found: dict[str, set[str]] = {}
    for locale, _, text in queries("faq-locales"):
        found.setdefault(locale, set()).add(script_class(text, locale))
    with_own_letters = ["da", "de", "es", "fr", "hu", "it", "nl", "pl", "pt", "ro", "sl", "sr-Latn", "sv", "tr"]
    assert found == {locale: {"Latn", "Latn-plain"} for locale in with_own_letters} | {
        "ar": {"Arab", "Arab-plain"},
        "bg": {"Cyrl"},
        "el": {"Grek"},
        "en": {"Latn"},
        "fa": {"Arab"},
        "he": {"Hebr"},
        "hi": {"Deva"},
        "id": {"Latn"},
        "ja": {"Jpan-kana"},
        "ko": {"Hang"},
        "ru": {"Cyrl"},
        "uk": {"Cyrl"},
        "zh-Hans": {"Hans"},
        "zh-Hant": {"Hant"},
    }


@pytest.mark.parametrize(
    ("locale", "classes"),
    [
        ("tr", ("Latn", "Latn-plain")),
        ("en", ("Latn",)),
        ("ja", ("Jpan-kanji", "Jpan-kana", "Jpan-romaji", "Zyyy")),
        ("ar", ("Arab", "Arab-plain", "Latn-romanised", "Zyyy")),
        ("fa", ("Arab", "Latn-romanised", "Zyyy")),
        ("sr-Cyrl", ("Cyrl", "Latn", "Latn-plain", "Zyyy")),
        ("ko", ("Hang", "Latn-romanised", "Zyyy")),
        ("zh-Hant", ("Hant", "Latn-romanised", "Zyyy")),
    ],
)
def test_locale_names_the_classes_its_wordings_are_usually_in(locale: str, classes: tuple[str, ...]) -> None:
    assert classes_of(locale) == classes
