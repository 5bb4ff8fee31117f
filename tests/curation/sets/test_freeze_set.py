"""`manage.py freeze_set`: frozen, blocked or not run, with the certificate in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from curation.actions.freezing import freeze
from curation.actions.refusal import Refused
from curation.models import Corpus, FrozenQrel, OpenDispute, Qrel, Query, SetVersion
from curation.reports.certificate import certificate_of
from curation.reports.freeze_checks import freeze_checks
from curation.reports.set_content import is_intact
from judging.models import Judgment
from tests import factories
from tests.judging import stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]


def stage_rows() -> None:
    """Two judged queries a slice."""
    made = factories.a_corpus()
    factories.judged_across_slices(made)


def freeze_set(*asked: str) -> str:
    return str(call_command("freeze_set", "claims", *asked) or "")


def told(capsys: pytest.CaptureFixture[str], *asked: str) -> str:
    freeze_set(*asked)
    return capsys.readouterr().out


def blocked(*asked: str) -> CommandError:
    with pytest.raises(CommandError) as refusal:
        freeze_set("hard", *asked)
    return refusal.value


def words(corpus: Corpus) -> list[str]:
    return [finding.words for finding in freeze_checks(corpus).findings]


def test_the_certificate_is_printed_in_words(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    query = Query.objects.first()
    assert query is not None
    document = stage.a_document(corpus, "d1")
    Judgment.objects.create(
        query=query, document=document, canonical_id="d1", assessor=factories.person("marek"), grade=3,
        state="graded", text_sha256="", judged_at=timezone.now(),
    )  # fmt: skip
    factories.a_query(factories.a_stratum(corpus), status="judged")
    said = told(capsys, "hard")
    version = SetVersion.objects.get()
    assert f"SHA-256 {version.sha256}" in said
    for line in (
        "8 queries, 24 settled grades",
        "Slices: distinctive 2, near_duplicate 2, rare_entity 2, keyword 2",
        "Cells, the emptiest first: tr × en 8",
        "Left out: 1 queries judged without an answer",
        "Judgments: Marek 1",
        "Agreement: no document was judged twice",
        "Known hole: keyword has 2. Its gate verdict may be a warning that cannot decide.",
        "Known hole: 1 planned locale below 100: tr (8). A verdict on them is not evidence.",
        "Known hole: Nothing is mined yet: the set belongs to no generation.",
    ):
        assert line in said


def test_a_dry_run_prints_the_same_and_writes_nothing(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    said = json.loads(told(capsys, "hard", "--dry-run", "--json"))
    assert (said["set"], said["frozen"], said["queries"]) == ("hard@1", False, 8)
    assert "8 queries judged less deep than 50 documents: recall over them may be too low." in said["holes"]
    assert not SetVersion.objects.exists()
    again = json.loads(told(capsys, "hard", "--json"))
    assert again["frozen"]
    assert again["sha256"] == said["sha256"]


def test_an_index_in_production_that_is_not_mined_is_named_and_the_set_keeps_its_generation(corpus: Corpus) -> None:
    hnsw = corpus.indexes.create(name="hnsw", kind="exact")
    hnsw.generations.create(number=3, due_on="2026-07-01", opened_at=timezone.now())
    corpus.indexes.create(name="flat", kind="exact", is_production=True)
    told = "flat is not mined yet: the newest generation, 3, was mined against hnsw, and what is hard for flat may be"
    assert sum(told in each for each in words(corpus)) == 1
    assert not any("Nothing is mined yet" in each for each in words(corpus))
    version = factories.frozen_set(corpus)
    assert version.generation is not None
    assert version.generation.number == 3


def test_an_open_disagreement_blocks_with_exit_1(corpus: Corpus) -> None:
    waiting = factories.a_query(factories.a_stratum(corpus))
    OpenDispute.objects.create(query=waiting, canonical_id="d1", opened_at=timezone.now())
    refusal = blocked()
    assert refusal.returncode == 1
    assert "1 disagreement in distinctive is open." in str(refusal)
    Query.objects.filter(pk=waiting.pk).update(status="retired", retired_reason="a slip")
    assert "No disagreement is open." in words(corpus)


def test_a_gold_that_is_gone_or_not_settled_relevant_blocks(corpus: Corpus) -> None:
    first, second = Query.objects.order_by("pk")[:2]
    Qrel.objects.filter(query=first, grade=3).update(grade=0)
    for name in Qrel.objects.filter(query=second, grade__gt=0).values_list("canonical_id", flat=True):
        stage.a_document(corpus, name, gone_at=timezone.now())
    refusal = blocked("--json")
    assert refusal.returncode == 1
    assert (
        f"1 query without a gold: what they name as gold is not settled relevant, or gone ({first.external_id})"
        in str(refusal)
    )
    assert "1 query lost every answer" in str(refusal)


def test_a_broken_partition_blocks(corpus: Corpus) -> None:
    elsewhere = factories.a_stratum(factories.a_corpus("other"))
    Query.objects.filter(pk=Query.objects.earliest("pk").pk).update(stratum=elsewhere)
    assert "The partition is broken." in str(blocked())


@pytest.mark.parametrize(
    ("slug", "name", "said"),
    [
        ("nowhere", "hard", "nowhere"),
        ("claims", "two words", "A set is named in plain letters"),
        ("claims", "x" * 61, "at most 60 characters"),
        ("empty", "hard", "No query of empty counts yet"),
    ],
)
def test_what_cannot_run_exits_2(corpus: Corpus, slug: str, name: str, said: str) -> None:
    factories.a_corpus("empty")
    with pytest.raises(CommandError, match=said) as refusal:
        call_command("freeze_set", slug, name)
    assert refusal.value.returncode == 2


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Lets something happen, once, after a freeze has read everything and before it writes."""

    def happens(act: Callable[[], object]) -> None:
        acts = [act]

        def and_act(*given: Any) -> dict[str, Any]:
            if acts:
                acts.pop()()
            return certificate_of(*given)

        monkeypatch.setattr("curation.actions.freezing.certificate_of", and_act)

    return happens


