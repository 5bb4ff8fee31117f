"""Nobody sees another corpus: its rows below one's own address are not there, and no page or export holds its words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.actions.invitations import Wanted, invite
from curation.models import (
    Corpus,
    Document,
    GateReport,
    Generation,
    HardNegative,
    Invitation,
    Job,
    Membership,
    Miner,
    MiningRun,
    Need,
    OpenDispute,
    Proposal,
    Query,
    Role,
    SetVersion,
    TargetIndex,
    User,
    Waiver,
    Webhook,
    WritingAssignment,
)
from judging.models import Assignment
from tests import factories
from tests.house.test_access_matrix import IN_A_CORPUS
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SECRET = "zebrafish"
KEPT: tuple[Any, ...] = (
    Need,
    Query,
    Membership,
    Invitation,
    Proposal,
    WritingAssignment,
    Assignment,
    Job,
    OpenDispute,
    HardNegative,
    GateReport,
    Waiver,
    Webhook,
)
OF_A_SET = {"name": SECRET, "form": "trec"}


@pytest.fixture
def theirs() -> dict[str, int]:
    """A row of every kind in another corpus, each with the secret word, by the name of its part of an address."""
    corpus = stage.a_judged_corpus(3, slug=f"{SECRET}-corpus")
    query = corpus.queries.select_related("stratum").get()
    need = Need.objects.create(corpus=corpus, text=f"What {SECRET} eat")
    Query.objects.filter(pk=query.pk).update(text=f"{SECRET} eat", need=need)
    document = corpus.documents.order_by("pk").first()
    assert document is not None
    stage.a_text(document, f"Of {SECRET}.")
    writer = factories.member(corpus, factories.person(f"{SECRET}-writer"), Role.WRITER, languages=["tr"])
    held = Judge(User.objects.get(username="marek"), corpus.slug).next()
    assert held is not None
    index = TargetIndex.objects.create(corpus=corpus, name=SECRET, kind=TargetIndex.Kind.RUN, is_production=True)
    generation = Generation.objects.create(index=index, number=1, due_on=NOW.date(), opened_at=NOW)
    run = MiningRun.objects.create(generation=generation, miner=Miner.RARE_ENTITY, created_at=NOW)
    asked = WritingAssignment.objects.create(
        stratum=query.stratum, person=writer, count=2, assigned_by=writer, assigned_at=NOW
    )
    factories.judged_across_slices(corpus, 1)
    factories.frozen_set(corpus, SECRET)
    wanted = Wanted(Role.WRITER, ["tr"], email=f"{SECRET}@example.org")
    return {
        "query": query.pk,
        "need": need.pk,
        "stratum": query.stratum_id,
        "membership": writer.memberships.get().pk,
        "invitation": invite(corpus=corpus, wanted=wanted, by=writer, now=NOW).invitation.pk,
        "assignment": held.pk,
        "asked": asked.pk,
        "index": index.pk,
        "number": 1,
        **_gates(corpus, writer),
        **_mined(run, query, document),
        "job": Job.objects.create(corpus=corpus, kind=SECRET, unique_key=SECRET, created_at=NOW).pk,
        "dispute": OpenDispute.objects.create(query=query, canonical_id="d001", opened_at=NOW).pk,
        "webhook": Webhook.objects.create(corpus=corpus, address=f"https://{SECRET}.example.org/", added_at=NOW).pk,
    }


def _mined(run: MiningRun, query: Query, document: Document) -> dict[str, int]:
    """A proposal and a hard negative."""
    proposal = Proposal.objects.create(
        run=run, document=document, text=f"{SECRET} facts", fingerprint="f", rank=1, locale="tr"
    )
    negative = HardNegative.objects.create(
        run=run, query=query, document=document, canonical_id="d001", rank=1, score=0.5
    )
    return {"proposal": proposal.pk, "negative": negative.pk}


def _gates(corpus: Corpus, person: User) -> dict[str, int]:
    """A gate report and a waiver."""
    version = SetVersion.objects.create(
        corpus=corpus, name=f"{SECRET}-gate", number=1, sha256="0" * 64, relevant_from=2, documents=3, frozen_at=NOW
    )
    report = GateReport.objects.create(
        set_version=version, run_name=SECRET, k=200, documents=3, verdict="pass", measured_at=NOW
    )
    waiver = Waiver.objects.create(
        corpus=corpus, subject="locale tr", reason=SECRET, until=NOW.date(), granted_by=person, granted_at=NOW
    )
    return {"report": report.pk, "waiver": waiver.pk}


@pytest.fixture
def lena(theirs: dict[str, int]) -> Client:
    """The lead of a corpus of her own."""
    client = Client()
    client.force_login(factories.lena(factories.a_corpus("claims")))
    return client


def addresses(theirs: dict[str, int]) -> Iterator[str]:
    """Every address below `/c/claims/` with a number in it, with a number of the other corpus."""
    for where, name, _ in IN_A_CORPUS:
        parts = [part.split(">")[0] for part in where.split("<int:")[1:]]
        if parts:
            rows = {part: theirs[part] for part in parts}
            given: dict[str, Any] = {"slug": "claims", **rows}
            if "<slug:family>" in where:
                given["family"] = Miner.RARE_ENTITY
            given |= {part: word for part, word in OF_A_SET.items() if f"<slug:{part}>" in where}
            yield reverse(name, kwargs=given)


def rows_kept() -> list[list[dict[str, Any]]]:
    return [list(model.objects.order_by("pk").values()) for model in KEPT]


def test_no_row_of_another_corpus_is_below_ones_own_address(lena: Client, theirs: dict[str, int]) -> None:
    before, wrong = rows_kept(), []
    for address in addresses(theirs):
        for method in ("get", "post"):
            answer = getattr(lena, method)(address)
            if answer.status_code != 404 or SECRET in answer.content.decode():
                wrong.append(f"{method} {address}: {answer.status_code}")
    assert wrong == []
    assert rows_kept() == before


def test_no_page_list_or_export_holds_a_word_of_another_corpus(lena: Client, theirs: dict[str, int]) -> None:
    assert Corpus.objects.count() == 2
    factories.a_query(factories.a_stratum(Corpus.objects.get(slug="claims")))
    plain = [reverse(name, args=["claims"]) for where, name, _ in IN_A_CORPUS if where.count("<") == 1]
    exports = [f"{address}?format={form}" for address in plain if "export" in address for form in ("csv", "json")]
    found = []
    for address in ("/", "/settings/", *plain, *exports):
        answer = lena.get(address, follow=True)
        body = b"".join(answer) if answer.streaming else answer.content
        if SECRET in body.decode():
            found.append(address)
    assert len(plain) > 25
    assert found == []
