"""What compression costs on two real corpora, by the verdicts of the gate; written to docs/compression.md."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from django.conf import settings
from django.core.management import call_command

from curation.retrieval.quantisation import CLIP

from .conftest import ROOT, Ask, Record
from .dial_chart import dial
from .ways_to_store import (
    BINARY_RESCORED,
    BINARY_WHOLE,
    DEPTH,
    FLOAT32,
    INT8_WHOLE,
    WAYS,
    Scene,
    Way,
    mean_overlap,
)

pytestmark = pytest.mark.django_db
DEPTHS = (10, 50, DEPTH)
CHART = "images/compression-dial.svg"
ALT = "Recall at 10, 50 and 200 for each way to store the vectors, on two corpora; the tables below hold every figure"
EXIT = {"pass": 0, "reject": 1, "warn": 3}


class Gated(NamedTuple):
    """What the gate said of one way: its report and its first line; beside it the overlap, and what a vector takes."""

    told: dict[str, Any]
    line: str
    overlap: float
    bytes: int

    def dial(self) -> list[float]:
        """Recall at each depth over all queries of the set, from the dials of its slices."""
        slices = [each for each in self.told["slices"] if each["n"]]
        total = sum(each["n"] for each in slices)
        return [sum(each["n"] * each["dial"][place]["recall"] for each in slices) / total for place in range(3)]

    def locales(self) -> list[dict[str, Any]]:
        """The locales that have a score, the lowest first."""
        cells = self.told["cells"]["rows"]
        return [cell for cell in cells if cell["crossing"] == "locale" and cell["score"] is not None]

    def fallen(self) -> set[str]:
        """The locales that the gate rejects."""
        return {cell["query_language"] for cell in self.locales() if cell["verdict"] == "reject"}


FOUND: dict[str, dict[str, Gated]] = {}
HEADS: dict[str, str] = {}


@pytest.fixture(scope="module", autouse=True)
def written_down() -> Iterator[None]:
    """Write the page and its chart where both corpora were measured."""
    yield
    if len(FOUND) == 2:
        panels = {HEADS[name]: {way: each.dial() for way, each in ways.items()} for name, ways in FOUND.items()}
        (ROOT / "docs" / CHART).write_text(dial(panels, DEPTHS, alt=ALT), encoding="utf-8")
        page = ROOT / "docs" / "compression.md"
        head = page.read_text(encoding="utf-8").partition("\n## ")[0]
        page.write_text(head + "".join(map(section, FOUND)), encoding="utf-8")


def test_consumer_rules_from_float32_to_binary(ask: Ask, record: Record, corpora: Path, tmp_path: Path) -> None:
    scene = brought(ask, "rules", corpora / "us-consumer-rules", encoder="lsa")
    found = all_gated(ask, "rules", scene, tmp_path)
    noted("us-consumer-rules", "lsa", found, record)
    holds_everywhere(found)
    a_manifest_travels_with_the_file(ask, scene, tmp_path)


def test_xquad_from_float32_to_binary(ask: Ask, record: Record, corpora: Path, tmp_path: Path) -> None:
    scene = brought(ask, "xquad", fewer_needs(corpora / "xquad-locales", tmp_path), encoder="use")
    found = all_gated(ask, "xquad", scene, tmp_path)
    noted("xquad-locales", "use", found, record)
    holds_everywhere(found)
    broken = found[FLOAT32.name].fallen()
    assert all(broken <= each.fallen() for each in found.values()), "what float32 cannot find, no code finds"


def fewer_needs(folder: Path, out: Path) -> Path:
    """The corpus with every fourth need: 120 queries a locale, which a gate reads, and a quarter of the minutes."""
    shutil.copy(folder / "corpus.jsonl", out)
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if int(json.loads(line)["information_need_id"][1:]) % 4 == 0]
    (out / "queries.jsonl").write_text("".join(kept), encoding="utf-8")
    names = {json.loads(line)["query_id"] for line in kept}
    head, *rows = (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    rows = [row for row in rows if row.split("\t")[0] in names]
    (out / "qrels.tsv").write_text("".join([head, *rows]), encoding="utf-8")
    return out


def brought(ask: Ask, slug: str, folder: Path, *, encoder: str) -> Scene:
    """The corpus with everything that its folder holds, frozen as a set of its own name."""
    ask("import_corpus", slug, folder / "corpus.jsonl", "--encoder", encoder)
    ask("import_queries", slug, folder / "queries.jsonl")
    ask("import_qrels", slug, folder / "qrels.tsv")
    ask("freeze_set", slug, slug)
    return Scene.of(slug)


def all_gated(ask: Ask, slug: str, scene: Scene, folder: Path) -> dict[str, Gated]:
    """Each way's run, gated against exact float32."""
    exact = scene.answers(FLOAT32)
    found = {}
    for way in WAYS:
        answers = exact if way is FLOAT32 else scene.answers(way)
        run = folder / f"{way.name.replace(' ', '-').replace(',', '')}.run"
        run.write_text(as_run(scene.queries, answers), encoding="utf-8")
        told, line = gated(f"{slug}@1", run)
        found[way.name] = Gated(told, line, mean_overlap(answers, exact), way.bytes_of(scene.native))
    return found


