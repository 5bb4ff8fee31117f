"""The form of the writer's desk, and the rows of other spellings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import cast

from django import forms
from django.http import QueryDict

from curation.models import QueryType
from curation.reports.checks import Respelt
from curation.reports.writing_pace import MOST_SECONDS
from curation.retrieval.variants import kinds_of

AS_DETECTED = ""


class WordingForm(forms.Form):
    """A wording of one need in one locale. What the text may be, the action decides (`reports.checks.text_of`)."""

    need = forms.IntegerField(min_value=1)
    locale = forms.ChoiceField(
        error_messages={"invalid_choice": "You do not write %(value)s here; a lead can give you the language."}
    )
    token = forms.CharField(max_length=64)
    wanted = forms.CharField(required=False, max_length=200)
    asked = forms.CharField(required=False, max_length=35)
    taken = forms.CharField(required=False, max_length=2000)
    text = forms.Field(required=False)
    seconds = forms.CharField(required=False)
    query_type = forms.ChoiceField(
        required=False, label="Type", choices=[(AS_DETECTED, "As detected"), *QueryType.choices]
    )

    def __init__(self, given: Mapping[str, str], *, locales: Collection[str]) -> None:
        super().__init__(given)
        cast("forms.ChoiceField", self.fields["locale"]).choices = [(locale, locale) for locale in locales]

    def clean_text(self) -> str:
        """The text as it was typed; nothing is the empty text."""
        return self.cleaned_data["text"] or ""

    def clean_seconds(self) -> int:
        """Active seconds of writing, within bounds; 0 where a browser measures none."""
        given = self.cleaned_data["seconds"]
        return min(int(given), MOST_SECONDS) if given.isascii() and given.isdecimal() and len(given) < 10 else 0


def respelt_in(given: QueryDict, locale: str) -> tuple[Respelt, ...]:
    """What a form says of the other spellings of a locale.

    A row comes back with the text that was suggested for it: where the writer left that alone, the text of the query
    as it is now gets its own suggestion.
    """
    wanted = set(given.getlist("spelling"))
    return tuple(Respelt(kind.key, kind.key in wanted, _own_text(given, kind.key)) for kind in kinds_of(locale))


def _own_text(given: QueryDict, key: str) -> str:
    text = given.get(f"respelt-{key}", "")
    return "" if text == given.get(f"suggested-{key}", "") else text
