"""The form in which a lead states an information need."""

from __future__ import annotations

from django import forms

from curation.actions.stated_needs import MOST_CHARACTERS
from curation.models import Slice


class NeedForm(forms.Form):
    """What someone wants to know, in English."""

    text = forms.CharField(
        max_length=MOST_CHARACTERS,
        label="Need, in English",
        widget=forms.Textarea(attrs={"rows": 3, "lang": "en"}),
        help_text="What someone wants to know, as a full sentence. Writers word it in their own language.",
    )
    context = forms.CharField(
        max_length=MOST_CHARACTERS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "lang": "en"}),
        help_text="Who asks, and in what situation.",
    )
    gold_canonical_id = forms.CharField(
        max_length=500,
        required=False,
        label="Gold document",
        help_text="The canonical id of the document that answers it, where you know one.",
    )
    slice_hint = forms.ChoiceField(
        required=False,
        choices=[("", "None: distinctive"), *((value, value) for value in Slice.values if value != "distinctive")],
        label="Slice",
        help_text="The difficulty it was written for. Queries that word this need go into this slice.",
    )
