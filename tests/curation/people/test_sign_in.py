"""Signing in slows down where it keeps failing, and nowhere else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from curation.actions.sign_ins import LONGEST, try_sign_in, wait_after
from curation.models import FailedSignIn
from tests import factories

pytestmark = pytest.mark.django_db


def sign_in(password: str, *, username: str = "aylin", address: str = "10.0.0.1") -> str:
    told = {"username": username, "password": password}
    return Client(REMOTE_ADDR=address).post("/login/", told, follow=True).content.decode()


def test_five_failures_make_the_next_try_wait_even_with_the_right_password() -> None:
    factories.person("aylin")
    for _ in range(5):
        assert "Wait" not in sign_in("wrong")
    told = sign_in(factories.PASSWORD)
    assert "Signing in failed too often with this username. Wait 5 seconds, then try again." in told
    assert "My work" in sign_in(factories.PASSWORD, address="10.0.0.2")
    FailedSignIn.objects.update(last_at=timezone.now() - timedelta(seconds=6))
    assert "My work" in sign_in(factories.PASSWORD)
    assert not FailedSignIn.objects.exists()


def test_waits_double_up_to_a_quarter_of_an_hour_and_a_day_forgets_them() -> None:
    assert [wait_after(failures).total_seconds() for failures in (0, 4, 5, 6, 7)] == [0, 0, 5, 10, 20]
    assert wait_after(60) == LONGEST
    now = timezone.now()
    for _ in range(5):
        assert try_sign_in(username="aylin", address="", now=now) == 0
    assert try_sign_in(username="aylin", address="", now=now) == 5
    assert try_sign_in(username="aylin", address="", now=now + timedelta(days=2)) == 0
    assert FailedSignIn.objects.get().failures == 1


def test_what_is_typed_as_a_username_is_not_stored() -> None:
    sign_in("wrong", username="my secret password")
    assert "secret" not in str(FailedSignIn.objects.values().get())
