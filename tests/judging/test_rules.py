"""A lead says how many opinions a query wants and what its pool is drawn from, on a page and by a command."""

from __future__ import annotations

import json
import re

import pytest
from django.core.management import CommandError
from django.test import Client

from curation.models import Corpus, Stratum
from judging.models import Pool
from tests import factories
from tests.bringing import run
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]
ADDRESS = "/c/claims/judging-rules/"


def stage_rows() -> None:
    """Three READY queries of one stratum with their pools, and one of another."""
    made = stage.a_judged_corpus(6, queries=3)
    stage.in_stratum(factories.a_stratum(made, "de en Latn question distinctive"), 1)
    stage.call("draw_pools", made)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get()


@pytest.fixture
def lena(corpus: Corpus) -> Client:
    return stage.signed_in(factories.lena(corpus))


def wanted(language: str) -> list[int]:
    pools = Pool.objects.filter(query__stratum__query_language=language).order_by("pk")
    return list(pools.values_list("opinions", flat=True))


def turkish() -> Stratum:
    return Stratum.objects.get(query_language="tr")


def rule(client: Client, opinions: str, kind: str = "exact50") -> str:
    given = {"opinions": opinions, "pool_kind": kind}
    return client.post(f"{ADDRESS}{turkish().pk}/", given, follow=True).content.decode()


def test_the_opinions_of_a_stratum_hold_at_once_where_nobody_has_begun(corpus: Corpus, lena: Client) -> None:
    judge = Judge(corpus.memberships.get(user__username="marek").user)
    held = judge.next()
    assert held is not None
    language = held.pool.query.stratum.query_language
    assert language == "de"  # the other stratum, emptiest by name
    judge.post("skip", held)
    begun = judge.next()
    assert begun is not None
    sent = lena.post(f"{ADDRESS}{turkish().pk}/?query_language=tr", {"opinions": "2", "pool_kind": "exact50"})
    assert sent.headers["Location"] == f"{ADDRESS}?query_language=tr#save-{turkish().pk}"
    shown = rule(lena, "3")
    assert re.search(rf'id="save-{turkish().pk}".*?</button>\s*<span class="saved [^>]*>.*? Stored</span>', shown)
    assert "2 waiting pools that nobody had begun want another number of opinions" in shown
    assert '<option value="3" selected>3</option>' in shown
    assert sorted(wanted("tr")) == [1, 3, 3]
    assert Pool.objects.get(pk=begun.pool_id).opinions == 1
    assert wanted("de") == [1]
    rule(lena, "")
    assert wanted("tr") == [1, 1, 1]
    assert turkish().opinions is None


def test_the_share_of_the_corpus_holds_where_a_stratum_says_nothing(lena: Client) -> None:
    rule(lena, "1")
    page = lena.post(ADDRESS, {"share": 100}, follow=True).content.decode()
    assert "Two people judge 100 % of the queries. 1 waiting pool " in page
    assert (wanted("tr"), wanted("de")) == ([1, 1, 1], [2])
    assert "No waiting pool changes." in lena.post(ADDRESS, {"share": 100}, follow=True).content.decode()


def several(client: Client, **given: object) -> str:
    asked = {"opinions": "kept", "pool_kind": "kept", **given}
    return client.post(f"{ADDRESS}strata", asked, follow=True).content.decode()


def test_several_strata_are_ruled_at_once_and_keep_what_is_not_chosen(lena: Client) -> None:
    rule(lena, "3", "pooled10")
    german = Stratum.objects.get(query_language="de")
    page = several(lena, stratum=[turkish().pk, german.pk], opinions="2")
    assert "Stored for 2 strata. 4 waiting pools" in page
    rules = Stratum.objects.order_by("query_language").values_list("query_language", "opinions", "pool_kind")
    assert list(rules) == [("de", 2, "exact50"), ("tr", 2, "pooled10")]
    assert "Stored for 1 stratum." in several(lena, stratum=german.pk, opinions="")
    assert "Stored for 2 strata." in several(lena, all="1", sure="1", pool_kind="exact50")
    assert list(rules.all()) == [("de", None, "exact50"), ("tr", 2, "exact50")]


