"""Forms of a reviewer: what is accepted, and why something is rejected."""

from __future__ import annotations

from django import forms
from django.http import QueryDict

from curation.models import Miner
from curation.reports.checks import MOST_CHARACTERS

REASONS: dict[Miner, tuple[str, ...]] = {
    Miner.NEAR_DUPLICATE: (
        "nobody asks for it",
        "not versions of one text",
        "facts misread",
        "cannot be told apart",
    ),
    Miner.RARE_ENTITY: ("not asked by people", "misspelling", "boilerplate", "too common", "just an identifier"),
    Miner.SHORT_KEYWORD: (
        "not about this corpus",
        "has two meanings",
        "cut off",
        "misspelling",
        "names a person",
    ),
}
"""Why proposals of a family are rejected; the commonest stands first, because one key gives it."""


# Digits choose the versions of a group, so its other reasons have the letters beside r.
KEYS: dict[Miner, tuple[str, ...]] = {Miner.NEAR_DUPLICATE: ("KeyR", "KeyT", "KeyY", "KeyI")}
DIGITS = ("KeyR", "Digit2", "Digit3", "Digit4", "Digit5")


def keyed_reasons(family: Miner) -> list[tuple[str, str]]:
    """The reasons of a family, each with the code of its key."""
    return list(zip(REASONS[family], KEYS.get(family, DIGITS), strict=False))


class AcceptForm(forms.Form):
    """The query as it shall be stored, and for a group the number (from 1) of the version it must retrieve."""

    text = forms.CharField(max_length=2 * MOST_CHARACTERS, required=False, strip=False)
    locale = forms.CharField(max_length=35, required=False)
    target = forms.IntegerField(required=False, min_value=1, max_value=100_000)
    need = forms.CharField(max_length=2000, required=False)

    def __init__(self, given: QueryDict, *, locales: tuple[str, ...]) -> None:
        super().__init__(given)
        self.locales = locales

    def clean_locale(self) -> str:
        """One of the corpus's locales, or "" where none is chosen yet."""
        locale: str = self.cleaned_data["locale"]
        if locale and locale not in self.locales:
            raise forms.ValidationError(f"{locale} is not a language of this corpus. Choose one of the list.")
        return locale


class RejectForm(forms.Form):
    """Why a proposal is no query."""

    reason = forms.CharField(max_length=200)


class ThresholdForm(forms.Form):
    """The least similarity of two members of a group."""

    threshold = forms.FloatField(
        min_value=0, max_value=1, error_messages={"required": "Give the least similarity as a number up to 1."}
    )
