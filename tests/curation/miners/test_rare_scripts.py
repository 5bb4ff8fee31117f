"""Rare terms are found whole in every script: no word is cut at a mark, a dot or an ending."""

import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Literal

import pytest
import regex

from curation.miners.located import located_words

from .corpora import a_corpus
from .test_rare_entity import of_one, terms

TREE = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("text", "language", "whole"),
    [
        pytest.param("Dosya İstanbul Hasar Masası tarafından açıldı.", "tr", "İstanbul Hasar Masası", id="dotted I"),
        pytest.param("Die Firma heißt İstanbul Gümrük.", "de", "İstanbul Gümrük", id="dotted I, foreign"),
        pytest.param("Rapor GİŞEMİT kuruluşuna gider.", "tr", "GİŞEMİT", id="dotted I in capitals"),
        pytest.param("We ask Éloïse Dûrand-Müller today.", "en", "Éloïse Dûrand-Müller", id="accents"),
        pytest.param("We ask Ángströmfels today.", "en", "Ángströmfels", id="one accented name"),
        pytest.param("वाहन बीमा में बॉटमरी बंधपत्र शामिल हैं", "hi", "बॉटमरी", id="Hindi"),
        pytest.param("تعتمد المطالبة على العوارية العامة", "ar", "العوارية", id="Arabic"),
        pytest.param("Компания Алдермур Квист отвечает.", "ru", "Алдермур Квист", id="Cyrillic name"),
        pytest.param("Здесь бодмерея запрещена.", "ru", "бодмерея", id="Cyrillic word"),
        pytest.param("由船东分担共同海损。", "zh-Hans", "共同海损", id="Chinese"),
        pytest.param("共同海損盟約書に従う", "ja", "共同海損盟約書", id="Japanese"),
        pytest.param("ค่าสินไหมชี้ขาดโดยอนุญาโตตุลาการ", "th", "อนุญาโตตุลาการ", id="Thai"),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_rare_term_is_found_whole(text: str, language: str, whole: str, form: Literal["NFC", "NFD"]) -> None:
    written = unicodedata.normalize(form, text)
    assert whole in {unicodedata.normalize("NFC", term) for term in of_one(written, language)}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Dosya İstanbul'da açıldı, İSGÜM ve Iğdır şubesi ile.", "tr"),
        ("Éloïse Dûrand-Müller et Ángström, ẹ̀gbọ́n.", "fr"),
        ("แจ้งกรมธรรม์ต่อบริษัทอัลเดอร์มัวร์เมื่อเกิดการทิ้งของลงทะเล", "th"),
        ("वाहन बीमा में कटौतीयोग्य राशि और बॉटमरी बंधपत्र शामिल हैं", "hi"),
        ("يُغَطِّي التَّأْمِينُ البَارَاتِرِيَا", "ar"),
    ],
)
def test_no_word_is_cut_before_a_mark(text: str, language: str) -> None:
    written = unicodedata.normalize("NFD", text)
    for word in located_words(written, language):
        assert written[word.start : word.end] == word.text
        assert not regex.match(r"\p{M}", written[word.start :])
        assert not regex.match(r"\p{M}", written[word.end :])


def test_inflected_forms_of_a_common_russian_word_are_no_terms() -> None:
    texts = {f"d{number}": "Это решает страхователь и может покрывать." for number in range(6)}
    texts["e"] = "Платят страхователю, со страхователями, для страхователей; бодмерея покрывается и покрывает."
    found = terms(a_corpus(texts, language=dict.fromkeys(texts, "ru")))
    assert "бодмерея" in found
    assert not {"страхователю", "страхователями", "страхователей", "покрывается", "покрывает"} & set(found)


def test_inflected_forms_of_a_common_arabic_word_are_no_terms() -> None:
    texts = {f"d{number}": "هذه مطالبة جديدة" for number in range(6)} | {"e": "وصلت المطالبة ومطالبات العوارية"}
    found = terms(a_corpus(texts, language=dict.fromkeys(texts, "ar")))
    assert "العوارية" in found
    assert not {"المطالبة", "ومطالبات", "مطالبات"} & set(found)


RANKED = """
import django
django.setup()
from tests.evidence.test_rare_terms import CLAIMS, in_order
for term in in_order(CLAIMS, "locale")[:200]:
    print(term.rank, term.term, term.df, term.document, term.query, sep="|")
"""


def test_two_runs_rank_alike_whatever_the_order_of_their_sets() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", RANKED],
            cwd=TREE,
            env={
                "DJANGO_SETTINGS_MODULE": "curation.settings",
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(TREE),
                "PYTHONUTF8": "1",
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0].count("\n") == 200
    assert runs[0] == runs[1]
