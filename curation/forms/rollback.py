"""Forms about the way back of an index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from django import forms

from curation.actions.rollback import LONGEST
from curation.models import TargetIndex


class PreviousForm(forms.Form):
    """The alias of an index, and the one that a rollback leads it to."""

    alias = forms.CharField(max_length=LONGEST, label="Alias")
    previous = forms.ModelChoiceField(
        TargetIndex.objects.none(), required=False, label="Previous target", empty_label="none"
    )

    def __init__(self, index: TargetIndex, data: Mapping[str, str] | None = None) -> None:
        """Offer the other indexes of the same kind in the corpus."""
        super().__init__(data, initial={"alias": index.alias, "previous": index.previous_target_id})
        others = index.corpus.indexes.filter(kind=index.kind).exclude(pk=index.pk).order_by("name")
        cast("forms.ModelChoiceField[TargetIndex]", self.fields["previous"]).queryset = others


class RollbackForm(forms.Form):
    """Why an alias is led back."""

    reason = forms.CharField(label="Reason", max_length=1000, widget=forms.Textarea(attrs={"rows": 2, "class": "in"}))
