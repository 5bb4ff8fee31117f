"""The form that adds a webhook."""

from __future__ import annotations

from django import forms

from curation.actions.webhooks import LONGEST


class WebhookForm(forms.Form):
    """An address that is told of alarms."""

    address = forms.CharField(
        label="Address",
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"class": "in", "placeholder": "https://hooks.example.org/hardset"}),
    )
