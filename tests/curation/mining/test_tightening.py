"""A tighter bar for near-duplicate groups: on the review page and on the command line, from kept scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.test import Client

from curation import tasks
from curation.actions import proposals
from curation.models import Corpus, Document, EmbeddingSpace, Job, MiningRun, NearDuplicateMember, User
from curation.reports.embeddings import vectors_path
from curation.reports.proposals import current_proposals
from curation.reports.review_draft import checked, first_draft
from curation.reports.thresholds import TIGHTENED_FROM
from tests import factories
from tests.bringing import run, written
from tests.curation.mining.claims import DOCUMENTS, bring_claims, lines_in

pytestmark = pytest.mark.django_db

THRESHOLD = "/c/claims/review/near_duplicate/threshold/"
# Only hail-a and hail-c are further apart; hail-b is a little nearer to hail-c.
TIGHT = 0.9995


@pytest.fixture
def claims(tmp_path: Path) -> Corpus:
    corpus = bring_claims(tmp_path)
    assert run("mine", "claims", "--miner", "near_duplicate", "--wait")[0] == 0
    return corpus


@pytest.fixture
def lena(claims: Corpus) -> Client:
    client = Client()
    client.force_login(factories.lena(claims))
    return client


def groups(folder: Path) -> dict[tuple[str, ...], list[str]]:
    """The members of each exported group, with what it differs in."""
    run("export_proposals", "claims", "--miner", "near_duplicate", "--out", folder / "out.jsonl")
    return {tuple(line["members"]): line["differs_in"] for line in lines_in(folder / "out.jsonl")}


def choose(client: Client, threshold: float | str) -> str:
    """Ask for a threshold, let a worker do what it takes, and return the page that answered."""
    answer = client.post(THRESHOLD, {"threshold": threshold}, follow=True)
    assert answer.status_code == 200
    for job in Job.objects.filter(state__in=Job.LIVE, mining_run__params__has_key=TIGHTENED_FROM):
        tasks.work_on(job.pk)
    return answer.content.decode()


def mine_at(threshold: float) -> dict[str, Any]:
    code, out = run("mine", "claims", "--miner", "near_duplicate", "--threshold", threshold, "--wait", "--json")
    assert code == 0, out
    told: dict[str, Any] = json.loads(out)
    return told


def test_a_tighter_bar_splits_a_group_and_no_vector_is_read(claims: Corpus, lena: Client, tmp_path: Path) -> None:
    vectors_path(EmbeddingSpace.objects.get(corpus=claims)).unlink()
    assert ("hail-a", "hail-b", "hail-c") in groups(tmp_path)
    page = choose(lena, TIGHT)
    assert "Grouping from a similarity of 0.9995 on. Until it ends, the review shows the groups as they were." in page
    assert "Similarity from 0.9995<" in lena.get("/c/claims/review/near_duplicate/").content.decode()
    split = groups(tmp_path)
    assert set(split) == {("hail-b", "hail-c"), ("theft-1", "theft-2")}
    assert split["hail-b", "hail-c"] == ["amount", "jurisdiction"]
    newest = MiningRun.objects.order_by("-pk")[0]
    assert newest.params["threshold"] == TIGHT
    assert newest.params["tightened_from"] == MiningRun.objects.order_by("pk")[0].pk
    assert newest.generation.number == 1
    assert newest.job is not None
    assert newest.job.asked_by is not None
    assert newest.job.progress_total == 2


def test_it_gives_what_mining_at_that_bar_gives(claims: Corpus, lena: Client, tmp_path: Path) -> None:
    choose(lena, TIGHT)
    tightened = told(claims)
    MiningRun.objects.update(params={})  # so that no kept score serves
    mine_at(TIGHT)
    assert told(claims) == tightened


def told(corpus: Corpus) -> list[tuple[Any, ...]]:
    """What each proposal says of its group, in the order of the queue."""
    proposals = current_proposals(corpus).order_by("rank")
    return list(proposals.values_list("fingerprint", "rank", "text", "group__facts", "group__shared"))


def test_the_mined_bar_brings_the_groups_and_their_verdicts_back(claims: Corpus, lena: Client, tmp_path: Path) -> None:
    lead = User.objects.get()
    before = groups(tmp_path)
    proposal = current_proposals(claims).get()
    query = proposals.accept(
        corpus=claims, draft=first_draft(proposal, locale="en"), reviewer=lead, now=proposal.run.created_at
    )
    choose(lena, TIGHT)
    assert [each.status for each in current_proposals(claims)] == ["pending"]
    choose(lena, MiningRun.objects.order_by("pk")[0].params["threshold"])
    assert groups(tmp_path) == before
    back = current_proposals(claims).get()
    assert (back.status, back.reviewer) == ("accepted", lead)
    assert query.status == "ready"


def test_a_verdict_taken_back_is_not_carried_over_from_the_run_before(claims: Corpus, lena: Client) -> None:
    lead, mined_at = User.objects.get(), MiningRun.objects.get().params["threshold"]
    first = current_proposals(claims).get()
    proposals.reject(corpus=claims, proposal=first, reason="no", reviewer=lead, now=first.run.created_at)
    mine_again = run("mine", "claims", "--miner", "near_duplicate", "--wait")
    assert mine_again[0] == 0
    carried = current_proposals(claims).get()
    assert carried.status == "rejected"
    proposals.undo(corpus=claims, proposal=carried, reviewer=lead, now=first.run.created_at)
    choose(lena, TIGHT)
    choose(lena, mined_at)
    assert current_proposals(claims).get().status == "pending"


def test_a_looser_bar_is_refused_in_a_sentence(claims: Corpus, lena: Client) -> None:
    page = choose(lena, 0.5)
    mined_at = MiningRun.objects.get().params["threshold"]
    assert f"Scores were kept from a similarity of {mined_at:g} on, so choose one from there to 1;" in page
    assert MiningRun.objects.count() == 1


@pytest.mark.parametrize("given", ["", "much", "2", "-1", "nan"])
def test_what_is_no_cosine_is_refused(lena: Client, given: str) -> None:
    choose(lena, given)
    assert MiningRun.objects.count() == 1


def test_an_empty_review_says_that_the_threshold_is_why_and_how_to_go_back(lena: Client) -> None:
    choose(lena, 1)
    shown = lena.get("/c/claims/review/near_duplicate/").content.decode()
    assert "Nothing to review from a similarity of 1 on" in shown
    assert "again under <i>Similarity from</i>, above the queue, to bring them back" in shown


def test_asked_twice_it_is_one_run(lena: Client) -> None:
    choose(lena, TIGHT)
    assert "These are the groups from a similarity of 0.9995 on already." in choose(lena, TIGHT)
    assert MiningRun.objects.count() == 2


def test_documents_that_changed_since_are_not_regrouped(claims: Corpus, lena: Client, tmp_path: Path) -> None:
    Document.objects.filter(external_id="cargo").update(gone_at=MiningRun.objects.get().created_at)
    assert "The documents of claims changed after this run, so its scores are out of date; mine again." in choose(
        lena, TIGHT
    )


def test_an_import_that_changes_facts_alone_makes_groups_and_their_regrouping_wait_for_mining(
    claims: Corpus, lena: Client, tmp_path: Path
) -> None:
    """The texts and vectors are those of before: only what is declared of two documents is another."""
    moved = {"hail-c": {"jurisdiction": "DE"}, "cargo": {"canonical_id": "cargo-1"}}
    rows = [{**row, **moved.get(row["id"], {})} for row in DOCUMENTS]
    file = written(tmp_path, "again.jsonl", *rows)
    assert run("import_corpus", "claims", file, "--vectors", file, "--encoder-name", "outside")[0] == 0
    page = choose(lena, TIGHT)
    assert "What is declared of documents of claims (facts, article, language) changed after this run" in page
    assert MiningRun.objects.count() == 1
    proposal = current_proposals(claims).get()
    refusal = checked(claims, first_draft(proposal, locale="en")).refusal
    assert refusal == "Document hail-c has changed since this was mined, so its facts are out of date. Mine again."
    assert mine_at(TIGHT)["summary"]["found"] > 0
    assert TIGHTENED_FROM not in MiningRun.objects.latest("pk").params
    mined_again = current_proposals(claims).get()
    assert "out of date" not in checked(claims, first_draft(mined_again, locale="en")).refusal


def test_groups_of_a_version_that_kept_no_descriptions_are_mined_again(claims: Corpus, lena: Client) -> None:
    mined = MiningRun.objects.get()
    del mined.params["described"]
    mined.save()
    assert "did not keep what was declared of the documents; mine again." in choose(lena, TIGHT)


def test_scores_of_other_vectors_are_not_regrouped(claims: Corpus, lena: Client, tmp_path: Path) -> None:
    rows = [{**row, "vector": [1.0, number / 2, 0.0, 0.0]} for number, row in enumerate(DOCUMENTS)]
    file = written(tmp_path, "again.jsonl", *rows)
    assert run("import_corpus", "claims", file, "--vectors", file, "--encoder-name", "another")[0] == 0
    assert "claims has other vectors since this run, so its scores are out of date; mine again." in choose(lena, TIGHT)
    assert mine_at(TIGHT)["summary"]["pairs"] == 0  # mined, for the vectors of today are nowhere so near
    assert TIGHTENED_FROM not in MiningRun.objects.latest("pk").params


def test_a_run_that_kept_no_scores_says_so_and_shows_no_form(lena: Client) -> None:
    MiningRun.objects.update(params={"threshold": 0.95})
    assert "This run kept no scores, so it has one similarity; mine again to choose another." in choose(lena, TIGHT)
    assert THRESHOLD not in lena.get("/c/claims/review/near_duplicate/").content.decode()


def test_while_groups_are_being_mined_nothing_is_regrouped(claims: Corpus, lena: Client) -> None:
    run("mine", "claims", "--miner", "near_duplicate")
    assert "Near-duplicate groups are being mined at this moment; wait for that run, or cancel it." in choose(
        lena, TIGHT
    )
    with pytest.raises(CommandError, match="are being mined at this moment"):
        run("mine", "claims", "--miner", "near_duplicate", "--threshold", "0.99")


def test_documents_that_change_while_it_waits_end_it_in_a_sentence(claims: Corpus, lena: Client) -> None:
    lena.post(THRESHOLD, {"threshold": TIGHT})
    waiting = Job.objects.get(state__in=Job.LIVE)
    Document.objects.filter(external_id="cargo").update(gone_at=waiting.created_at)
    tasks.work_on(waiting.pk)
    waiting.refresh_from_db()
    assert waiting.error == "The documents of claims changed after this run, so its scores are out of date; mine again."
    assert "Similarity from 0.95<" in lena.get("/c/claims/review/near_duplicate/").content.decode()


def test_an_adjuster_sees_the_bar_and_cannot_move_it(claims: Corpus) -> None:
    client = Client()
    client.force_login(factories.marek(claims))
    assert "Similarity from 0.95<" in client.get("/c/claims/review/near_duplicate/").content.decode()
    assert client.post(THRESHOLD, {"threshold": TIGHT}).status_code == 403


def test_the_command_takes_kept_scores_where_they_reach_and_mines_where_they_do_not(claims: Corpus) -> None:
    assert mine_at(TIGHT)["summary"]["threshold"] == TIGHT
    newest = MiningRun.objects.order_by("-pk")[0]
    assert "tightened_from" in newest.params
    told = mine_at(0.9)
    newest = MiningRun.objects.order_by("-pk")[0]
    assert "tightened_from" not in newest.params
    assert (told["state"], told["summary"]["threshold"], newest.params["threshold"]) == ("done", 0.9, 0.9)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--miner", "rare_entity", "--threshold", "0.9"], "A threshold is for near-duplicate groups alone"),
        (["--miner", "near_duplicate", "--threshold", "1.5"], "1.5 is no similarity"),
    ],
)
def test_a_threshold_that_means_nothing_is_refused(claims: Corpus, words: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        run("mine", "claims", *words)


def test_true_duplicates_are_named_apart_on_the_page_and_in_json(tmp_path: Path) -> None:
    twin = {**DOCUMENTS[-1], "id": "cargo-again"}
    file = written(tmp_path, "c.jsonl", *DOCUMENTS, twin)
    assert run("import_corpus", "claims", file, "--vectors", file, "--encoder-name", "outside")[0] == 0
    code, out = run("mine", "claims", "--miner", "near_duplicate", "--wait", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["true_duplicates"] == [["cargo", "cargo-again"]]
    assert told["summary"]["text_twins"] == 1
    client = Client()
    client.force_login(factories.lena(Corpus.objects.get()))
    for threshold in (None, TIGHT):
        if threshold:
            choose(client, threshold)
        page = client.get("/c/claims/review/near_duplicate/").content.decode()
        assert "1 true duplicate<" in page
        assert "cargo = cargo-again" in page
    assert not NearDuplicateMember.objects.filter(document__external_id__startswith="cargo").exists()
