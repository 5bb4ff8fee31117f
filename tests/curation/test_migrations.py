"""What becomes of rows that an earlier version stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from curation.models import Need, Query, Stratum
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


def test_0027_han_characters_under_another_locale_leave_another_script_with_their_plan() -> None:
    corpus = factories.a_corpus()
    whole = factories.a_stratum(corpus, "tr en Zzzz question distinctive", planned=30)
    mixed = factories.a_stratum(corpus, "de en Zzzz question distinctive", planned=40, opinions=2)
    held = {text: factories.a_query(whole, text) for text in ("東京", "冠状病毒")}
    held |= {text: factories.a_query(mixed, text) for text in ("大阪", "かな", "ꓐꓯ")}
    need = Need.objects.create(corpus=corpus, text="Which city?")
    Query.objects.filter(pk=held["大阪"].pk).update(need=need)
    factories.a_query(factories.a_stratum(corpus, "de en Hani question distinctive"), need=need)
    loader = MigrationLoader(connection)
    migration = loader.get_migration("curation", "0027_other_scripts_reread")
    with connection.schema_editor() as editor:
        migration.apply(loader.project_state(("curation", "0026_exact_ranks")), editor)
    read = {text: Stratum.objects.get(queries=query) for text, query in held.items()}
    assert {text: stratum.script for text, stratum in read.items()} == {
        "東京": "Hani",
        "冠状病毒": "Hani",
        "大阪": "Zzzz",  # its need has a wording in that cell
        "かな": "Jpan-kana",
        "ꓐꓯ": "Zzzz",
    }
    assert (read["東京"].pk, read["東京"].planned) == (whole.pk, 30)
    assert (read["かな"].planned, read["かな"].opinions) == (0, 2)
