"""The form that takes a file to import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms

from curation.formats.faults import FileRefused
from curation.formats.grades import grade_mapping
from curation.formats.pairs import lines_of, split_pairs
from curation.importers import importers
from curation.models.measurements import DEEPEST

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
ONLY_FOR = {
    "name": ("run",),
    "k": ("run",),
    "production": ("run",),
    "judge": ("judgments",),
    "map_grade": ("qrels", "judgments"),
    "locale": ("log", "qrels"),
    "whole": ("documents",),
}
"""The kinds of file that an option is for; one that is not here is for every table."""
EXTRA = ("columns", "where", "map_grade", "k", "production")
"""The options that few files need, which the page folds away."""
PAIRS: Mapping[str, Callable[[list[str]], object]] = {
    "columns": lambda lines: split_pairs(lines, option="Columns:"),
    "where": lambda lines: split_pairs(lines, option="Rows:"),
    "map_grade": lambda lines: grade_mapping(lines, option="Grades:"),
}
"""What is written as pairs, one a line, and how each is read."""


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
        label="Locale",
        max_length=35,
        required=False,
        help_text="For a query log whose lines name none, and for qrels that name queries by their text: tr.",
    )
    whole = forms.BooleanField(
        label="This is the whole corpus",
        required=False,
        help_text="For documents: those that the file lacks are marked as gone. Their texts and judgments are kept.",
    )
    columns = forms.CharField(
        label="Columns",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="FIELD=COLUMN, one a line, where the file calls it otherwise: text=inhalt (<code>--map</code>).",
    )
    where = forms.CharField(
        label="Rows",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="COLUMN=VALUE, one a line: only rows with these values are read: lang=en (<code>--where</code>).",
    )
    map_grade = forms.CharField(
        label="Grades",
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For qrels and judgments, one a line: 4=3 reads grade 4 as 3 (<code>--map-grade</code>).",
    )
    k = forms.IntegerField(
        label="Depth of the run",
        min_value=1,
        max_value=DEEPEST,
        required=False,
        help_text="For a ranked run: documents to keep for each query; all of them where it is left empty.",
    )
    production = forms.BooleanField(
        label="These are answers of the production index",
        required=False,
        help_text="For a ranked run: hard negatives are mined against it from now on.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  (Django's own signature)
        super().__init__(*args, **kwargs)
        kind = self.fields["kind"]
        assert isinstance(kind, forms.ChoiceField)  # noqa: S101  (for the type checker)
        kind.choices = [(one.kind, CONTENTS.get(one.kind, one.title)) for one in importers()]
        kind.initial = "queries"

    def clean(self) -> dict[str, Any]:
        """A run needs a name; pairs are pairs; and an option that a kind of file does not know is not passed over."""
        cleaned: dict[str, Any] = super().clean() or {}
        kind = cleaned.get("kind")
        if kind == "run" and not cleaned.get("name", "").strip():
            self.add_error("name", "A run needs a name, by which boards and reports call it.")
        for name, read in PAIRS.items():
            try:
                read(lines_of(cleaned.get(name, "")))
            except FileRefused as refusal:
                self.add_error(name, str(refusal))
        for name, kinds in ONLY_FOR.items():
            if kind and cleaned.get(name) and kind not in kinds:
                meant = " and ".join(CONTENTS[each].partition(":")[0].lower() for each in kinds)
                self.add_error(name, f"This is for {meant} alone; leave it empty for this file.")
        return cleaned

    @property
    def plain(self) -> list[forms.BoundField]:
        """The fields that the page shows at once."""
        return [field for field in self if field.name not in EXTRA]

    @property
    def extra(self) -> list[forms.BoundField]:
        """The fields that the page folds away."""
        return [field for field in self if field.name in EXTRA]

    @property
    def unfolded(self) -> bool:
        """Whether something of what is folded away is filled in or wrong."""
        return any(field.errors or field.data for field in self.extra)

    @property
    def options(self) -> dict[str, str]:
        """What was asked for besides the file."""
        cleaned = self.cleaned_data
        asked = {name: cleaned[name] for name in ("name", "judge", "locale")}
        asked |= {name: "\n".join(lines_of(cleaned[name])) for name in PAIRS}
        asked |= {name: "yes" if cleaned[name] else "" for name in ("whole", "production")}
        asked["k"] = str(cleaned["k"] or "")
        return {name: value for name, value in asked.items() if value}
