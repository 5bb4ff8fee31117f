"""The gate's pages through their addresses: a run gated in the background, its report, waivers, and what goes to judges."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.models import Corpus, GateReport, Job, Qrel, Query, RankedRun, Role, SetVersion, User, Waiver
from curation.reports.gate_exports import as_junit, as_markdown
from curation.reports.gate_report import report_of
from curation.tasks import work_on
from judging.models import Candidate
from tests import factories
from tests.curation.formats.test_manifest import changed
from tests.curation.gating import scene
from tests.curation.gating.scene import say

pytestmark = pytest.mark.django_db
LATER = (timezone.now() + timedelta(days=30)).date()


@pytest.fixture
def corpus() -> Corpus:
    return scene.searchable()


@pytest.fixture
def lena(corpus: Corpus) -> User:
    return factories.lena(corpus)


@pytest.fixture
def lead(lena: User) -> Client:
    return signed_in(lena)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def fallen(corpus: Corpus, each: int = 20) -> tuple[SetVersion, RankedRun, list[Query]]:
    """A set with a run that lost two in five of every keyword query's documents."""
    version, made = scene.whole(corpus, each)
    keyword = [query for query in made if query.stratum.slice == "keyword"]
    found = {query: 3 - place % 2 for place, query in enumerate(keyword)}
    return version, scene.a_run(corpus, dict.fromkeys(made, 5) | found), keyword


def gated(lead: Client, version: SetVersion, run: RankedRun) -> GateReport:
    """The report of a run that was gated from the page."""
    asked = {"version": version.pk, "run": run.pk, "k": 5}
    assert lead.post("/c/claims/gate/run/", asked).status_code == 302
    assert work_on(Job.objects.latest("pk").pk)
    job = Job.objects.latest("pk")
    assert job.error == ""
    return GateReport.objects.get(pk=job.result["report"])


def test_the_commit_and_the_manifest_are_kept_and_the_report_goes_out_as_ci_takes_it(
    corpus: Corpus, lead: Client
) -> None:
    version, run, _ = fallen(corpus)
    asked = {"version": version.pk, "run": run.pk, "k": 5, "commit": "4f2a9c1"}
    refused = lead.post("/c/claims/gate/run/", {**asked, "manifest": SimpleUploadedFile("m.json", b"[1]")}, follow=True)
    assert "The manifest m.json holds no JSON object." in refused.content.decode()
    assert not Job.objects.exists()
    manifest = changed(evaluation={"query_set": "laws@4"})
    handed = SimpleUploadedFile("m.json", json.dumps(manifest).encode())
    lead.post("/c/claims/gate/run/", {**asked, "manifest": handed})
    assert work_on(Job.objects.get().pk)
    report = GateReport.objects.get()
    assert (report.commit, report.manifest) == ("4f2a9c1", manifest)
    told = "The manifest's evaluation.query_set names laws@4, and this is hard@1, so this report lets nobody write it."
    assert told in lead.get(f"/c/claims/gate/{report.pk}/", follow=True).content.decode().replace("&#x27;", "'")
    assert told in as_markdown(report_of(report))
    assert [note["warns"] for note in report.notes if told in note["text"]] == [True]
    for form, write, ending in (("markdown", as_markdown, "md"), ("junit", as_junit, "xml")):
        answer = lead.get(f"/c/claims/gate/{report.pk}/json?format={form}")
        assert answer.content.decode() == write(report_of(report))
        assert answer["Content-Disposition"] == f'attachment; filename="gate-{report.pk}.{ending}"'


def test_a_verdict_by_an_earlier_rule_says_so_and_what_the_rule_of_today_makes_of_it(
    corpus: Corpus, lead: Client
) -> None:
    version, run, _ = fallen(corpus)
    report = gated(lead, version, run)
    address = f"/c/claims/gate/{report.pk}/"
    assert "the rule of that day" not in lead.get(address).content.decode()
    report.slices.filter(slice="distinctive").update(verdict="pass", asks=None)  # as a spread of zero once passed
    page = lead.get(address).content.decode()
    assert "By the rule of today: distinctive would warn. Gate it again." in page
    assert "By the rule of that day; by the rule of today it would warn" in page
    assert "By the rule of today: distinctive would warn." in as_markdown(report_of(report))


