"""A set version holds what the corpus counted that day, and says so by its hash."""

import pytest
from django.utils import timezone

from curation.actions.freezing import freeze, prepare, store
from curation.actions.refusal import Refused
from curation.models import Corpus, Qrel, SetVersion
from curation.reports.set_content import content_frozen, content_of
from curation.reports.set_versions import NoSuchVersion, set_version
from tests.factories import a_corpus, a_query, a_stratum, frozen_set, judged_across_slices

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return a_corpus()


def test_a_version_holds_every_counted_query_with_all_its_grades(corpus: Corpus) -> None:
    judged_across_slices(corpus, 2)
    a_query(a_stratum(corpus), status="judged")
    version = frozen_set(corpus)
    assert str(version) == "hard@1"
    assert version.queries.count() == 8
    grades = version.queries.values_list("qrels__grade", flat=True)
    assert sorted(grades) == [0] * 8 + [2] * 8 + [3] * 8


def test_what_is_read_back_hashes_as_it_was_frozen(corpus: Corpus) -> None:
    version = frozen_set(corpus)
    assert content_frozen(version).sha256 == version.sha256 == content_of(corpus).sha256


def test_the_same_content_is_not_frozen_twice(corpus: Corpus) -> None:
    frozen_set(corpus)
    with pytest.raises(Refused, match="the same as hard@1"):
        freeze(corpus=corpus, name="hard", frozen_by=None, now=timezone.now())
    Qrel.objects.filter(grade=2).update(grade=1)
    assert str(frozen_set(corpus)) == "hard@2"


def test_a_freeze_that_another_one_overtook_is_no_newer_version(corpus: Corpus) -> None:
    judged_across_slices(corpus, 2)
    overtaken = prepare(corpus=corpus, name="hard", frozen_by=None, now=timezone.now())
    Qrel.objects.filter(grade=2).update(grade=1)
    frozen_set(corpus)
    with pytest.raises(Refused, match="Somebody else froze hard@1 meanwhile, of a later moment"):
        store(overtaken)
    assert SetVersion.objects.count() == 1


def test_a_name_belongs_to_one_corpus(corpus: Corpus) -> None:
    frozen_set(corpus)
    with pytest.raises(Refused, match="The name hard is taken on this installation: choose another one"):
        frozen_set(a_corpus("other"))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("hard", 'write its name, "@" and its number'),
        ("hard@0", 'write its name, "@" and its number'),
        ("hard@7", "the newest version of hard is hard@1"),
        ("soft@1", "No set is called soft"),
    ],
)
def test_a_version_that_is_not_there_is_told_in_a_sentence(corpus: Corpus, spec: str, said: str) -> None:
    version = frozen_set(corpus)
    assert set_version("hard@1") == version
    with pytest.raises(NoSuchVersion, match=said):
        set_version(spec)
