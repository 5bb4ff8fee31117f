"""The form of the writer's desk."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import cast

from django import forms

from curation.models import QueryType

AS_DETECTED = ""


class WordingForm(forms.Form):
    """A wording of one need in one locale. What the text may be, the action decides (`reports.checks.text_of`)."""

    need = forms.IntegerField(min_value=1)
    locale = forms.ChoiceField(
        error_messages={"invalid_choice": "You do not write %(value)s here; a lead can give you the language."}
    )
    token = forms.CharField(max_length=64)
    wanted = forms.CharField(required=False, max_length=200)
    text = forms.Field(required=False)
    query_type = forms.ChoiceField(
        required=False, label="Type", choices=[(AS_DETECTED, "As detected"), *QueryType.choices]
    )

    def __init__(self, given: Mapping[str, str], *, locales: Collection[str]) -> None:
        super().__init__(given)
        cast("forms.ChoiceField", self.fields["locale"]).choices = [(locale, locale) for locale in locales]

    def clean_text(self) -> str:
        """The text as it was typed; nothing is the empty text."""
        return self.cleaned_data["text"] or ""
