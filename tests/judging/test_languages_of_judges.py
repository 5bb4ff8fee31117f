"""Who judges some languages alone is given queries of these, and no other."""

from __future__ import annotations

import pytest

from curation.models import Membership, Role
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", [Role.ADJUSTER, Role.LEAD])
def test_judge_with_languages_is_given_queries_of_these_alone(role: Role) -> None:
    corpus = stage.a_judged_corpus(3)
    stage.in_stratum(factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive"), 1)
    stage.call("draw_pools", corpus)
    haru = Judge(factories.member(corpus, factories.person("haru"), role, languages=["ja"]))
    held = haru.next()
    assert held is not None
    assert held.pool.query.stratum.query_language == "ja"
    haru.post("skip", held)
    again = haru.next()
    assert again is not None
    assert again.pool_id == held.pool_id
    Membership.objects.filter(user=haru.user).update(languages=["ar"])
    haru.post("skip", again)
    assert haru.next() is None
    assert "Nothing to judge" in haru.client.get("/c/claims/judge/").content.decode()
