"""Which versions a query still fits, by the facts it names."""

import json

import pytest

from curation.miners.fits import fit
from curation.miners.group import Group
from curation.miners.kept import AsRead, KeptGroup, facts_of, kept_group, shared_of
from curation.miners.near_duplicate import mine

from .corpora import a_corpus, alike

HAIL = {
    "a": "The insured bears €500 of each hail loss, from 1 April 2023, for vehicles garaged in Germany. Limit €40,000.",
    "b": "The insured bears €750 of each hail loss, from 1 April 2024, for vehicles garaged in Germany. Limit €40,000.",
    "c": "The insured bears €900 of each hail loss, from 1 April 2024, for vehicles garaged in Austria. Limit €40,000.",
}


def mined() -> Group:
    titles = dict.fromkeys(HAIL, "Hail deductible, motor fleet")
    (group,) = mine(alike(3), a_corpus(HAIL, titles=titles), threshold=0.9).groups
    return group


@pytest.fixture(scope="module")
def hail() -> KeptGroup:
    group = mined()
    return kept_group(json.loads(json.dumps(facts_of(group, read=AsRead()))), json.loads(json.dumps(shared_of(group))))


def test_a_group_comes_back_from_its_json_as_it_was(hail: KeptGroup) -> None:
    group = mined()
    assert (hail.language, hail.topic, hail.columns, hail.shared) == (
        group.language,
        group.topic,
        group.columns,
        group.shared,
    )
    assert [(m.document, m.query) for m in hail.members] == [(m.external_id, m.query) for m in group.members]
    assert [(fact.kind, fact.value) for fact in hail.same] == [("amount", "EUR 40000")]


def test_each_draft_fits_the_version_it_was_drafted_for(hail: KeptGroup) -> None:
    assert [fit(member.query, "en", hail).fitting for member in hail.members] == [(0,), (1,), (2,)]


@pytest.mark.parametrize(
    ("query", "locale", "fitting"),
    [
        ("hail deductible motor fleet", "en", (0, 1, 2)),
        ("hail deductible motor fleet germany", "en", (0, 1)),
        ("hail deductible germany from april 2024", "en", (1,)),  # the year is read, a month in small letters is not
        ("hail deductible germany from April 2024", "en", (1,)),
        ("hail deductible in 2024", "en", (1, 2)),
        ("hagel selbstbehalt österreich", "de", (2,)),
        ("Almanya'da 1 Nisan 2024 dolu hasarı muafiyeti", "tr", (1,)),
        ("AVUSTURYA dolu hasarı", "tr", (2,)),
        ("which version has €500", "en", (0,)),
        ("limit of €40,000 in Austria", "en", (2,)),
    ],
)
def test_a_query_fits_the_versions_that_state_all_it_names(
    hail: KeptGroup, query: str, locale: str, fitting: tuple[int, ...]
) -> None:
    assert fit(query, locale, hail).fitting == fitting


def test_each_version_is_told_what_rules_it_out(hail: KeptGroup) -> None:
    assert fit("hail in Austria from 1 April 2023", "en", hail).against == (
        ("jurisdiction",),
        ("date", "jurisdiction"),
        ("date",),
    )


def test_a_fact_that_no_version_states_fits_none_and_is_named(hail: KeptGroup) -> None:
    found = fit("hail deductible from 1 April 2022", "en", hail)
    assert found.fitting == ()
    assert [naming.words for naming in found.stated_by_none] == ["1 April 2022"]


def test_a_declared_version_is_named_by_its_bare_words() -> None:
    texts = {name: f"Cover follows edition {name} of the form." for name in ("2024", "2025")}
    facts = {"2024": {"version": "2024"}, "2025": {"version": "2025"}}
    (group,) = mine(alike(2), a_corpus(texts, facts=facts), threshold=0.9).groups
    kept = kept_group(facts_of(group, read=AsRead()), shared_of(group))
    assert fit("cover of the form 2025", "en", kept).fitting == (1,)
    assert fit("cover of the form 20251", "en", kept).fitting == (0, 1)


def test_a_number_that_is_part_of_the_wording_rules_nothing_out() -> None:
    texts = {"a": "Keep 40 of the lines of form HM.", "b": "Keep 60 of the lines of form HM."}
    (group,) = mine(alike(2), a_corpus(texts), threshold=0.9).groups
    kept = kept_group(facts_of(group, read=AsRead()), shared_of(group))
    assert fit("annex 5 lines of the form, 40 kept", "en", kept).fitting == (0,)
