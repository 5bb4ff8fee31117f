"""Forms of the Mining page."""

from __future__ import annotations

from datetime import date

from django import forms
from django.core.validators import MaxValueValidator

LATEST = date(2999, 12, 31)


class ScheduleForm(forms.Form):
    """From which day the quarters count."""

    anchor = forms.DateField(
        label="Quarters count from",
        help_text="The index is mined again on this day of every third month, or on that month's last day.",
        validators=[MaxValueValidator(LATEST, "Choose a day before the year 3000.")],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
