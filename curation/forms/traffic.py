"""Forms about traffic."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django import forms

from curation.actions.traffic import MOST_NOTE
from curation.formats.shares import share_of

LINE = re.compile(r"(?P<locale>[^\s,;]+)[\s,;]+(?P<share>.+)")


class SharesForm(forms.Form):
    """Shares as a person types them, one locale a line, and the day they stand for."""

    shares = forms.CharField(
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="One locale a line, such as tr 2 % or tr 0.02. Together they make 100 %.",
    )
    as_of = forms.DateField(
        required=False, label="As of", widget=forms.DateInput(attrs={"type": "date"}), help_text="Today where empty."
    )
    note = forms.CharField(
        required=False, max_length=MOST_NOTE, label="Where they come from", help_text="Search analytics of June, say."
    )

    def clean_shares(self) -> dict[str, float]:
        """Share by locale as typed; a locale twice is refused."""
        shares: dict[str, float] = {}
        for line in filter(None, map(str.strip, self.cleaned_data["shares"].splitlines())):
            locale, share = _typed(line)
            if locale in shares:
                raise forms.ValidationError(f"{locale} stands there twice.")
            shares[locale] = share
        return shares


class LogDaysForm(forms.Form):
    """Which days of the log to count."""

    since = forms.DateField(required=False, label="From", widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label="To", widget=forms.DateInput(attrs={"type": "date"}))


def as_lines(shares: Mapping[str, float]) -> str:
    """Shares as a person would type them."""
    return "\n".join(f"{locale} {100 * share:.10g} %" for locale, share in shares.items())


def _typed(line: str) -> tuple[str, float]:
    found = LINE.fullmatch(line)
    share = share_of(found["share"]) if found else None
    if found is None or share is None:
        raise forms.ValidationError(f'"{line[:60]}" is no locale and share. Write a line such as tr 2 %.')
    return found["locale"], share
