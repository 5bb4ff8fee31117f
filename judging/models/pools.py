"""Pools: the candidates of a query offered for judging, and who holds them."""

from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.db.models import Q

from curation.models import Document, EmbeddingSpace, Query, TargetIndex

LAST = 2**31  # the rank of what a retriever did not find


class Retriever(models.TextChoices):
    """Who puts candidates into a pool when it is drawn."""

    EXACT = "exact", "exact search"
    BM25 = "bm25", "BM25"
    PRODUCTION = "production", "the production index"


class Pool(models.Model):
    """The candidates of one query: `depth` canonical ids of exact search, drawn on until they are that many.

    To an EXACT50 pool (depth 50) the first ten of BM25 and of the production index are joined; a POOLED10 pool holds
    the first ten of each. `production` is the index that was in production then; `unanswered` holds a reason for each
    retriever that could not answer, so that the pool was drawn without it.

    `cut_in_tie` tells how many further documents tie with the last one of exact search. `closed_at` is when the
    opinions on it were settled. A pool of kind SENT holds what reviewers sent to a query that was judged already
    (`depth` 0); once it is closed, the next one sent opens another. Since `first_at` it holds a document that is to be
    judged before all else, because every retriever ranks it high for a query it is said not to answer. `opinions` is
    how many opinions settle it, decided when it is drawn.
    """

    MOST_OPINIONS = 3

    class Kind(models.TextChoices):
        EXACT50 = "exact50", "Top 50 of exact search"
        POOLED10 = "pooled10", "Top 10 of each retriever"
        SENT = "sent", "Sent by a reviewer"

    query = models.ForeignKey(Query, models.PROTECT, related_name="pools")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.EXACT50)
    embedding_space = models.ForeignKey(EmbeddingSpace, models.PROTECT, null=True, blank=True)
    production = models.ForeignKey(TargetIndex, models.SET_NULL, null=True, blank=True)
    unanswered = models.JSONField(default=dict, blank=True)
    depth = models.PositiveIntegerField()
    cut_in_tie = models.PositiveIntegerField(default=0)
    drawn_at = models.DateTimeField()
    first_at = models.DateTimeField(null=True, blank=True)
    opinions = models.PositiveSmallIntegerField(default=1)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["query"], condition=~Q(kind="sent"), name="pool_drawn_once"),
            models.UniqueConstraint(
                fields=["query"], condition=Q(kind="sent", closed_at__isnull=True), name="pool_one_sent_open"
            ),
            models.CheckConstraint(condition=Q(kind__in=["exact50", "pooled10", "sent"]), name="pool_kind_known"),
            models.CheckConstraint(condition=Q(opinions__range=(1, 3)), name="pool_opinions_1_to_3"),
            models.CheckConstraint(
                condition=~Q(kind="exact50") | Q(embedding_space__isnull=False), name="pool_exact50_in_a_space"
            ),
        ]
        indexes = [
            # Few are, and each opening of a query asks for them first.
            models.Index(
                fields=["first_at"], condition=Q(closed_at__isnull=True, first_at__isnull=False), name="pool_open_first"
            ),
        ]

    def __str__(self) -> str:
        return f"Pool of {self.query.external_id}"


class Candidate(models.Model):
    """A document in a pool. `folded` holds the keys of the renderings that its grade counts for too.

    `origins` holds who put it here: the rank (documents counted from 1) that each retriever gave it among those it was
    drawn from, and None for a person who sent it ("hard_negative"). `exact_rank` and `score` are those of exact search;
    who was not found by it has none. Where the rendering shown is not the best-ranked one of its article, the ranks are
    the best of any rendering folded into it. `highlights` holds what the query finds in its text, so that no opening of
    the page reads all texts again; judging/reports/findings.py knows when that is out of date, and it may be emptied.
    """

    pool = models.ForeignKey(Pool, models.CASCADE, related_name="candidates")
    document = models.ForeignKey(Document, models.PROTECT)
    canonical_id = models.CharField(max_length=500)
    exact_rank = models.PositiveIntegerField(null=True, blank=True)
    score = models.FloatField(null=True, blank=True)
    origins = models.JSONField(default=dict)
    folded = models.JSONField(default=list, blank=True)
    highlights = models.JSONField(default=dict, blank=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "document"], name="candidate_once")]

    def __str__(self) -> str:
        return self.document.external_id

    @property
    def is_offered_otherwise(self) -> bool:
        """Did another retriever than exact search, or a person, put it into the pool?"""
        return any(name != Retriever.EXACT for name in self.origins)


