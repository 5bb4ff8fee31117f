"""`manage.py demo`: everything once, whatever was there; what people did since stays."""

from __future__ import annotations

import json
import stat
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from curation.actions import demo
from curation.actions.refusal import Refused
from curation.models import Corpus, GateReport, Membership, Miner, MiningRun, Proposal, Query, RankedRun, Role, User
from judging.models import Pool
from judging.reports.disagreement import detail
from judging.reports.disagreements import disagreements
from tests import factories

# Jobs keep themselves alive from a thread of their own, which must get at the database.
pytestmark = pytest.mark.django_db(transaction=True)


def load() -> str:
    said = StringIO()
    call_command("demo", address="http://127.0.0.1:8000/", stdout=said)
    return said.getvalue()


def rows() -> dict[str, int]:
    ours = [model for app in ("curation", "judging") for model in apps.get_app_config(app).get_models()]
    return {model.__name__: model._default_manager.count() for model in ours}


def logins(folder: Path) -> list[dict[str, str]]:
    stored: list[dict[str, str]] = json.loads((folder / "demo_logins.json").read_text(encoding="utf-8"))
    return stored


def test_the_demo_is_loaded_once_and_what_people_changed_since_stays(own_data_folder: Path, loaded_demo: str) -> None:
    said = loaded_demo
    corpus = Corpus.objects.get(slug="claims")
    before, kept = rows(), logins(own_data_folder)
    assert (before["Document"], before["Need"], before["Query"], before["LogQuery"]) == (356, 198, 429, 784)
    ready = corpus.queries.filter(status=Query.Status.READY)
    assert (ready.count(), corpus.queries.filter(status=Query.Status.JUDGED).count()) == (61, 368)
    assert Pool.objects.filter(query__in=ready).count() == 61
    assert set(MiningRun.objects.filter(state="done").values_list("miner", flat=True)) == set(Miner.values)
    proposed = set(Proposal.objects.filter(status="pending").values_list("run__miner", flat=True))
    assert proposed == {"near_duplicate", "rare_entity", "short_keyword"}
    assert RankedRun.objects.get(corpus=corpus, name="exact").scores.count() == 429
    something_was_shipped(corpus, said)

    mined_again_it_is_the_same(own_data_folder)
    before = rows()
    three_queries_wait_for_a_lead(corpus)
    each_login_opens_its_role(said, kept)
    assert stat.S_IMODE((own_data_folder / "demo_logins.json").stat().st_mode) == 0o600

    assert load().partition("Sign in")[2] == said.partition("Sign in")[2]
    assert (rows(), logins(own_data_folder)) == (before, kept)

    stratum = corpus.strata.filter(planned__gt=0)[0]
    corpus.strata.filter(pk=stratum.pk).update(planned=77)
    corpus.queries.filter(external_id="Q001").update(status=Query.Status.RETIRED, retired_reason="Asks two things.")
    Membership.objects.filter(role=Role.ADJUSTER).delete()
    User.objects.filter(username="demo-writer").update(password=make_password("one of my own"))
    load()
    assert corpus.strata.get(pk=stratum.pk).planned == 77
    assert corpus.queries.get(external_id="Q001").status == Query.Status.RETIRED
    assert not Membership.objects.filter(role=Role.ADJUSTER).exists()
    assert Client().login(username="demo-writer", password="one of my own")


def something_was_shipped(corpus: Corpus, said: str) -> None:
    """A set of what counted before the disagreements, and a real report of BM25 on it."""
    version, report = corpus.set_versions.get(), GateReport.objects.get(set_version__corpus=corpus)
    assert (str(version), version.certificate["queries"]) == ("hard@1", 368)
    assert (report.run_name, report.k, report.slices.count()) == ("bm25", 50, 4)
    assert f"bm25 on hard@1: {report.get_verdict_display().lower()}" in said


def mined_again_it_is_the_same(folder: Path) -> None:
    """Every family of the demo corpus mined once more: the same findings in the same order, the same bytes exported."""
    first = {miner: (found(miner), exported(miner, folder)) for miner in Miner}
    call_command("mine", "claims", wait=True, stdout=StringIO())
    assert MiningRun.objects.filter(state="done").count() == 2 * len(Miner)
    for miner, (findings, sent) in first.items():
        assert findings
        assert found(miner) == findings
        assert exported(miner, folder) == sent


def found(miner: Miner) -> list[tuple[Any, ...]]:
    """What the newest run of a miner stored, in its order."""
    run = MiningRun.objects.filter(miner=miner, state="done").latest("pk")
    groups = run.groups.order_by("pk").values_list("key", "set_aside", "min_cosine")
    proposals = run.proposals.order_by("rank").values_list("fingerprint", "rank", "text", "locale")
    negatives = run.hard_negatives.order_by("pk").values_list("query", "document", "rank", "score", "grade")
    return [*groups, *proposals, *negatives]


def exported(miner: Miner, folder: Path) -> bytes:
    out = folder / f"{miner}.jsonl"
    call_command("export_proposals", "claims", miner=miner, out=out, stdout=StringIO())
    return out.read_bytes()


def three_queries_wait_for_a_lead(corpus: Corpus) -> None:
    """Their answers are graded differently: two on different sides of relevant, of which one was only glanced at."""
    rows = disagreements(corpus)
    assert [row.splits for row in rows] == [True, True, False]
    assert len({row.query.pk for row in rows}) == 3
    lead = User.objects.get(memberships__corpus=corpus, memberships__role=Role.LEAD)
    missed = [detail(row, reader=lead).missed for row in rows]
    assert [each and each.is_glance for each in missed].count(True) == 1
    for row in rows:
        assert row.query.need is not None
        assert row.dispute.canonical_id == row.query.need.gold_canonical_id


def each_login_opens_its_role(said: str, held: list[dict[str, str]]) -> None:
    assert {login["role"] for login in held} == set(Role.values)
    for login in held:
        assert f"{login['username']:<14} {login['password']}" in said
        assert Client().login(username=login["username"], password=login["password"])
        assert Membership.objects.get(user__username=login["username"]).role == login["role"]
    assert Membership.objects.get(role=Role.WRITER).languages == ["tr", "de"]


def test_an_interrupted_load_goes_on_where_it_stopped() -> None:
    now = timezone.now()
    for _ in range(2):
        corpus = demo.load_documents(now=now)
        assert demo.load_needs(corpus=corpus) == 198
        assert demo.load_queries(corpus=corpus, name="queries.jsonl", now=now) == 368
    assert demo.load_plan(corpus=corpus) == 32
    assert demo.load_queries(corpus=corpus, name="queries_open.jsonl", now=now) == 429
    assert corpus.queries.exclude(stratum__corpus_language="en").count() == 0


def test_the_documents_are_encoded_with_what_the_command_names(monkeypatch: pytest.MonkeyPatch) -> None:
    named = []

    def encode(*, corpus: Corpus, encoder: str) -> None:
        named.append((corpus.slug, encoder))
        raise Refused("No further.")

    monkeypatch.setattr(demo, "encode", encode)
    with pytest.raises(CommandError, match="No further"):
        call_command("demo", encoder="lsa", stdout=StringIO())
    assert named == [("claims", "lsa")]


def test_a_corpus_of_somebody_else_is_left_alone() -> None:
    factories.a_corpus("claims")
    with pytest.raises(CommandError, match="not the demo's"):
        load()
    assert Corpus.objects.get().documents.count() == 0
