import pytest

from curation.formats import documents, judgments, qrels, queries, query_log, runs
from curation.formats.faults import FileRefused
from curation.formats.ids import IdForms
from curation.formats.pairs import split_pairs


@pytest.mark.parametrize("room", [documents, judgments, qrels, queries, query_log, runs])
def test_no_two_fields_of_a_format_answer_to_one_column_name(room: object) -> None:
    names = [name for field in vars(room)["FIELDS"] for name in field.names]
    assert len(names) == len(set(names)) > 3


def test_pairs_split_at_the_first_equals_sign() -> None:
    assert split_pairs(["text=a=b", "lang="], option="--where") == {"text": "a=b", "lang": ""}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["lang"], "--map lang is not of the form left=right"),
        (["=x"], "--map =x"),
        (["a=1", "a=2"], "--map names a twice"),
    ],
)
def test_a_word_that_is_no_pair_is_refused(words: list[str], reason: str) -> None:
    with pytest.raises(FileRefused, match=reason):
        split_pairs(words, option="--map")


def test_the_same_id_twice_is_no_clash_of_forms() -> None:
    forms = IdForms(["a"])
    forms.add("a")
    forms.add("A")
    with pytest.raises(ValueError, match=r"U\+212A against plain letters"):
        IdForms(["K"]).add("\u212a")
