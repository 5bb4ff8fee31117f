"""Rollback through its doors: the command with its exit codes, and the lead's page."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from django.conf import LazySettings
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse

from curation.models import AliasSwap, Corpus, TargetIndex
from tests import factories
from tests.bringing import run
from tests.curation.indexes.asking import some_vectors
from tests.vector_database import VectorDatabase

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return factories.a_corpus("claims")


@pytest.fixture
def served(corpus: Corpus, settings: LazySettings) -> TargetIndex:
    """Two FAISS files in folders of their own; the link `now` leads to the newer, which is in production."""
    folder = Path(settings.INDEX_FOLDER)
    for name in ("r3", "old"):
        (folder / name).mkdir(parents=True)
        (folder / name / "claims.faiss").touch()
    (folder / "now").symlink_to("r3")
    old = corpus.indexes.create(name="old", kind="faiss_file", location="old/claims.faiss")
    return corpus.indexes.create(
        name="r3",
        kind="faiss_file",
        location="r3/claims.faiss",
        alias="now",
        previous_target=old,
        is_production=True,
        remine_due_on="2027-01-01",
    )


def led_to(settings: LazySettings) -> str:
    return (Path(settings.INDEX_FOLDER) / "now").resolve().name


def test_a_rollback_leads_back_once_and_tells_who_and_why(served: TargetIndex, settings: LazySettings) -> None:
    dry = run("rollback", "r3", "--dry-run")
    assert dry == (0, "now leads to r3 and can be led to old; nothing was changed.\n")
    assert (led_to(settings), AliasSwap.objects.count()) == ("r3", 0)
    code, out = run("rollback", "claims/r3", "--reason", "overlap@10 is 0.81", "--by", "lena", "--json")
    told = json.loads(out)
    assert (code, told["outcome"], told["from"], told["to"], led_to(settings)) == (0, "done", "r3", "old", "old")
    row = AliasSwap.objects.get()
    assert (row.reason, row.asked_as, str(row)) == ("overlap@10 is 0.81", "lena, on the command line", "now: r3 → old")
    assert row.swapped_at is not None
    old = TargetIndex.objects.get(name="old")
    assert (old.is_production, str(old.remine_due_on)) == (True, "2027-01-01")
    again = run("rollback", "r3", "--reason", "once more")
    assert again == (1, "now leads to old already; nothing was changed.\n")
    assert (led_to(settings), AliasSwap.objects.count()) == ("old", 1)


@pytest.mark.parametrize(
    ("fields", "words", "reason", "sentence"),
    [
        ({"previous_target": None}, ["r3"], "drift", "No previous target of r3 is named"),
        ({"alias": ""}, ["r3"], "drift", "No alias of r3 is named"),
        ({}, ["r3"], " ", "A rollback needs a reason"),
        ({}, ["away"], "drift", "There is no index away. Known: claims/old, claims/r3"),
        ({"alias": "gone"}, ["r3"], "drift", "There is no link gone"),
        ({"kind": "bm25", "location": ""}, ["r3"], "drift", "has no alias that could be led elsewhere"),
    ],
)
def test_what_cannot_be_rolled_back_exits_2_and_changes_nothing(
    served: TargetIndex, settings: LazySettings, fields: dict[str, object], words: list[str], reason: str, sentence: str
) -> None:
    TargetIndex.objects.filter(pk=served.pk).update(**fields)
    with pytest.raises(CommandError, match=sentence) as refusal:
        run("rollback", *words, "--reason", reason)
    assert (refusal.value.returncode, led_to(settings)) == (2, "r3")
    code, out = run("rollback", *words, "--reason", reason, "--json")
    assert (code, json.loads(out)["outcome"]) == (2, "refused")


def test_a_refused_swap_stays_in_the_record_with_its_reason(served: TargetIndex, settings: LazySettings) -> None:
    (Path(settings.INDEX_FOLDER) / "now").unlink()
    (Path(settings.INDEX_FOLDER) / "third").mkdir()
    (Path(settings.INDEX_FOLDER) / "now").symlink_to("third")
    with pytest.raises(CommandError, match="leads to third, which is neither r3 nor its previous target old"):
        run("rollback", "r3", "--reason", "drift")
    row = AliasSwap.objects.get()
    assert (row.swapped_at, "neither r3" in row.fault) == (None, True)


def test_a_name_that_two_corpora_hold_needs_its_corpus(served: TargetIndex) -> None:
    factories.a_corpus("others").indexes.create(name="r3", kind="bm25")
    with pytest.raises(CommandError, match="Several corpora have an index r3; write claims/r3 or others/r3"):
        run("rollback", "r3", "--reason", "drift")


def test_the_previous_target_is_named_on_the_command_line(served: TargetIndex, corpus: Corpus) -> None:
    assert run("name_previous", "r3")[1] == "r3 is asked as now and has no previous target now.\n"
    code, out = run("name_previous", "claims/r3", "old", "--alias", "laws now")
    assert (code, out.splitlines()) == (
        0,
        ["A rollback leads laws now from r3 to old:", "  manage.py rollback claims/r3 --reason why"],
    )
    corpus.indexes.create(name="words", kind="bm25")
    for words, sentence in (
        (["r3", "words"], "of another corpus or kind"),
        (["r3", "r3"], "its own previous target"),
        (["r3", "old", "--alias", "../up"], "no place"),
        (["r3", "old", "--alias", "r3/claims.faiss"], "is where r3 lies"),
        (["words", "--alias", "x"], "has no alias"),
    ):
        with pytest.raises(CommandError, match=sentence):
            run("name_previous", *words)
    assert TargetIndex.objects.get(name="r3").alias == "laws now"


def test_an_alias_leads_within_one_server(corpus: Corpus) -> None:
    corpus.indexes.create(name="here", kind="qdrant", location="NEAR/a")
    corpus.indexes.create(name="there", kind="qdrant", location="FAR/b")
    with pytest.raises(CommandError, match="there lies on another server than here"):
        run("name_previous", "here", "there", "--alias", "now")


def test_a_view_of_a_real_postgresql_goes_back(
    corpus: Corpus, vector_database: VectorDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("claims_r3", "claims_old"):
        vector_database.fill(name, [name], some_vectors(1, seed=1))
    vector_database.run("DROP VIEW IF EXISTS claims_now", "CREATE VIEW claims_now AS SELECT * FROM claims_r3")
    monkeypatch.setenv("INDEX_URL_LAWS", vector_database.url)
    for name in ("old", "r3"):
        corpus.indexes.create(name=name, kind="pgvector", location=f"LAWS/claims_{name}")
    run("name_previous", "r3", "old", "--alias", "claims_now")
    assert run("rollback", "r3", "--dry-run")[0] == 0
    assert run("rollback", "r3", "--reason", "drift")[0] == 0
    with psycopg.connect(vector_database.url) as connection:
        assert connection.execute("SELECT id FROM claims_now").fetchall() == [("claims_old",)]
    assert run("rollback", "r3", "--reason", "drift")[0] == 1
    monkeypatch.delenv("INDEX_URL_LAWS")
    with pytest.raises(CommandError, match="INDEX_URL_LAWS is not set"):
        run("rollback", "r3", "--reason", "drift")


def test_a_lead_rolls_back_on_the_page(served: TargetIndex, settings: LazySettings, client: Client) -> None:
    client.force_login(factories.lena(served.corpus))
    at = reverse("index_rollback", args=["claims", served.pk])
    assert "now</span> back to" in client.get(reverse("indexes", args=["claims"])).content.decode()
    shown = client.get(at).content.decode()
    assert "Lead the alias back" in shown
    assert "manage.py rollback claims/r3 --reason why" in shown
    assert (client.post(at, {"reason": ""}).status_code, led_to(settings)) == (422, "r3")
    told = client.post(at, {"reason": "drift"}, follow=True).content.decode()
    assert (led_to(settings), "now leads to old now; it led to r3." in told) == ("old", True)
    assert AliasSwap.objects.get().asked_by == served.corpus.memberships.get().user
    again = client.post(at, {"reason": "drift"}, follow=True).content.decode()
    assert (led_to(settings), "now leads to old already" in again) == ("old", True)


def test_a_lead_names_the_way_back_on_the_page(served: TargetIndex, client: Client) -> None:
    client.force_login(factories.lena(served.corpus))
    at = reverse("index_previous", args=["claims", served.pk])
    refused = client.post(at, {"alias": "../up", "previous": ""})
    assert (refused.status_code, "no place for a FAISS index" in refused.content.decode()) == (422, True)
    page = client.post(at, {"alias": "now", "previous": ""}, follow=True).content.decode()
    assert "No previous target is named, so there is no way back" in page
    served.refresh_from_db()
    assert served.previous_target is None
