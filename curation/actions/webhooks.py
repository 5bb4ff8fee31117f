"""Webhooks: who is told of a corpus's events, and the messages, each signed and sent until it arrives.

The secret of a webhook is an HMAC of its salt under the product's key, so the database alone cannot sign.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import httpx
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from curation.actions.holds import Held
from curation.actions.refusal import Refused
from curation.models import Corpus, User, Webhook, WebhookDelivery
from curation.retrieval.addresses import AddressRefused, AddressRules
from curation.retrieval.connections import CheckedTransport, NameTimeout, checked_url, place_of
from curation.retrieval.deadlines import Deadline, DeadlineTransport, answer_within

TIMEOUT_S = 10.0
"""For one step of a delivery: to look up the name, to connect, or the next bytes of the answer."""
DEADLINE_S = 15.0
"""For a delivery from the look-up of its name to its answer, so that no receiver keeps the others waiting."""
# How long after each failed attempt the next one comes; after the last of them the message is given up.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440))
LONGEST = 500


@dataclass(frozen=True, slots=True)
class Added:
    """A webhook with its secret, which is shown this once."""

    webhook: Webhook
    secret: str


def add_webhook(*, corpus: Corpus, address: str, added_by: User | None, now: datetime) -> Added:
    """Tell `address` of the corpus's events from now on.

    Raises:
        Refused: it is no address, one that nobody knows now, one inside a private network that the operator does not
            allow, without TLS, or told already.
    """
    rules = AddressRules(settings.ALLOWED_ADDRESSES)
    try:
        url = checked_url(address)
        answer_within(TIMEOUT_S, partial(rules.numbers, place_of(url)))
    except AddressRefused as refusal:
        raise Refused(str(refusal)) from refusal
    except TimeoutError as fault:
        raise Refused(f"The name {url.host} was not found within {TIMEOUT_S:g} s; try again later.") from fault
    if len(str(url)) > LONGEST:  # what is not plain in it is longer as it is stored and sent
        raise Refused(f"An address has at most {LONGEST} characters; this one has {len(str(url)):,}.")
    if url.scheme != "https" and place_of(url) not in rules.allowed:
        raise Refused("A webhook outside your own network needs https://, or anybody on the way could read it.")
    try:
        with transaction.atomic():
            made = Webhook.objects.create(
                corpus=corpus, address=str(url), salt=secrets.token_hex(16), added_by=added_by, added_at=now
            )
    except IntegrityError as fault:
        raise Refused(f"{url} is told already; remove it first if it needs a new secret.") from fault
    return Added(made, secret_of(made))


def remove_webhook(*, webhook: Webhook, now: datetime) -> bool:
    """Tell it nothing more, not even what waits; False where it was removed already."""
    with transaction.atomic():
        removed = bool(Webhook.objects.filter(pk=webhook.pk, removed_at=None).update(removed_at=now))
        waiting = WebhookDelivery.objects.filter(webhook=webhook, next_at__isnull=False)
        waiting.update(next_at=None, given_up_at=now, answer="The webhook was removed.")
    return removed


def secret_of(webhook: Webhook) -> str:
    """The secret that signs: 64 hexadecimal digits."""
    return salted_hmac("curation.webhooks", webhook.salt, algorithm="sha256").hexdigest()


def signature(secret: str, *, timestamp: int, body: str) -> str:
    """The header `Hardset-Signature`: HMAC-SHA-256 over `timestamp.body` under the secret's UTF-8 bytes."""
    digest = hmac.new(secret.encode(), f"{timestamp}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"


def queue(*, corpus: Corpus, event: str, key: str, body: str, now: datetime) -> int:
    """One delivery for each webhook of the corpus, once for a `key`; how many. The sweep has them sent."""
    hooks = corpus.webhooks.filter(removed_at=None).exclude(deliveries__key=key)
    made = [
        WebhookDelivery(webhook=hook, event=event, key=key, body=body, next_at=now, created_at=now) for hook in hooks
    ]
    return len(WebhookDelivery.objects.bulk_create(made, ignore_conflicts=True))


def unqueue(*, key: str) -> bool:
    """Take the deliveries of a `key` back; False, and none of them, where one was tried already."""
    deliveries = WebhookDelivery.objects.filter(key=key)
    if deliveries.exclude(attempts=0, next_at__isnull=False).exists():
        return False
    deliveries.delete()
    return True


def is_due(*, now: datetime) -> bool:
    """Whether a message waits whose time has come."""
    return WebhookDelivery.objects.filter(next_at__lte=now).exists()


def send_due(held: Held) -> int:
    """Send every message that is due, how many; one that fails waits for its next attempt."""
    due = WebhookDelivery.objects.filter(next_at__lte=timezone.now()).select_related("webhook").order_by("next_at")
    waiting = list(due)
    for number, delivery in enumerate(waiting, 1):
        timestamp = int(timezone.now().timestamp())
        arrived, answer = _sent(delivery, timestamp)
        with held.writing():
            _settle(delivery, arrived=arrived, answer=answer, now=timezone.now())
        held.progress(number, len(waiting), f"{number:,} of {len(waiting):,} messages sent")
    return len(waiting)


def _sent(delivery: WebhookDelivery, timestamp: int) -> tuple[bool, str]:
    """Whether the message arrived, and what was answered in words; the answer itself is not read."""
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Hardset",
        "Hardset-Event": delivery.event,
        "Hardset-Delivery": delivery.key,
        "Hardset-Signature": signature(secret_of(delivery.webhook), timestamp=timestamp, body=delivery.body),
    }
    deadline = Deadline(DEADLINE_S)
    transport = CheckedTransport(AddressRules(settings.ALLOWED_ADDRESSES), DeadlineTransport(deadline))
    try:
        with (
            httpx.Client(transport=transport, timeout=TIMEOUT_S, trust_env=False) as client,
            client.stream("POST", delivery.webhook.address, content=delivery.body.encode(), headers=headers) as answer,
        ):
            return answer.is_success, f"It answered with status {answer.status_code}."
    except AddressRefused as refusal:
        return False, str(refusal)[:300]
    except NameTimeout:
        return False, f"Its name was not found within {TIMEOUT_S:g} s."
    except httpx.TimeoutException:
        return False, f"It did not answer within {DEADLINE_S if deadline.is_over else TIMEOUT_S:g} s."
    except httpx.HTTPError:
        return False, "It cannot be reached."


def _settle(delivery: WebhookDelivery, *, arrived: bool, answer: str, now: datetime) -> None:
    delivery.attempts += 1
    delivery.answer, delivery.next_at = answer, None
    if arrived:
        delivery.delivered_at = now
    elif delivery.attempts > len(PAUSES):
        delivery.given_up_at = now
    else:
        delivery.next_at = now + PAUSES[delivery.attempts - 1]
    waits = WebhookDelivery.objects.filter(pk=delivery.pk, next_at__isnull=False)  # not removed meanwhile
    waits.update(
        attempts=delivery.attempts,
        answer=answer,
        next_at=delivery.next_at,
        delivered_at=delivery.delivered_at,
        given_up_at=delivery.given_up_at,
    )