def test_who_settles_meanwhile_is_left_out_whole(
    corpus: Corpus, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    qrel = Qrel.objects.filter(grade=3).earliest("pk")
    meanwhile(lambda: Qrel.objects.filter(pk=qrel.pk).update(grade=2, settled_at=timezone.now()))
    version = freeze(corpus=corpus, name="hard", frozen_by=None, now=timezone.now())
    assert FrozenQrel.objects.get(query__query=qrel.query_id, canonical_id=qrel.canonical_id).grade == 3
    assert is_intact(version)
    assert str(factories.frozen_set(corpus)) == "hard@2"


def test_an_import_at_work_is_said_before_the_freeze_and_on_its_certificate(corpus: Corpus) -> None:
    job = corpus.jobs.create(
        kind="import", unique_key="import:1", params={"step": "look"}, created_at=timezone.now(), state="running"
    )
    assert not any("import" in line for line in words(corpus))
    job.params = {"step": "all"}
    job.save()
    told = "An import is at work: what is not stored when the freeze begins is not in the version."
    assert told in words(corpus)
    assert told in factories.frozen_set(corpus).certificate["holes"]


def test_two_who_freeze_at_once_one_wins(corpus: Corpus, meanwhile: Callable[[Callable[[], object]], None]) -> None:
    meanwhile(lambda: factories.frozen_set(corpus))
    with pytest.raises(Refused, match="the same as hard@1"):
        freeze(corpus=corpus, name="hard", frozen_by=None, now=timezone.now())
    assert SetVersion.objects.count() == 1


def test_what_moves_later_leaves_the_frozen_rows_alone_and_a_touched_row_shows(corpus: Corpus) -> None:
    version = factories.frozen_set(corpus)
    Query.objects.update(stratum=factories.a_stratum(corpus), text="another text")
    Qrel.objects.update(grade=1)
    assert version.queries.filter(slice="keyword").exclude(text="another text").count() == 2
    assert is_intact(version)
    FrozenQrel.objects.filter(grade=2).update(grade=3)
    assert not is_intact(version)


def test_a_freeze_asks_as_many_queries_for_a_large_set_as_for_a_small_one(
    corpus: Corpus, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    factories.judged_queries(factories.a_stratum(corpus, "de en Latn question keyword"), 60)
    with django_assert_max_num_queries(31):
        factories.frozen_set(corpus)
