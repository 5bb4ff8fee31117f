"""Every page in a real browser, over a corpus that means harm: nothing leaves the server, nothing of a text runs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Dialog, Page

from curation.actions import jobs
from curation.actions.assigning import assign
from curation.actions.drift import store_reading
from curation.actions.traffic import Statement, state_traffic
from curation.measures.floors import Floors
from curation.models import (
    AliasSwap,
    Corpus,
    Document,
    GateReport,
    HardNegative,
    Job,
    Need,
    OpenDispute,
    Qrel,
    Query,
    Role,
    TrafficReading,
    User,
    Waiver,
)
from curation.reports.overlap import Measured
from judging.models import Assignment, Judgment
from tests import factories, reviewing
from tests.conftest import CASES
from tests.judging import stage

from .conftest import EveryLook, SignIn

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HARM = "\"'><img src=x onerror=alert(1)><script>alert(1)</script><a hx-get=//elsewhere.invalid/ hx-trigger=load>"
SETS = ("/c/claims/sets/", "/c/claims/sets/hard/2/", "/c/claims/sets/hard/2/diff/")
RUN, FILE = f"run {HARM}", "x<img src=x onerror=alert(1)>.jsonl"


@pytest.fixture
def lena() -> User:
    """A lead, adjuster and writer of a corpus in which every stored word is harmful."""
    corpus = factories.a_corpus("claims", name=HARM)
    for number in (1, 2, 3):
        document = stage.a_document(corpus, f"d{number} {HARM}", f"Hail {HARM} {number}", title=f"Hail {HARM}")
        document.metadata, document.facts = {HARM: HARM}, {"effective_date": HARM, "jurisdiction": HARM}
        document.save()
    lead = factories.member(corpus, factories.person("lena", name=HARM), Role.LEAD)
    factories.member(corpus, lead, Role.ADJUSTER)
    factories.member(corpus, lead, Role.WRITER, languages=["tr"])
    a_wording(corpus)
    a_plan(corpus, lead)
    some_evidence(corpus)
    return lead


def a_plan(corpus: Corpus, lead: User) -> None:
    """A reading of the traffic, and an assignment."""
    statement = Statement({"en": 0.98, "tr": 0.02}, TrafficReading.Source.TYPED, HARM)
    state_traffic(corpus=corpus, statement=statement, now=timezone.now(), stated_by=lead)
    assign(stratum=factories.a_stratum(corpus), person=lead, count=5, assigned_by=lead, now=timezone.now())


def a_wording(corpus: Corpus) -> None:
    """A query that waits in a pool, and one that is retired."""
    names = list(corpus.documents.values_list("external_id", flat=True))
    stage.a_space(corpus, {name: float(place) for place, name in enumerate(names)})
    need = Need.objects.create(corpus=corpus, text=f"hail {HARM}", context=HARM, gold_canonical_id=names[0])
    Need.objects.create(corpus=corpus, text=f"storm {HARM}", context=HARM, gold_canonical_id=names[0])
    stratum = factories.a_stratum(corpus, planned=40)
    stage.aims(factories.a_query(stratum, f"hail {HARM}", external_id=f"q {HARM}", need=need))
    factories.a_query(stratum, f"old {HARM}", status="retired", retired_reason=HARM)
    stage.call("draw_pools", corpus)


def some_evidence(corpus: Corpus) -> None:
    """Proposals, a hard negative, a run and a failed job, all of them harmful."""
    reviewing.some_of_each(corpus)
    reviewing.a_term(reviewing.a_finished_run(corpus, "rare_entity"), HARM, text=f"Of {HARM} here.")
    (judged,) = factories.judged_queries(corpus.strata.get(), 1)
    Query.objects.filter(pk=judged.pk).update(text=HARM)
    document = corpus.documents.earliest("pk")
    HardNegative.objects.create(
        run=reviewing.a_finished_run(corpus, "hard_negative"),
        query=judged,
        document=document,
        canonical_id=document.canonical_id,
        rank=1,
        score=0.9,
    )
    two_sets_and_a_report(corpus, judged)
    a_disagreement(judged, document)
    a_changed_answer(judged, corpus.documents.latest("pk"))
    factories.a_run(corpus, [judged], [], name=RUN)
    job = jobs.ask(kind="encode", unique_key="e", params={}, corpus=corpus, asked_by=None, now=timezone.now())
    Job.objects.filter(pk=job.pk).update(state="failed", error=HARM, progress_words=HARM)


def two_sets_and_a_report(corpus: Corpus, judged: Query) -> None:
    """Two versions of a set, and a rejection on the newer one; what a gate keeps of a run and of people is harmful."""
    factories.frozen_set(corpus)
    Qrel.objects.filter(query=judged).update(grade=2)
    factories.judged_queries(judged.stratum, 1)
    lena, now = User.objects.get(username="lena"), timezone.now()
    report = GateReport.objects.create(
        set_version=factories.frozen_set(corpus), run_name=HARM, run_sha256="0" * 64, k=200, documents=3,
        verdict="reject", measured_at=now, commit=HARM, floors=Floors().as_json(), manifest={"collection": HARM},
        baseline={"encoder": HARM, "revision": HARM, "dims": 2}, missing=[HARM], unjudged={HARM: [HARM]},
        notes=[{"warns": True, "text": HARM}],
        waived=[{"subject": HARM, "waiver": HARM, "until": "2026-09-30", "granted_by": HARM, "reason": HARM}],
        pooled={"n": 120, "recall": 0.5, "se": 0.04, "baseline": 1.0, "difference": {"value": -0.5}, "would_pass": False},
    )  # fmt: skip
    figures = {"n": 120, "recall": 0.5, "se": 0.04, "baseline": 1.0, "relative_distance": -0.47, "relative_se": 0.04}
    report.slices.create(slice="keyword", verdict="reject", lost=[HARM], **figures)
    report.cells.create(
        crossing="locale", query_language="tr", n=120, planned=400, score=0.4, low=0.3, high=0.5, verdict="reject"
    )
    report.answer_scores.create(measure=HARM[:100], value=0.5, note=HARM, recorded_at=now)
    Waiver.objects.create(
        corpus=corpus, subject="locale tr", reason=HARM, until=now.date(), granted_by=lena, granted_at=now
    )


def gate_pages() -> Iterator[str]:
    """The reports of a corpus, and one of them."""
    yield from ("/c/claims/gate/", f"/c/claims/gate/{GateReport.objects.get().pk}/")


def a_disagreement(query: Query, document: Document) -> None:
    """Two imported judges, of harmful names and notes, graded a document differently."""
    for grade in (0, 3):
        judge = factories.person(f"judge-{grade}", name=HARM)
        Judgment.objects.create(
            query=query, document=document, canonical_id=document.canonical_id, assessor=judge, grade=grade,
            state="graded", note=HARM, text_sha256="", judged_at=timezone.now(),
        )  # fmt: skip
    OpenDispute.objects.create(query=query, canonical_id=document.canonical_id, opened_at=timezone.now())


def a_changed_answer(query: Query, document: Document) -> None:
    """A settled grade of a document whose text has changed since, and the same text under another id, graded apart."""
    earlier = document.texts.get(current=True).sha256
    fields = {"query": query, "gold_document": document, "source": Qrel.Source.AGREED}
    Qrel.objects.create(canonical_id=document.canonical_id, grade=2, text_sha256=earlier, **fields)
    twin = stage.a_document(query.corpus, f"twin {HARM}", f"New {HARM}")
    stage.a_text(document, f"New {HARM}")
    Qrel.objects.create(canonical_id=twin.canonical_id, grade=0, **{**fields, "gold_document": twin})


def addresses(client: Client) -> Iterator[str]:
    """Every kind of page that a member can open, those of single rows included."""
    corpus = Corpus.objects.get()
    yield from ("/", "/settings/", "/settings/tokens/", "/api/", "/password/", "/no-such-page/")
    for name in (
        "",
        "people/",
        "coverage/",
        "write/",
        "queries/",
        "needs/",
        "needs/add/",
        "locales/",
        "plan/",
        "mining/",
    ):
        yield f"/c/claims/{name}"
    yield from SETS
    yield from ("/c/claims/plan/traffic/", "/c/claims/plan/hours/")
    yield from (f"/c/claims/?as={role}" for role in Role)
    yield from (f"/c/claims/queries/{query.pk}/" for query in corpus.queries.all())
    yield from (f"/c/claims/needs/{need.pk}/" for need in corpus.needs.all())
    yield f"/c/claims/needs/{corpus.needs.earliest('pk').pk}/edit/"
    yield from (f"/c/claims/jobs/{job.pk}/" for job in corpus.jobs.all())
    yield from (f"/c/claims/review/{family}/" for family in ("near_duplicate", "rare_entity", "short_keyword"))
    yield from ("/c/claims/mining/schedule/", "/c/claims/hard-negatives/", "/c/claims/import/", "/c/claims/judge/")
    yield from ("/c/claims/disagreements/", "/c/claims/mining/rare-terms/")
    yield from gate_pages()
    yield from drift_pages(corpus)
    yield from agreed_pages(client)
    for case in ("c74-corpus.jsonl", "c74-bad-line.jsonl", "c75-corpus.jsonl"):
        yield uploaded(client, (CASES / case).read_bytes())


def drift_pages(corpus: Corpus) -> Iterator[str]:
    """The pages around drift, with an index whose overlap is low, an alarm and a rollback."""
    old = corpus.indexes.create(name=f"old {HARM}", kind="qdrant", location="LAWS/old")
    index = corpus.indexes.create(
        name=f"new {HARM}", kind="qdrant", location="LAWS/new", alias="now", previous_target=old, in_shadow=True
    )
    readings = {date(2026, 7, day): 0.8 for day in (11, 12, 13)}
    for day, overlap in readings.items():
        measured = Measured(overlap, sampled=500, unplaced=3, told=0, share=0.4)
        store_reading(index=index, day=day, measured=measured, now=timezone.now())
    fields = {"alias": HARM, "reason": HARM, "asked_as": HARM, "fault": HARM, "asked_at": timezone.now()}
    AliasSwap.objects.create(from_index=index, to_index=old, **fields)
    yield from ("/c/claims/drift/", f"/c/claims/indexes/{index.pk}/rollback/", "/c/claims/webhooks/")


def agreed_pages(client: Client) -> Iterator[str]:
    """The pages around what judges say, once a row of the pool is flagged."""
    held = stage.judging(client)
    candidate = held.pool.candidates.earliest("pk")
    flag = {"candidate": candidate.pk, "reason": "country", "note": HARM, "token": "flag"}
    assert client.post(f"/c/claims/judge/{held.pk}/mismatch", flag).status_code < 400
    for name in ("agreement/", "twins/", "mismatches/", "judging-rules/", "judge-again/"):
        yield f"/c/claims/{name}"
    yield f"/c/claims/queries/{held.pool.query_id}/pool/"


def uploaded(client: Client, content: bytes) -> str:
    """Where the import screen shows a file."""
    file = BytesIO(content)
    file.name = FILE
    return str(client.post("/c/claims/import/", {"kind": "documents", "file": file}).headers["Location"])


def test_c69_c74_c75_no_page_reaches_elsewhere_and_no_stored_word_runs(
    page: Page, sign_in: SignIn, lena: User, live_server: LiveServer
) -> None:
    asked: list[str] = []
    dialogs: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    def dismissed(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismissed)
    page.goto("/login/?next=//elsewhere.invalid/")
    sign_in(page, lena)
    broken, shown = [], 0
    for address in addresses(stage.signed_in(lena)):
        answer = page.goto(address)
        inserted = page.locator("[onerror], [hx-get*=elsewhere], img[src=x]").count()
        shown += "alert(1)" in page.locator("body").inner_text()
        if answer is None or answer.status not in {200, 404} or inserted:
            broken.append(address)
    assert broken == []
    assert shown > 20
    assert dialogs == []
    assert [url for url in asked if not url.startswith((live_server.url, "data:"))] == []
    assert Assignment.objects.filter(assessor=lena).exists()  # the judging page was among them


def test_every_page_around_agreement_and_shipping_reads_well_in_every_look(
    page: Page, sign_in: SignIn, lena: User, every_look: EveryLook
) -> None:
    sign_in(page, lena)
    corpus = Corpus.objects.get()
    for address in (*agreed_pages(stage.signed_in(lena)), *SETS, *gate_pages(), *drift_pages(corpus)):
        page.goto(address)
        every_look(page, address.removeprefix("/c/claims/").partition("?")[0].strip("/").replace("/", "-"))
