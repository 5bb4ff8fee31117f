"""Forms about gates: which run on which set, and what is waived."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeVar

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from curation.actions.gate_job import Terms as Gated
from curation.actions.gating import MOST_COMMIT, K, offered_k, why_not_at
from curation.actions.runs import EXACT
from curation.actions.waiving import MOST_REASON, Terms, checked_subject, checked_until
from curation.formats.manifest import MOST_BYTES, ManifestRefused
from curation.formats.manifest_records import read_object
from curation.models import Corpus, RankedRun, SetVersion
from curation.models.measurements import DEEPEST
from curation.reports.gate_floors import NAMES, level_in_words
from curation.reports.measured import standing_documents

BETWEEN = "A floor lies between 0 and 1."


class RunChoiceField(forms.ModelChoiceField):  # type: ignore[type-arg]  # it takes none when it runs
    """A choice of runs that says how deep each one goes, and at which k it is gated."""

    documents = 0

    def label_from_instance(self, obj: RankedRun) -> str:
        """The run, its depth, and the k that it is gated at unless another is asked, or that it cannot be."""
        k = offered_k(obj.k, documents=self.documents)
        ends = "too few to gate" if why_not_at(obj.name, obj.k, k=k, documents=self.documents) else f"k = {k}"
        return f"{obj.name}, the first {obj.k:,}: {ends}"


class GateForm(forms.Form):
    """A stored run, a set version, the depth, and where there is one a baseline of an earlier day."""

    version = forms.ModelChoiceField(SetVersion.objects.none(), label="Set", empty_label=None)
    run = RunChoiceField(RankedRun.objects.none(), empty_label=None)
    k = forms.IntegerField(
        min_value=1,
        max_value=DEEPEST,
        required=False,
        label="Another k",
        help_text=f"Left empty: {K}, or as deep as the run goes where it holds fewer. Nothing is gated deeper.",
    )
    baseline = RunChoiceField(RankedRun.objects.none(), required=False, empty_label="Exact search, measured now")
    commit = forms.CharField(
        max_length=MOST_COMMIT,
        required=False,
        label="Commit",
        help_text="The build; kept with the report.",
    )
    manifest = forms.FileField(
        max_length=255, required=False, label="Manifest of the candidate", help_text="JSON; kept with the report."
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        files: MultiValueDict[str, UploadedFile[Any]] | None = None,
        *,
        corpus: Corpus,
    ) -> None:
        """Offer what the corpus has, the newest first; chosen is the newest that can be gated, exact search last."""
        super().__init__(data, files)
        self.documents = standing_documents(corpus)
        self.fields["run"].documents = self.documents  # type: ignore[attr-defined]  # a RunChoiceField
        newest = corpus.ranked_runs.order_by("-measured_at", "-pk")
        choices = {
            "version": corpus.set_versions.select_related("corpus").order_by("-frozen_at", "-pk"),
            "run": newest,
            "baseline": corpus.ranked_runs.exclude(provenance={}).order_by("-measured_at", "-pk"),
        }
        runs = list(newest)
        self.has_runs = bool(runs)
        can_be = [run for run in runs if not self._why_not(run)]
        others = [run for run in can_be if run.name != EXACT]
        self.fields["run"].initial = next((run.pk for run in [*others, *can_be]), None)
        if not any(run.provenance for run in runs):
            del choices["baseline"], self.fields["baseline"]
        for name, rows in choices.items():
            field = self.fields[name]
            field.queryset = rows  # type: ignore[attr-defined]  # a ModelChoiceField
        for field in self.fields.values():
            field.widget.attrs["class"] = "in"

    def clean(self) -> dict[str, Any]:
        """Fill in the k that the run is gated at, or refuse one that it does not hold."""
        given = super().clean() or self.cleaned_data
        run = given.get("run")
        if run is None or "k" not in given:
            return given
        asked = given["k"]
        if why_not := self._why_not(run, asked):
            self.add_error("k" if asked and not self._why_not(run) else "run", why_not)
        given["k"] = asked or offered_k(run.k, documents=self.documents)
        return given

    def _why_not(self, run: RankedRun, k: int | None = None) -> str:
        """Why a run cannot be gated at `k`, or where none is asked at all; "" where it can."""
        k = k or offered_k(run.k, documents=self.documents)
        return why_not_at(run.name, run.k, k=k, documents=self.documents)

    def clean_manifest(self) -> dict[str, Any]:
        """The manifest as it is; {} where none is handed over."""
        file: UploadedFile[Any] | None = self.cleaned_data["manifest"]
        if file is None:
            return {}
        try:
            return read_object(file.read(MOST_BYTES + 1), name=file.name or "The manifest")
        except ManifestRefused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    @property
    def gated(self) -> Gated:
        """What a valid form asks."""
        given = self.cleaned_data
        return Gated(given["run"], given["k"], given.get("baseline"), given["commit"], given["manifest"])


class WaiverForm(forms.Form):
    """What stands aside, until when, and why."""

    subject = forms.CharField(
        max_length=200,
        label="What",
        help_text="As the report names it: slice near_duplicate, locale tr, cell tr en.",
        widget=forms.TextInput(attrs={"class": "in"}),
    )
    until = forms.DateField(
        label="Until", help_text="That day included.", widget=forms.DateInput(attrs={"type": "date", "class": "in"})
    )
    reason = forms.CharField(
        max_length=MOST_REASON,
        label="Reason",
        help_text="Stands on every report it counts for.",
        widget=forms.TextInput(attrs={"class": "in"}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, corpus: Corpus, initial: Mapping[str, Any] | None = None
    ) -> None:
        """A waiver in `corpus`."""
        super().__init__(data, initial=dict(initial or {}), auto_id="waiver_%s")
        self.corpus = corpus

    def clean_subject(self) -> str:
        """What a gate judges."""
        return _checked(lambda: checked_subject(self.cleaned_data["subject"]))

    def clean_until(self) -> date:
        """A day to come."""
        return _checked(lambda: checked_until(self.corpus, self.cleaned_data["until"], now=timezone.now()))

    @property
    def terms(self) -> Terms:
        """What a valid form grants."""
        given = self.cleaned_data
        return Terms(given["subject"], given["reason"], given["until"])


Found = TypeVar("Found")


def _checked(check: Callable[[], Found]) -> Found:
    """What `check` gives; its refusal stands under the field."""
    try:
        return check()
    except ValueError as refusal:
        raise forms.ValidationError(str(refusal)) from refusal


class FloorsForm(forms.Form):
    """The levels that the gates of a corpus hold; one that is left empty is the installation's."""

    absolute = forms.FloatField(label="Absolute, recall of a slice")
    relative = forms.FloatField(label="Relative, share of its baseline")
    cell = forms.FloatField(label="Cells and locales, hit@10")
    headline = forms.FloatField(label="Alarm of the weighted mean")
    reason = forms.CharField(
        max_length=MOST_REASON,
        label="Reason",
        help_text="Kept with your name; a verdict under lowered floors names it.",
        widget=forms.TextInput(attrs={"class": "in"}),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, corpus: Corpus) -> None:
        """Show what the corpus has of its own, beside what the installation has."""
        super().__init__(
            data, initial={name: level_in_words(level) for name, level in corpus.floors.items()}, auto_id="floors_%s"
        )
        for name in NAMES:
            field, level = self.fields[name], settings.GATE_FLOORS[name]
            field.validators += [MinValueValidator(0, BETWEEN), MaxValueValidator(1, BETWEEN)]
            field.required, field.help_text = False, f"{level_in_words(level)} where it is left empty."
            field.widget.attrs |= {"class": "in", "min": "0", "max": "1", "step": "any", "inputmode": "decimal"}

    @property
    def levels(self) -> dict[str, float | None]:
        """What a valid form sets."""
        return {name: self.cleaned_data[name] for name in NAMES}
