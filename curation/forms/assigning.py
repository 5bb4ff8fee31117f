"""Forms about who writes how much."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import cast

from django import forms

from curation.actions.assigning import HOURS_IN_WORDS
from curation.actions.plan import MOST_PLANNED
from curation.models import Corpus, Membership, Role, Stratum, Use, User

HOURS = re.compile(r"hours-(\d{1,18})", re.ASCII)
MONTH = re.compile(r"\d{4}-\d{2}", re.ASCII)


class PathForm(forms.Form):
    """Which table of what to write next is assigned: its target, and the run whose worst cell it splits."""

    use = forms.ChoiceField(choices=Use.choices)
    run = forms.CharField(required=False, max_length=200)


class AssignmentForm(forms.Form):
    """So many queries of a stratum for one person."""

    stratum = forms.ModelChoiceField(Stratum.objects.none())
    person = forms.ModelChoiceField(User.objects.none(), label="Writer")
    count = forms.IntegerField(min_value=1, max_value=MOST_PLANNED, label="Queries")

    def __init__(
        self, corpus: Corpus, data: Mapping[str, str] | None = None, *, locales: Sequence[str] | None = None
    ) -> None:
        """Offer the planned strata (of `locales`; None for all) and the writers of `corpus`."""
        super().__init__(data)
        strata = corpus.strata.all() if locales is None else corpus.strata.filter(query_language__in=locales)
        planned = strata.filter(planned__gt=0).order_by("query_language", "corpus_language", "slice")
        writers = Membership.objects.filter(corpus=corpus, role=Role.WRITER)
        cast("forms.ModelChoiceField[Stratum]", self.fields["stratum"]).queryset = planned
        people = User.objects.filter(pk__in=writers.values("user")).order_by("username")
        cast("forms.ModelChoiceField[User]", self.fields["person"]).queryset = people


class MonthForm(forms.Form):
    """A month, as browsers send it."""

    month = forms.RegexField(MONTH, label="Month", widget=forms.TextInput(attrs={"type": "month"}))

    def clean_month(self) -> dt.date:
        """Its first day."""
        try:
            return dt.date.fromisoformat(f"{self.cleaned_data['month']}-01")
        except ValueError as fault:
            raise forms.ValidationError("Write the month as 2026-07.") from fault


def hours_in(posted: Mapping[str, str]) -> dict[int, float]:
    """Hours by person as a form holds them; an empty field is none.

    Raises:
        ValueError: a field holds no number of hours.
    """
    hours: dict[int, float] = {}
    for name, written in posted.items():
        if found := HOURS.fullmatch(name):
            try:
                hours[int(found[1])] = float(written or 0)
            except ValueError as fault:
                raise ValueError(f'"{written[:20]}" is no number of hours; {HOURS_IN_WORDS}.') from fault
    return hours
