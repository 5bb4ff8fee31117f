"""Documents that were sent alone, and closed though their judge could tell nothing of any, are offered again."""

from django.db import migrations
from django.db.models import Exists, OuterRef


def offer_again(apps, schema_editor):
    """The opinion gives its place back. Of several such pools of a query the newest, for one alone may be open."""
    Assignment, Judgment, Pool = (apps.get_model("judging", name) for name in ("Assignment", "Judgment", "Pool"))
    said = Judgment.objects.filter(candidate__pool=OuterRef("pool"), assessor=OuterRef("assessor"))
    counting = Assignment.objects.filter(pool__kind="sent", pool__closed_at__isnull=False, place__isnull=False)
    doubting = counting.filter(Exists(said.filter(state="cant_tell")), reopened_at=None, nothing_because="")
    doubting = doubting.exclude(Exists(said.exclude(state__in=["cant_tell", "unseen"])))
    taken = set(Pool.objects.filter(kind="sent", closed_at=None).values_list("query", flat=True))
    for pk, pool, query in doubting.order_by("-pool__drawn_at", "-pk").values_list("pk", "pool", "pool__query"):
        if query not in taken:
            taken.add(query)
            Assignment.objects.filter(pk=pk).update(nothing_because="cannot_tell", place=None)
            Pool.objects.filter(pk=pool).update(closed_at=None)


class Migration(migrations.Migration):

    dependencies = [("judging", "0014_dispute_moments")]

    operations = [migrations.RunPython(offer_again, migrations.RunPython.noop)]
