"""Which days of the log a lead looks at."""

from __future__ import annotations

from django import forms


class DaysForm(forms.Form):
    """The first and the last day, both of them in it; the last full quarter where neither is given."""

    since = forms.DateField(label="First day", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label="Last day", required=False, widget=forms.DateInput(attrs={"type": "date"}))
