"""Rare-entity terms: what a corpus names in few articles, ranked so that the first screen is worth reading."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from curation.miners.documents import Documents
from curation.miners.ordinary import is_formed_from, pieces
from curation.miners.rare_entity import PARTS, RareTerm, mine

from .corpora import a_corpus

RULES = Path(os.environ.get("HARDSET_SHARED", "../shared")) / "data" / "us-consumer-rules" / "corpus.jsonl"
CASES = Path(__file__).parents[2] / "data" / "cases"
CLAIMS = Path(__file__).parents[3] / "curation" / "fixtures" / "claims" / "corpus.jsonl"


def terms(documents: Documents, below: int = 50) -> dict[str, RareTerm]:
    return {term.term: term for term in mine(documents, below=below).terms}


def of_one(text: str, language: str = "en", title: str = "") -> list[str]:
    corpus = a_corpus({"a": text}, language={"a": language}, titles={"a": title})
    return sorted(terms(corpus))


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("We waive it if barratry by the master is proven.", "en", ["barratry"]),
        ("The firm is Aldermoor Quist, and we call it first.", "en", ["Aldermoor Quist"]),
        ("A hit with ERR_MANDATE_REVOKED stops it, as does SAN-12.", "en", ["ERR_MANDATE_REVOKED", "SAN-12"]),
        ("The form is made under RESPA for the bank.", "en", ["RESPA"]),
        ("Das Schiff wird von Akkuwerk Lindhorst geöffnet.", "de", ["Akkuwerk Lindhorst"]),
        ("Yetkili servis Kivanta Bilişim'dir.", "tr", ["Kivanta Bilişim"]),
        ("共同海損の場合にオンブズマンへ", "ja", ["オンブズマン", "共同海損"]),
        ("由马丁·路德签署", "zh-Hans", ["马丁·路德"]),
        ("โทรหา Aldermoor Quist ได้ทันที", "th", ["Aldermoor Quist"]),
    ],
)
def test_entities_are_found_in_every_script(text: str, language: str, found: list[str]) -> None:
    assert set(found) <= set(of_one(text, language))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The house was sold and the money was paid on time.", id="ordinary words"),
        pytest.param("We paid 250,000 in 2024 and 17 on 1 July.", id="numbers and dates"),
        pytest.param("It closes on Sundays and in January.", id="calendar"),
        pytest.param("The payment is in EUR, and the U.S. dollar is not taken.", id="currencies and countries"),
        pytest.param("Paragraph II and section XIV say so.", id="roman numerals"),
        pytest.param("THIS NOTICE IS SENT TO ALL HOLDERS OF A POLICY AND TO BROKERS.", id="capitals"),
        pytest.param("He waited for a 24-month term and the 3rd letter of 30kg.", id="measures"),
    ],
)
def test_what_nobody_would_search_for_is_no_term(text: str) -> None:
    assert of_one(text) == []


def test_an_inflected_form_of_a_common_word_is_no_term() -> None:
    texts = {f"d{number}": "The escrow is held." for number in range(6)} | {"e": "All escrows are held."}
    found = terms(a_corpus(texts))
    assert "escrow" in found
    assert "escrows" not in found


def test_a_slip_of_the_pen_is_no_term() -> None:
    texts = {f"d{number}": "The escrow is held." for number in range(6)} | {"e": "The escroww is held."}
    assert "escroww" not in terms(a_corpus(texts))


def test_a_term_in_as_many_articles_as_the_limit_is_not_rare() -> None:
    texts = {f"d{number}": "The escrow is held." for number in range(6)}
    assert terms(a_corpus(texts), below=7)["escrow"].df == 6
    assert terms(a_corpus(texts), below=6) == {}


def test_translations_count_once() -> None:
    texts = {"a.en": "Call Aldermoor Quist first.", "a.de": "Zuerst ruft man Aldermoor Quist an."}
    corpus = a_corpus(texts, canonical=dict.fromkeys(texts, "a"), language={"a.de": "de"}, sources=["a.de"])
    term = terms(corpus)["Aldermoor Quist"]
    assert (term.df, term.document, term.language) == (1, "a.de", "de")


def test_a_name_counts_where_it_stands_in_a_longer_one() -> None:
    texts = {"a": "We ask Aldermoor Quist today.", "b": "We ask Aldermoor Quist Kiel today."}
    assert terms(a_corpus(texts))["Aldermoor Quist"].df == 2


def test_a_name_that_stands_only_in_a_longer_one_is_not_listed_by_itself() -> None:
    assert of_one("We ask Aldermoor Quist today.") == ["Aldermoor Quist"]


def test_what_hangs_on_a_name_is_left_off() -> None:
    assert of_one("We wrote to Altavia's doctors at once.") == ["Altavia"]


def test_the_first_term_of_every_article_comes_before_the_second_of_any() -> None:
    texts = {
        "a": "We ask Aldermoor Quist, Altavia Medevac and Berrak Hukuk today.",
        "b": "We ask barratry by the master today.",
    }
    ranked = mine(a_corpus(texts)).terms
    assert [term.document for term in ranked] == ["a", "b", "a", "a"]
    assert [term.rank for term in ranked] == [1, 2, 3, 4]


def test_a_term_of_the_title_comes_first() -> None:
    texts = {"a": "The word jettison is used.", "b": "The word barratry is used."}
    ranked = mine(a_corpus(texts, titles={"b": "Barratry"})).terms
    assert [term.term for term in ranked] == ["barratry", "jettison"]


def test_capitals_of_a_title_name_nothing() -> None:
    corpus = a_corpus({"a": "Lost Luggage Abroad\nIt is paid."}, titles={"a": "Lost Luggage Abroad"})
    assert terms(corpus) == {}


def test_the_rest_is_counted() -> None:
    corpus = a_corpus({"a": "We ask Aldermoor Quist, Altavia Medevac and Berrak Hukuk today."})
    mined = mine(corpus, most=1)
    assert (len(mined.terms), mined.found) == (1, 3)


def test_the_same_corpus_gives_the_same_terms() -> None:
    texts = {"a": "We ask Aldermoor Quist.", "b": "We ask Altavia Medevac.", "c": "The word barratry is used."}
    assert mine(a_corpus(texts)) == mine(a_corpus(dict(reversed(texts.items()))))


def test_progress_ends_at_its_total_and_may_cancel() -> None:
    seen: list[tuple[int, int]] = []
    mine(a_corpus({"a": "x", "b": "y"}), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (PARTS * 2, PARTS * 2)

    def cancel(_done: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        mine(a_corpus({"a": "x"}), progress=cancel)


@pytest.mark.parametrize(("word", "ordinary"), [("nevertheless", True), ("Michigan", True), ("barratry", False)])
def test_the_vocabulary_keeps_an_everyday_word_in_one_piece(word: str, ordinary: bool) -> None:
    assert (pieces(word) == 1) is ordinary


@pytest.mark.parametrize(
    ("word", "language", "formed"),
    [
        ("houses", "en", True),
        ("nonhouse", "en", True),
        ("häuser", "de", False),
        ("hauses", "de", True),
        ("evlerinde", "tr", True),
        ("barratry", "en", False),
    ],
)
def test_endings_and_prefixes_are_those_of_the_language(word: str, language: str, formed: bool) -> None:
    assert is_formed_from(word, language, base={"house", "haus", "evler", "barrat"}.__contains__) is formed


def corpus_of(path: Path, ids: Mapping[str, str]) -> Documents:
    rows = sorted(map(json.loads, path.read_text(encoding="utf-8").splitlines()), key=lambda row: row["doc_id"])
    return Documents(
        external_ids=[row["doc_id"] for row in rows],
        canonical_ids=[row["canonical_id"] for row in rows],
        languages=[row[ids["language"]] for row in rows],
        titles=[row["title"] for row in rows],
        texts=[f"{row['title']}\n{row['text']}" for row in rows],
        sources=[bool(row.get("is_source", True)) for row in rows],
        facts=[{} for _ in rows],
    )


def test_the_first_screen_of_the_claims_corpus_is_names_codes_and_terms_of_the_trade() -> None:
    mined = mine(corpus_of(CLAIMS, {"language": "locale"}))
    first = {term.term for term in mined.terms[:60]}
    assert {
        "AUTH-31",
        "Demurrage",
        "Bluetongue",
        "オンブズマン",
        "共同海損盟約書",
        "Fuhrpark",
        "ERR_IBAN_MISMATCH",
    } <= first
    assert all(term.df < 50 for term in mined.terms)


@pytest.mark.skipif(not RULES.is_file(), reason=f"{RULES} is not here: set HARDSET_SHARED")
def test_the_first_screen_of_real_regulations_is_names_abbreviations_and_terms_of_the_trade() -> None:
    mined = mine(corpus_of(RULES, {"language": "lang"}))
    first = {term.term for term in mined.terms[:60]}
    assert {"HUD-1", "E-Sign Act", "forbearance", "FDCPA", "CPI-W"} <= first
    assert not {"the", "Section", "January", "Line"} & first


def test_c47_no_rare_term_or_draft_holds_a_stray_dot() -> None:
    """Lower case of İ is i with a loose dot everywhere but in Turkish."""
    rows = [json.loads(line) for line in (CASES / "c47-queries.jsonl").read_text(encoding="utf-8").splitlines()]
    turkish = {row["id"]: f"{row['text']} İvedik Işıl ile geçerlidir." for row in rows if row["locale"] == "tr"}
    turkish["firm"] = "Yetkili servis İvedik Işıl'dır ve İSTANBUL şubesi bakar. INGRAM İĞNE sigortası geçerlidir."
    found = mine(a_corpus(turkish, language=dict.fromkeys(turkish, "tr"), titles={"firm": "İvedik"}), below=50).terms
    assert "INGRAM İĞNE" in {term.term for term in found}
    assert [term for term in found if "\u0307" in term.term + term.query] == []