def test_a_rule_for_all_that_are_listed_is_asked_about_first(lena: Client) -> None:
    page = several(lena, all="1", opinions="3")
    assert "Change all 2 strata listed?" in page
    narrowed = lena.post(f"{ADDRESS}strata?query_language=tr", {"all": "1", "opinions": "3", "pool_kind": "kept"})
    assert "Every stratum of Turkish takes this rule" in narrowed.content.decode()
    assert '<input type="hidden" name="opinions" value="3">' in page
    assert not Stratum.objects.exclude(opinions=None).exists()
    assert "Stored for 2 strata." in several(lena, all="1", sure="1", opinions="3")
    assert set(Stratum.objects.values_list("opinions", flat=True)) == {3}


def test_the_form_for_several_strata_keeps_every_rule_until_one_is_chosen(lena: Client) -> None:
    page = lena.get(ADDRESS).content.decode()
    assert page.count('<option value="kept" selected>') == 2


def test_what_rules_no_stratum_changes_nothing_and_says_so(lena: Client) -> None:
    assert "Nothing is ticked" in several(lena, opinions="2")
    assert "No rule is chosen" in several(lena, all="1")
    several(lena, all="1", sure="1", opinions="4")
    assert not Stratum.objects.exclude(opinions=None).exists()


@pytest.mark.parametrize("share", ["", "-1", "101", "much"])
def test_a_share_that_is_none_is_refused_and_changes_nothing(lena: Client, share: str) -> None:
    assert lena.post(ADDRESS, {"share": share}).status_code == 422
    assert Corpus.objects.get().double_judged == 0


@pytest.mark.parametrize("given", [{"opinions": "4"}, {"opinions": "0"}, {"pool_kind": "sent"}, {"pool_kind": ""}])
def test_a_rule_that_is_none_is_refused_and_changes_nothing(lena: Client, given: dict[str, str]) -> None:
    lena.post(f"{ADDRESS}{turkish().pk}/", {"opinions": "2", "pool_kind": "pooled10", **given})
    assert (turkish().opinions, turkish().pool_kind) == (None, "exact50")


def test_a_pool_kind_holds_for_pools_drawn_from_now_on(corpus: Corpus, lena: Client) -> None:
    page = rule(lena, "", "pooled10")
    assert "No pool is drawn again." in page
    stage.in_stratum(turkish(), 1)
    stage.call("draw_pools", corpus)
    kinds = Pool.objects.filter(query__stratum=turkish()).order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["exact50"] * 3 + ["pooled10"]


def test_the_page_is_for_leads_and_for_strata_of_their_corpus(corpus: Corpus, lena: Client) -> None:
    marek = stage.signed_in(corpus.memberships.get(user__username="marek").user)
    assert [marek.get(ADDRESS).status_code, marek.post(ADDRESS, {"share": 50}).status_code] == [403, 403]
    other = factories.a_stratum(factories.a_corpus("others"))
    assert lena.post(f"{ADDRESS}{other.pk}/", {"opinions": "2", "pool_kind": "exact50"}).status_code == 404
    assert ADDRESS in lena.get("/c/claims/plan/").content.decode()


def test_the_command_tells_and_changes_the_rules(corpus: Corpus) -> None:
    words = ("--query-language", "tr", "--opinions", "2", "--pool-kind", "pooled10", "--double-judged", "100")
    code, out = run("judging_rules", "claims", *words, "--json")
    told = json.loads(out)
    assert (code, told["double_judged"], told["renewed_pools"]) == (0, 100, 4)
    assert [(row["query_language"], row["opinions"], row["pool_kind"]) for row in told["strata"]] == [
        ("de", None, "exact50"),
        ("tr", 2, "pooled10"),
    ]
    _, plain = run("judging_rules", "claims")
    assert plain.splitlines()[:2] == [
        "Two people judge 100 % of the queries.",
        "de en Latn question distinctive: as the corpus says, exact50",
    ]
    _, words_of = run("judging_rules", "claims", "--opinions", "corpus")
    assert "tr en Latn question distinctive: as the corpus says, pooled10" in words_of
    assert words_of.splitlines()[1] == "No waiting pool changes."


@pytest.mark.parametrize("words", [("--double-judged", "101"), ("--query-language", "xx", "--opinions", "2")])
def test_the_command_refuses_in_words(corpus: Corpus, words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=r"percentage|No stratum"):
        run("judging_rules", "claims", *words)
    assert Stratum.objects.filter(opinions=2).count() == 0
