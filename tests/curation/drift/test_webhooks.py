"""Webhooks: who may be told, what is sent, how it is signed, and how often it is tried."""

from __future__ import annotations

import hashlib
import hmac
import re
import socket
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.conf import settings as configured
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse

from curation import tasks
from curation.actions import alarms
from curation.actions.webhooks import PAUSES, add_webhook, remove_webhook, secret_of, signature
from curation.models import DriftAlarm, Job, TargetIndex, Webhook, WebhookDelivery
from curation.retrieval.addresses import allow_list
from tests import factories
from tests.bringing import run
from tests.curation.drift.live import DAY, NOW
from tests.loopback import Answer, Loopback, dripping, serving

pytestmark = pytest.mark.django_db


@pytest.fixture
def index() -> TargetIndex:
    corpus = factories.a_corpus("claims")
    old = corpus.indexes.create(name="old", kind="qdrant", location="LAWS/old")
    fields = {"kind": "qdrant", "location": "LAWS/r3", "alias": "claims", "is_production": True}
    return corpus.indexes.create(name="r3", previous_target=old, **fields)


@pytest.fixture
def hook(settings: LazySettings) -> Iterator[Loopback]:
    with serving(lambda _: Answer()) as server:
        settings.ALLOWED_ADDRESSES = allow_list([server.url.removeprefix("http://")])
        yield server


def raise_alarm(index: TargetIndex, overlap: float = 0.8) -> None:
    readings = {DAY - timedelta(days=number): overlap for number in range(3)}
    alarms.raise_low(index=index, day=DAY, readings=readings, now=NOW)


def told(now: datetime) -> None:
    """What the sweep asks for, done."""
    with time_machine.travel(now, tick=False):
        tasks.sweep()
        for job in Job.objects.filter(kind="tell_alarms", state="queued"):
            tasks.work_on(job.pk)


def test_a_message_is_signed_over_its_moment_and_body(index: TargetIndex, hook: Loopback) -> None:
    added = add_webhook(corpus=index.corpus, address=f"{hook.url}/in", added_by=None, now=NOW)
    raise_alarm(index)
    told(NOW)
    [asked] = hook.asked
    assert (asked.method, asked.path, asked.headers["hardset-event"]) == ("POST", "/in", "drift.alarm")
    found = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", asked.headers["hardset-signature"])
    assert found is not None
    assert int(found[1]) == int(NOW.timestamp())
    signed = hmac.new(added.secret.encode(), f"{found[1]}.".encode() + asked.body, hashlib.sha256)
    assert signed.hexdigest() == found[2]
    assert asked.json == {
        "event": "drift.alarm",
        "alarm": DriftAlarm.objects.get().pk,
        "kind": "low",
        "corpus": "claims",
        "index": "r3",
        "alias": "claims",
        "previous_target": "old",
        "day": "2026-07-13",
        "mean": pytest.approx(0.8),
        "threshold": 0.85,
        "window": 3,
        "words": "Overlap@10 of r3 is 0.800, the mean of its last 3 daily readings up to 2026-07-13; the alarm is below 0.85.",
        "command": "manage.py rollback claims/r3 --reason 'Overlap@10 of r3 is 0.800'",
        "raised_at": NOW.isoformat(),
    }
    told(NOW + timedelta(days=1))
    assert len(hook.asked) == 1


def test_the_function_in_the_documents_takes_our_signature_and_no_other() -> None:
    text = (Path(configured.BASE_DIR) / "docs" / "formats.md").read_text(encoding="utf-8")
    written: dict[str, Any] = {}
    function = text[text.index("import hashlib, hmac") :].split("```")[0]
    exec(function, written)
    is_genuine, body = written["is_genuine"], b'{"a": 1}'
    header = signature("secret", timestamp=1783998000, body=body.decode())
    with time_machine.travel(1783998000 + 299, tick=False):
        assert is_genuine(header, body, "secret")
        assert not is_genuine(header, body, "another")
        assert not is_genuine(header, b'{"a": 2}', "secret")
        assert not any(is_genuine(forged, body, "secret") for forged in ("", "t=1", "t=x,v1=", f"{header},v1=0"))
    with time_machine.travel(1783998000 + 301, tick=False):
        assert not is_genuine(header, body, "secret")


def test_a_message_that_fails_is_tried_again_with_longer_pauses_and_then_given_up(
    index: TargetIndex, hook: Loopback
) -> None:
    add_webhook(corpus=index.corpus, address=hook.url, added_by=None, now=NOW)
    raise_alarm(index)
    hook.faults = [Answer(status=500)] * (len(PAUSES) + 1)
    now = NOW
    for pause in PAUSES:
        told(now)
        assert WebhookDelivery.objects.get().next_at == now + pause
        told(now + pause - timedelta(seconds=1))
        now += pause
    told(now)
    delivery = WebhookDelivery.objects.get()
    assert (delivery.attempts, delivery.given_up_at, len(hook.asked)) == (len(PAUSES) + 1, now, len(PAUSES) + 1)
    assert delivery.answer == "It answered with status 500."