def best_place(origins: Mapping[str, int | None]) -> tuple[int, int]:
    """What candidates are ordered by: the best rank that any retriever gives, then that of exact search."""
    ranks = [rank for rank in origins.values() if rank is not None]
    return min(ranks, default=LAST), origins.get(Retriever.EXACT) or LAST


# An assignment that has not ended holds one of the places of its pool: nobody else gets that place.
HOLDS = Q(finished_at__isnull=True, skipped_at__isnull=True, released_at__isnull=True)
# A finished opinion counts unless it is surplus or could not decide.
COUNTS = Q(finished_at__isnull=False, surplus=False, nothing_because__in=["", "none_answers"])
REOPENED = Q(reopened_at__isnull=False)


class Assignment(models.Model):
    """One assessor's hold on one pool: a lease until `lease_until`, an end in exactly one of three ways.

    `released_at` ends a lease that ran out, `skipped_at` is a "later" of the assessor, `finished_at` an opinion. An
    opinion beyond those wanted is `surplus`: kept, never counted. A finished one may be open again since
    `reopened_at`; what it settled stands until it is finished anew.

    `undo_token` names the press of undo that opened it last, so that the press sent twice opens one.

    Whoever holds a pool, and whose opinion counts, has one of its places (1 to `Pool.opinions`); the database gives
    each place once, so that never more opinions count than are wanted. `blind` tells that the candidates are shown in
    an order shuffled by `order_seed`, not in that of the search.
    """

    class NothingBecause(models.TextChoices):
        """Why no document was marked relevant."""

        NONE_ANSWERS = "none_answers", "None of these answers it"
        UNCLEAR = "unclear", "The query is unclear"
        CANNOT_TELL = "cannot_tell", "I cannot tell"

    # Reasons that speak of the query or the assessor, not of the documents: such an opinion settles nothing.
    UNDECIDED = (NothingBecause.UNCLEAR, NothingBecause.CANNOT_TELL)

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="assignments")
    assessor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    order_seed = models.PositiveIntegerField()
    blind = models.BooleanField(default=False)
    opened_at = models.DateTimeField()
    lease_until = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    skipped_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True)
    reopened_at = models.DateTimeField(null=True, blank=True)
    surplus = models.BooleanField(default=False)
    seconds_active = models.PositiveIntegerField(default=0)
    nothing_because = models.CharField(max_length=12, choices=NothingBecause, blank=True)
    undo_token = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "place"], condition=Q(place__isnull=False), name="assignment_place_once"
            ),
            models.UniqueConstraint(
                fields=["assessor", "undo_token"], condition=~Q(undo_token=""), name="assignment_undo_once"
            ),
            models.UniqueConstraint(
                fields=["pool", "assessor"], condition=Q(place__isnull=False), name="assignment_one_place_a_person"
            ),
            models.CheckConstraint(
                condition=(Q(place__isnull=False) & Q(place__range=(1, 3)) & (HOLDS | COUNTS))
                | (Q(place__isnull=True) & ~HOLDS & ~COUNTS),
                name="assignment_place_while_it_holds_or_counts",
            ),
            models.CheckConstraint(
                condition=Q(skipped_at__isnull=True, released_at__isnull=True)
                | Q(finished_at__isnull=True, released_at__isnull=True)
                | Q(finished_at__isnull=True, skipped_at__isnull=True),
                name="assignment_one_end",
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=False) | Q(reopened_at__isnull=True, surplus=False),
                name="assignment_reopened_or_surplus_when_finished",
            ),
        ]
        # What is at hand is a handful among all that was ever judged, and is asked for with every query.
        indexes = [
            models.Index(fields=["assessor", "lease_until"], condition=HOLDS | REOPENED, name="assignment_at_hand")
        ]

    def __str__(self) -> str:
        return f"{self.assessor} on {self.pool}"
