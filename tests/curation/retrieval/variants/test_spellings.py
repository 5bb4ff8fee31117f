"""The other spellings that the people of a locale use, by hand-written examples and over all tables."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.retrieval.letters import CLDR_LETTERS, own_letters
from curation.retrieval.locales import canonical_locale
from curation.retrieval.scripts import SCRIPT_CLASSES, script_class
from curation.retrieval.variants import changes_cell, kinds_of, spellings
from curation.retrieval.variants.plain import without_diacritics

TYPED = {
    "tr": ("tır gece bekçisiz parkta kalırsa ödenir mi", "tir gece bekcisiz parkta kalirsa odenir mi"),
    "az": ("gəlir vergisi İşçi", "gelir vergisi Isci"),
    "de": ("Überführung bei Straßenglätte", "Ueberfuehrung bei Strassenglaette"),
    "fr": ("où déclarer un dégât des eaux", "ou declarer un degat des eaux"),
    "es": ("¿qué cubre la póliza del niño?", "¿que cubre la poliza del nino?"),
    "pt": ("indenização por avaria não paga", "indenizacao por avaria nao paga"),
    "pl": ("zażółć gęślą jaźń, kradzież łodzi", "zazolc gesla jazn, kradziez lodzi"),
    "cs": ("příliš žluťoučký kůň", "prilis zlutoucky kun"),
    "hu": ("árvíztűrő tükörfúrógép", "arvizturo tukorfurogep"),
    "ro": ("asigurare şi daună în București", "asigurare si dauna in Bucuresti"),
    "vi": ("bảo hiểm hàng hóa đường biển", "bao hiem hang hoa duong bien"),
    "sv": ("försäkring för båt", "forsakring for bat"),
    "da": ("Ærø: sejlbåd og øl", "Aeroe: sejlbaad og oel"),
    "is": ("tjón á þaki og æðardúnn", "tjon a thaki og aedardunn"),
    "hr": ("štete na kući od đubriva", "stete na kuci od djubriva"),
    "sr-Latn": ("šteta na vozilu, Đorđe", "steta na vozilu, Djordje"),
    "uz-Latn": ("oʻzbekiston sugʻurta", "o'zbekiston sug'urta"),
}


@pytest.mark.parametrize(("locale", "typed"), TYPED.items())
def test_a_native_types_it_without_the_letters_of_the_language(locale: str, typed: tuple[str, str]) -> None:
    text, expected = typed
    first = spellings(text, locale)[0]
    assert (first.key, first.text, first.locale, first.script) == ("plain", expected, locale, "Latn-plain")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ÄRGER", "AERGER"),
        ("Ärger", "Aerger"),
        ("Ä", "Ae"),
        ("GROß", "GROSS"),
        ("Maß", "Mass"),
        ("STRAẞE", "STRASSE"),
        ("A\u0308rger", "Aerger"),
        ("Café", "Cafe"),
        ("ΔT über 5 µm", "ΔT ueber 5 µm"),
    ],
)
def test_case_and_other_scripts_are_kept(text: str, expected: str) -> None:
    assert without_diacritics(text, "de") == expected


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("el", "πού σταθμεύει το αυτοκίνητο;", "pou stathmevei to aftokinito?"),
        ("el", "Ευρώπη, μπάλα, λάμπα, εύκολο, σύγχρονη", "Evropi, bala, lampa, efkolo, synchroni"),
        ("ru", "Заявление о хищении груза, подъезд", "Zayavlenie o khishchenii gruza, podezd"),
        ("ru", "ЩУКА и Щука ERR_42", "SHCHUKA i Shchuka ERR_42"),
        ("uk", "Єнакієве, Знам'янка, Їжакевич, Згорани", "Yenakiieve, Znamianka, Yizhakevych, Zghorany"),
        ("bg", "София, къща, щета", "Sofia, kashta, shteta"),
        ("mk", "Ѓорѓи, ќерка, џеб", "Gjorgji, kjerka, dzheb"),
        ("be", "страхоўка грузу", "strakhowka hruzu"),
        ("ka", "დაზღვევა", "dazghveva"),
    ],
)
def test_romanised_by_the_standard_named_in_the_table(locale: str, text: str, expected: str) -> None:
    [spelling] = spellings(text, locale)
    assert (spelling.key, spelling.text, spelling.script) == ("romanised", expected, "Latn-romanised")


def test_arabic_loses_hamza_and_vowel_marks_and_keeps_its_endings() -> None:
    [plain] = spellings("هل تُغطّى سرقة البضاعة إذا كان السائق مسؤولًا عن شيء؟", "ar")
    assert plain.text == "هل تغطى سرقة البضاعة اذا كان السائق مسوولا عن شي؟".replace("السائق", "السايق")
    assert plain.script == "Arab-plain"


def test_kanji_leave_both_rows_to_the_writer() -> None:
    kana, romaji = spellings("夜間に無人の駐車場で", "ja")
    assert (kana.key, kana.text, kana.script) == ("kana", "", "Jpan-kana")
    assert (romaji.key, romaji.text, romaji.script) == ("romaji", "", "Jpan-romaji")


@pytest.mark.parametrize(
    ("kana", "expected"),
    [
        ("きょうどうかいそん ぶんたんきん", "kyoudoukaison buntankin"),
        ("とうきょうタワー は どこ ですか？", "toukyoutawa wa doko desuka?"),
        ("ラーメン、マッチ、まって", "ramen, matchi, matte"),
        ("きんえん しんよう しんぶん", "kin'en shin'you shinbun"),
        ("ﾊﾟｰﾃｨｰ へ かさを", "pati e kasao"),
        ("ヴァイオリン フォーム", "vaiorin fomu"),
    ],
)
def test_kana_are_romanised_by_hepburn(kana: str, expected: str) -> None:
    [romaji] = spellings(kana, "ja")
    assert (romaji.key, romaji.text, romaji.script) == ("romaji", expected, "Jpan-romaji")


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("kalirsa odenir mi", "tr"),  # plain already
        ("ERR_MANDATE_REVOKED", "de"),
        ("هل تغطى سرقة البضاعة", "ar"),
        ("cargo theft", "en"),
        ("พรบ คุ้มครองอะไร", "th"),
        ("कार्गो बीमा", "hi"),
        ("货物被盗", "zh-Hans"),
        ("貨物失竊", "zh-Hant"),
        ("גניבת מטען", "he"),
        ("سرقت محموله", "fa"),
        ("화물 도난", "ko"),
        ("Windows 11", "sr-Latn"),
    ],
)
def test_nothing_is_offered_where_no_class_would_change(text: str, locale: str) -> None:
    assert spellings(text, locale) == ()


def test_a_variant_counts_apart_by_its_class_or_its_locale() -> None:
    assert changes_cell("isik", "tr", original="ışık", original_locale="tr")
    assert not changes_cell("ışik", "tr", original="ışık", original_locale="tr")
    assert changes_cell("пријава", "sr-Cyrl", original="prijava", original_locale="sr-Latn")


LATIN_LOCALES = sorted(language for language in CLDR_LETTERS if language not in {"sr", "uz"})


@pytest.mark.parametrize("language", LATIN_LOCALES)
def test_every_language_with_letters_of_its_own_has_a_plain_spelling(language: str) -> None:
    locale = canonical_locale(language)
    assert [kind.key for kind in kinds_of(locale)] == ["plain"]
    plain = without_diacritics("".join(sorted(own_letters(language))), language)
    assert script_class(plain, locale) == "Latn-plain" or language == "naq"  # its clicks have no other sign


ALL = [
    locale
    for locale in (
        *LATIN_LOCALES,
        "sr-Latn",
        "sr-Cyrl",
        "uz-Latn",
        "el",
        "ru",
        "uk",
        "bg",
        "mk",
        "be",
        "ka",
        "ar",
        "ja",
    )
    if kinds_of(canonical_locale(locale))
]
LETTERS = st.characters(categories=["Ll", "Lu", "Lo", "Mn", "Nd", "Po", "Zs"])
SOME = st.text(
    LETTERS | st.sampled_from(sorted(own_letters("tr") | own_letters("de") | own_letters("sr"))), max_size=12
)


@given(SOME, st.sampled_from(ALL))
def test_a_spelling_is_another_cell_and_each_cell_comes_once(text: str, locale: str) -> None:
    found = spellings(text, locale)
    cells = [(each.locale, each.script) for each in found]
    assert len(set(cells)) == len(cells)
    for each in found:
        assert each.script in SCRIPT_CLASSES
        assert each.text == unicodedata.normalize("NFC", each.text)
        if each.text:
            assert each.script == script_class(each.text, each.locale)
            assert changes_cell(each.text, each.locale, original=text, original_locale=locale)


@given(SOME, st.sampled_from(LATIN_LOCALES))
def test_taking_the_letters_away_twice_changes_nothing_more(text: str, language: str) -> None:
    once = without_diacritics(text, language)
    assert without_diacritics(once, language) == once
