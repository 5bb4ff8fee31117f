"""Ranked runs and what they score."""

from django.db import models
from django.db.models import Q

from .corpus import Corpus, EmbeddingSpace
from .mining import TargetIndex
from .queries import Query

DEEPEST = 10_000  # how many documents of a query may be asked of a run


class RankedRun(models.Model):
    """The ranked answers of one index, or of an imported file, for a corpus's queries, cut at `k` documents.

    `provenance` is what stood beside an imported exact run, so that a gate takes it for a baseline; {} for any other.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="ranked_runs")
    name = models.CharField(max_length=200)
    index = models.ForeignKey(TargetIndex, models.PROTECT, null=True, blank=True, related_name="ranked_runs")
    embedding_space = models.ForeignKey(EmbeddingSpace, models.PROTECT, null=True, blank=True)
    k = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, blank=True)
    provenance = models.JSONField(default=dict, blank=True)
    measured_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="ranked_run_once"),
            models.CheckConstraint(condition=Q(k__gt=0), name="ranked_run_k_positive"),
        ]

    def __str__(self) -> str:
        return self.name


class QueryScore(models.Model):
    """One query's answer in a run: external ids best first, and where the gold stands among the first `k` documents.

    `gold_rank` counts documents from 1 and is None where no document of the gold that the corpus holds is among them;
    a hit@10 is `gold_rank <= 10`. It is written with the run, and again when the query is settled or a document of its
    gold comes, goes or moves, by `actions.measuring` alone.
    """

    run = models.ForeignKey(RankedRun, models.CASCADE, related_name="scores")
    query = models.ForeignKey(Query, models.CASCADE, related_name="scores")
    k = models.PositiveIntegerField()
    hits = models.JSONField(default=list)
    gold_rank = models.PositiveIntegerField(null=True, blank=True)
    recall = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "query", "k"], name="query_score_once"),
            models.CheckConstraint(
                condition=Q(recall__isnull=True) | Q(recall__gte=0, recall__lte=1),
                name="query_score_recall_in_0_1",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.query.external_id} in {self.run}"
