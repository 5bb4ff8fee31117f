"""Findings are kept beside their candidates, so that a page opens without reading all its texts again."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.db import connection, transaction

from judging.reports.findings import Kept

KEEP = "UPDATE judging_candidate SET highlights = %s WHERE id = %s"


def keep_findings(*, fresh: Mapping[int, Kept]) -> None:
    """Keep what was found by candidate, in one transaction; found twice it is the same, so the last one may stay.

    One short statement a candidate: to put `bulk_update` together takes nearly as long as to find it all.
    """
    if fresh:
        rows = [(json.dumps(kept), pk) for pk, kept in fresh.items()]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(KEEP, rows)