def test_a_run_is_gated_in_the_background_and_its_report_says_what_the_command_says(
    corpus: Corpus, lead: Client, lena: User
) -> None:
    version, run, _ = fallen(corpus)
    asked = {"version": version.pk, "run": run.pk, "k": 5}
    lead.post("/c/claims/gate/run/", asked)
    job = Job.objects.get()
    waiting = lead.get("/c/claims/gate/").content.decode()
    assert f'id="job-{job.pk}"' in waiting
    assert "its report stands here" in waiting
    polling = {"HX-Request": "true"}
    assert "HX-Trigger" not in lead.get(f"/c/claims/jobs/{job.pk}/", headers=polling).headers
    job.delete()
    report = gated(lead, version, run)
    ended = lead.get(f"/c/claims/jobs/{Job.objects.get().pk}/", headers=polling)
    assert ended.headers["HX-Trigger"] == "job-ended"
    assert "its report stands here" not in lead.get("/c/claims/gate/").content.decode()
    assert (report.verdict, report.measured_by) == ("reject", lena)
    home = " ".join(lead.get("/c/claims/").content.decode().split())
    assert 'The gate rejected <bdi class="mono">int8</bdi>' in home
    assert f'href="/c/claims/gate/{report.pk}/" data-key="Enter"' in home
    for said in ("v1", "rejected"):
        assert f'<span class="n">{said}</span>' in home
    Query.objects.filter(pk=Query.objects.earliest("pk").pk).update(judged_at=timezone.now())
    assert '<span class="n">v2 draft</span>' in lead.get("/c/claims/").content.decode()
    page = lead.get(f"/c/claims/gate/{report.pk}/").content.decode()
    assert "Rejected: keyword fell below its absolute and its relative floor" in page
    assert "0.500 against a floor of 0.880; 0.500 against a floor of 0.970, which is 0.97 × 1.000." in page
    rows = [page.index(f">{name} <span") for name in ("keyword", "distinctive")]
    assert sorted([*rows, page.index("All slices pooled")]) == [*rows, page.index("All slices pooled")]
    assert "not gated" in page
    assert "The run was gated without one" in page  # a manifest
    assert 'aria-label="Recall of keyword: at 5 0.500, exact search 1.000"' in page
    printed = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json")
    answer = lead.get(f"/c/claims/gate/{printed.json['report']}/json")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.content.decode() == printed.text


def test_a_waived_rejection_exits_3_names_its_waiver_and_an_expired_one_does_nothing(
    corpus: Corpus, lead: Client, lena: User
) -> None:
    fallen(corpus)
    terms = {"subject": "slice  keyword", "until": LATER.isoformat(), "reason": "query lower-casing fix under way"}
    wrong = {"subject": "the worst one", "until": "2020-02-01", "reason": ""}
    page = lead.post("/c/claims/gate/waive/", wrong).content.decode()
    assert 'value="the worst one"' in page
    for name in wrong:
        assert f'aria-describedby="waiver_{name}_helptext waiver_{name}_error"' in page
        assert f'id="waiver_{name}_error"' in page
    assert not Waiver.objects.exists()
    assert lead.post("/c/claims/gate/waive/", terms).status_code == 302
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 3
    assert said.text.startswith("Rejected, but waived: keyword fell below")
    assert f"slice keyword is waived until {LATER:%-d %B %Y} by {lena}: query lower-casing fix under way." in said.text
    page = lead.get(f"/c/claims/gate/{GateReport.objects.get().pk}/").content.decode()
    assert f"by {lena}: query lower-casing fix under way.</bdi>" in page
    assert (f"It is waived until {LATER:%-d %B %Y}." in page, "?waive=slice+keyword#waive" in page) == (True, False)
    Waiver.objects.update(until=timezone.now().date() - timedelta(days=2))
    assert say("gate", "hard@1", "--run", "int8", "--k", 5).code == 1
    assert "expired" in lead.get("/c/claims/gate/").content.decode()
    Waiver.objects.update(until=LATER)
    lead.post(f"/c/claims/gate/waivers/{Waiver.objects.get().pk}/withdraw/")
    assert say("gate", "hard@1", "--run", "int8", "--k", 5).code == 1