def gated(version: str, run: Path, *words: object) -> tuple[dict[str, Any], str]:
    """The gate's report and the first line of its summary; its exit code is that of its verdict."""
    printed, summary, ended = io.StringIO(), run.with_suffix(".md"), 0
    asked = [version, "--run", run, "--k", DEPTH, "--markdown", summary, *words]
    try:
        call_command("gate", *map(str, asked), "--json", stdout=printed)
    except SystemExit as end:
        ended = int(end.code or 0)
    told: dict[str, Any] = json.loads(printed.getvalue())
    assert ended == told["exit_code"] == EXIT[told["verdict"]]
    return told, summary.read_text(encoding="utf-8").splitlines()[0].removeprefix("## ")


def as_run(queries: list[str], answers: list[list[str]]) -> str:
    """The answers as a TREC run; scores count down, for a run's order comes from them alone."""
    return "".join(
        f"{query} Q0 {name} {place} {len(found) - place} way\n"
        for query, found in zip(queries, answers, strict=True)
        for place, name in enumerate(found)
    )


def holds_everywhere(found: Mapping[str, Gated]) -> None:
    """What must be true of any corpus."""
    exact = found[FLOAT32.name]
    for each in exact.told["slices"]:
        relative = [floor for floor in each["floors"] if floor["kind"] == "relative"]
        assert all(floor["held"] for floor in relative)
        assert not each["n"] or each["difference"]["value"] == 0, "the baseline itself"
    assert exact.overlap == 1
    for gated_way in found.values():
        assert gated_way.dial() == sorted(gated_way.dial())
        assert gated_way.told["k_share_of_corpus"] > 0.05
        assert any("of the corpus's" in note["text"] for note in gated_way.told["notes"]), "k's share is told"
    by_overlap = [found[way.name].overlap for way in (FLOAT32, INT8_WHOLE, BINARY_WHOLE)]
    assert by_overlap == sorted(by_overlap, reverse=True)
    whole, binary, rescored = (found[way.name].dial()[0] for way in (FLOAT32, BINARY_WHOLE, BINARY_RESCORED))
    assert binary < rescored <= whole + 0.01


