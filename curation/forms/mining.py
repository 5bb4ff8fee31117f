"""Forms of the Mining page."""

from __future__ import annotations

from django import forms


class ScheduleForm(forms.Form):
    """From which day the quarters count."""

    anchor = forms.DateField(
        label="Quarters count from",
        help_text="The index is mined again on this day of every third month, or on that month's last day.",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
