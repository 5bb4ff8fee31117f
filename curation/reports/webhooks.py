"""The webhooks of a corpus with what became of their messages."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q

from curation.models import Corpus, Webhook, WebhookDelivery

SHOWN = 20


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook, and how many messages arrived, wait for their next attempt, or were given up."""

    webhook: Webhook
    delivered: int
    waiting: int
    given_up: int


def webhooks_of(corpus: Corpus) -> list[WebhookRow]:
    """Every webhook that is told of something, the oldest first; one query."""
    hooks = corpus.webhooks.filter(removed_at=None).select_related("added_by").order_by("pk")
    counted = hooks.annotate(
        arrived=Count("deliveries", filter=Q(deliveries__delivered_at__isnull=False)),
        waits=Count("deliveries", filter=Q(deliveries__next_at__isnull=False)),
        lost=Count("deliveries", filter=Q(deliveries__given_up_at__isnull=False)),
    )
    return [WebhookRow(hook, hook.arrived, hook.waits, hook.lost) for hook in counted]


def deliveries_of(corpus: Corpus) -> list[WebhookDelivery]:
    """The newest messages, also of webhooks that were removed; one query."""
    rows = WebhookDelivery.objects.filter(webhook__corpus=corpus).select_related("webhook")
    return list(rows.order_by("-created_at", "-pk")[:SHOWN])
