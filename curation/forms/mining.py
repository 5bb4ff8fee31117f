"""Forms of the Mining pages."""

from __future__ import annotations

from datetime import date
from zoneinfo import available_timezones

from django import forms
from django.core.validators import MaxValueValidator

from curation.miners.rare_entity import LEAST_BELOW, MOST_BELOW

LATEST = date(2999, 12, 31)


class ScheduleForm(forms.Form):
    """From which day the quarters count, and in which zone a day begins; without a zone it stays as it is."""

    anchor = forms.DateField(
        label="Quarters count from",
        help_text="The index is mined again on this day of every third month, or on that month's last day.",
        validators=[MaxValueValidator(LATEST, "Choose a day before the year 3000.")],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    time_zone = forms.CharField(
        label="Time zone",
        help_text="Days begin and all times of the corpus are shown in it: Europe/Berlin, Asia/Tokyo or UTC, say.",
        required=False,
        max_length=60,
    )

    def clean_time_zone(self) -> str:
        """The zone as it is named, or nothing."""
        name: str = self.cleaned_data["time_zone"]
        if name and name not in available_timezones():
            raise forms.ValidationError("No time zone has this name; write it like Europe/Berlin, or UTC.")
        return name


class RareTermsForm(forms.Form):
    """How rare a term has to be."""

    below = forms.IntegerField(
        label="Fewer articles than",
        help_text="A term that as many articles hold as this, or more, is not proposed. Translations count once.",
        min_value=LEAST_BELOW,
        max_value=MOST_BELOW,
    )
