"""Near-duplicate groups of a corpus, from its vectors and texts."""

import json
import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from curation.miners.documents import Documents, DocumentsRefused
from curation.miners.group import Group
from curation.miners.near_duplicate import NearDuplicates, mine

from .corpora import a_corpus, alike

CASES = Path(__file__).parents[2] / "data" / "cases"
SHARED = Path(os.environ.get("HARDSET_SHARED", "../shared"))


def ids(group: Group) -> list[str]:
    return [member.external_id for member in group.members]


def groups(mined: NearDuplicates) -> list[list[str]]:
    return [ids(group) for group in mined.groups]


HAIL = {
    "a": "The insured bears €500 of each hail loss, from 1 April 2023, for vehicles garaged in Germany.",
    "b": "The insured bears €750 of each hail loss, from 1 April 2024, for vehicles garaged in Germany.",
    "c": "The insured bears €900 of each hail loss, from 1 April 2024, for vehicles garaged in Austria.",
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bar", [0.5, 0.85, 0.9659])
def test_c30_groups_are_bounded_and_the_same_for_any_order_and_thread_count(threads: int, bar: float) -> None:
    lines = (CASES / "c30-vectors.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]

    def mined_from(order: list[dict[str, object]]) -> NearDuplicates:
        stored = sorted(order, key=lambda row: str(row["id"]))
        vectors = np.array([row["vector"] for row in stored], dtype=np.float32)
        return mine(vectors, a_corpus({str(row["id"]): str(row["text"]) for row in order}), threshold=bar)

    with threadpool_limits(threads):
        orders = [list(rows), rows[::-1], rows[5:] + rows[:5]]
        results = [mined_from(order) for order in orders]
    assert results[0] == results[1] == results[2]
    assert results[0].groups
    for group in results[0].groups:
        assert len(group.scores) == len(group.members) * (len(group.members) - 1) // 2
        assert group.min_cosine == min(score.cosine for score in group.scores) >= bar
    assert results[0].largest == max(len(group.members) for group in results[0].groups)


def test_a_group_shows_its_facts_side_by_side() -> None:
    (group,) = mine(alike(3), a_corpus(HAIL), threshold=0.9).groups
    assert group.differs_in == ("date", "amount", "jurisdiction")
    assert not group.set_aside
    assert [column.values for column in group.columns] == [
        ("€500", "€750", "€900"),
        ("1 April 2023", "1 April 2024", "1 April 2024"),
        ("Germany", "Germany", "Austria"),
    ]
    assert group.min_cosine == pytest.approx(0.95, abs=1e-6)


def test_a_draft_names_the_fewest_facts_and_leaves_the_amount_to_be_asked_for() -> None:
    titles = dict.fromkeys(HAIL, "Claims manual › Hail deductible, motor fleet")
    (group,) = mine(alike(3), a_corpus(HAIL, titles=titles), threshold=0.9).groups
    assert group.topic == "Hail deductible, motor fleet"
    assert [member.query for member in group.members] == [
        "Hail deductible, motor fleet hail loss from 1 April 2023",
        "Hail deductible, motor fleet vehicles garaged in Germany hail loss from 1 April 2024",
        "Hail deductible, motor fleet vehicles garaged in Austria",
    ]


def test_a_draft_says_nothing_twice() -> None:
    texts = {name: f"Ransom payment approval, version {name}. See Version {name} for limits." for name in ("3", "4")}
    titles = dict.fromkeys(texts, "Ransom payment approval")
    (group,) = mine(alike(2), a_corpus(texts, titles=titles), threshold=0.9).groups
    assert [member.query.casefold() for member in group.members] == [
        "ransom payment approval version 3",
        "ransom payment approval version 4",
    ]


def test_members_that_differ_only_in_words_are_set_aside_without_a_draft() -> None:
    (group,) = mine(
        alike(2), a_corpus({"a": "The insurer pays all.", "b": "The insurer repays all."}), threshold=0.9
    ).groups
    assert group.set_aside
    assert [member.query for member in group.members] == ["", ""]


def test_near_vectors_of_texts_that_read_otherwise_are_no_pair() -> None:
    texts = {"a": "The insured bears the deductible.", "b": "Glass is settled when it can be repaired, in full."}
    assert mine(alike(2), a_corpus(texts), threshold=0.9).groups == ()


def test_texts_that_differ_in_every_figure_read_alike() -> None:
    texts = {"a": "10 20 30 40 50 60 limits", "b": "11 21 31 41 51 61 limits"}
    assert groups(mine(alike(2), a_corpus(texts), threshold=0.9)) == [["a", "b"]]


def test_a_title_may_set_members_apart_by_its_date_and_not_by_its_paragraph() -> None:
    titles = {"a": "Limits of cover 2(g), edition 2023", "b": "Limits of cover 3(h), edition 2024"}
    texts = {name: f"{title}\nThe limit applies{' now' if name == 'a' else ''}." for name, title in titles.items()}
    (group,) = mine(alike(2), a_corpus(texts, titles=titles), threshold=0.9).groups
    assert group.differs_in == ("version", "wording")
    assert [(column.name, column.values) for column in group.columns] == [("title", ("edition 2023", "edition 2024"))]
    assert [member.query for member in group.members] == [
        "Limits of cover edition 2023",
        "Limits of cover edition 2024",
    ]


def test_renderings_of_one_article_never_group() -> None:
    texts = {"a.en": "Hail cover from 2023", "a.de": "Hagelschutz ab 2023", "a2.en": "Hail cover from 2024"}
    corpus = a_corpus(texts, canonical=dict.fromkeys(texts, "a"), language={"a.de": "de"})
    assert mine(alike(3), corpus, threshold=0.9).groups == ()


def test_the_same_articles_in_two_languages_are_one_group_in_the_source_language() -> None:
    texts = {
        "a.de": "Hagel ab 1. Juli 2023", "a.en": "Hail from 1 July 2023",
        "b.de": "Hagel ab 1. Juli 2024", "b.en": "Hail from 1 July 2024",
    }  # fmt: skip
    corpus = a_corpus(
        texts,
        canonical={name: name[0] for name in texts},
        language={name: name[2:] for name in texts},
        sources=["a.de", "b.de"],
    )
    (group,) = mine(alike(4), corpus, threshold=0.9).groups
    assert (group.language, ids(group)) == ("de", ["a.de", "b.de"])


def test_documents_of_two_languages_are_no_pair() -> None:
    corpus = a_corpus({"a": "Hail from 2023", "b": "Hagel ab 2024"}, language={"b": "de"})
    assert mine(alike(2), corpus, threshold=0.9).groups == ()


def test_text_twins_are_reported_apart_and_stand_beside_their_member() -> None:
    texts = {"a": "Hail from 2023", "b": "Hail  from 2023 ", "c": "Hail from 2024"}
    mined = mine(alike(3), a_corpus(texts), threshold=0.9)
    assert mined.twins == (("a", "b"),)
    (group,) = mined.groups
    assert [(member.external_id, member.twins) for member in group.members] == [("a", ("b",)), ("c", ())]


def test_a_declared_amount_sets_members_apart() -> None:
    facts = {"a": {"limit_amount": "EUR 500"}, "b": {"limit_amount": "EUR 900"}}
    (group,) = mine(alike(2), a_corpus({"a": "The limit.", "b": "The limit"}, facts=facts), threshold=0.9).groups
    assert group.differs_in == ("amount", "formatting")
    assert [(column.name, column.values) for column in group.columns] == [("limit_amount", ("EUR 500", "EUR 900"))]


@pytest.mark.parametrize(
    ("text", "differs_in"), [("Hail from {}", ("date",)), ("Hail, edition of the year {}", ("formatting",))]
)
def test_a_declared_date_counts_only_where_a_text_states_it(text: str, differs_in: tuple[str, ...]) -> None:
    stated = "Hail from" in text
    texts = {"a": text.format("1 July 2023" if stated else "one"), "b": text.format("1 July 2024" if stated else "One")}
    facts = {"a": {"effective_date": "2023-07-01"}, "b": {"effective_date": "2024-07-01"}}
    (group,) = mine(alike(2), a_corpus(texts, facts=facts), threshold=0.9).groups
    assert group.differs_in == differs_in
    assert group.columns[0].name == "effective_date"


def test_a_fact_declared_and_written_stands_once_in_the_texts_words() -> None:
    facts = {"a": {"effective_date": "2023-04-01"}, "b": {"effective_date": "2024-04-01"}}
    texts = {name: HAIL[name] for name in "ab"}
    (group,) = mine(alike(2), a_corpus(texts, facts=facts), threshold=0.9).groups
    assert [(column.name, column.values) for column in group.columns] == [
        ("effective_date", ("1 April 2023", "1 April 2024")),
        ("The insured bears", ("€500", "€750")),
    ]


def test_a_declared_code_reads_as_a_name() -> None:
    facts = {"a": {"jurisdiction": "AT"}, "b": {"jurisdiction": "TR"}}
    (group,) = mine(alike(2), a_corpus({"a": "Hail cover A", "b": "Hail cover B"}, facts=facts), threshold=0.9).groups
    assert group.columns[0].values == ("Austria", "Türkiye")


def test_a_jurisdiction_only_the_corpus_knows_is_read_from_texts() -> None:
    texts = {"a": "Vehicles garaged in Bavaria.", "b": "Vehicles garaged in Saxony."}
    facts = {"a": {"jurisdiction": "Bavaria"}, "b": {"jurisdiction": "Saxony"}}
    (group,) = mine(alike(2), a_corpus(texts, facts=facts), threshold=0.9).groups
    assert group.differs_in == ("jurisdiction",)


def test_progress_ends_at_its_total_and_may_cancel() -> None:
    seen: list[tuple[int, int]] = []
    mine(alike(3), a_corpus(HAIL), threshold=0.9, progress=lambda done, total: seen.append((done, total)))
    steps = [(done, total) for done, total in seen if done]  # one more may ask, on a slow machine, whether it goes on
    assert steps == [(1, 1), (1, 1), (2, 2)]

    def cancel(_done: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        mine(alike(3), a_corpus(HAIL), threshold=0.9, progress=cancel)


def test_vectors_of_another_corpus_are_refused() -> None:
    with pytest.raises(DocumentsRefused, match=r"There are 3 documents and 2 vectors\."):
        mine(alike(2), a_corpus(HAIL), threshold=0.9)


def test_ids_out_of_order_are_refused() -> None:
    with pytest.raises(DocumentsRefused, match="External id a follows b"):
        Documents(["b", "a"], ["b", "a"], ["en", "en"], ["", ""], ["x", "y"], [False, False], [{}, {}])


def test_a_short_column_is_refused() -> None:
    with pytest.raises(DocumentsRefused, match=r"There are 2 external ids and 1 languages\."):
        Documents(["a", "b"], ["a", "b"], ["en"], ["", ""], ["x", "y"], [False, False], [{}, {}])


def test_memory_grows_by_less_than_ten_kilobytes_a_document(tmp_path: Path) -> None:
    """So that 200,000 documents stay under 2 GB beyond the mapped file, texts and groups included."""

    def peak(rows: int) -> int:
        file = tmp_path / f"{rows}.npy"
        random = np.random.default_rng(5)
        written = random.standard_normal((rows, 96)) / np.arange(1, 97) ** 0.5
        written[1::20] = written[0::20] + 0.004 * random.standard_normal((rows // 20, 96))
        np.save(file, written.astype(np.float32))
        del written
        texts = {f"d{row:05}": f"w{row - row % 20 % 2} limit {row} " + "words " * 50 for row in range(rows)}
        tracemalloc.start()
        mined = mine(np.load(file, mmap_mode="r"), a_corpus(texts), threshold=0.99, threads=1)
        reached = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(mined.groups) == rows // 20
        return reached

    assert peak(4_000) - peak(2_000) < 2_000 * 10_000
