"""Forms of the Mining pages."""

from __future__ import annotations

from datetime import date

from django import forms
from django.core.validators import MaxValueValidator

from curation.miners.rare_entity import LEAST_BELOW, MOST_BELOW

LATEST = date(2999, 12, 31)


class ScheduleForm(forms.Form):
    """From which day the quarters count."""

    anchor = forms.DateField(
        label="Quarters count from",
        help_text="The index is mined again on this day of every third month, or on that month's last day.",
        validators=[MaxValueValidator(LATEST, "Choose a day before the year 3000.")],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )


class RareTermsForm(forms.Form):
    """How rare a term has to be."""

    below = forms.IntegerField(
        label="Fewer articles than",
        help_text="A term that as many articles hold as this, or more, is not proposed. Translations count once.",
        min_value=LEAST_BELOW,
        max_value=MOST_BELOW,
    )
