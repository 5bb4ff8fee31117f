"""BM25 over the words of documents."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from curation.indexes.base import AskedQuery, IndexRefused
from curation.indexes.bm25 import Bm25Index, WordedText, build

from .asking import names_in


def index_of(folder: Path, *documents: tuple[str, str, str]) -> Bm25Index:
    build([WordedText(*document) for document in documents], folder / "bm25")
    return Bm25Index(folder / "bm25")


def asked(text: str, locale: str = "en") -> AskedQuery:
    return AskedQuery("q", text, locale=locale)


def test_scores_are_those_of_the_formula(tmp_path: Path) -> None:
    """Lucene's BM25: idf = ln(1 + (N - df + 0.5) / (df + 0.5)); tf / (tf + k1 (1 - b + b l / mean l))."""
    index = index_of(
        tmp_path, ("a", "en", "hail hail storm"), ("b", "en", "hail damage to the roof"), ("c", "en", "theft")
    )
    [[first, second]] = index.search([asked("hail")], 5)
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    assert [first.external_id, second.external_id] == ["a", "b"]
    assert first.score == pytest.approx(idf * 2 / (2 + 1.5 * (0.25 + 0.75 * 3 / 3)), rel=1e-5)
    assert second.score == pytest.approx(idf * 1 / (1 + 1.5 * (0.25 + 0.75 * 5 / 3)), rel=1e-5)


def test_equal_scores_are_listed_by_external_id_and_cut_there(tmp_path: Path) -> None:
    index = index_of(tmp_path, *((f"d{number:02}", "en", "hail damage") for number in range(60)), ("e", "en", "theft"))
    whole = names_in(index.search([asked("hail")], 100))[0]
    assert whole == [f"d{number:02}" for number in range(60)]
    assert all(names_in(index.search([asked("hail")], k))[0] == whole[:k] for k in (1, 20, 59))


def test_what_shares_no_word_is_no_answer(tmp_path: Path) -> None:
    index = index_of(tmp_path, ("a", "en", "hail"), ("b", "en", "—"))
    queries = [asked("hail"), asked("earthquake"), asked("?!"), asked("")]
    assert names_in(index.search(queries, 5)) == [["a"], [], [], []]
    assert list(index.ids()) == ["a", "b"]


@pytest.mark.parametrize(
    ("locale", "text", "query"),
    [
        ("en", "Hail deductible of the motor fleet", "FLEET hail"),
        ("tr", "IŞIK hasarı teminatı", "ışık"),
        ("th", "ค่าเสียหายส่วนแรกของรถยนต์", "รถยนต์"),
        ("zh-Hans", "汽车保险的免赔额", "保险"),
        ("ja", "水濡れ損害の免責金額", "免責"),
        ("ar", "قيمة التحمل في تأمين السيارات", "تأمين"),
        ("ru", "Франшиза по страхованию", "франшиза"),
        ("ko", "자동차 보험 약관", "보험"),
    ],
)
def test_each_script_is_found_by_its_words(tmp_path: Path, locale: str, text: str, query: str) -> None:
    index = index_of(tmp_path, ("d", locale, text), ("other", "en", "nothing of the kind"))
    assert names_in(index.search([asked(query, locale)], 5)) == [["d"]]


def test_a_text_whose_language_nobody_knows_is_searched_too(tmp_path: Path) -> None:
    assert names_in(index_of(tmp_path, ("a", "", "Hail")).search([asked("hail", "und")], 5)) == [["a"]]


def test_documents_without_a_word_are_refused(tmp_path: Path) -> None:
    with pytest.raises(IndexRefused, match="hold no word to search by"):
        index_of(tmp_path, ("a", "en", "…"))
    assert not (tmp_path / "bm25").exists()


def test_the_same_documents_have_the_same_fingerprint_and_others_another(tmp_path: Path) -> None:
    prints = []
    for number, text in enumerate(["hail", "hail", "theft"]):
        (tmp_path / str(number)).mkdir()
        prints.append(index_of(tmp_path / str(number), ("a", "en", text)).fingerprint())
    assert prints[0] == prints[1] != prints[2]


def test_building_twice_leaves_one_index_and_no_scraps(tmp_path: Path) -> None:
    index_of(tmp_path, ("a", "en", "hail"))
    assert list(index_of(tmp_path, ("a", "en", "hail")).ids()) == ["a"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bm25", "data"]


def test_nothing_of_it_is_pickled(tmp_path: Path) -> None:
    index_of(tmp_path, ("a", "en", "hail"))
    assert {path.suffix for path in (tmp_path / "bm25").iterdir()} == {".npy", ".json"}
