"""How hard negatives are written to a file."""

from __future__ import annotations

from django import forms

from curation.miners.hard_negative import WANTED
from curation.reports.negative_lines import FORMS

IN_WORDS = {
    "ids": "Ids, with the unjudged apart",
    "triplets": "Triplets with their texts",
    "n-tuples": "N-tuples with their texts",
}


class NegativesForm(forms.Form):
    """The form of the file, and how wide an n-tuple is."""

    form = forms.ChoiceField(
        choices=[(name, IN_WORDS[name]) for name in FORMS],
        label="Download as",
        widget=forms.Select(attrs={"class": "in"}),
    )
    negatives = forms.IntegerField(
        min_value=1,
        max_value=WANTED,
        initial=WANTED,
        required=False,
        label="Negatives of an n-tuple",
        widget=forms.NumberInput(attrs={"class": "in"}),
    )

    @property
    def size(self) -> int:
        """Negatives of an n-tuple, as many as were mined where nothing is said."""
        return self.cleaned_data["negatives"] or WANTED
