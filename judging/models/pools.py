"""Pools: the candidates of a query offered for judging, and who holds them."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from curation.models import Document, EmbeddingSpace, Query


class Pool(models.Model):
    """The candidates of one query: `depth` canonical ids of exact search, drawn on until they are that many.

    `cut_in_tie` tells how many further documents tie with the last one drawn.
    """

    class Kind(models.TextChoices):
        EXACT50 = "exact50", "Top 50 of exact search"

    query = models.ForeignKey(Query, models.PROTECT, related_name="pools")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.EXACT50)
    embedding_space = models.ForeignKey(EmbeddingSpace, models.PROTECT)
    depth = models.PositiveIntegerField()
    cut_in_tie = models.PositiveIntegerField(default=0)
    drawn_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["query", "kind"], name="pool_once")]

    def __str__(self) -> str:
        return f"Pool of {self.query.external_id}"


class Candidate(models.Model):
    """A document in a pool. `folded` holds the ids of the renderings that its grade counts for too."""

    pool = models.ForeignKey(Pool, models.CASCADE, related_name="candidates")
    document = models.ForeignKey(Document, models.PROTECT)
    canonical_id = models.CharField(max_length=500)
    exact_rank = models.PositiveIntegerField(null=True, blank=True)
    score = models.FloatField(null=True, blank=True)
    origins = models.JSONField(default=list)
    folded = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "document"], name="candidate_once")]

    def __str__(self) -> str:
        return self.document.external_id


class Assignment(models.Model):
    """One assessor's hold on one pool: a lease until `lease_until`, an end in exactly one of three ways.

    `released_at` ends a lease that ran out, `skipped_at` is a "later" of the assessor, `finished_at` an opinion.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="assignments")
    assessor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments")
    order_seed = models.PositiveIntegerField()
    opened_at = models.DateTimeField()
    lease_until = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    skipped_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True)
    seconds_active = models.PositiveIntegerField(default=0)
    nothing_because = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pool"],
                condition=Q(finished_at__isnull=True, skipped_at__isnull=True, released_at__isnull=True),
                name="assignment_one_holds_a_pool",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assessor} on {self.pool}"
