"""Forms about the plan."""

from __future__ import annotations

from django import forms

from curation.actions.plan import MOST_PLANNED
from curation.models import QueryType, Slice, Use
from curation.reports.places import StratumKey
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale, corpus_language
from curation.retrieval.scripts import SCRIPT_NAMES


class PlannedForm(forms.Form):
    """How many queries a stratum shall hold, and what its figure is for."""

    planned = forms.IntegerField(min_value=0, max_value=MOST_PLANNED, label="Planned queries")
    use = forms.ChoiceField(choices=Use.choices, initial=Use.GATE, label="Use")


class StratumForm(PlannedForm):
    """A stratum to plan, named by its five dimensions."""

    query_language = forms.CharField(max_length=35, help_text="A code such as tr, sr-Latn or zh-Hant.")
    corpus_language = forms.CharField(
        max_length=35, initial="und", label="Document language", help_text="A code, or und where it is not known."
    )
    script = forms.ChoiceField(choices=list(SCRIPT_NAMES.items()), label="Script class")
    query_type = forms.ChoiceField(choices=QueryType.choices, label="Type")
    slice = forms.ChoiceField(choices=[(value, value) for value in Slice.values])

    field_order = ("query_language", "corpus_language", "script", "query_type", "slice", "planned", "use")

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
