"""What sets two texts apart, and what they share."""

from collections.abc import Sequence

import pytest

from curation.miners.differences import Comparison, compare, set_aside
from curation.miners.reading import facts_in


def side_by_side(*texts: str, tag: str = "en") -> Comparison:
    return compare(texts, [facts_in(text, tag) for text in texts])


def slots(comparison: Comparison) -> list[tuple[str | None, Sequence[str]]]:
    return [(passage.kind, passage.values) for passage in comparison.shared if passage.kind]


THRESHOLDS = (
    "From July 21, 2011 through December 31, 2011, the threshold amount is $50,000.",
    "From January 1, 2012 through December 31, 2012, the threshold amount is $51,800.",
    "From January 1, 2013 through December 31, 2013, the threshold amount is $53,000.",
)


def test_versions_show_their_facts_in_columns() -> None:
    compared = side_by_side(*THRESHOLDS)
    assert compared.differs_in == ("date", "amount")
    assert [(column.kind, column.name, column.values) for column in compared.columns] == [
        ("date", "From", ("July 21, 2011", "January 1, 2012", "January 1, 2013")),
        ("date", "through", ("December 31, 2011", "December 31, 2012", "December 31, 2013")),
        ("amount", "threshold amount is", ("$50,000", "$51,800", "$53,000")),
    ]


def test_shared_text_has_a_slot_for_each_fact() -> None:
    compared = side_by_side(*THRESHOLDS[:2])
    assert [passage.text or passage.kind for passage in compared.shared] == [
        "From",
        "date",
        "through",
        "date",
        ", the threshold amount is",
        "amount",
        ".",
    ]


@pytest.mark.parametrize(
    ("one", "other", "tag", "differs_in"),
    [
        ("gilt ab 1. Juli 2024", "gilt ab 1. Juli 2025", "de", ("date",)),
        ("limit TRY 15.000.000", "limit TRY 4.000.000", "tr", ("amount",)),
        ("muafiyet %1,5 olur", "muafiyet %2 olur", "tr", ("percent",)),
        ("originated 25 loans", "originated 100 loans", "en", ("count",)),
        ("within 30 days", "within 30 business days", "en", ("duration",)),
        ("garaged in Germany", "garaged in Austria", "en", ("jurisdiction",)),
        ("form version 2.1 applies", "form version 3.0 applies", "en", ("version",)),
        ("see § 1003.2 first", "see § 1003.4 first", "en", ("citation",)),
        ("see Article 5 first", "see Article 6 first", "en", ("article_number",)),
        ("the limit[1] applies", "the limit[2] applies", "en", ("footnote",)),
        ("the insurer pays", "the insurer never pays", "en", ("wording",)),
        ("The insurer pays.", "the insurer pays", "en", ("formatting",)),
        ("within 3 business days", "within three business days", "en", ("formatting",)),
        ("on July 1, 2024", "on 1 July 2024", "en", ("formatting",)),
        ("保険金額は1,500万円です", "保険金額は2,000万円です", "ja", ("amount",)),
        ("自2024年7月1日起", "自2025年7月1日起", "zh-Hans", ("date",)),
    ],
)
def test_a_difference_has_a_kind(one: str, other: str, tag: str, differs_in: tuple[str, ...]) -> None:
    assert side_by_side(one, other, tag=tag).differs_in == differs_in


def test_the_same_text_differs_in_nothing() -> None:
    assert side_by_side("on July 1, 2024", "on July 1, 2024").differs_in == ()


def test_facts_that_change_places_differ() -> None:
    compared = side_by_side("25 loans and 100 lines", "100 loans and 25 lines")
    assert compared.differs_in == ("count",)


def test_a_fact_that_moves_with_its_sentence_does_not_differ() -> None:
    compared = side_by_side(
        "The fee is due in 30 days. Nothing else in this paragraph changes for anyone.",
        "Nothing else in this paragraph changes for anyone. The fee is due in 30 days.",
    )
    assert compared.differs_in == ("wording",)


def test_a_rewritten_sentence_with_another_value_differs() -> None:
    compared = side_by_side("He may send the notice at once.", "He must send the notice within 30 days.")
    assert compared.differs_in == ("duration", "wording")


def test_a_fact_beside_a_reworded_phrase_has_its_own_slot() -> None:
    compared = side_by_side("fewer than 25 closed-end mortgage loans", "fewer than 100 open-end lines of credit")
    assert slots(compared) == [
        ("count", ("25", "100")),
        ("wording", ("closed-end mortgage loans", "open-end lines of credit")),
    ]


def test_facts_all_members_state_are_listed_once() -> None:
    compared = side_by_side(
        "€500 per loss, €40,000 a year, €40,000 in all", "€900 per loss, €40,000 a year, €40,000 in all"
    )
    assert [fact.written for fact in compared.same] == ["€40,000"]


def test_a_member_may_be_silent() -> None:
    (column,) = side_by_side("pay within 30 days", "pay").columns
    assert column.values == ("30 days", None)
    assert column.differs


@pytest.mark.parametrize(
    ("differs_in", "aside"),
    [
        (("wording", "citation", "article_number", "footnote", "formatting"), True),
        (("wording", "date"), False),
        (("version",), False),
        ((), True),
    ],
)
def test_groups_without_a_fact_people_ask_for_are_set_aside(differs_in: tuple[str, ...], aside: bool) -> None:
    assert set_aside(differs_in) is aside  # type: ignore[arg-type] # the literal kinds are plain strings here
