"""Twelve and twenty-eight locales: the counts of every cell, and a failure that the headline does not show."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import ir_measures
import pytest
from ir_measures import Success

from curation.models import Query, QueryScore
from curation.retrieval.query_types import query_type
from curation.retrieval.variants import spellings

from .conftest import Ask, Record

pytestmark = pytest.mark.django_db

MARKS = "?？؟¿;;.。! "
ENGLISH_SHARE, OTHER_SHARE = 0.78, 0.02


def test_xquad_by_its_qrels_has_twelve_diagonal_cells(ask: Ask, record: Record, corpora: Path) -> None:
    folder = corpora / "xquad-locales"
    assert ask("import_corpus", "xquad", folder / "corpus.jsonl")["stored"] == 2880
    assert ask("import_queries", "xquad", folder / "queries.jsonl")["stored"] == 6186
    qrels = ask("import_qrels", "xquad", folder / "qrels.tsv")
    assert qrels["read"] == qrels["stored"] + qrels["merged"] == 6186
    cells = ask("coverage", "xquad")["cells"]
    counts = {(cell["query_language"], cell["corpus_language"]): cell["n"] for cell in cells if cell["n"]}
    assert counts == {(tag, tag): 939 if tag == "tr" else 477 for tag in XQUAD}
    scripts = ask("coverage", "xquad", "--by", "query_language,script")["cells"]
    turkish = {cell["script"]: cell["n"] for cell in scripts if cell["query_language"] == "tr"}
    assert turkish == {"Latn": 462, "Latn-plain": 477}
    record(
        "xquad-locales by its qrels",
        ["query x document", "n"],
        [[" x ".join(key), n] for key, n in sorted(counts.items())],
    )
    native = Query.objects.filter(corpus__slug="xquad", stratum__query_language="tr", metadata__variant="native")
    assert Counter(native.values_list("stratum__script", flat=True)) == {"Latn": 462, "Latn-plain": 15}
    detected("xquad", record, "xquad-locales")


def detected(slug: str, record: Record, corpus: str) -> None:
    """Record the script classes and types that are detected in each language, with and without the question marks.

    Every query of these corpora is a question that somebody asked, so every other type is a wrong guess; people seldom
    type the mark.
    """
    mix: dict[str, tuple[Counter[str], Counter[str], Counter[str]]] = {}
    queries = Query.objects.filter(corpus__slug=slug).order_by("stratum__query_language")
    fields = ("stratum__query_language", "stratum__script", "metadata__guessed_type", "text")
    for locale, script, guess, text in queries.values_list(*fields):
        scripts, types, bare = mix.setdefault(locale, (Counter(), Counter(), Counter()))
        scripts[script] += 1
        types[guess] += 1
        bare[query_type(text.strip(MARKS), locale)] += 1
    asked = {locale: types["question"] / types.total() for locale, (_, types, _) in mix.items()}
    assert min(asked.values()) > 0.9
    rows = [
        [
            locale,
            types.total(),
            told(scripts),
            told(types),
            f"{asked[locale]:.1%}",
            f"{bare['question'] / bare.total():.1%}",
        ]
        for locale, (scripts, types, bare) in mix.items()
    ]
    head = ["query language", "n", "script classes", "types", "read as questions, which all are", "without the mark"]
    record(f"{corpus}, what is detected by language", head, rows)


def told(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def test_turkish_without_its_letters_is_what_a_table_made_of_it_elsewhere(record: Record, corpora: Path) -> None:
    lines = (corpora / "xquad-locales" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["lang"] == "tr"]
    native = {row["information_need_id"]: row["text"] for row in rows if row["variant"] == "native"}
    folded = {row["information_need_id"]: row["text"] for row in rows if row["variant"] == "ascii-folded"}
    spelt = {need: [each.text for each in spellings(text, "tr")] for need, text in native.items()}
    assert {need for need, texts in spelt.items() if texts} == folded.keys()
    otherwise = [need for need, text in folded.items() if spelt[need] != [text]]
    assert len(otherwise) == 1  # its foreign ä stays in the file, and goes here
    assert "ä" in folded[otherwise[0]]
    record(
        "xquad-locales: Turkish questions in another spelling",
        ["questions", "with a Turkish letter", "spelt as in the file", "otherwise"],
        [[len(native), len(folded), len(folded) - 1, 1]],
    )


XQUAD = ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh-Hans")


def test_xquad_into_english_shows_the_failing_locales_that_the_headline_hides(
    ask: Ask, record: Record, corpora: Path, tmp_path: Path
) -> None:
    folder = corpora / "xquad-locales"
    traffic = tmp_path / "traffic.json"
    shares = {tag: ENGLISH_SHARE if tag == "en" else OTHER_SHARE for tag in XQUAD}
    traffic.write_text(json.dumps(shares), encoding="utf-8")
    words = ("--where", "lang=en", "--encoder", "use", "--traffic", traffic)
    assert ask("import_corpus", "into-english", folder / "corpus.jsonl", *words)["stored"] == 240
    assert ask("import_queries", "into-english", folder / "queries.jsonl")["stored"] == 6186
    board = ask("coverage", "into-english", "--run", "exact", "--by", "query_language,corpus_language")
    cells = [cell for cell in board["cells"] if cell["score"] is not None]
    assert [cell["corpus_language"] for cell in cells] == ["en"] * 12
    assert cells[0]["query_language"] == "hi"
    assert cells[0]["score"] < 0.2
    assert "el" in {cell["query_language"] for cell in cells[:2]}
    assert board["headline"]["weighted"] > 0.80
    assert board["headline"]["lowest"] == "hi"
    agree_with_ir_measures("into-english", {cell["query_language"]: cell["score"] for cell in cells})
    rows = [[c["query_language"], c["n"], f"{c['score']:.3f}", f"{c['ci'][0]:.3f} to {c['ci'][1]:.3f}"] for c in cells]
    rows.append(["traffic-weighted", "", f"{board['headline']['weighted']:.3f}", "alarm 0.80"])
    rows.append(["macro", "", f"{board['headline']['macro']:.3f}", ""])
    record(
        "xquad-locales into English, exact search with `use`, hit@10", ["query language", "n", "hit@10", "95 %"], rows
    )


def agree_with_ir_measures(slug: str, scores: dict[str, float]) -> None:
    """Our figure of every locale equals the mean Success@10 of ir-measures, to 1e-9."""
    golds = dict(Query.objects.filter(corpus__slug=slug).values_list("external_id", "gold_canonical_id"))
    locales = dict(Query.objects.filter(corpus__slug=slug).values_list("external_id", "stratum__query_language"))
    qrels = [ir_measures.Qrel(query, gold, 1) for query, gold in golds.items()]
    answers = QueryScore.objects.filter(run__corpus__slug=slug, run__name="exact").values_list(
        "query__external_id", "hits"
    )
    canonical = dict(canonical_ids(slug))
    run = [
        ir_measures.ScoredDoc(query, canonical[hit], float(-rank))
        for query, hits in answers
        for rank, hit in enumerate(hits)
    ]
    found: dict[str, float] = dict.fromkeys(scores, 0.0)
    for metric in ir_measures.iter_calc([Success @ 10], qrels, run):
        found[locales[metric.query_id]] += metric.value
    sizes = Counter(locales.values())
    assert {locale: found[locale] / sizes[locale] for locale in scores} == pytest.approx(scores, abs=1e-9)


def canonical_ids(slug: str) -> list[tuple[str, str]]:
    from curation.models import Document

    return list(Document.objects.filter(corpus__slug=slug).values_list("external_id", "canonical_id"))


def test_faq_has_28_locales_that_screen_and_no_more(ask: Ask, record: Record, corpora: Path) -> None:
    folder = corpora / "faq-locales"
    assert ask("import_corpus", "faq", folder / "corpus.jsonl")["stored"] == 1287
    ask("import_queries", "faq", folder / "queries.jsonl")
    ask("import_qrels", "faq", folder / "qrels.tsv")
    counts = {c["query_language"]: c["n"] for c in ask("coverage", "faq", "--by", "query_language")["cells"]}
    assert sorted(Counter(counts.values()).items()) == [(45, 1), (46, 27)]
    assert counts["hu"] == 45
    assert {c["status"] for c in ask("coverage", "faq", "--run", "exact", "--use", "gate")["cells"]} == {"insufficient"}
    screen = ask("coverage", "faq", "--run", "exact", "--use", "screen", "--by", "query_language")["cells"]
    assert {cell["status"] for cell in screen} == {"reported"}
    rows = [[c["query_language"], c["n"], f"{c['score']:.3f}", f"{c['ci'][0]:.3f} to {c['ci'][1]:.3f}"] for c in screen]
    detected("faq", record, "faq-locales")
    record("faq-locales, exact search with `lsa`, screen level", ["query language", "n", "hit@10", "95 %"], rows)
