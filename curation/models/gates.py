"""Gate reports: what a run scored on a set version, slice by slice and cell by cell, and the verdict of that moment."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from curation.measures.floors import FEWEST
from curation.measures.gate import SPREAD
from curation.measures.targets import COUNT_TARGETS

from .corpus import Corpus
from .measurements import RankedRun
from .mining import Generation
from .sets import SetVersion
from .strata import Slice

ENOUGH = COUNT_TARGETS["gate"]


class GateReport(models.Model):
    """One run measured against one set version; never edited, measured again instead.

    `baseline` is what the run was held against: {"kind", "encoder", "revision", "dims", "native_dims", "space_sha256"}.
    `run_dated` is when the run was stored, or its file made; None where nobody said. `generation` is the newest one of
    the corpus on that day. `documents` is how many the corpus held. `pooled` holds
    figures over all slices, which gate nothing. `missing` are queries the run left out, `unjudged` query → the highest
    ranked documents among its first k that nobody graded; there are `unjudged_documents` of them in all (None in a
    report that lists them all). `waived` are the waivers that stood, in words. `commit` is what the caller
    named its build, `manifest` that of the candidate where it was given.
    """

    class Verdict(models.TextChoices):
        PASS = "pass", "Pass"
        WARN = "warn", "Warning"
        REJECT = "reject", "Rejected"
        WAIVED = "waived", "Rejected, waived"

    set_version = models.ForeignKey(SetVersion, models.PROTECT, related_name="gate_reports")
    run = models.ForeignKey(RankedRun, models.PROTECT, null=True, blank=True, related_name="gate_reports")
    run_name = models.CharField(max_length=500)
    run_sha256 = models.CharField(max_length=64, blank=True)
    run_dated = models.DateTimeField(null=True, blank=True)
    baseline = models.JSONField(default=dict)
    generation = models.ForeignKey(Generation, models.PROTECT, null=True, blank=True, related_name="gate_reports")
    k = models.PositiveIntegerField()
    documents = models.PositiveIntegerField()
    floors = models.JSONField(default=dict)
    verdict = models.CharField(max_length=6, choices=Verdict)
    headline = models.FloatField(null=True, blank=True)
    covered = models.FloatField(null=True, blank=True)
    pooled = models.JSONField(default=dict)
    notes = models.JSONField(default=list, blank=True)
    missing = models.JSONField(default=list, blank=True)
    unjudged = models.JSONField(default=dict, blank=True)
    unjudged_documents = models.PositiveIntegerField(null=True, blank=True)
    waived = models.JSONField(default=list, blank=True)
    commit = models.CharField(max_length=200, blank=True)
    manifest = models.JSONField(default=dict, blank=True)
    measured_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    measured_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(k__gt=0), name="gate_report_k_positive"),
            models.CheckConstraint(
                condition=Q(verdict__in=["pass", "warn", "reject", "waived"]), name="gate_report_verdict_known"
            ),
            models.CheckConstraint(
                condition=Q(headline__isnull=True) | Q(headline__gte=0, headline__lte=1),
                name="gate_report_headline_in_0_1",
            ),
        ]
        indexes = [models.Index(fields=["set_version", "-measured_at"], name="gate_report_newest_first")]

    def __str__(self) -> str:
        return f"{self.run_name} on {self.set_version}"


class GateSlice(models.Model):
    """A slice of a report: mean recall@k of its `n` queries, and how it stands to both floors.

    Below two queries it holds no score, and below twenty it rejects nothing. `difference` is candidate minus baseline
    with its bootstrap interval, `dial` recall at other depths, `lost` the queries that lost documents. `exact_only` of
    its `positives` are known from exact search alone, of the `origins_known` whose origin is known.
    """

    report = models.ForeignKey(GateReport, models.CASCADE, related_name="slices")
    slice = models.CharField(max_length=14)
    n = models.PositiveIntegerField()
    recall = models.FloatField(null=True, blank=True)
    se = models.FloatField(null=True, blank=True)
    baseline = models.FloatField(null=True, blank=True)
    relative_distance = models.FloatField(null=True, blank=True)
    relative_se = models.FloatField(null=True, blank=True)
    verdict = models.CharField(max_length=6)
    asks = models.PositiveIntegerField(null=True, blank=True)
    difference = models.JSONField(default=dict)
    dial = models.JSONField(default=list)
    lost = models.JSONField(default=list)
    positives = models.PositiveIntegerField(default=0)
    origins_known = models.PositiveIntegerField(default=0)
    exact_only = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "slice"], name="gate_slice_once"),
            models.CheckConstraint(condition=Q(slice__in=Slice.values), name="gate_slice_known"),
            models.CheckConstraint(condition=Q(verdict__in=["pass", "warn", "reject"]), name="gate_slice_verdict"),
            models.CheckConstraint(condition=Q(n__gte=FEWEST) | ~Q(verdict="reject"), name="gate_slice_few_only_warn"),
            models.CheckConstraint(
                condition=Q(
                    n__lt=SPREAD,
                    recall__isnull=True,
                    se__isnull=True,
                    baseline__isnull=True,
                    relative_distance__isnull=True,
                    relative_se__isnull=True,
                )
                | Q(
                    n__gte=SPREAD,
                    recall__isnull=False,
                    se__isnull=False,
                    baseline__isnull=False,
                    relative_distance__isnull=False,
                    relative_se__isnull=False,
                ),
                name="gate_slice_scored_from_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.slice}: {self.verdict}"


class GateCell(models.Model):
    """A cell of a report by hit@10: a locale, a pair of languages or a stratum; a thin one holds no score at all.

    Dimensions beyond its crossing are "".
    """

    class Crossing(models.TextChoices):
        LOCALE = "locale", "Locale"
        PAIR = "pair", "Query language × document language"
        STRATUM = "stratum", "Stratum"

    report = models.ForeignKey(GateReport, models.CASCADE, related_name="cells")
    crossing = models.CharField(max_length=7, choices=Crossing)
    query_language = models.CharField(max_length=35)
    corpus_language = models.CharField(max_length=35, blank=True)
    script = models.CharField("script class", max_length=20, blank=True)
    query_type = models.CharField(max_length=12, blank=True)
    slice = models.CharField(max_length=14, blank=True)
    n = models.PositiveIntegerField()
    planned = models.PositiveIntegerField(default=0)
    score = models.FloatField(null=True, blank=True)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    verdict = models.CharField(max_length=6)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["report", "crossing", "query_language", "corpus_language", "script", "query_type", "slice"],
                name="gate_cell_once",
            ),
            models.CheckConstraint(
                condition=Q(crossing__in=["locale", "pair", "stratum"]), name="gate_cell_crossing_known"
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=["pass", "warn", "reject", "thin"]), name="gate_cell_verdict_known"
            ),
            models.CheckConstraint(
                condition=Q(n__lt=ENOUGH, score__isnull=True, low__isnull=True, high__isnull=True)
                | Q(n__gte=ENOUGH, score__isnull=False, low__isnull=False, high__isnull=False),
                name="gate_cell_scored_from_its_target",
            ),
        ]

    def __str__(self) -> str:
        named = (self.query_language, self.corpus_language, self.script, self.query_type, self.slice)
        return " × ".join(filter(None, named))


class Waiver(models.Model):
    """A lead lets a rejection of one subject stand aside until a date: "slice near_duplicate", "locale tr".

    One that is past its date, or withdrawn, does nothing.
    """

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="waivers")
    subject = models.CharField(max_length=200)
    reason = models.TextField()
    until = models.DateField()
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    granted_at = models.DateTimeField()
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(subject=""), name="waiver_of_something"),
            models.CheckConstraint(condition=~Q(reason=""), name="waiver_with_a_reason"),
        ]
        indexes = [models.Index(fields=["corpus", "until"], name="waiver_by_date")]

    def __str__(self) -> str:
        return f"{self.subject} until {self.until}"


class FloorChange(models.Model):
    """Who set the floors of a corpus, when and why: what it had of its own `before` and `after`, level by name."""

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="floor_changes")
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    reason = models.TextField()
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="floor_change_with_a_reason")]
        indexes = [models.Index(fields=["corpus", "-changed_at"], name="floor_change_newest_first")]

    def __str__(self) -> str:
        return f"{self.corpus} {self.changed_at:%Y-%m-%d}"


class AnswerScore(models.Model):
    """A score of the answers that were generated from a run, noted beside its gate report and merged with nothing."""

    report = models.ForeignKey(GateReport, models.CASCADE, related_name="answer_scores")
    measure = models.CharField(max_length=100)
    value = models.FloatField()
    note = models.CharField(max_length=300, blank=True)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    recorded_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(measure=""), name="answer_score_of_a_measure")]

    def __str__(self) -> str:
        return f"{self.measure} {self.value:g}"
