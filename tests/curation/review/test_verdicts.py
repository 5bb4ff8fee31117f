"""Verdicts through the review screen: what they store, what they refuse, how they are taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from curation.models import Corpus, Document, DocumentText, Job, Need, Proposal, Qrel, Query
from curation.retrieval.folding import folded_hash
from tests import factories, reviewing

AUSTRIA = "hail deductible in Austria"


def post(client: Client, proposal: Proposal, verdict: str, **given: Any) -> str:
    """Post a verdict, follow to the page, and return it."""
    address = f"/c/claims/review/{proposal.run.miner}/{proposal.pk}/{verdict}/"
    return client.post(address, given, follow=True).content.decode()


def accept(client: Client, proposal: Proposal, **given: Any) -> str:
    return post(client, proposal, "accept", **{"text": proposal.text, "locale": proposal.locale, **given})


def status(proposal: Proposal) -> str:
    proposal.refresh_from_db()
    return proposal.status


def test_an_accepted_group_yields_a_ready_query_for_its_chosen_member(lena: Client, mined: dict[str, Proposal]) -> None:
    page = accept(lena, mined["near_duplicate"], text=AUSTRIA, target=3)
    query = Query.objects.select_related("stratum", "need", "author").get()
    assert f"is query {query.external_id} and waits to be judged" in page
    assert (query.status, query.origin, query.text) == ("ready", "mined", AUSTRIA)
    assert str(query.stratum) == "en × en, Latn, navigational, near_duplicate"
    assert query.need is not None
    assert (query.need.gold_canonical_id, query.need.slice_hint) == ("HD-C", "near_duplicate")
    assert query.author is not None
    assert query.author.username == "lena"
    assert status(mined["near_duplicate"]) == "accepted"


def test_the_other_members_are_derived_negatives_and_the_target_is_not_settled(
    lena: Client, mined: dict[str, Proposal]
) -> None:
    accept(lena, mined["near_duplicate"], text=AUSTRIA, target=3)
    settled = Qrel.objects.order_by("canonical_id").values_list("canonical_id", "grade", "source")
    assert list(settled) == [("HD-A", 0, "derived"), ("HD-B", 0, "derived")]


def test_a_twin_of_the_target_is_no_negative(lena: Client, corpus: Corpus) -> None:
    proposal = reviewing.a_group(reviewing.a_finished_run(corpus, "near_duplicate"))
    assert proposal.group is not None
    proposal.group.facts["members"][2]["twins"] = ["copy"]
    proposal.group.save(update_fields=["facts"])
    reviewing.a_document(corpus, "copy", reviewing.HAIL["HD-C"], canonical_id="HD-A")
    accept(lena, proposal, text=AUSTRIA, target=3)
    assert list(Qrel.objects.values_list("canonical_id", flat=True)) == ["HD-B"]


@pytest.mark.parametrize(
    ("text", "target", "refusal"),
    [
        ("hail deductible", 3, "The query fits 3 of 3 versions. Name a fact that only version 3 states."),
        ("hail deductible Austria", 1, "The query fits version 3, not version 1."),
        ("hail Austria 1 April 2023", 3, "No version states all of"),
        ("hail from 2 May 2019", 3, "No version states 2 May 2019, which the query names."),
        ("hail deductible Austria", "", "Choose the version the query must retrieve."),
        ("  ", 3, "The query is empty."),
    ],
)
def test_a_query_that_does_not_fit_exactly_the_target_is_refused_in_words(
    lena: Client, mined: dict[str, Proposal], text: str, target: object, refusal: str
) -> None:
    assert refusal in accept(lena, mined["near_duplicate"], text=text, target=target)
    assert not Query.objects.exists()
    assert status(mined["near_duplicate"]) == "pending"


def test_another_target_brings_its_own_wording_while_the_text_is_a_mined_one(
    lena: Client, mined: dict[str, Proposal]
) -> None:
    proposal = mined["near_duplicate"]
    assert proposal.group is not None
    drafts = [member["query"] for member in proposal.group.facts["members"]]
    accept(lena, proposal, text=drafts[0], target=3)
    query = Query.objects.get()
    assert query.text == drafts[2]
    assert query.author is None


def test_a_rare_term_becomes_a_query_whose_gold_is_its_chunk(lena: Client, mined: dict[str, Proposal]) -> None:
    accept(lena, mined["rare_entity"])
    query = Query.objects.select_related("stratum", "need").get()
    assert str(query.stratum) == "en × en, Latn, question, rare_entity"
    assert query.need is not None
    assert query.need.gold_canonical_id == "MC-BARRATRY"
    assert not Qrel.objects.exists()


def test_a_query_without_its_rare_term_is_refused(lena: Client, mined: dict[str, Proposal]) -> None:
    assert "no longer holds “barratry”" in accept(lena, mined["rare_entity"], text="what does the crew do")
    assert not Query.objects.exists()


def test_a_keyword_query_has_no_gold_and_keeps_the_words_of_the_log(lena: Client, mined: dict[str, Proposal]) -> None:
    accept(lena, mined["short_keyword"], text="something else")
    query = Query.objects.select_related("stratum").get()
    assert (query.text, query.origin, query.need_id, query.author_id) == ("hagel sb flotte", "log", None, None)
    assert str(query.stratum) == "de × und, Latn-plain, navigational, keyword"


def test_a_keyword_query_may_be_told_what_it_means(lena: Client, mined: dict[str, Proposal]) -> None:
    accept(lena, mined["short_keyword"], need="Deductible for hail losses on fleets")
    need = Need.objects.get()
    assert (need.text, need.is_english, need.gold_canonical_id) == ("Deductible for hail losses on fleets", True, "")


def test_a_query_of_no_language_waits_until_one_is_chosen(
    lena: Client, corpus: Corpus, mined: dict[str, Proposal]
) -> None:
    proposal = reviewing.a_keyword(mined["short_keyword"].run, "水濡れ 免責", locale="und")
    page = lena.get(f"/c/claims/review/short_keyword/?at={proposal.pk}").content.decode()
    assert "Japanese is a guess" in page
    assert "Choose one, then accept." in accept(lena, proposal, locale="")
    assert "Choose one, then accept." in accept(lena, proposal, locale="fr")
    accept(lena, proposal, locale="ja")
    assert Query.objects.select_related("stratum").get().stratum.query_language == "ja"


def test_where_no_locale_is_stated_the_languages_of_the_documents_are_offered(lena: Client, corpus: Corpus) -> None:
    reviewing.a_document(corpus, "d1", "Ein Text.", language="de")
    proposal = reviewing.a_keyword(reviewing.a_finished_run(corpus, "short_keyword"), locale="und")
    accept(lena, proposal, locale="de")
    assert Query.objects.select_related("stratum").get().stratum.query_language == "de"


def test_the_same_text_is_refused_by_the_name_of_its_twin(
    lena: Client, corpus: Corpus, mined: dict[str, Proposal]
) -> None:
    accept(lena, mined["rare_entity"], text="barratry of the master")
    again = reviewing.a_term(mined["rare_entity"].run, "master", text="The master sails.")
    page = accept(lena, again, text="Barratry  of the MASTER")
    assert f"Query {Query.objects.get().external_id} is the same text" in page
    assert status(again) == "pending"


def test_accepting_twice_makes_one_query(lena: Client, mined: dict[str, Proposal]) -> None:
    accept(lena, mined["rare_entity"])
    assert "waits to be judged" in accept(lena, mined["rare_entity"])
    assert Query.objects.count() == 1


def test_accepting_asks_for_the_pool(lena: Client, mined: dict[str, Proposal]) -> None:
    accept(lena, mined["rare_entity"])
    assert Job.objects.get().kind == "draw_pools"


def test_a_rejection_keeps_its_reason_and_goes_on_to_the_next(lena: Client, mined: dict[str, Proposal]) -> None:
    following = reviewing.a_term(mined["rare_entity"].run, "jettison", text="A jettison saves the ship.")
    page = post(lena, mined["rare_entity"], "reject", reason="misspelling")
    assert "Rejected: barratry, misspelling." in page
    assert f"/review/rare_entity/{following.pk}/accept/" in page
    stored = Proposal.objects.select_related("reviewer").get(pk=mined["rare_entity"].pk)
    assert (stored.status, stored.reason, str(stored.reviewer)) == ("rejected", "misspelling", "Lena")
    assert stored.reviewed_at is not None


def test_a_rejection_without_a_reason_is_refused_by_the_screen_and_by_the_database(
    lena: Client, mined: dict[str, Proposal]
) -> None:
    assert "rejected with a reason" in post(lena, mined["rare_entity"], "reject", reason=" ")
    assert status(mined["rare_entity"]) == "pending"
    with pytest.raises(IntegrityError), transaction.atomic():
        Proposal.objects.filter(pk=mined["rare_entity"].pk).update(status="rejected")


def test_the_second_reviewer_is_told_who_decided_and_when(
    lena: Client, marek: Client, mined: dict[str, Proposal]
) -> None:
    accept(lena, mined["rare_entity"])
    Proposal.objects.filter(pk=mined["rare_entity"].pk).update(reviewed_at=reviewing.NOW)
    told = f"Lena accepted this on 14 Jul 2026 at 14:00; it is query {Query.objects.get().external_id}."
    assert told in accept(marek, mined["rare_entity"], text="another barratry")
    assert told in post(marek, mined["rare_entity"], "reject", reason="boilerplate")
    assert f"{told} Only Lena can take that back." in post(marek, mined["rare_entity"], "undo")
    assert Query.objects.get().text == mined["rare_entity"].text


def test_a_verdict_is_taken_back_with_the_query_it_made(lena: Client, mined: dict[str, Proposal]) -> None:
    accept(lena, mined["near_duplicate"], text=AUSTRIA, target=3)
    assert "waits for review again" in post(lena, mined["near_duplicate"], "undo")
    assert status(mined["near_duplicate"]) == "pending"
    query = Query.objects.get()
    assert (query.status, query.retired_reason) == ("retired", "its acceptance was taken back")
    assert not Need.objects.exists()
    accept(lena, mined["near_duplicate"], text=AUSTRIA, target=3)
    assert Query.objects.filter(status="ready").get().external_id == f"{query.external_id}-2"


def test_what_was_taken_back_opens_with_the_words_it_was_accepted_with(
    lena: Client, mined: dict[str, Proposal]
) -> None:
    accept(lena, mined["near_duplicate"], text=AUSTRIA, target=3)
    page = post(lena, mined["near_duplicate"], "undo")
    assert f'value="{AUSTRIA}"' in page
    assert " checked" in page.split('id="target-3"', 1)[1].split(">", 1)[0]


def test_a_keyword_query_that_is_in_the_set_already_is_to_be_rejected(lena: Client, mined: dict[str, Proposal]) -> None:
    stratum = factories.a_stratum(
        mined["short_keyword"].run.generation.index.corpus, "de und Latn-plain navigational keyword"
    )
    twin = factories.a_query(stratum, "hagel sb flotte", folded_hash=folded_hash("claims", "de", "hagel sb flotte"))
    assert f"Query {twin.external_id} is the same text already. Reject this one" in accept(lena, mined["short_keyword"])


def test_a_judged_query_is_not_taken_back(lena: Client, mined: dict[str, Proposal]) -> None:
    accept(lena, mined["rare_entity"])
    Query.objects.update(status="judged")
    assert "is judged and counts already" in post(lena, mined["rare_entity"], "undo")
    assert status(mined["rare_entity"]) == "accepted"


def test_a_rejection_is_taken_back(lena: Client, mined: dict[str, Proposal]) -> None:
    post(lena, mined["rare_entity"], "reject", reason="misspelling")
    post(lena, mined["rare_entity"], "undo")
    assert Proposal.objects.get(pk=mined["rare_entity"].pk).reason == ""
    assert status(mined["rare_entity"]) == "pending"


def test_a_list_that_a_newer_run_replaced_takes_no_verdict(
    lena: Client, corpus: Corpus, mined: dict[str, Proposal]
) -> None:
    reviewing.a_finished_run(corpus, "rare_entity")
    assert "A newer run has taken the place of this list." in accept(lena, mined["rare_entity"])
    assert not Query.objects.exists()


def test_a_verdict_carried_into_a_newer_run_is_taken_back_there(
    lena: Client, corpus: Corpus, mined: dict[str, Proposal]
) -> None:
    accept(lena, mined["rare_entity"])
    old = Proposal.objects.get(pk=mined["rare_entity"].pk)
    kept = {
        name: getattr(old, name)
        for name in ("status", "reviewer", "reviewed_at", "document", "evidence", "fingerprint")
    }
    carried = reviewing.a_proposal(reviewing.a_finished_run(corpus, "rare_entity"), old.text, **kept)
    post(lena, carried, "undo")
    assert status(carried) == "pending"
    assert Query.objects.get().status == "retired"


def test_a_group_whose_text_changed_since_yields_no_query_and_no_negatives(
    lena: Client, mined: dict[str, Proposal]
) -> None:
    DocumentText.objects.filter(document__external_id="HD-B").update(text="In Austria too.", sha256="b" * 64)
    page = accept(lena, mined["near_duplicate"], text=AUSTRIA, target=3)
    assert "Document HD-B has changed since this was mined, so its facts are out of date. Mine again." in page
    assert (Query.objects.count(), Qrel.objects.count(), status(mined["near_duplicate"])) == (0, 0, "pending")


def test_a_group_of_which_other_facts_are_declared_since_yields_no_query(
    lena: Client, mined: dict[str, Proposal]
) -> None:
    Document.objects.filter(external_id="HD-B").update(metadata={"page": "7"})
    assert "out of date" not in post(lena, mined["near_duplicate"], "check", text=AUSTRIA, target=3)
    Document.objects.filter(external_id="HD-B").update(facts={"jurisdiction": "Austria"})
    page = accept(lena, mined["near_duplicate"], text=AUSTRIA, target=3)
    assert "Document HD-B has changed since this was mined, so its facts are out of date. Mine again." in page
    assert (Query.objects.count(), status(mined["near_duplicate"])) == (0, "pending")


@pytest.mark.parametrize(("family", "name"), [("near_duplicate", "HD-C"), ("rare_entity", "MC-barratry")])
def test_a_query_whose_answer_has_gone_is_not_accepted(
    family: str, name: str, lena: Client, mined: dict[str, Proposal]
) -> None:
    Document.objects.filter(external_id=name).update(gone_at=reviewing.NOW)
    given = {"text": AUSTRIA, "target": 3} if family == "near_duplicate" else {}
    page = accept(lena, mined[family], **given)
    assert f"Document {name} has gone from the corpus since this was mined. Mine again, or reject this." in page
    assert (Query.objects.count(), status(mined[family])) == (0, "pending")
    post(lena, mined[family], "reject", reason="not a name")
    assert status(mined[family]) == "rejected"


def test_another_corpus_has_none_of_these_proposals(mined: dict[str, Proposal]) -> None:
    others = Client()
    others.force_login(factories.lena(factories.a_corpus("others")))
    answer = others.post(
        f"/c/others/review/rare_entity/{mined['rare_entity'].pk}/accept/", {"text": "x", "locale": "en"}
    )
    assert answer.status_code == 404