def test_a_receiver_that_drips_its_answer_is_left_at_one_deadline(
    index: TargetIndex, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curation.actions.webhooks.DEADLINE_S", 0.25)
    with dripping(pause=0.02) as address:
        settings.ALLOWED_ADDRESSES = allow_list([address.removeprefix("http://")])
        add_webhook(corpus=index.corpus, address=address, added_by=None, now=NOW)
        raise_alarm(index)
        told(NOW)
    delivery = WebhookDelivery.objects.get()
    assert (delivery.attempts, delivery.next_at) == (1, NOW + PAUSES[0])
    assert delivery.answer == "It did not answer within 0.25 s."


def test_a_resolver_that_hangs_holds_neither_the_worker_nor_a_page(
    index: TargetIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443))]

    def waiting(*_asked: object, **_options: object) -> list[tuple[Any, ...]]:
        over.wait(20)
        raise OSError

    monkeypatch.setattr("curation.retrieval.addresses.socket.getaddrinfo", lambda *_asked, **_options: answers)
    add_webhook(corpus=index.corpus, address="https://hook.example.test/", added_by=None, now=NOW)
    monkeypatch.setattr("curation.retrieval.addresses.socket.getaddrinfo", waiting)
    monkeypatch.setattr("curation.actions.webhooks.TIMEOUT_S", 0.1)
    raise_alarm(index)
    try:
        told(NOW)
        with pytest.raises(CommandError, match=r"The name other\.example\.test was not found within 0\.1 s"):
            run("webhooks", "claims", "--add", "https://other.example.test/")
    finally:
        over.set()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.attempts, delivery.next_at) == (1, NOW + PAUSES[0])
    assert delivery.answer == "Its name was not found within 0.1 s."


def test_a_redirect_is_not_followed_and_a_private_address_not_asked(
    index: TargetIndex, hook: Loopback, settings: LazySettings
) -> None:
    add_webhook(corpus=index.corpus, address=hook.url, added_by=None, now=NOW)
    hook.faults = [Answer(status=302, headers={"Location": "http://169.254.169.254/"})]
    raise_alarm(index)
    told(NOW)
    assert WebhookDelivery.objects.get().answer == "It answered with status 302."
    settings.ALLOWED_ADDRESSES = frozenset()  # as where a name leads inside only later
    told(NOW + PAUSES[0])
    assert "inside a private network" in WebhookDelivery.objects.get().answer
    assert len(hook.asked) == 1


def test_a_removed_webhook_is_told_nothing_more(index: TargetIndex, hook: Loopback) -> None:
    added = add_webhook(corpus=index.corpus, address=hook.url, added_by=None, now=NOW)
    raise_alarm(index)
    assert remove_webhook(webhook=added.webhook, now=NOW)
    told(NOW)
    assert (hook.asked, WebhookDelivery.objects.get().answer) == ([], "The webhook was removed.")
    assert add_webhook(corpus=index.corpus, address=hook.url, added_by=None, now=NOW).secret != added.secret


def test_the_database_alone_cannot_sign(index: TargetIndex, hook: Loopback, settings: LazySettings) -> None:
    added = add_webhook(corpus=index.corpus, address=hook.url, added_by=None, now=NOW)
    stored = Webhook.objects.get()
    assert added.secret not in [str(value) for value in vars(stored).values()]
    assert secret_of(stored) == added.secret
    settings.SECRET_KEY = "another key"
    assert secret_of(stored) != added.secret


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://127.0.0.1/", "inside a private network"),
        ("https://169.254.169.254/latest", "inside a private network"),
        ("https://2130706433/", "odd way to write a host"),
        ("https://me:pass@93.184.215.14/", "must not hold a user or a password"),
        ("ftp://93.184.215.14/", "must start with http"),
        ("http://93.184.215.14/", "needs https"),
        ("https://93.184.215.14/" + "x" * 500, "at most 500 characters"),
        ("https://93.184.215.14/" + "é" * 90, "at most 500 characters; this one has 562"),
    ],
)
def test_c71_an_address_inside_or_odd_is_no_webhook(index: TargetIndex, address: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        run("webhooks", "claims", "--add", address)
    assert not Webhook.objects.exists()


def test_the_command_adds_lists_and_removes(index: TargetIndex) -> None:
    address = "https://93.184.215.14/hook"
    code, out = run("webhooks", "claims", "--add", address)
    assert (code, secret_of(Webhook.objects.get()) in out) == (0, True)
    assert run("webhooks", "claims")[1] == f"{address}: 0 delivered, 0 waiting\n"
    with pytest.raises(CommandError, match="is told already"):
        run("webhooks", "claims", "--add", address)
    assert run("webhooks", "claims", "--remove", address.replace("https", "HTTPS"))[1] == "Nobody is told.\n"
    with pytest.raises(CommandError, match="is not told of anything"):
        run("webhooks", "claims", "--remove", address)


def test_a_lead_sees_the_secret_once(index: TargetIndex, client: Client) -> None:
    client.force_login(factories.lena(index.corpus))
    at = reverse("webhooks", args=["claims"])
    refused = client.post(at, {"address": "https://10.0.0.1/"})
    assert (refused.status_code, "inside a private network" in refused.content.decode()) == (422, True)
    added = client.post(at, {"address": "https://93.184.215.14/hook"}).content.decode()
    hook = Webhook.objects.get()
    assert secret_of(hook) in added
    raise_alarm(index)
    again = client.get(at).content.decode()
    assert (secret_of(hook) in again, "Next attempt" in again) == (False, True)
    client.post(reverse("webhook_remove", args=["claims", hook.pk]))
    assert "Nobody is told" in client.get(at).content.decode()
