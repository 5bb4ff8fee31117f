"""What near-duplicates state alike and otherwise, counted by hand."""

from __future__ import annotations

import pytest

from judging.reports.folds import Rendering, folded
from judging.reports.group_names import shared_code
from judging.reports.slots import slotted
from judging.reports.stated import Version, differing, in_common, stated_in


def versions(*texts: str, language: str = "en", territories: tuple[str, ...] = ()) -> list[Version]:
    """Near-duplicates of one language with what is read in them."""
    places = territories or ("",) * len(texts)
    return [
        Version(text, language, stated_in(text, language), place) for text, place in zip(texts, places, strict=True)
    ]


def apart(given: list[Version]) -> list[list[str]]:
    """The words of each version that differ."""
    return [
        [version.text[start:end] for start, end in spans]
        for version, spans in zip(given, differing(given), strict=True)
    ]


LIMIT = "The waiting period of {hours} hours runs first. We pay up to {limit} from {date} on, less 10 % of it."


def test_values_that_another_version_does_not_state_differ_and_the_others_are_in_common() -> None:
    given = versions(
        LIMIT.format(hours=8, limit="EUR 250,000", date="1 July 2022"),
        LIMIT.format(hours=8, limit="EUR 250,000", date="1 July 2023"),
        LIMIT.format(hours=8, limit="TRY 15,000,000", date="1 July 2023"),
    )
    assert apart(given) == [
        ["EUR 250,000", "1 July 2022"],
        ["EUR 250,000", "1 July 2023"],
        ["TRY 15,000,000", "1 July 2023"],
    ]
    assert list(in_common(given).values()) == ["waiting period of 8 hours", "less 10 %"]


def test_values_are_equal_in_any_language_and_share_no_words_then() -> None:
    given = [
        *versions("Within 48 hours from 1 July 2024, EUR 250,000."),
        *versions("Innerhalb von 48 Stunden ab dem 01.07.2024, 250.000 EUR.", language="de"),
        *versions("1 Temmuz 2024'ten itibaren 48 saat içinde 250.000 EUR.", language="tr"),
    ]
    assert apart(given) == [[], [], []]
    assert list(in_common(given).values()) == ["48 hours", "1 July 2024", "EUR 250,000"]


def test_a_date_that_says_less_does_not_differ_but_another_day_of_its_month_does() -> None:
    assert apart(versions("From 1 July 2024.", "Since July 2024.", "In 2024.")) == [[], [], []]
    assert apart(versions("From 1 July 2024.", "From 2 July 2024.", "In 2024.")) == [
        ["1 July 2024"],
        ["2 July 2024"],
        [],
    ]


def test_a_territory_differs_by_whichever_name_it_is_called_and_declared() -> None:
    given = versions(
        "Insured in Bavaria alone.", "Insured in Great Britain alone.", "Insured in the European Economic Area alone.",
        territories=("DE-BY", "UK", "EEA"),
    )  # fmt: skip
    assert apart(given) == [["Bavaria"], ["Great Britain"], ["European Economic Area"]]


def test_a_version_without_a_text_makes_no_difference_and_nothing_is_in_common_with_it() -> None:
    given = versions("Up to EUR 5,000.", "Up to EUR 5,000.", "")
    assert apart(given) == [[], [], []]
    assert in_common(given) == {}


def test_words_before_a_value_are_told_only_as_far_as_all_share_them() -> None:
    given = versions(
        "A notice period of 30 days. Hail of 2 cm.", "The notice period of 30 days.", "The period of 30 days."
    )
    assert list(in_common(given).values()) == ["period of 30 days"]
    assert list(in_common(versions("保険金額は5000円です。", "上限は5000円です。", language="ja")).values()) == [
        "5000円"
    ]


@pytest.mark.parametrize(
    ("codes", "others", "shared"),
    [
        (["CY-EX-114-A", "CY-EX-114-B", "CY-EX-114-UK"], ["CY-PW-24"], "CY-EX-114"),
        (["CG-077 v3", "CG-077 v4", "CG-077"], ["CG-07"], "CG-077"),
        (["CG-077A", "CG-077B"], [], "CG-077"),
        (["CY-PW-24 §4", "CY-PW-24 §6"], [], "CY-PW-24"),
        (["doc-001", "doc-002"], ["doc-7"], ""),
        (["d1", "d2"], [], ""),
        (["A-1", "B-1"], [], ""),
    ],
)
def test_a_group_bears_the_code_that_its_ids_and_no_others_begin_with(
    codes: list[str], others: list[str], shared: str
) -> None:
    assert shared_code(codes, others) == shared


def test_a_mark_ends_at_the_edges_of_a_slot_and_nothing_becomes_markup() -> None:
    assert slotted("a <b> & c", [(0, 5)], [(2, 7)]) == (
        '<mark>a </mark><span class="slot"><mark>&lt;b&gt;</mark> &amp;</span> c'
    )


def test_a_folded_rendering_is_held_to_what_both_declare() -> None:
    shown = Rendering("en", {"effective_date": "2024-07-01", "limit_amount": "EUR 250000", "jurisdiction": "Türkiye"})
    own = Rendering("de", {"effective_date": "01.07.2024", "limit_amount": "250.000 EUR", "jurisdiction": "TR"})
    told = folded(7, own, shown)
    assert (told.key, told.language, told.same) == (7, "de", ("date", "limit", "territory"))
    other = folded(7, Rendering("de", {"limit_amount": "EUR 500000", "jurisdiction": "AT"}), shown)
    assert (other.same, other.others, other.single) == ((), ("limit EUR 500,000", "territory AT"), ("date",))
    assert folded(7, Rendering("de"), Rendering("en")).single == ()
