"""The form in which a lead states an information need, and the one that filters their list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from django import forms

from curation.actions.stated_needs import MOST_CHARACTERS
from curation.models import Slice
from curation.reports.needs import HAS, LACKS, Asked
from curation.retrieval.locales import language_name


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


class NeedFilter(forms.Form):
    """Which needs to list. "Lacks a wording" without a locale means: in one of the corpus's at least."""

    locale = forms.ChoiceField(required=False)
    lacks = forms.ChoiceField(
        required=False,
        label="Wording",
        choices=[("", "There or not"), (LACKS, "Lacks one there"), (HAS, "Has one there")],
    )
    slice = forms.ChoiceField(required=False, choices=[("", "All"), *((value, value) for value in Slice.values)])
    gold = forms.ChoiceField(
        required=False, label="Gold document", choices=[("", "Known or not"), (HAS, "Known"), (LACKS, "Not known")]
    )
    search = forms.CharField(required=False, max_length=200, widget=forms.SearchInput)

    def __init__(self, given: Mapping[str, str], *, locales: Sequence[str]) -> None:
        super().__init__(given)
        names = sorted((language_name(locale), locale) for locale in locales)
        field = cast("forms.ChoiceField", self.fields["locale"])
        field.choices = [("", "Any"), *((locale, name) for name, locale in names)]

    @property
    def asked(self) -> Asked:
        """What a valid form asks for."""
        return Asked(**self.cleaned_data)
