"""Forms about queries that exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import cast

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from curation.models import QueryType
from curation.reports.query_list import STATES, TO_MAKE, Choice
from curation.retrieval.locales import language_name
from curation.retrieval.scripts import SCRIPT_NAMES

DAYS = date(2000, 1, 1), date(2100, 1, 1)
OUT_OF_DAYS = "Name a day between 2000 and 2100."


class QueryFilter(forms.Form):
    """Which queries to list: a value for each dimension of the stratum, and how far they are."""

    words = forms.CharField(
        required=False, max_length=200, label="Id or words", widget=forms.TextInput(attrs={"type": "search"})
    )
    query_language = forms.ChoiceField(required=False)
    corpus_language = forms.ChoiceField(required=False, label="Document language")
    script = forms.ChoiceField(required=False)
    query_type = forms.ChoiceField(required=False, label="Type")
    slice = forms.ChoiceField(required=False)
    status = forms.ChoiceField(required=False, choices=list(STATES.items()))
    judged_before = forms.DateField(
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        validators=[MinValueValidator(DAYS[0], OUT_OF_DAYS), MaxValueValidator(DAYS[1], OUT_OF_DAYS)],
    )
    written_for = forms.IntegerField(required=False, min_value=1, max_value=999_999_999, widget=forms.HiddenInput)
    need = forms.RegexField(rf"^(?:{TO_MAKE}|[0-9]{{1,9}})$", required=False, widget=forms.HiddenInput)

    WORDS: Mapping[str, Callable[[str], str]] = {
        "query_language": language_name,
        "corpus_language": language_name,
        "script": lambda script: SCRIPT_NAMES[script],
        "query_type": lambda query_type: str(QueryType(query_type).label),
        "slice": str,
    }

    def __init__(self, given: Mapping[str, str], *, choices: Mapping[str, Sequence[str]]) -> None:
        super().__init__(given)
        for name, words in self.WORDS.items():
            field = cast("forms.ChoiceField", self.fields[name])
            field.choices = [("", "All"), *((value, words(value)) for value in choices[name])]

    @property
    def choice(self) -> Choice:
        """What a valid form asks of the list."""
        given = dict(self.cleaned_data)
        alone = {name: given.pop(name) for name in ("words", "need", "judged_before", "written_for")}
        return Choice(state=given.pop("status"), dimensions=given, **alone)


class RetireForm(forms.Form):
    """Why a query is withdrawn."""

    reason = forms.CharField(
        max_length=500, help_text="Kept with the query. Its judgments stay; it leaves every count."
    )


class TypeForm(forms.Form):
    """The right type of a query."""

    query_type = forms.ChoiceField(choices=QueryType.choices, label="Right type")
