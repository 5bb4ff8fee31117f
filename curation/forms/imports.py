"""The form that takes a file to import."""

from __future__ import annotations

from typing import Any

from django import forms

from curation.importers import importers

CONTENTS = {
    "queries": "Queries",
    "needs": "Information needs",
    "documents": "Documents",
    "qrels": "Qrels: settled grades",
    "judgments": "Judgments: opinions, each with its judge",
    "run": "A ranked run",
    "log": "A query log",
    "plan": "Strata of a plan",
    "set": "An exported set: its zip, whole",
}


class ImportForm(forms.Form):
    """What a file holds, and the file."""

    kind = forms.ChoiceField(label="The file holds", widget=forms.RadioSelect)
    file = forms.FileField(
        label="File", max_length=255, help_text="JSONL, CSV, TSV, Parquet or TREC, alone or in a gzip or zip; UTF-8."
    )
    name = forms.CharField(
        label="Name of the run", max_length=200, required=False, help_text="For a ranked run: what boards call it."
    )
    judge = forms.CharField(
        label="Judge", max_length=150, required=False, help_text="For judgments whose file does not say who judged."
    )
    locale = forms.CharField(
        label="Locale of the log", max_length=35, required=False, help_text="For a query log whose lines name none: tr."
    )
    whole = forms.BooleanField(
        label="This is the whole corpus",
        required=False,
        help_text="For documents: those that the file lacks are marked as gone. Their texts and judgments are kept.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  (Django's own signature)
        super().__init__(*args, **kwargs)
        kind = self.fields["kind"]
        assert isinstance(kind, forms.ChoiceField)  # noqa: S101  (for the type checker)
        kind.choices = [(one.kind, CONTENTS.get(one.kind, one.title)) for one in importers()]
        kind.initial = "queries"

    def clean(self) -> dict[str, Any]:
        """A run needs a name."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("kind") == "run" and not cleaned.get("name", "").strip():
            self.add_error("name", "A run needs a name, by which boards and reports call it.")
        return cleaned

    @property
    def options(self) -> dict[str, str]:
        """What was asked for besides the file."""
        cleaned = self.cleaned_data
        asked = {name: cleaned[name] for name in ("name", "judge", "locale")}
        asked["whole"] = "yes" if cleaned["whole"] else ""
        return {name: value for name, value in asked.items() if value}
