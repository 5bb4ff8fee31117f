"""Webhooks: addresses that are told of alarms, and what was sent to them."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .corpus import Corpus


class Webhook(models.Model):
    """An address that is told of a corpus's events.

    Its secret is stored nowhere: it is derived from the key file and `salt`, shown once, and made again to sign.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=500)
    salt = models.CharField(max_length=64)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    added_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "address"], condition=Q(removed_at__isnull=True), name="webhook_once"
            )
        ]

    def __str__(self) -> str:
        return self.address


class WebhookDelivery(models.Model):
    """One event for one webhook: `body` is sent as it stands, again and again with longer pauses until it arrives.

    `attempts` counts what was tried, `next_at` says when to try again; it ends in `delivered_at` or `given_up_at`.
    """

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    key = models.CharField(max_length=100)
    body = models.TextField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.UniqueConstraint(fields=["webhook", "key"], name="webhook_delivery_once"),
            models.CheckConstraint(
                condition=Q(next_at__isnull=False, delivered_at__isnull=True, given_up_at__isnull=True)
                | Q(next_at__isnull=True, delivered_at__isnull=False, given_up_at__isnull=True)
                | Q(next_at__isnull=True, delivered_at__isnull=True, given_up_at__isnull=False),
                name="webhook_delivery_waits_or_ended",
            ),
        ]
        indexes = [models.Index(fields=["next_at"], name="webhook_delivery_due")]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"
