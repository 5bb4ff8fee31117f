"""Set versions: the frozen queries and grades that a gate reads; nothing of them is edited after freezing."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .corpus import Corpus
from .mining import Generation
from .queries import Qrel, Query
from .strata import QueryType, Slice, Use


class SetVersion(models.Model):
    """`name@number`: a corpus's counted queries and settled grades as they stood when it was frozen.

    `sha256` is the hash of its canonical form (`curation.formats.set_form`), which holds all that a measure reads.
    `generation` is the newest one of the production index on that day, else of any index where that one was not mined.
    `traffic` is each locale's share of the searches then (none where nobody stated any) and `plan` the strata that
    planned queries then, each with its five dimensions, `use` and `planned`. `certificate` is what was told of the set
    that day: judges, agreement, known holes.
    """

    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="set_versions")
    name = models.SlugField(max_length=60)
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    relevant_from = models.PositiveSmallIntegerField()
    generation = models.ForeignKey(Generation, models.PROTECT, null=True, blank=True, related_name="set_versions")
    documents = models.PositiveIntegerField()
    traffic = models.JSONField(default=dict, blank=True)
    plan = models.JSONField(default=list, blank=True)
    certificate = models.JSONField(default=dict, blank=True)
    frozen_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    frozen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "number"], name="set_version_once"),
            models.CheckConstraint(condition=Q(number__gt=0), name="set_version_from_1"),
            models.CheckConstraint(condition=~Q(name=""), name="set_version_named"),
            models.CheckConstraint(condition=Q(relevant_from__range=(1, 3)), name="set_version_relevant_from_in_1_3"),
            models.CheckConstraint(condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="set_version_hashed"),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.number}"


class FrozenQuery(models.Model):
    """One query of a set version, with the text, stratum and gold it had that day; `need` is its need's text."""

    set_version = models.ForeignKey(SetVersion, models.CASCADE, related_name="queries")
    query = models.ForeignKey(Query, models.PROTECT, related_name="frozen")
    external_id = models.CharField(max_length=500)
    text = models.TextField()
    query_language = models.CharField(max_length=35)
    corpus_language = models.CharField(max_length=35)
    script = models.CharField("script class", max_length=20)
    query_type = models.CharField(max_length=12)
    slice = models.CharField(max_length=14)
    use = models.CharField(max_length=7)
    origin = models.CharField(max_length=8)
    need = models.TextField(blank=True)
    need_external_id = models.CharField(max_length=500, blank=True)
    variant_of = models.CharField(max_length=500, blank=True)
    gold_canonical_id = models.CharField(max_length=500, blank=True)
    judged_depth = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "frozen queries"
        constraints = [
            models.UniqueConstraint(fields=["set_version", "query"], name="frozen_query_once"),
            models.UniqueConstraint(fields=["set_version", "external_id"], name="frozen_query_id_once"),
            models.CheckConstraint(condition=~Q(text=""), name="frozen_query_text_given"),
            models.CheckConstraint(condition=Q(query_type__in=QueryType.values), name="frozen_query_type_known"),
            models.CheckConstraint(condition=Q(slice__in=Slice.values), name="frozen_query_slice_known"),
            models.CheckConstraint(condition=Q(use__in=Use.values), name="frozen_query_use_known"),
        ]

    def __str__(self) -> str:
        return f"{self.external_id} in {self.set_version}"


class FrozenQrel(models.Model):
    """A settled grade of a frozen query.

    `exact_only` says that exact search alone offered the document to its judges; None where that is not known.
    """

    query = models.ForeignKey(FrozenQuery, models.CASCADE, related_name="qrels")
    canonical_id = models.CharField(max_length=500)
    gold_document = models.CharField(max_length=500, blank=True)
    grade = models.PositiveSmallIntegerField()
    original_score = models.CharField(max_length=40, blank=True)
    source = models.CharField(max_length=11, choices=Qrel.Source)
    swept = models.BooleanField(default=False)
    opinions = models.PositiveSmallIntegerField(null=True, blank=True)
    exact_only = models.BooleanField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["query", "canonical_id"], name="frozen_qrel_once"),
            models.CheckConstraint(condition=Q(grade__range=(0, 3)), name="frozen_qrel_grade_in_0_3"),
            models.CheckConstraint(condition=Q(source__in=Qrel.Source.values), name="frozen_qrel_source_known"),
        ]

    def __str__(self) -> str:
        return f"{self.query.external_id} {self.canonical_id} {self.grade}"
