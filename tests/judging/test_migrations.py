"""What a migration makes of the rows that are there, and of them again on the way back."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from judging.models import Candidate
from tests.judging import stage

pytestmark = pytest.mark.django_db(transaction=True)


def test_0005_origins_take_the_rank_of_exact_search_and_give_it_back() -> None:
    stage.a_judged_corpus(3)
    Candidate.objects.update(origins=["exact", "hard_negative"])
    sent = Candidate.objects.get(document__external_id="d002")
    Candidate.objects.filter(pk=sent.pk).update(origins=["hard_negative"], exact_rank=None)
    loader = MigrationLoader(connection)
    migration = loader.get_migration("judging", "0005_origins_by_rank")
    before = loader.project_state(("judging", "0004_pool_kinds"))
    with connection.schema_editor() as editor:
        migration.apply(before.clone(), editor)
    assert origins() == {
        "d001": {"exact": 1, "hard_negative": None},
        "d002": {"hard_negative": None},
        "d003": {"exact": 3, "hard_negative": None},
    }
    with connection.schema_editor() as editor:
        migration.unapply(before.clone(), editor)
    whole = ["exact", "hard_negative"]
    assert origins() == {"d001": whole, "d002": ["hard_negative"], "d003": whole}


def origins() -> dict[str, object]:
    """Each candidate's, as it is stored."""
    return dict(Candidate.objects.values_list("document__external_id", "origins"))
