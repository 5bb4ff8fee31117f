"""The operator's window: every row can be looked at, none but accounts can be changed."""

from __future__ import annotations

import logging

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from curation.models import User
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("operator", password=factories.PASSWORD))
    return client


def test_every_list_opens_and_nothing_but_an_account_can_be_added(operator: Client) -> None:
    factories.judged_queries(factories.a_stratum(factories.a_corpus()), 2)
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert operator.get(reverse(f"{name}_changelist")).status_code == 200
        if model._meta.app_label in {"curation", "judging"} and model is not User:
            assert operator.get(reverse(f"{name}_add")).status_code == 403


def test_a_lead_has_no_way_into_the_window(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/login/?next=")
    client.force_login(factories.lena(factories.a_corpus()))
    with caplog.at_level(logging.INFO):
        answer = client.get("/admin/", follow=True)
    assert answer.status_code == 200
    assert "window opens for operators alone." in answer.content.decode()
    assert caplog.records == []


def test_an_operator_who_signed_in_gets_on_to_the_window(operator: Client) -> None:
    assert operator.get("/admin/login/?next=/admin/").headers["Location"] == "/admin/"
