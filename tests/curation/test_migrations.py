"""What becomes of traffic shares that stood beside the locales, and of readings on the way back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def test_0008_shares_beside_locales_become_a_reading_and_come_back() -> None:
    corpus, plain = factories.a_corpus("claims"), factories.a_corpus("plain")
    plain.locales.create(locale="en")
    factories.some_traffic(corpus, en=0.98, tr=0.02)
    corpus.locales.create(locale="de")
    loader = MigrationLoader(connection)
    migration = loader.get_migration("curation", "0008_traffic")
    before = loader.project_state(("curation", "0007_planning"))
    with connection.schema_editor() as editor:
        migration.unapply(before.clone(), editor)
    assert shares(before.apps) == {("claims", "en"): 0.98, ("claims", "tr"): 0.02}
    before.apps.get_model("curation", "TrafficReading").objects.all().delete()
    with connection.schema_editor() as editor:
        migration.apply(before.clone(), editor)
    [reading] = corpus.traffic_readings.all()
    assert (reading.as_of, reading.source, reading.note) == (
        corpus.created_at.date(),
        "file",
        "Stated before readings were dated",
    )
    assert dict(reading.shares.values_list("locale", "share")) == {"en": 0.98, "tr": 0.02}
    assert not plain.traffic_readings.exists()


def shares(apps: Apps) -> dict[tuple[str, str], float]:
    """(corpus, locale) → the share that stands beside the locale, where one does."""
    held: Iterable[Any] = apps.get_model("curation", "CorpusLocale").objects.select_related("corpus")
    return {(each.corpus.slug, each.locale): each.traffic_share for each in held if each.traffic_share is not None}