def test_a_waiver_of_a_locale_covers_its_cells_and_of_a_slice_no_cell(corpus: Corpus, lena: User) -> None:
    _, made = scene.whole(corpus)
    german = scene.queries_in(corpus, {"distinctive": 100}, locale="de")
    factories.frozen_set(corpus)
    scene.a_run(corpus, dict.fromkeys(made, 5) | {query: 5 * (place < 59) for place, query in enumerate(german)})
    Corpus.objects.update(floors={"absolute": 0.1, "relative": 0.1})
    asked = ["--until", LATER, "--by", "lena", "--reason", "known"]
    assert say("waive", "claims", "slice distinctive", *asked).code == 0
    assert say("gate", "hard@2", "--run", "int8", "--k", 5).code == 1
    assert say("waive", "claims", "locale de", *asked).code == 0
    told = say("gate", "hard@2", "--run", "int8", "--k", 5, "--json")
    assert told.code == 3
    assert {each["waiver"] for each in told.json["waived"]} == {"locale de"}
    assert "locale de until" in say("waive", "claims").text
    assert say("waive", "claims", "locale de", "--withdraw", "--by", "lena").code == 0
    assert say("gate", "hard@2", "--run", "int8", "--k", 5).code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["locale tr", "--until", "2020-01-01", "--by", "lena", "--reason", "x"], "is past"),
        (["locale tr", "--until", "2999-01-01", "--by", "lena"], "needs a reason"),
        (["locale tr", "--by", "lena", "--reason", "x"], "give --until"),
        (["locale tr", "--until", "2999-01-01", "--reason", "x"], "give --by"),
        (["slice easy", "--until", "2999-01-01", "--by", "lena", "--reason", "x"], "nothing a gate judges"),
        (["locale tr", "--until", "2999-01-01", "--by", "theo", "--reason", "x"], "Only who leads all of claims"),
        (["locale tr", "--withdraw", "--by", "lena"], "Nothing is waived"),
    ],
)
@pytest.mark.usefixtures("lena")
def test_a_waiver_that_cannot_be_granted_says_why(corpus: Corpus, words: list[str], said: str) -> None:
    factories.theo(corpus)
    refused = say("waive", "claims", *words)
    assert (refused.code, said in refused.text) == (2, True)
    assert not Waiver.objects.exists()


def test_what_nobody_judged_goes_to_the_judges_with_one_press_and_once(corpus: Corpus, lead: Client) -> None:
    version, run, keyword = fallen(corpus, 2)
    report = gated(lead, version, run)
    assert set(report.unjudged) == {query.external_id for query in keyword}
    page = lead.get(f"/c/claims/gate/{report.pk}/").content.decode()
    for query in keyword:
        link = f'<a href="/c/claims/queries/{query.pk}/"><bdi>{query.external_id}</bdi></a>'
        assert page.count(link) == 2  # it lost documents, and has some that nobody judged
        assert ", ".join(report.unjudged[query.external_id][:3]) in page
    lead.post(f"/c/claims/gate/{report.pk}/send/")
    sent = Candidate.objects.count()
    assert sent == sum(map(len, report.unjudged.values()))
    assert set(Candidate.objects.values_list("pool__query", flat=True)) == {query.pk for query in keyword}
    lead.post(f"/c/claims/gate/{report.pk}/send/")
    assert Candidate.objects.count() == sent


def test_leads_of_a_language_read_and_change_nothing_and_others_do_not_read(corpus: Corpus, lead: Client) -> None:
    version, run, _ = fallen(corpus, 2)
    report = gated(lead, version, run)
    theo, marek = signed_in(factories.theo(corpus)), signed_in(factories.marek(corpus))
    page = theo.get(f"/c/claims/gate/{report.pk}/").content.decode()
    assert "Run again" not in page
    assert "Waive<" not in page
    assert theo.post("/c/claims/gate/waive/").status_code == 403
    assert theo.post("/c/claims/gate/run/").status_code == 403
    assert marek.get("/c/claims/gate/").status_code == 403
    other = factories.a_corpus("others")
    assert (
        signed_in(factories.member(other, factories.person("ole"), Role.LEAD))
        .get(f"/c/others/gate/{report.pk}/")
        .status_code
        == 404
    )


def test_the_pages_ask_as_often_for_many_rows_as_for_few(corpus: Corpus, lead: Client) -> None:
    version, run, _ = fallen(corpus, 2)
    report = gated(lead, version, run)
    addresses = ("/c/claims/gate/", f"/c/claims/gate/{report.pk}/")
    few = [asked(lead, address) for address in addresses]
    for _ in range(3):
        say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert [asked(lead, address) for address in addresses] == few
    assert few[0] <= 15
    assert few[1] <= 11