def a_manifest_travels_with_the_file(ask: Ask, scene: Scene, folder: Path) -> None:
    """A FAISS file of int8 at full width: its manifest is written, verified, and not overwritten by another clip."""
    import faiss

    place = Path(settings.INDEX_FOLDER) / "rules.faiss"
    place.parent.mkdir(parents=True)
    stored = scene.stored(INT8_WHOLE, scene.held.matrix)
    index = faiss.IndexFlatIP(stored.shape[1])
    index.add(stored)
    faiss.write_index(index, str(place))
    place.with_name("rules.faiss.ids").write_text("".join(f"{name}\n" for name in scene.held.ids), encoding="utf-8")
    np.save(folder / "calibration.npy", scene.sample())
    sample = ("--sample", folder / "calibration.npy")
    where = ("--kind", "faiss_file", "--location", "rules.faiss")
    call_command("add_index", "rules", "int8", *where, stdout=io.StringIO())
    manifest = manifest_file(folder / "m.json", scene, INT8_WHOLE, clip=CLIP)
    assert ask("manifest", "write", "rules/int8", manifest, *sample)["written"]
    asked = ("verify", "rules/int8", *sample, "--transform-order", ",".join(INT8_WHOLE.order))
    assert ask("manifest", *asked, "--truncate-to", scene.native)["agrees"]
    assert not ask("manifest", *asked, "--truncate-to", scene.native // 2, expect=1)["agrees"]
    wider = manifest_file(folder / "wider.json", scene, INT8_WHOLE, clip=(0.01, 0.99))
    refused = ask("manifest", "write", "rules/int8", wider, *sample, expect=1)
    assert "a changed hash needs a gate report on rules@1 that names these hashes" in refused["reasons"][0]
    assert ask("manifest", *asked, "--truncate-to", scene.native)["agrees"], "the refused one left no trace"


def manifest_file(path: Path, scene: Scene, way: Way, *, clip: tuple[float, float]) -> Path:
    """The manifest of the FAISS file, with the hashes of a clip."""
    calibration = scene.calibration(way, clip)
    embedding = {"model": "lsa", "native_dims": scene.native, "truncate_to": scene.native // way.part}
    quantisation = {"type": way.quantisation, "clip_quantile": list(clip), "calibration_sample": "1,000 documents"}
    hashes = {"scale_sha256": calibration.scale_sha256, "centre_sha256": calibration.centre_sha256}
    manifest = {
        "manifest_version": 2,
        "collection": "rules",
        "embedding": embedding | {"transform_order": list(way.order)},
        "quantisation": quantisation | hashes,
        "index": {"kind": "flat", "metric": "dot"},
        "evaluation": {"query_set": "rules@1"},
    }
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return path


def noted(corpus: str, encoder: str, found: dict[str, Gated], record: Record) -> None:
    """Keep what both pages tell of one corpus."""
    FOUND[corpus] = found
    HEADS[corpus] = f"{corpus}, encoder {encoder}"
    rows = [[name, f"{each.overlap:.3f}", each.told["verdict"]] for name, each in found.items()]
    record(f"{corpus}, compressed with `{encoder}`: verdicts of the gate", ["stored as", "overlap@10", "verdict"], rows)


def section(corpus: str) -> str:
    """The part of the page that tells of one corpus."""
    found = FOUND[corpus]
    told = found[FLOAT32.name].told
    n, documents = sum(each["n"] for each in told["slices"]), told["documents"]
    shares = ", ".join(f"{depth} are {depth / documents:.1%}" for depth in DEPTHS)
    counted = ", ".join(f"`{each['slice']}` {each['n']:,}" for each in told["slices"])
    head = [
        "stored as",
        "bytes",
        *(f"recall@{k}" for k in DEPTHS),
        "change at 200",
        "overlap@10",
        "lowest locale, hit@10",
    ]
    rows = [[name, *figures(each)] for name, each in found.items()]
    lines = ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]
    verdicts = [f"- **{name}**: {each.line}. Exit {each.told['exit_code']}." for name, each in found.items()]
    return "\n".join(
        [
            f"\n## {HEADS[corpus]}\n",
            f"{n:,} queries over {documents:,} documents; of the corpus, the first {shares}. Queries by slice: {counted}.",
            "",
            *lines,
            "",
            "What the gate says at k = 200:",
            "",
            *verdicts,
            "",
        ]
    )


def figures(each: Gated) -> list[str]:
    """A row of the table."""
    lowest = each.locales()[0] if each.locales() else None
    cell = f"{lowest['query_language']} {lowest['score']:.3f} (n = {lowest['n']:,})" if lowest else "under 100 queries"
    change = each.told["pooled"]["difference"]["value"]
    recalls = [f"{recall:.3f}" for recall in each.dial()]
    return [f"{each.bytes:,}", *recalls, f"{change:+.3f}", f"{each.overlap:.3f}", cell]
