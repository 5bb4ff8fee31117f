"""A query and its other spellings: apart in their strata, once in a cell that holds both."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from curation.models import Corpus, Query
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

BOARD = "/c/claims/coverage/"
TURKISH = {"run": "a-run", "use": "screen", "cell": "tr,en"}
A_COUNT = re.compile(r'<a (?:class="n" )?href="(/c/claims/queries/\?[^"]*)"[^>]*>(\d+)')


def stage_rows() -> None:
    """60 Turkish queries, 48 found; 50 spellings of them, 10 found, beside 10 that were written so, all found.

    Of a Japanese query that was retired two spellings are left.
    """
    corpus = factories.a_corpus()
    originals = factories.judged_queries(factories.a_stratum(corpus, planned=200), 60)
    plain = factories.judged_queries(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"), 60)
    spell(plain[:50], originals[:50])
    factories.a_run(corpus, originals[:48] + plain[40:], originals[48:] + plain[:40])
    retired = factories.a_query(
        factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive"), status="retired", retired_reason="twice"
    )
    for script in ("Jpan-kana", "Jpan-romaji"):
        stratum = factories.a_stratum(corpus, f"ja en {script} question distinctive")
        spell(factories.judged_queries(stratum, 1), [retired])


def spell(variants: list[Query], originals: list[Query]) -> None:
    """Make each of `variants` another spelling of its original."""
    for variant, original in zip(variants, originals, strict=True):
        variant.variant_of, variant.origin = original, "variant"
    Query.objects.bulk_update(variants, ["variant_of", "origin"])


@pytest.fixture
def lead(client: Client) -> Client:
    client.force_login(factories.lena(Corpus.objects.get(slug="claims")))
    return client


def words(text: str) -> str:
    """What a reader sees, white space as one space."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def told(capsys: pytest.CaptureFixture[str], *asked: str) -> dict[str, Any]:
    call_command("coverage", "claims", "--run", "a-run", "--use", "screen", "--json", *asked)
    return dict(json.loads(capsys.readouterr().out))


def test_a_cell_counts_and_scores_a_query_once_and_a_stratum_each_spelling(
    lead: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys)
    cells = {cell["query_language"]: cell for cell in found["cells"]}
    turkish = cells["tr"]
    assert (turkish["n"], turkish["spellings"], turkish["score"]) == (70, 50, pytest.approx(58 / 70))
    assert (turkish["judged_pairs"], turkish["shallow"]) == (70, 70)
    assert (cells["ja"]["n"], cells["ja"]["spellings"]) == (1, 1)
    assert [(each["locale"], each["n"]) for each in found["error_strings"]] == [("tr", 70), ("ja", 1)]
    assert (found["worst"]["script"], found["worst"]["n"], found["worst"]["score"]) == ("Latn-plain", 60, 20 / 60)
    apart = told(capsys, "--by", "query_language,script")["cells"]
    assert [(cell["script"], cell["n"], cell["spellings"]) for cell in apart] == [
        ("Latn-plain", 60, 0),
        ("Latn", 60, 0),
        ("Jpan-kana", 1, 0),
        ("Jpan-romaji", 1, 0),
    ]
    assert lead.get(f"{BOARD}export", TURKISH).json() == found
    table = lead.get(f"{BOARD}export", {**TURKISH, "format": "csv"}).content.decode()
    rows = {row["query_language"]: row for row in csv.DictReader(io.StringIO(table))}
    assert (rows["tr"]["n"], rows["tr"]["spellings"]) == ("70", "50")


def test_the_board_names_the_spellings_and_every_count_opens_as_many(lead: Client) -> None:
    page = lead.get(BOARD, TURKISH).content.decode()
    assert "71 counted queries , and 51 other spellings of them." in words(page)
    assert "70 counted , 50 other spellings of them that count below alone" in words(page)
    assert "distinctive 71 = 71. A query and its other spellings count once" in words(page)
    assert "Latin without diacritics 60" in words(page)
    links = {unescape(href): int(count) for href, count in A_COUNT.findall(page)}
    assert {70, 71, 50, 51, 60, 1} <= set(links.values())
    for href, count in links.items():
        assert lead.get(href).context["page"].paginator.count == count, href


def test_a_facet_that_leaves_one_spelling_counts_that_one(lead: Client) -> None:
    found = lead.get(f"{BOARD}export", {**TURKISH, "script": "Latn-plain"}).json()["cells"]
    assert [(cell["n"], cell["spellings"], cell["score"]) for cell in found] == [(60, 0, 20 / 60)]
    page = lead.get(BOARD, {**TURKISH, "script": "Latn-plain"}).content.decode()
    assert "spelling" not in words(page)


def test_judging_spellings_brings_no_cell_nearer_to_its_target(capsys: pytest.CaptureFixture[str]) -> None:
    corpus = Corpus.objects.get(slug="claims")
    ready = [factories.a_query(factories.a_stratum(corpus)) for _ in range(5)]
    plain = factories.a_stratum(corpus, "tr en Latn-plain question distinctive")
    spell([factories.a_query(plain) for _ in range(5)], ready)
    factories.some_traffic(corpus, tr=0.5, ja=0.5)
    call_command("plan", "claims", "--run", "a-run", "--json")
    planned = json.loads(capsys.readouterr().out)
    steps = {
        tuple(step[name] for name in ("query_language", "corpus_language")): step for step in planned["next"]["steps"]
    }
    assert [(step["n"], step["to_judge"], step["to_write"]) for step in steps.values()] == [(70, 30, 25)]
    assert planned["weights"] == {"tr": pytest.approx(0.5 * 71 / 70), "ja": pytest.approx(0.5 * 71)}
