"""Language codes brought to one form (C50), their names and directions."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.retrieval.locales import (
    WRITTEN_IN_SEVERAL,
    ScriptNeeded,
    UnknownLocale,
    alias_notice,
    canonical_locale,
    corpus_language,
    direction,
    language_name,
    script_of,
)

CASES = Path(__file__).parents[2] / "data" / "cases"


def c50_rows() -> list[tuple[str, str]]:
    with (CASES / "c50-queries.csv").open(encoding="utf-8", newline="") as file:
        return [(row["id"], row["locale"]) for row in csv.DictReader(file)]


def test_c50_ten_lines_give_five_locales_and_two_are_refused() -> None:
    locales: dict[str, list[str]] = defaultdict(list)
    refused: dict[str, type[ValueError]] = {}
    for query, tag in c50_rows():
        try:
            locales[canonical_locale(tag)].append(query)
        except (UnknownLocale, ScriptNeeded) as refusal:
            refused[query] = type(refusal)
    assert locales == {
        "tr": ["q1", "q2", "q3", "q4"],
        "zh-Hans": ["q5", "q6"],
        "he": ["q7", "q8"],
        "sr-Latn": ["q9"],
        "sr-Cyrl": ["q10"],
    }
    assert refused == {"q11": ScriptNeeded, "q12": UnknownLocale}


def test_c50_bare_serbian_names_the_choices_and_takes_the_script_column() -> None:
    with pytest.raises(ScriptNeeded) as refusal:
        canonical_locale("sr")
    assert refusal.value.choices == ("sr-Cyrl", "sr-Latn")
    assert str(refusal.value) == (
        "Serbian is written in several scripts; write sr-Cyrl (Cyrillic) or sr-Latn (Latin), or fill the script column."
    )
    assert canonical_locale("sr", "Latn") == "sr-Latn"
    assert canonical_locale("sr", "latn-plain") == "sr-Latn"


def test_c50_merged_aliases_make_a_notice() -> None:
    assert alias_notice("tr", {"tr", "TR", "tr_TR", "tr-TR"}) == "TR, tr-TR, tr_TR are read as tr (Turkish)."
    assert alias_notice("he", ["iw", "he"]) == "iw is read as he (Hebrew)."
    assert alias_notice("he", ["he"]) is None


@pytest.mark.parametrize(
    ("tag", "locale"),
    [
        ("pt-BR", "pt"),
        ("pt-PT", "pt-PT"),
        ("en-US", "en"),
        ("en-UK", "en-GB"),
        ("es-419", "es-419"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK", "zh-Hant-HK"),
        ("zh-Hans-CN", "zh-Hans"),
        ("in", "id"),
        ("tur", "tr"),
        ("sh", "sr-Latn"),
        ("ja-Jpan-JP", "ja"),
        ("az-Cyrl", "az-Cyrl"),
        ("az-IR", "az-Arab"),
        ("hi-Latn", "hi-Latn"),
        ("pa-PK", "pa-Arab"),
        (" DE_at ", "de-AT"),
    ],
)
def test_a_region_or_script_is_dropped_only_where_likely_subtags_give_it_back(tag: str, locale: str) -> None:
    assert canonical_locale(tag) == locale


def test_a_region_does_not_settle_the_script_of_serbian() -> None:
    with pytest.raises(ScriptNeeded):
        canonical_locale("sr-RS")
    assert canonical_locale("sr-RS", "Latn") == "sr-Latn"
    assert canonical_locale("sr-ME", "Cyrl") == "sr-Cyrl-ME"


def test_a_script_column_does_not_overrule_the_tag() -> None:
    assert canonical_locale("zh-Hant", "Hans") == "zh-Hant"
    assert canonical_locale("zh-TW", "Hans") == "zh-Hant"
    assert canonical_locale("tr", "Cyrl") == "tr"


@pytest.mark.parametrize("tag", ["", "xx", "xx-nope-", "tr-Xxxx", "en-XX", "turkish", "t", "mul", "zxx", "tr\0"])
def test_what_cldr_does_not_know_is_refused_in_one_sentence(tag: str) -> None:
    with pytest.raises(UnknownLocale) as refusal:
        canonical_locale(tag)
    assert str(refusal.value) == f'The language code "{tag}" is not known; write a code such as tr or zh-Hant.'


def test_an_unknown_language_is_a_corpus_language_and_no_query_language() -> None:
    assert corpus_language("und") == "und"
    assert corpus_language("tr_TR") == "tr"
    assert (language_name("und"), direction("und"), script_of("und")) == ("Unknown language", "ltr", "Zzzz")
    with pytest.raises(UnknownLocale):
        canonical_locale("und")


@pytest.mark.parametrize(
    ("locale", "described"),
    [
        ("tr", ("Turkish", "ltr", "Latn")),
        ("ar", ("Arabic", "rtl", "Arab")),
        ("fa", ("Persian", "rtl", "Arab")),
        ("he", ("Hebrew", "rtl", "Hebr")),
        ("az-Arab", ("Azerbaijani (Arabic)", "rtl", "Arab")),
        ("hi-Latn", ("Hindi (Latin)", "ltr", "Latn")),
        ("zh-Hant-HK", ("Chinese (Traditional, Hong Kong SAR China)", "ltr", "Hant")),
        ("en-GB", ("English (United Kingdom)", "ltr", "Latn")),
    ],
)
def test_a_locale_has_a_name_a_direction_and_a_script(locale: str, described: tuple[str, str, str]) -> None:
    assert (language_name(locale), direction(locale), script_of(locale)) == described


@given(
    language=st.sampled_from(["tr", "en", "pt", "ar", "az", "ja", "ko", "de", "zh", "sr", "uz", "pa", "iw", "no"]),
    script=st.sampled_from(["", "-Latn", "-Cyrl", "-Arab", "-Hans", "-Hant"]),
    region=st.sampled_from(["", "-TR", "-US", "-CN", "-TW", "-RS", "-419"]),
)
def test_the_canonical_form_of_a_canonical_form_is_itself(language: str, script: str, region: str) -> None:
    locale = canonical_locale(language + script + region, WRITTEN_IN_SEVERAL.get(language, ("",))[0])
    assert canonical_locale(locale) == locale
    assert canonical_locale(locale.replace("-", "_").upper()) == locale
