"""The Sets page: the draft beside the newest version, the freeze, certificates, and two versions compared."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from curation.models import Corpus, Job, OpenDispute, Qrel, Query, RankedRun, SetVersion, User
from curation.reports.certificate import certificate_of
from curation.reports.set_content import content_frozen, content_of
from curation.reports.set_diff import diff
from curation.reports.set_page import draft_of
from curation.tasks import work_on
from tests import factories
from tests.judging import stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

PAGE = "/c/claims/sets/"


def stage_rows() -> None:
    """Two judged queries a slice."""
    made = factories.a_corpus()
    factories.judged_across_slices(made)


@pytest.fixture
def lena(corpus: Corpus) -> Client:
    client = Client()
    client.force_login(factories.lena(corpus))
    return client


def asked_to_freeze(client: Client) -> Job:
    answer = client.post(f"{PAGE}freeze", {"name": "hard"})
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    return Job.objects.latest("pk")


def page(client: Client, address: str = PAGE) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_a_lead_freezes_the_draft_and_reads_its_certificate(lena: Client) -> None:
    assert "Draft of the first version" in page(lena)
    told_beside = 'class="btn primary" aria-disabled="true" aria-describedby="why-not"'
    assert told_beside not in page(lena)
    job = asked_to_freeze(lena)
    assert asked_to_freeze(lena) == job
    assert not SetVersion.objects.exists()
    waiting = page(lena)
    assert (told_beside in waiting, 'id="why-not">A freeze is at work.' in waiting) == (True, True)
    assert ("Freeze hard</h3>" in waiting, "Look again" in waiting) == (True, True)
    listens = f'hx-get="{PAGE}" hx-trigger="job-ended from:body" hx-select="#came" hx-select-oob="#sets-head"'
    assert (listens in waiting, waiting.index('id="came"') < waiting.index('id="frozen"')) == (True, True)
    assert work_on(job.pk)
    ended = lena.get(f"/c/claims/jobs/{job.pk}/", headers={"HX-Request": "true"})
    assert (ended.headers["HX-Trigger"], f'<a href="{PAGE}hard/1/">hard@1</a>' in ended.content.decode()) == (
        "job-ended",
        True,
    )
    frozen = page(lena)
    assert ("Freeze hard</h3>" in frozen, "Look again" in frozen) == (False, False)
    assert "Freeze hard@2</button>" in frozen.partition("</header>")[0]
    assert '<a href="?check=1"' in page(lena, f"{PAGE}hard/1/")
    shown = page(lena, f"{PAGE}hard/1/?check=1")
    version = SetVersion.objects.get()
    for told in (
        version.sha256,
        "its rows still give it",
        "Turkish × English",
        "Agreement: no document was judged twice",
    ):
        assert told in shown
    assert told_beside in page(lena)
    assert 'id="why-not">No query and no grade has changed since hard@1.' in page(lena)
    assert version.frozen_by == User.objects.get(username="lena")
    assert work_on(asked_to_freeze(lena).pk)
    assert '<p class="err">Nothing has changed since: this is the same as hard@1.</p>' in page(lena)
    query = version.queries.earliest("pk").query_id
    assert f'<a href="{PAGE}hard/1/">hard@1</a>, as it was then' in page(lena, f"/c/claims/queries/{query}/")


def test_what_blocks_is_listed_with_its_way_out_and_the_button_says_why(corpus: Corpus, lena: Client) -> None:
    query = Query.objects.earliest("pk")
    OpenDispute.objects.create(query=query, canonical_id="d1", opened_at=timezone.now())
    shown = page(lena)
    assert '<b>1 disagreement</b> in distinctive is open. <a href="/c/claims/disagreements/">Settle them</a>' in shown
    assert 'aria-disabled="true" aria-describedby="why-not"' in shown
    answer = lena.post(f"{PAGE}freeze", {"name": "hard"}, follow=True)
    assert "This cannot be frozen yet. 1 disagreement in distinctive is open." in answer.content.decode()
    assert not Job.objects.exists()


def test_a_freeze_that_is_cancelled_while_it_reads_freezes_nothing(
    lena: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = asked_to_freeze(lena)

    def cancelled_meanwhile(*given: Any) -> dict[str, Any]:
        lena.post(f"/c/claims/jobs/{job.pk}/cancel")
        return certificate_of(*given)

    monkeypatch.setattr("curation.actions.freezing.certificate_of", cancelled_meanwhile)
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result) == ("cancelled", {})
    assert not SetVersion.objects.exists()


def test_the_draft_is_compared_slice_by_slice_and_each_list_has_its_address(corpus: Corpus, lena: Client) -> None:
    factories.frozen_set(corpus)
    retired = Query.objects.filter(stratum__slice="keyword").earliest("pk")
    Query.objects.filter(pk=retired.pk).update(status="retired", retired_reason="a slip", text="gone words")
    factories.judged_queries(factories.a_stratum(corpus, "de en Latn question distinctive"), 3)
    shown = page(lena)
    assert "hard@2 draft, compared with hard@1" in shown
    for title in ("3 added", "1 withdrawn", "0 changed"):
        assert title in shown
    assert retired.external_id in page(lena, f"{PAGE}?show=withdrawn")
    factories.frozen_set(corpus)
    assert "hard@2 against hard@1" in page(lena, f"{PAGE}hard/2/diff/")
    assert "hard@1 against hard@2" in page(lena, f"{PAGE}hard/1/diff/?with=hard@2")


def test_a_touched_row_shows_on_the_certificate(corpus: Corpus, lena: Client) -> None:
    factories.frozen_set(corpus).queries.update(text="another")
    assert "Its rows do not give this hash any more." in page(lena, f"{PAGE}hard/1/?check=1")


def test_a_lead_of_a_language_reads_and_does_not_freeze(corpus: Corpus) -> None:
    client = Client()
    client.force_login(factories.theo(corpus))
    assert "Freeze" not in page(client).replace("Before the freeze", "").replace("A freeze", "")
    assert client.post(f"{PAGE}freeze", {"name": "hard"}).status_code == 403


def test_a_version_of_another_corpus_is_not_found_here(corpus: Corpus, lena: Client) -> None:
    factories.frozen_set(factories.a_corpus("other"), "theirs")
    assert lena.get(f"{PAGE}theirs/1/").status_code == 404
    assert lena.get(f"{PAGE}hard/9/").status_code == 404


def test_the_counted_comparison_is_the_one_that_reads_both_whole(corpus: Corpus) -> None:
    version = factories.frozen_set(corpus)
    kept = list(Query.objects.order_by("pk"))
    factories.judged_queries(factories.a_stratum(corpus, "de en Latn question keyword"), 3)
    kept[0].status, kept[0].retired_reason = "retired", "a slip"
    kept[1].text = "another wording"
    kept[2].stratum = factories.a_stratum(corpus, "tr en Latn question keyword")
    kept[3].need = corpus.needs.create(text="what hail does")
    Query.objects.bulk_update(kept, ["status", "retired_reason", "text", "stratum", "need"])
    for place, change in ((4, {"grade": 1}), (5, {"canonical_id": "other"})):
        Qrel.objects.filter(pk=Qrel.objects.filter(query=kept[place], grade=2).earliest("pk").pk).update(**change)
    Qrel.objects.create(query=kept[6], canonical_id="new", grade=0, source="agreed")
    Qrel.objects.filter(query=kept[7], grade=0).delete()
    whole, counted = diff(content_frozen(version), content_of(corpus)), draft_of(corpus, version).diff
    assert (len(whole.added), len(whole.withdrawn), len(whole.changed)) == (3, 1, 7)
    assert counted.as_json() == whole.as_json()
    assert [each.as_json() for each in counted.changed[2:4]] == [each.as_json() for each in whole.changed[2:4]]
    first = draft_of(corpus, None).diff
    assert (first.total.added, first.total.now, len(first.added[:4])) == (10, 10, 4)


def test_the_list_before_the_freeze_says_whether_the_baseline_is_measured(corpus: Corpus, lena: Client) -> None:
    assert "<b>No exact baseline:</b>" in page(lena)
    space = stage.a_space(corpus, {stage.a_document(corpus, "d1").external_id: 1.0})
    assert "Baseline not measured on exact float32 yet" in page(lena)
    found = list(Query.objects.order_by("pk"))
    run = factories.a_run(corpus, found[1:], [], name="exact")
    RankedRun.objects.update(embedding_space=space)
    assert "1 query is new to exact float32; a gate measures them." in page(lena)
    run.scores.create(query=found[0], k=10)
    assert "Baseline measured on exact float32." in page(lena)


def test_the_page_asks_as_many_queries_however_much_it_shows(
    corpus: Corpus, lena: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    factories.frozen_set(corpus)
    factories.judged_queries(factories.a_stratum(corpus, "de en Latn question keyword"), 30)
    factories.frozen_set(corpus)
    with django_assert_max_num_queries(26):
        page(lena)
    with django_assert_max_num_queries(16):
        page(lena, f"{PAGE}hard/2/")
