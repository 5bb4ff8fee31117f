"""Queries that are put together once answer as the querysets they stand for."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from curation.models import Query
from curation.reports.prepared import CORPUS, KEY, NAME, Prepared, PreparedRows
from tests import factories

pytestmark = pytest.mark.django_db


def test_as_many_values_are_asked_for_as_are_given_in_place_of_one() -> None:
    stratum = factories.a_stratum(factories.a_corpus())
    queries = [factories.a_query(stratum) for _ in range(3)]
    asked = Prepared.of(Query.objects.filter(corpus=CORPUS, external_id__in=[NAME]).order_by("pk").values_list("pk"))
    names = [queries[0].external_id, queries[2].external_id]
    assert asked.rows({CORPUS: stratum.corpus_id, NAME: names}) == [(queries[0].pk,), (queries[2].pk,)]
    assert asked.rows({CORPUS: stratum.corpus_id, NAME: []}) == []


def test_rows_come_with_what_is_selected_beside_them(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    query = factories.a_query(factories.a_stratum(factories.a_corpus()))
    asked = PreparedRows(Query.objects.filter(pk=KEY).select_related("stratum__corpus", "need"))
    with django_assert_num_queries(1):
        found = asked.one({KEY: query.pk})
        assert (found, found.stratum.corpus, found.need) == (query, query.corpus, None)
    with pytest.raises(Query.DoesNotExist):
        asked.one({KEY: query.pk + 1})
