"""Draft queries of rare terms: what a searcher would type, in every language of the demo and beyond."""

import pytest
import regex

from .corpora import a_corpus
from .test_rare_entity import terms

CODE = "KLR-5501"


def drafted(text: str, *, title: str = "", language: str = "en", term: str = CODE) -> str:
    corpus = a_corpus({"a": f"{title}\n{text}".strip()}, language={"a": language}, titles={"a": title})
    return terms(corpus)[term].query


@pytest.mark.parametrize(
    ("language", "title", "text", "query"),
    [
        ("en", "Mobile app: KLR-5501 error", "KLR-5501 appears.", "mobile app KLR-5501"),
        ("de", "KLR-5501 in der Schadenapp", "KLR-5501 erscheint.", "KLR-5501 Schadenapp"),
        ("tr", "KLR-5501 ve mobil uygulama", "KLR-5501 görünür.", "KLR-5501 mobil uygulama"),
        ("ru", "KLR-5501 и мобильное приложение", "KLR-5501 появляется.", "KLR-5501 мобильное приложение"),
        ("ja", "KLR-5501 と通信障害", "KLR-5501 が出る。", "KLR-5501 通信障害"),
        ("th", "KLR-5501 กับ แอป มือถือ", "KLR-5501 ปรากฏ", "KLR-5501 แอป มือถือ"),
    ],
)
def test_a_term_that_its_title_names_stands_once_in_its_draft(language: str, title: str, text: str, query: str) -> None:
    assert drafted(text, title=title, language=language) == query


@pytest.mark.parametrize("language", ["en", "de", "tr", "ru", "ja", "th"])
def test_a_title_that_is_the_term_adds_nothing(language: str) -> None:
    assert drafted(f"{CODE}.", title=CODE, language=language) == CODE


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("en", "Its KLR-5501 mandate.", "KLR-5501 mandate"),
        ("de", "Ihr KLR-5501 Mandat.", "KLR-5501 Mandat"),
        ("tr", "Onun KLR-5501 poliçe.", "KLR-5501 poliçe"),
        ("ru", "Его KLR-5501 полис.", "KLR-5501 полис"),
        ("ja", "その KLR-5501 証券。", "KLR-5501 証券"),
        ("th", "เขา KLR-5501 กรมธรรม์", "KLR-5501 กรมธรรม์"),
    ],
)
def test_no_pronoun_leads_a_draft(language: str, text: str, query: str) -> None:
    assert drafted(text, language=language) == query


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("en", "Form KLR-5501 is used by these.", "form KLR-5501"),
        ("de", "Formular KLR-5501 ist für diese.", "Formular KLR-5501"),
        ("tr", "Form KLR-5501 ise bunlar için.", "form KLR-5501"),
        ("ru", "Форма KLR-5501 это для них.", "форма KLR-5501"),
        ("ja", "書式 KLR-5501 はこれです。", "書式 KLR-5501"),
        ("th", "กรมธรรม์ KLR-5501 คือ ของ เขา", "กรมธรรม์ KLR-5501"),
    ],
)
def test_no_function_word_ends_a_draft(language: str, text: str, query: str) -> None:
    assert drafted(text, language=language) == query


@pytest.mark.parametrize(
    ("language", "title", "text"),
    [
        ("en", "KLR-5501 hull damage report", "KLR-5501 appears."),
        ("de", "KLR-5501 Rumpf Schaden Bericht", "KLR-5501 erscheint."),
        ("tr", "KLR-5501 gövde hasar raporu", "KLR-5501 görünür."),
        ("ru", "KLR-5501 корпус ущерб отчет", "KLR-5501 появляется."),
        ("ja", "KLR-5501 船体・損傷・報告", "KLR-5501 が出る。"),
        ("th", "KLR-5501 แอป มือถือ กรมธรรม์", "KLR-5501 ปรากฏ"),
    ],
)
def test_no_draft_is_its_title(language: str, title: str, text: str) -> None:
    draft = drafted(text, title=title, language=language)
    assert len(draft.split()) >= 2
    assert regex.findall(r"\w+", draft.casefold()) != regex.findall(r"\w+", title.casefold())
    assert len("".join(draft.split())) < len("".join(title.split()))


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("en", "KLR-5501 means that the app is offline.", "what does KLR-5501 mean"),
        ("de", "KLR-5501 bedeutet, dass die App offline ist.", "was bedeutet KLR-5501"),
        ("tr", "KLR-5501 uygulama kapalı demektir.", "KLR-5501 ne demek"),
        ("ru", "KLR-5501 означает сбой.", "что означает KLR-5501"),
        ("ja", "KLR-5501とは同期障害をいう。", "KLR-5501とは"),
        ("th", "KLR-5501 หมายถึง แอป", "KLR-5501 หมายถึงอะไร"),
    ],
)
def test_a_code_that_its_sentence_explains_is_asked_for(language: str, text: str, query: str) -> None:
    assert drafted(text, language=language) == query


@pytest.mark.parametrize(
    ("title", "text", "term", "query"),
    [
        pytest.param(
            "KLR-5501: mobile inspection app cannot synchronise", "KLR-5501 appears where a file was changed.", CODE,
            "KLR-5501 mobile inspection app", id="what a title says behind its colon",
        ),
        pytest.param(
            "Rules (Settlement) › § 1024.8 Use of HUD-1 or HUD-1A settlement statements.",
            "The form HUD-1A is used by these.", "HUD-1A", "HUD-1A settlement statements", id="the closest heading",
        ),
        pytest.param(
            "Leases › 7(e) Alternative Disclosures—Merchandise Tags", "The FDCPA applies.", "FDCPA",
            "FDCPA alternative disclosures", id="no paragraph number",
        ),
        pytest.param(
            "Cyber bulletin, edition 2023", "The FDCPA applies.", "FDCPA", "FDCPA cyber bulletin", id="no edition",
        ),
        pytest.param(
            "Total loss", "KLR-5501.", CODE, "KLR-5501 total loss", id="a heading that does not name the term",
        ),
        pytest.param("", "IBAN mismatch", "IBAN", "IBAN mismatch", id="a sentence of two words"),
    ],
)  # fmt: skip
def test_a_draft_is_the_term_with_what_its_chunk_is_about(title: str, text: str, term: str, query: str) -> None:
    assert drafted(text, title=title, term=term) == query


def test_a_draft_has_at_most_four_words_beside_its_term() -> None:
    title = "KLR-5501: hull damage survey report delivery window"
    assert drafted("KLR-5501 appears.", title=title) == "KLR-5501 hull damage survey report"


def test_a_word_of_a_compound_term_is_not_said_again() -> None:
    query = drafted("The loan-to-value matters.", title="Loan values › Value ratio", term="loan-to-value")
    assert query == "loan-to-value ratio"
