"""Forms about the plan."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms

from curation.actions.plan import MOST_PLANNED, MOST_PRIORITY, Numbers
from curation.models import QueryType, Slice, Use
from curation.reports.places import StratumKey
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale, corpus_language
from curation.retrieval.scripts import SCRIPT_NAMES

ROW = re.compile(r"stratum-(\d{1,18})-planned", re.ASCII)


class PlannedForm(forms.Form):
    """How many queries a stratum shall hold, what its figure is for, and its place among equally empty ones."""

    planned = forms.IntegerField(min_value=0, max_value=MOST_PLANNED, label="Planned queries")
    use = forms.ChoiceField(choices=Use.choices, initial=Use.GATE, label="Use")
    priority = forms.IntegerField(
        min_value=0,
        max_value=MOST_PRIORITY,
        initial=0,
        help_text=f"Among equally empty strata 1 is written first, {MOST_PRIORITY} later, 0 (none) last.",
    )

    @property
    def numbers(self) -> Numbers:
        """What a valid form plans."""
        given = self.cleaned_data
        return Numbers(Use(given["use"]), given["planned"], given["priority"])


class RowForm(PlannedForm):
    """One row of the plan, among others in one form: only what was changed in it is stored.

    `key` is the stratum's, `name` what it is called for those who cannot see the row.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        key: int,
        name: str,
        initial: dict[str, Any] | None = None,
    ) -> None:
        """A row as it is planned (`initial`), or as it was posted."""
        super().__init__(data, prefix=f"stratum-{key}", initial=initial)
        labels = {"planned": f"Planned for {name}", "use": f"Use of {name}", "priority": f"Priority of {name}"}
        for field, label in labels.items():
            self.fields[field].show_hidden_initial = True
            self.fields[field].help_text = ""
            self.fields[field].widget.attrs |= {"class": f"in {field}", "aria-label": label}

    @property
    def changes(self) -> Numbers:
        """What was changed in a valid row."""
        given = {name: self.cleaned_data[name] for name in self.changed_data}
        return Numbers(Use(given["use"]) if "use" in given else None, given.get("planned"), given.get("priority"))

    @staticmethod
    def keys_in(posted: Mapping[str, object]) -> list[int]:
        """The strata whose rows a form holds."""
        return [int(found[1]) for name in posted if (found := ROW.fullmatch(name))]


class StratumForm(PlannedForm):
    """A stratum to plan, named by its five dimensions."""

    query_language = forms.CharField(max_length=35, help_text="A code such as tr, sr-Latn or zh-Hant.")
    corpus_language = forms.CharField(
        max_length=35, initial="und", label="Document language", help_text="A code, or und where it is not known."
    )
    script = forms.ChoiceField(choices=list(SCRIPT_NAMES.items()), label="Script class")
    query_type = forms.ChoiceField(choices=QueryType.choices, label="Type")
    slice = forms.ChoiceField(choices=[(value, value) for value in Slice.values])

    field_order = ("query_language", "corpus_language", "script", "query_type", "slice", "planned", "use", "priority")

    def clean_query_language(self) -> str:
        """The locale in its one form."""
        try:
            return canonical_locale(self.cleaned_data["query_language"])
        except (UnknownLocale, ScriptNeeded) as fault:
            raise forms.ValidationError(str(fault)) from fault

    def clean_corpus_language(self) -> str:
        """The locale in its one form, or "und"."""
        try:
            return corpus_language(self.cleaned_data["corpus_language"])
        except (UnknownLocale, ScriptNeeded) as fault:
            raise forms.ValidationError(str(fault)) from fault

    @property
    def key(self) -> StratumKey:
        """The stratum that a valid form names."""
        return StratumKey(**{name: self.cleaned_data[name] for name in StratumKey._fields})
