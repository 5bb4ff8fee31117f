"""Strata: the smallest counted groups of queries."""

from django.db import models
from django.db.models import Q

from curation.retrieval.scripts import SCRIPT_CLASSES

from .corpus import Corpus


class QueryType(models.TextChoices):
    """What kind of wording a query is; codes and errors do not test the language."""

    NAVIGATIONAL = "navigational", "Navigational"
    QUESTION = "question", "Question"
    ERROR_STRING = "error_string", "Code or error"


class Slice(models.TextChoices):
    """The difficulty families: a partition, because a stratum has exactly one."""

    DISTINCTIVE = "distinctive"
    NEAR_DUPLICATE = "near_duplicate"
    RARE_ENTITY = "rare_entity"
    KEYWORD = "keyword"


class Use(models.TextChoices):
    """What a stratum's figure is for; each use has its count target (30, 100, 400)."""

    SCREEN = "screen", "Screen"
    GATE = "gate", "Gate"
    COMPARE = "compare", "Compare"


class PoolKind(models.TextChoices):
    """What the pools of a stratum are drawn from."""

    EXACT50 = "exact50", "Top 50 of exact search"
    POOLED10 = "pooled10", "Top 10 of each retriever"


class Stratum(models.Model):
    """Query language x corpus language (`und` = not known yet) x script class x query type x slice.

    `opinions` is how many opinions settle a query of it; None for the corpus's rule (`Corpus.double_judged`).
    """

    MOST_OPINIONS = 3

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="strata")
    query_language = models.CharField(max_length=35)
    corpus_language = models.CharField(max_length=35, default="und")
    script = models.CharField("script class", max_length=20)
    query_type = models.CharField(max_length=12, choices=QueryType)
    slice = models.CharField(max_length=14, choices=Slice, default=Slice.DISTINCTIVE)
    use = models.CharField(max_length=7, choices=Use, default=Use.GATE)
    planned = models.PositiveIntegerField(default=0)
    priority = models.PositiveSmallIntegerField(default=0)
    opinions = models.PositiveSmallIntegerField(null=True, blank=True)
    pool_kind = models.CharField(max_length=8, choices=PoolKind, default=PoolKind.EXACT50)

    class Meta:
        verbose_name_plural = "strata"
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "query_language", "corpus_language", "script", "query_type", "slice"],
                name="stratum_once",
            ),
            models.CheckConstraint(condition=Q(query_type__in=QueryType.values), name="stratum_type_known"),
            models.CheckConstraint(condition=Q(slice__in=Slice.values), name="stratum_slice_known"),
            models.CheckConstraint(condition=Q(use__in=Use.values), name="stratum_use_known"),
            models.CheckConstraint(condition=Q(pool_kind__in=PoolKind.values), name="stratum_pool_kind_known"),
            models.CheckConstraint(
                condition=Q(opinions__isnull=True) | Q(opinions__range=(1, 3)), name="stratum_opinions_1_to_3"
            ),
            models.CheckConstraint(condition=Q(script__in=SCRIPT_CLASSES), name="stratum_script_known"),
            models.CheckConstraint(
                condition=~Q(query_language="") & ~Q(corpus_language="") & ~Q(script=""), name="stratum_named"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.query_language} × {self.corpus_language}, {self.script}, {self.query_type}, {self.slice}"
