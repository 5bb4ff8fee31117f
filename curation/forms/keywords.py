"""How many keyword queries a lead wants drawn."""

from __future__ import annotations

from typing import Any

from django import forms

from curation.miners.keyword_draw import MOST, NOTHING_DRAWN, Draw


class DrawForm(forms.Form):
    """Three numbers and the seed of the draw."""

    top = forms.IntegerField(
        label="Most asked", help_text="of each stratum: what many people will notice", min_value=0, max_value=MOST
    )
    random = forms.IntegerField(
        label="By chance",
        help_text="of each stratum, each query alike: what the log holds beside its head",
        min_value=0,
        max_value=MOST,
    )
    proportional = forms.IntegerField(
        label="In proportion",
        help_text="in all, shared out by searches: what a searcher most likely typed",
        min_value=0,
        max_value=MOST,
    )
    seed = forms.IntegerField(
        label="Seed", help_text="the same one draws the same queries again", min_value=0, max_value=MOST
    )

    def clean(self) -> dict[str, Any]:
        """Refuse numbers that draw nothing: they would empty the family, and stay for later generations."""
        given = super().clean() or self.cleaned_data
        if not self.errors and self.draw().is_empty:
            raise forms.ValidationError(NOTHING_DRAWN)
        return given

    def draw(self) -> Draw:
        """The numbers of a valid form."""
        return Draw(**self.cleaned_data)
