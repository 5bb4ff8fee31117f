"""Origins were names alone; each name now holds the rank it gave, which was stored for exact search."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH = 1000


def with_ranks(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """["exact", "hard_negative"] becomes {"exact": 7, "hard_negative": null}."""
    rewrite(
        apps,
        lambda candidate: {
            name: candidate.exact_rank if name == "exact" else None for name in candidate.origins
        },
    )


def names_alone(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """The way back."""
    rewrite(apps, lambda candidate: list(candidate.origins))


def rewrite(apps, origins_of) -> None:
    Candidate = apps.get_model("judging", "Candidate")
    last = 0
    while found := list(Candidate.objects.filter(pk__gt=last).order_by("pk").only("origins", "exact_rank")[:BATCH]):
        last = found[-1].pk
        for candidate in found:
            candidate.origins = origins_of(candidate)
        Candidate.objects.bulk_update(found, ["origins"])


class Migration(migrations.Migration):
    dependencies = [("judging", "0004_pool_kinds")]
    operations = [migrations.RunPython(with_ranks, names_alone)]
