"""What a lead of Turkish may do: every route with something of a locale in it, x their own locale and another one."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.access import access_of
from curation.actions.invitations import Wanted, invite
from curation.models import LOCALE_LEAD, Membership, Need, Query, Role, Stratum, WritingAssignment
from judging.forms import Showing
from judging.models import Assignment, Mismatch
from tests import factories
from tests.house.test_access_matrix import IN_A_CORPUS
from tests.judging.home import cast

pytestmark = pytest.mark.django_db

READ, CHANGED, REFUSED, GONE = {200}, {200, 302, 422}, {403}, {404}
# Route, method → what its answer is for something Turkish, and for something Japanese.
BY_LOCALE: dict[tuple[str, str], tuple[set[int], set[int]]] = {
    ("query", "get"): (READ, READ),
    ("query_retire", "post"): (CHANGED, REFUSED),
    ("query_type", "post"): (CHANGED, REFUSED),
    ("query_variants", "post"): (CHANGED, REFUSED),
    ("query_pool", "get"): (READ, REFUSED),
    ("judging_rules_stratum", "post"): (CHANGED, REFUSED),
    ("need", "get"): (READ, READ),
    ("need_edit", "get"): (READ, REFUSED),
    ("need_edit", "post"): (CHANGED, REFUSED),
    ("plan_withdraw", "post"): (CHANGED, REFUSED),
    ("invitation_again", "post"): (CHANGED, REFUSED),
    ("invitation_withdraw", "post"): (CHANGED, REFUSED),
    ("person_invite", "post"): (CHANGED, REFUSED),
    ("person_remove", "post"): (CHANGED, REFUSED),
}
# Routes whose rows belong to a person and not to a locale, or to no locale at all.
BY_PERSON = {
    "set_version",
    "set_diff",
    "disagreement",
    "judge_query",
    "judge_mark",
    "judge_mismatch",
    "judge_undo",
    "judge_skip",
    "judge_finish",
    "review",
    "review_check",
    "review_rank",
    "review_accept",
    "review_reject",
    "review_undo",
    "hard_negative_send",
}
# They are of all languages, and change nothing.
READ_ALONE = {"gate", "gate_json"}
FORMS = {"query_retire": {"reason": "Asks the wrong thing."}, "query_type": {"query_type": "navigational"}}


@pytest.fixture
def theo() -> Client:
    corpus = factories.a_corpus("claims")
    factories.lena(corpus)
    client = Client()
    client.force_login(factories.theo(corpus))
    return client


def rows_of(locale: str, script: str) -> dict[str, int]:
    """One row of each kind in a locale, by the name of its part of an address."""
    corpus = Membership.objects.get(user__username="theo").corpus
    stratum = factories.a_stratum(corpus, f"{locale} en {script} question distinctive")
    writer = factories.member(corpus, factories.person(f"writer-{locale}"), Role.WRITER, languages=[locale])
    need = Need.objects.create(corpus=corpus, text=f"What {locale} wants to know")
    asked = WritingAssignment.objects.create(
        stratum=stratum, person=writer, count=3, assigned_by=writer, assigned_at=timezone.now()
    )
    return {
        "stratum": stratum.pk,
        "query": factories.a_query(stratum, need=need).pk,
        "need": need.pk,
        "asked": asked.pk,
        "membership": writer.memberships.get().pk,
        "invitation": invite(
            corpus=corpus, wanted=Wanted(Role.WRITER, [locale], f"somebody-{locale}"), by=writer, now=timezone.now()
        ).invitation.pk,
    }


def test_every_row_of_a_locale_is_told_in_this_table() -> None:
    opened = {
        name
        for where, name, view in IN_A_CORPUS
        if LOCALE_LEAD in (access_of(view) or "").split(", ") and "<int:" in where
    }
    assert opened == {name for name, _ in BY_LOCALE} | (BY_PERSON - {"review"}) | READ_ALONE


def test_lead_of_a_locale_acts_there_and_is_refused_in_words_elsewhere(theo: Client) -> None:
    own, other = rows_of("tr", "Latn"), rows_of("ja", "Jpan-kanji")
    wrong = []
    for (name, method), expected in BY_LOCALE.items():
        where = next(where for where, named, _ in IN_A_CORPUS if named == name)
        for rows, allowed in zip((own, other), expected, strict=True):
            part = next(part for part in rows if f"<int:{part}>" in where)
            address = reverse(name, kwargs={"slug": "claims", part: rows[part]})
            answer = getattr(theo, method)(address, FORMS.get(name, {}))
            said_why = answer.status_code != 403 or "Turkish here" in answer.content.decode()
            if answer.status_code not in allowed or not said_why:
                wrong.append(f"{method} {address}: {answer.status_code}")
    assert wrong == []


def flagged(query: Query) -> int:
    """A mismatch that a judge of the query flagged."""
    pool = cast.a_pool(query, candidates=1)
    judge = factories.member(query.corpus, factories.person(f"judge-{query.pk}"), Role.ADJUSTER)
    held = Assignment.objects.create(
        pool=pool, assessor=judge, place=1, order_seed=1, opened_at=timezone.now(), lease_until=timezone.now()
    )
    return Mismatch.objects.create(
        assignment=held,
        candidate=pool.candidates.get(),
        assessor=judge,
        reason=Mismatch.Reason.COUNTRY,
        token=f"flag-{query.pk}",
        at=timezone.now(),
    ).pk


def shown(query: Query) -> str:
    """What the page of a disagreement over the query sends back."""
    showing = Showing(query.pk, "d1", 0, timezone.now().timestamp(), f"press-{query.pk}")
    return signing.dumps(asdict(showing), salt=Showing.SALT)


def forms_in(locale: str, script: str) -> dict[str, dict[str, object]]:
    """Forms about a stratum, a flag and a disagreement of a locale, by the routes that no id of theirs stands in."""
    rows = rows_of(locale, script)
    Stratum.objects.filter(pk=rows["stratum"]).update(planned=30)
    query = Query.objects.get(pk=rows["query"])
    place = {"query_language": locale, "corpus_language": "de", "script": script}
    kind = {"query_type": "question", "slice": "distinctive", "planned": 5, "use": "gate", "priority": 0}
    row, writer = f"stratum-{rows['stratum']}", Membership.objects.get(pk=rows["membership"]).user_id
    return {
        "plan": place | kind,
        "plan_save": {f"{row}-planned": 60, f"{row}-use": "gate", f"{row}-priority": 0},
        "plan_assign": {"stratum": rows["stratum"], "person": writer, "count": 2},
        "judging_rules_strata": {"stratum": rows["stratum"], "opinions": 2, "pool_kind": "exact50"},
        "mismatch_deal": {"flag": flagged(query)},
        "disagreement_settle": {"showing": shown(query), "grade": 3, "cause": "slip"},
    }


def test_lead_of_a_locale_is_refused_in_words_where_only_the_form_names_another(theo: Client) -> None:
    own, other = forms_in("tr", "Latn"), forms_in("ja", "Jpan-kanji")
    answers = {
        name: tuple(theo.post(reverse(name, args=["claims"]), forms[name]).status_code for forms in (own, other))
        for name in own
    }
    assert answers == dict.fromkeys(own, (302, 403))
