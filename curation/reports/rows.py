"""How many rows a query has, as a part of another query."""

from __future__ import annotations

from django.db.models import IntegerField, Subquery


class Rows(Subquery):
    """How many rows a subquery has."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted_rows)"
    output_field = IntegerField()