def asked(client: Client, address: str) -> int:
    """How many SQL queries a page takes."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def test_a_report_stands_beside_the_one_before_and_absolute_floors_stay_within_a_generation(
    corpus: Corpus, lead: Client
) -> None:
    version, run, keyword = fallen(corpus)
    gated(lead, version, run)
    Qrel.objects.filter(query=keyword[0], grade=2).update(grade=3)
    factories.frozen_set(corpus)
    told = say("gate", "hard@2", "--run", "int8", "--k", 5, "--json").json["since"]
    assert told["absolute_not_compared"] is None
    slices = {each["slice"]: each for each in told["slices"]}
    assert slices["keyword"]["recall_then"] == slices["keyword"]["recall_now"] == 0.5
    index = corpus.indexes.create(name="hnsw", kind="exact", is_production=True)
    index.generations.create(number=2, due_on="2026-07-01", opened_at=timezone.now())
    Qrel.objects.filter(query=keyword[1], grade=2).update(grade=3)
    factories.frozen_set(corpus)
    told = say("gate", "hard@3", "--run", "int8", "--k", 5, "--json").json
    assert "hard@2 is of no generation, hard@3 of generation 2" in told["since"]["absolute_not_compared"]
    slices = {each["slice"]: each for each in told["since"]["slices"]}
    assert (slices["keyword"]["recall_then"], slices["keyword"]["relative_then"]) == (None, pytest.approx(-0.47))
    page = lead.get(f"/c/claims/gate/{told['report']}/").content.decode()
    assert "Absolute floors are not compared" in page


def test_a_report_beside_one_of_other_floors_says_which_differed_on_the_page_and_in_every_export(
    corpus: Corpus, lead: Client
) -> None:
    version, run, _ = fallen(corpus, 2)
    gated(lead, version, run)
    same = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json").json
    assert same["since"]["other_floors"] is None
    Corpus.objects.update(floors={"absolute": 0.8, "relative": 0.9})
    told = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json").json
    differed = "The floors differed (absolute 0.88 to 0.80, relative 0.97 to 0.90): distances to them and verdicts may"
    assert told["since"]["other_floors"].startswith(differed)
    assert told["since"]["absolute_not_compared"] is None
    assert differed in lead.get(f"/c/claims/gate/{told['report']}/").content.decode()
    assert "The floors differed" not in lead.get(f"/c/claims/gate/{same['report']}/").content.decode()
    Corpus.objects.update(floors={})
    again = say("gate", "hard@1", "--run", "int8", "--k", 5).text
    assert "The floors differed (absolute 0.80 to 0.88, relative 0.90 to 0.97): distances" in again
    report = GateReport.objects.latest("pk")
    assert "The floors differed (absolute 0.80 to 0.88" in as_markdown(report_of(report))


def test_a_lead_sets_the_floors_of_the_corpus_and_reports_keep_theirs(corpus: Corpus, lead: Client) -> None:
    version, run, _ = fallen(corpus, 2)
    before = gated(lead, version, run)
    why = {"reason": "a harder set"}
    for wrong in ({"absolute": "1.2", **why}, {"absolute": "nan", **why}, {"cell": "low", **why}, {"cell": "0.5"}):
        page = lead.post("/c/claims/gate/floors/", wrong, follow=True).content.decode()
        assert page.count('class="err"') == 1
        assert all(f'value="{typed}"' in page for typed in wrong.values())
    assert Corpus.objects.get().floors == {}
    lead.post("/c/claims/gate/floors/", {"absolute": "0.9", "cell": "0.5", **why})
    assert Corpus.objects.get().floors == {"absolute": 0.9, "cell": 0.5}
    page = lead.get("/c/claims/gate/").content.decode()
    assert "held to 0.90 and to 0.97 of its own baseline" in page
    assert "absolute 0.88 to 0.90, cell 0.60 to 0.50 by Lena on" in page
    after = gated(lead, version, run)
    for report, level in ((before, "0.88"), (after, "0.90")):
        page = lead.get(f"/c/claims/gate/{report.pk}/").content.decode()
        assert f"Floors that day: {level}, and 0.97" in page
        assert ("below the installation&#x27;s (cell 0.50 for 0.60), set by Lena on" in page) is (report == after)
        under = "This verdict is under lowered floors (cell 0.50 for 0.60)."
        assert (under in page, under in as_markdown(report_of(report))) == (report == after, report == after)
        assert '<b aria-hidden="true">?</b><span class="sr">, not decided</span>' in page
        for shown in (page, as_markdown(report_of(report))):
            assert shown.count("Beside a floor, ? says that it is not decided.") == 1
    assert lead.get("/c/claims/gate/").content.decode().count("Floors lowered: cell 0.50 for 0.60") == 1
    assert signed_in(factories.theo(corpus)).post("/c/claims/gate/floors/", {"absolute": "0"}).status_code == 403
    by = ("--by", "lena", "--reason", "as before")
    assert "cell      0.60 (of the installation)" in say("floors", "claims", "--cell", "house", *by).text
    assert say("floors", "claims", "--relative", "0.95", *by).text.splitlines()[:2] == [
        "absolute  0.90",
        "relative  0.95",
    ]
    assert "relative  0.975" in say("floors", "claims", "--relative", "0.975", *by).text
    changes = [line for line in say("floors", "claims").text.splitlines() if line.startswith("changed: ")]
    assert [line.split(" by ")[0] for line in changes] == [
        "changed: relative 0.95 to 0.975",
        "changed: relative 0.97 to 0.95",
        "changed: cell 0.50 to 0.60",
        "changed: absolute 0.88 to 0.90, cell 0.60 to 0.50",
    ]
    for missing in (by[:2], by[2:], ("--by", "theo", *by[2:])):
        assert say("floors", "claims", "--relative", "0.5", *missing).code == 2
    refused = say("floors", "claims", "--relative", "97", *by)
    assert (refused.code, "lies between 0 and 1" in refused.text) == (2, True)
    assert say("floors", "elsewhere").code == 2


def test_the_form_offers_a_k_that_the_run_holds_and_refuses_one_that_it_does_not(corpus: Corpus, lead: Client) -> None:
    version, run, _ = fallen(corpus, 2)
    tiny = RankedRun.objects.create(corpus=corpus, name="tiny", k=1, measured_at=timezone.now())
    RankedRun.objects.create(corpus=corpus, name="exact", k=50, measured_at=timezone.now())
    offered = lead.get("/c/claims/gate/").content.decode()
    assert "selected>int8, the first 10: k = 10</option>" in offered
    assert "tiny, the first 1: too few to gate</option>" in offered
    asked = {"version": version.pk, "run": tiny.pk}
    said = lead.post("/c/claims/gate/run/", asked, follow=True).content.decode()
    assert "tiny holds the first 1 documents of a query, too few for the hit@10 of cells" in said
    asked = {"version": version.pk, "run": run.pk}
    refused = lead.post("/c/claims/gate/run/", asked | {"k": 20}, follow=True).content.decode()
    assert "int8 holds the first 10 documents of a query, too few for recall@20" in refused
    assert not Job.objects.exists()
    lead.post("/c/claims/gate/run/", asked)
    assert Job.objects.get().params["k"] == 10
    RankedRun.objects.update(k=40)  # all that the corpus holds, so no k is too deep
    assert "int8, the first 40: k = 200</option>" in lead.get("/c/claims/gate/").content.decode()


def test_a_corpus_that_moves_while_a_gate_is_asked_for_is_answered_in_words(corpus: Corpus, lead: Client) -> None:
    version, run, _ = fallen(corpus, 1)
    with mock.patch("curation.actions.gate_job.why_not_at", return_value="The corpus holds 3 documents now."):
        answer = lead.post("/c/claims/gate/run/", {"version": version.pk, "run": run.pk, "k": 5}, follow=True)
    assert "The corpus holds 3 documents now." in answer.content.decode()
    assert not Job.objects.exists()


def test_a_run_from_a_file_is_gated_again_from_the_page_once_it_is_imported(
    corpus: Corpus, lead: Client, tmp_path: Path
) -> None:
    _, run, _ = fallen(corpus, 2)
    scores = run.scores.select_related("query")
    lines = (
        f"{each.query.external_id} Q0 {name} {rank} {-rank} t"
        for each in scores
        for rank, name in enumerate(each.hits, 1)
    )
    file = tmp_path / "built.run"
    file.write_text("\n".join(lines), encoding="utf-8")
    report = say("gate", "hard@1", "--run", file, "--k", 5, "--json").json["report"]
    page = lead.get(f"/c/claims/gate/{report}/").content.decode()
    assert "It was gated from a file, which is not kept." in page
    assert "Run again" not in page
    assert say("import_run", "claims", file, "--name", "built").code == 0
    built = RankedRun.objects.get(name="built")
    assert f'name="run" value="{built.pk}"' in lead.get(f"/c/claims/gate/{report}/").content.decode()


def test_answer_quality_stands_beside_a_report_and_moves_nothing(corpus: Corpus, lead: Client) -> None:
    version, run, _ = fallen(corpus, 2)
    report = gated(lead, version, run)
    before = GateReport.objects.filter(pk=report.pk).values().get()
    assert say("note_answers", report.pk, "faithfulness", 0.61, "--note", "judge of May").code == 0
    say("note_answers", report.pk, "faithfulness", 0.61, "--note", "judge of May")
    assert GateReport.objects.filter(pk=report.pk).values().get() == before
    assert lead.get(f"/c/claims/gate/{report.pk}/json").json()["answer_scores"] == [
        {"measure": "faithfulness", "value": 0.61, "note": "judge of May"}
    ]
    assert "Answer quality, measured apart" in lead.get(f"/c/claims/gate/{report.pk}/").content.decode()
    assert say("note_answers", 987654, "faithfulness", 0.61).code == 2
    assert say("note_answers", report.pk, "faithfulness", "nan").code == 2
