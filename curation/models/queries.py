"""Needs, their wordings, and the settled grades that count."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .corpus import Corpus, Document, EmbeddingSpace
from .strata import Stratum


class Need(models.Model):
    """What someone wants to know, in English where it could be had."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="needs")
    external_id = models.CharField(max_length=500, null=True, blank=True)  # noqa: DJ001  (unique only where given)
    text = models.TextField()
    context = models.TextField(blank=True)
    is_english = models.BooleanField(default=True)
    gold_canonical_id = models.CharField(max_length=500, blank=True)
    slice_hint = models.CharField(max_length=14, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "external_id"], name="need_once"),
            models.CheckConstraint(condition=~Q(text=""), name="need_text_given"),
        ]

    def __str__(self) -> str:
        return self.text


class Query(models.Model):
    """One wording of a need, in exactly one stratum.

    `text` is NFC, `original_text` as given. `folded_hash` is SHA-256 over corpus, locale and folded text.
    `form_token` makes a repeated form post the same query. `gold_canonical_id` is stored when the query turns
    JUDGED, so that it does not move with an encoder. `asked_corpus_language` is the document language of the cell
    that the desk asked for ("und" where it asked for that), kept where the query's own is not known yet
    (`reports.coming`); else "".
    """

    class Origin(models.TextChoices):
        WRITTEN = "written", "Written"
        VARIANT = "variant", "Variant"
        LOG = "log", "Query log"
        MINED = "mined", "Mined"
        IMPORTED = "imported", "Imported"

    class Status(models.TextChoices):
        DRAFT = "draft", "Draft"
        READY = "ready", "Ready"
        JUDGED = "judged", "Judged"
        RETIRED = "retired", "Retired"

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="queries")
    external_id = models.CharField(max_length=500)
    stratum = models.ForeignKey(Stratum, models.PROTECT, related_name="queries")
    need = models.ForeignKey(Need, models.PROTECT, null=True, blank=True, related_name="queries")
    proposal = models.ForeignKey("curation.Proposal", models.PROTECT, null=True, blank=True, related_name="queries")
    variant_of = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="variants")
    text = models.TextField()
    original_text = models.TextField()
    folded_hash = models.CharField(max_length=64)
    origin = models.CharField(max_length=8, choices=Origin)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="queries")
    status = models.CharField(max_length=7, choices=Status, default=Status.READY)
    retired_reason = models.TextField(blank=True)
    gold_canonical_id = models.CharField(max_length=500, blank=True)
    asked_corpus_language = models.CharField(max_length=35, blank=True)
    form_token = models.CharField(max_length=64, null=True, blank=True, unique=True)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    judged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "queries"
        constraints = [
            models.UniqueConstraint(fields=["corpus", "external_id"], name="query_once"),
            models.UniqueConstraint(
                fields=["need", "stratum"],
                condition=~Q(status="retired") & Q(need__isnull=False),
                name="query_one_wording_of_a_need_in_a_stratum",
            ),
            models.UniqueConstraint(
                fields=["corpus", "folded_hash"], condition=~Q(status="retired"), name="query_text_once"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="query_text_given"),
            models.CheckConstraint(
                condition=~Q(status="retired") | ~Q(retired_reason=""), name="query_retired_with_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "ready", "judged", "retired"]), name="query_status_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["corpus", "status", "stratum", "judged_at", "variant_of"], name="query_by_status_and_spelling"
            ),
            models.Index(fields=["stratum", "status", "created_at"], name="query_by_stratum_and_age"),
            models.Index(fields=["corpus", "origin", "created_at"], name="query_by_origin_and_age"),
        ]

    def __str__(self) -> str:
        return self.text

    def is_by(self, person: int) -> bool:
        """Whether the person with that key wrote it, or the wording that it is a variant of."""
        return person in {self.author_id, self.variant_of.author_id if self.variant_of else None}


class Qrel(models.Model):
    """The settled grade of (query, canonical id); only qrels are measured.

    `swept` tells a grade 0 that was seen and left unmarked. `original_score` is the score of the imported file.
    `opinions` is how many people's opinions say it, where people of this place gave them. `text_sha256` is the
    fingerprint of the text of `gold_document` that the grade was given to ("" where that is not known). `twin_of` is
    the canonical id of the text twin whose grade a DERIVED one takes. `exact_only` says that exact search alone offered
    the document to its judges, and no other retriever; None where that is not known (a grade from a file).
    """

    class Source(models.TextChoices):
        """Strongest first; a stronger source overwrites a weaker one."""

        ADJUDICATED = "adjudicated", "Adjudicated"
        AGREED = "agreed", "Agreed"
        IMPORTED = "imported", "Imported"
        VARIANT = "variant", "From its original wording"
        DERIVED = "derived", "Derived"

    query = models.ForeignKey(Query, models.PROTECT, related_name="qrels")
    canonical_id = models.CharField(max_length=500)
    gold_document = models.ForeignKey(Document, models.PROTECT, null=True, blank=True, related_name="qrels")
    grade = models.PositiveSmallIntegerField()
    original_score = models.CharField(max_length=40, blank=True)
    source = models.CharField(max_length=11, choices=Source)
    swept = models.BooleanField(default=False)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    judged_depth = models.PositiveIntegerField(null=True, blank=True)
    opinions = models.PositiveSmallIntegerField(null=True, blank=True)
    text_sha256 = models.CharField(max_length=64, blank=True)
    twin_of = models.CharField(max_length=500, blank=True)
    exact_only = models.BooleanField(null=True, blank=True)
    settled_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["query", "canonical_id"], name="qrel_once"),
            models.CheckConstraint(condition=Q(grade__range=(0, 3)), name="qrel_grade_in_0_3"),
            models.CheckConstraint(
                condition=Q(source__in=["adjudicated", "agreed", "imported", "variant", "derived"]),
                name="qrel_source_known",
            ),
            models.CheckConstraint(
                condition=~Q(source="adjudicated") | Q(decided_by__isnull=False),
                name="qrel_adjudicated_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.query.external_id} {self.canonical_id} {self.grade}"


class CannotTell(models.Model):
    """Someone looked at (query, canonical id) and could not tell: never a grade, never a negative."""

    query = models.ForeignKey(Query, models.PROTECT, related_name="cannot_tell")
    canonical_id = models.CharField(max_length=500)
    document = models.ForeignKey(Document, models.PROTECT, null=True, blank=True)
    original_score = models.CharField(max_length=40, blank=True)

    class Meta:
        verbose_name_plural = "cannot tell"
        constraints = [models.UniqueConstraint(fields=["query", "canonical_id"], name="cannot_tell_once")]

    def __str__(self) -> str:
        return f"{self.query.external_id} {self.canonical_id}"


class OpenDispute(models.Model):
    """Opinions on (query, canonical id) differ and nobody has decided yet; the row goes when someone does."""

    query = models.ForeignKey(Query, models.PROTECT, related_name="open_disputes")
    canonical_id = models.CharField(max_length=500)
    opened_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["query", "canonical_id"], name="open_dispute_once")]

    def __str__(self) -> str:
        return f"{self.query.external_id} {self.canonical_id}"


class QueryVector(models.Model):
    """A query's vector brought along for a space whose encoder does not run here; little-endian float32 bytes."""

    space = models.ForeignKey(EmbeddingSpace, models.CASCADE, related_name="query_vectors")
    query = models.ForeignKey(Query, models.CASCADE, related_name="vectors")
    vector = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["space", "query"], name="query_vector_once")]

    def __str__(self) -> str:
        return f"{self.query.external_id} in {self.space}"
