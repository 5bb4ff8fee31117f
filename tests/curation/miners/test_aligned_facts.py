"""One fact declared, titled and written stands once, under one name and with one value."""

from collections.abc import Mapping

import pytest

from curation.miners.fits import fit
from curation.miners.group import Group
from curation.miners.kept import AsRead, facts_of, kept_group, shared_of
from curation.miners.near_duplicate import mine

from .corpora import a_corpus, alike

TERRITORIES = {"a": "Germany", "b": "Austria", "c": "Bavaria"}
CODES = {"a": "DE", "b": "AT", "c": "DE-BY"}
TITLES = {name: f"Hail deductible, motor fleet, {place}" for name, place in TERRITORIES.items()}
TEXTS = {
    name: f"{TITLES[name]}\nThe insured bears a part of each hail loss to vehicles garaged in {place}, from 1 April 2025."
    for name, place in TERRITORIES.items()
}
GERMAN = {
    "a": "Der Versicherte trägt einen Teil jedes Hagelschadens an Fahrzeugen in Österreich.",
    "b": "Der Versicherte trägt einen Teil jedes Hagelschadens an Fahrzeugen in Bayern.",
    "c": "Der Versicherte trägt einen Teil jedes Hagelschadens an Fahrzeugen in Sachsen.",
}


def grouped(
    texts: Mapping[str, str],
    *,
    facts: Mapping[str, Mapping[str, str]],
    titles: Mapping[str, str] | None = None,
    language: Mapping[str, str] | None = None,
) -> Group:
    corpus = a_corpus(texts, titles=titles, facts=facts, language=language)
    (group,) = mine(alike(len(texts)), corpus, threshold=0.9).groups
    return group


def declaring(codes: Mapping[str, str]) -> dict[str, dict[str, str]]:
    return {name: {"jurisdiction": code} for name, code in codes.items()}


def test_a_subdivision_declared_by_code_is_the_place_its_text_names() -> None:
    group = grouped(TEXTS, titles=TITLES, facts=declaring(CODES))
    assert [(each.kind, each.name, each.values, each.keys) for each in group.columns] == [
        ("jurisdiction", "jurisdiction", ("Germany", "Austria", "Bavaria"), ("DE", "AT", "de-by"))
    ]
    assert group.differs_in == ("jurisdiction",)
    assert [passage.kind for passage in group.shared if passage.kind] == ["jurisdiction"]
    assert [member.query for member in group.members] == [
        "Hail deductible, motor fleet Germany",
        "Hail deductible, motor fleet Austria",
        "Hail deductible, motor fleet Bavaria",
    ]


def test_a_query_that_names_the_subdivision_fits_its_version_alone() -> None:
    group = grouped(TEXTS, titles=TITLES, facts=declaring(CODES))
    kept = kept_group(facts_of(group, read=AsRead()), shared_of(group))
    assert fit("hail deductible in bavaria", "en", kept).fitting == (2,)
    assert fit("hail deductible in Germany", "en", kept).fitting == (0,)


def test_names_of_subdivisions_are_learned_in_any_language() -> None:
    codes = {"a": "AT", "b": "DE-BY", "c": "DE-SN"}
    group = grouped(GERMAN, facts=declaring(codes), language=dict.fromkeys(codes, "de"))
    assert [each.values for each in group.columns] == [("Österreich", "Bayern", "Sachsen")]


@pytest.mark.parametrize(
    "codes",
    [{"a": "CH", "b": "DE-BY", "c": "DE-SN"}, {"a": "AT", "b": "DE-BY", "c": "DE-BY"}],
    ids=["another country stands there", "one code, two names"],
)
def test_words_that_no_other_version_vouches_for_name_no_subdivision(codes: dict[str, str]) -> None:
    group = grouped(GERMAN, facts=declaring(codes), language=dict.fromkeys(codes, "de"))
    assert "Bayern" not in (group.columns[0].values or ())


def test_a_title_that_says_less_than_a_field_gives_it_its_words_and_no_column() -> None:
    texts = {"a": "Extortion cover\nOne text.", "b": "Extortion cover, United Kingdom\nOne  text."}
    titles = {name: text.split("\n")[0] for name, text in texts.items()}
    group = grouped(texts, titles=titles, facts=declaring({"a": "EEA", "b": "UK"}))
    assert [each.values for each in group.columns] == [("EEA", "United Kingdom")]


def test_a_title_that_contradicts_a_field_keeps_its_column() -> None:
    texts = {"a": "Extortion cover, Austria\nOne text.", "b": "Extortion cover, Japan\nOne  text."}
    titles = {name: text.split("\n")[0] for name, text in texts.items()}
    group = grouped(texts, titles=titles, facts=declaring({"a": "DE", "b": "TR"}))
    assert [(each.name, each.values) for each in group.columns] == [
        ("jurisdiction", ("Germany", "Türkiye")),
        ("title", ("Austria", "Japan")),
    ]


def test_a_draft_names_the_date_before_the_edition_in_the_title() -> None:
    titles = {year: f"Hail deductible, motor fleet, edition {year}" for year in ("2024", "2025")}
    texts = {year: f"{title}\nFor policies from 1 April {year}." for year, title in titles.items()}
    group = grouped(texts, titles=titles, facts={year: {"effective_date": f"{year}-04-01"} for year in titles})
    assert [member.query for member in group.members] == [
        "Hail deductible, motor fleet 1 April 2024",
        "Hail deductible, motor fleet 1 April 2025",
    ]


@pytest.mark.parametrize(
    ("texts", "stated"),
    [
        ({"a": "Hail from 1 July 2023", "b": "Hail from 1 July 2024"}, True),
        ({"a": "Hail, edition one", "b": "Hail, edition One"}, False),
    ],
    ids=["stated", "declared only"],
)
def test_a_declared_date_that_nothing_states_is_marked(texts: dict[str, str], stated: bool) -> None:
    group = grouped(texts, facts={"a": {"effective_date": "2023-07-01"}, "b": {"effective_date": "2024-07-01"}})
    assert [(each.name, each.stated) for each in group.columns] == [("effective_date", stated)]
