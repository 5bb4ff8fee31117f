"""The form that makes an API token."""

from __future__ import annotations

from typing import Any

from django import forms

from curation.actions.tokens import LONGEST_DAYS, Terms
from curation.models import Corpus, Scope, User


class TokenForm(forms.Form):
    """What a token is to open, and for how long."""

    name = forms.CharField(max_length=60, label="Name", help_text="By which you tell it from others: CI of search.")
    corpus = forms.ModelChoiceField(Corpus.objects.none(), required=False, empty_label="Every corpus of mine")
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text="A token opens no more than your role does. Nothing waives or rolls back by token.",
    )
    days = forms.IntegerField(min_value=1, max_value=LONGEST_DAYS, initial=90, label="Days until it runs out")

    def __init__(self, given: Any = None, *, person: User) -> None:  # noqa: ANN401  (Django's own signature)
        super().__init__(given)
        own = Corpus.objects.filter(memberships__user=person).distinct().order_by("name")
        field = self.fields["corpus"]
        field.queryset = own  # type: ignore[attr-defined]  # a ModelChoiceField

    @property
    def terms(self) -> Terms:
        """What a valid form asks."""
        given = self.cleaned_data
        return Terms(given["name"], given["scopes"], given["corpus"], given["days"])
