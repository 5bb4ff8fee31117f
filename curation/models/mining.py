"""Indexes under test, mining by generation, and what it proposes."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from .corpus import Corpus, Document, EmbeddingSpace
from .jobs import Job
from .queries import Query


class Miner(models.TextChoices):
    """The four families."""

    NEAR_DUPLICATE = "near_duplicate", "Near-duplicate groups"
    HARD_NEGATIVE = "hard_negative", "Hard negatives"
    RARE_ENTITY = "rare_entity", "Rare terms"
    SHORT_KEYWORD = "short_keyword", "Keyword queries"


class TargetIndex(models.Model):
    """An index that answers the corpus's queries; every corpus owns one of kind `exact`.

    `location` says where an index outside Hardset is, in the form of its kind (docs/formats.md); a password never
    stands in it. `alias` is the name under which a search service asks it (a name of a collection or an index, a view,
    a link), and `previous_target` what that name led to before: what a rollback leads it to again. `in_shadow` says
    that it is asked live queries beside production; `watched_since` is the first day whose overlap@10 was asked for
    since it was in neither place, as the daily tick last found it. `manifest` is what stood in the index's own metadata
    at `manifest_read_at`, and `manifest_fault` what spoke against it. `remine_due_on` is `remine_anchor` plus whole
    quarters (31 Jan, 30 Apr, 31 Jul).
    """

    class Kind(models.TextChoices):
        EXACT = "exact", "Exact search"
        RUN = "run", "Imported run"
        BM25 = "bm25", "BM25 over words"
        FAISS_FILE = "faiss_file", "FAISS file"
        PGVECTOR = "pgvector", "PostgreSQL with pgvector"
        QDRANT = "qdrant", "Qdrant"
        ELASTICSEARCH = "elasticsearch", "Elasticsearch or OpenSearch"

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="indexes")
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=Kind)
    location = models.CharField(max_length=500, blank=True)
    embedding_space = models.ForeignKey(EmbeddingSpace, models.PROTECT, null=True, blank=True)
    manifest = models.JSONField(default=dict, blank=True)
    manifest_fault = models.TextField(blank=True)
    manifest_read_at = models.DateTimeField(null=True, blank=True)
    is_production = models.BooleanField(default=False)
    previous_target = models.ForeignKey("self", models.PROTECT, null=True, blank=True)
    alias = models.CharField(max_length=500, blank=True)
    in_shadow = models.BooleanField(default=False)
    watched_since = models.DateField(null=True, blank=True)
    remine_anchor = models.DateField(null=True, blank=True)
    remine_due_on = models.DateField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "target indexes"
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="target_index_once"),
            models.UniqueConstraint(
                fields=["corpus"], condition=Q(is_production=True), name="target_index_one_production"
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["exact", "run", "bm25", "faiss_file", "pgvector", "qdrant", "elasticsearch"],
                ),
                name="target_index_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(previous_target__isnull=True) | ~Q(previous_target=F("id")),
                name="target_index_not_its_own_previous",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Generation(models.Model):
    """One round of mining against one index; `due_on` is the quarter's date it answers."""

    index = models.ForeignKey(TargetIndex, models.PROTECT, related_name="generations")
    number = models.PositiveIntegerField()
    due_on = models.DateField()
    index_fingerprint = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["index", "due_on"], name="generation_once_a_quarter"),
            models.UniqueConstraint(fields=["index", "number"], name="generation_number_once"),
            models.UniqueConstraint(fields=["index"], condition=Q(closed_at__isnull=True), name="generation_one_open"),
        ]

    def __str__(self) -> str:
        return f"Generation {self.number} of {self.index}"


class MiningRun(models.Model):
    """One miner at work in a generation. The newest DONE run of a (generation, miner) is the one that is read."""

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"

    generation = models.ForeignKey(Generation, models.PROTECT, related_name="runs")
    miner = models.CharField(max_length=14, choices=Miner)
    params = models.JSONField(default=dict, blank=True)
    seed = models.PositiveIntegerField(default=0)
    job = models.OneToOneField(Job, models.PROTECT, null=True, blank=True, related_name="mining_run")
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    summary = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "miner"],
                condition=Q(state__in=["queued", "running"]),
                name="mining_run_one_live",
            ),
            models.CheckConstraint(condition=Q(miner__in=Miner.values), name="mining_run_miner_known"),
        ]

    def __str__(self) -> str:
        return f"{self.miner} in {self.generation}"


class NearDuplicateGroup(models.Model):
    """Documents nearly alike; `differs_in` names the facts that tell them apart.

    `facts` and `shared` are written and read by `curation.miners.kept`, `exact_ranks` by
    `curation.reports.version_ranks`.
    """

    run = models.ForeignKey(MiningRun, models.CASCADE, related_name="groups")
    key = models.CharField(max_length=64)
    differs_in = models.JSONField(default=list)
    facts = models.JSONField(default=dict)
    shared = models.JSONField(default=list)
    min_cosine = models.FloatField()
    set_aside = models.BooleanField(default=False)
    exact_ranks = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="near_duplicate_group_once")]

    def __str__(self) -> str:
        return self.key


class NearDuplicateMember(models.Model):
    """One document of a group, with its lowest cosine to another member."""

    group = models.ForeignKey(NearDuplicateGroup, models.CASCADE, related_name="members")
    document = models.ForeignKey(Document, models.PROTECT)
    min_cosine = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "document"], name="near_duplicate_member_once")]

    def __str__(self) -> str:
        return self.document.external_id


class Proposal(models.Model):
    """A mined query awaiting review. `fingerprint` names what it is about, so a later run carries the verdict over.

    near_duplicate: one proposal a group, `text` is the group's topic, the drafts stand in the group's `facts`.
    rare_entity: `text` is the drafted query, `document` the chunk, `evidence` {"term", "df", "kind"} and,
    where it could be searched, "exact" as `curation.reports.source_ranks.SourceRank`.
    short_keyword: `text` as people typed it, `evidence` {"count", "tokens"}; `locale` is "und" where the log had none,
    and `evidence` then holds the likeliest one as "hint". A longer wording bears the "slice" that it goes to; "lack"
    says how little the set holds of a stratum that it has left behind.
    """

    class Status(models.TextChoices):
        PENDING = "pending", "To review"
        ACCEPTED = "accepted", "Accepted"
        REJECTED = "rejected", "Rejected"

    run = models.ForeignKey(MiningRun, models.CASCADE, related_name="proposals")
    fingerprint = models.CharField(max_length=64)
    rank = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    locale = models.CharField(max_length=35)
    group = models.ForeignKey(NearDuplicateGroup, models.CASCADE, null=True, blank=True, related_name="proposals")
    document = models.ForeignKey(Document, models.PROTECT, null=True, blank=True)
    evidence = models.JSONField(default=dict)
    status = models.CharField(max_length=8, choices=Status, default=Status.PENDING)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True)
    reason = models.TextField(blank=True)
    reviewed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "fingerprint"], name="proposal_once_in_a_run"),
            models.CheckConstraint(
                condition=~Q(status="rejected") | ~Q(reason=""), name="proposal_rejected_with_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "accepted", "rejected"]), name="proposal_status_known"
            ),
        ]

    def __str__(self) -> str:
        return self.text


class HardNegative(models.Model):
    """A document an index ranks high for a query without being relevant to it; `grade` is None while unjudged.

    `places` say where the other retrievers rank it, by name, None where not as deep as was mined. `lowest_place` is the
    lowest of all places where each is among the first ten: such a document may be an answer, so a judge sees it first.
    """

    run = models.ForeignKey(MiningRun, models.CASCADE, related_name="hard_negatives")
    query = models.ForeignKey(Query, models.PROTECT, related_name="hard_negatives")
    document = models.ForeignKey(Document, models.PROTECT)
    canonical_id = models.CharField(max_length=500)
    rank = models.PositiveIntegerField()
    score = models.FloatField()
    grade = models.PositiveSmallIntegerField(null=True, blank=True)
    places = models.JSONField(default=dict, blank=True)
    lowest_place = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "query", "document"], name="hard_negative_once")]

    def __str__(self) -> str:
        return f"{self.query.external_id} {self.document.external_id}"


class LogQuery(models.Model):
    """One line of an imported query log; `columns` keeps whatever else the line held.

    `language` is a guess at its locale among those of the corpus ("" where it is in none of their scripts), `script`,
    `query_type` and `words` are its classes under the locale that it states, else the guessed one. They are read after
    the import (`curation.actions.log_reading`); until then `words` is None.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="log_queries")
    text = models.TextField()
    locale = models.CharField(max_length=35, blank=True)
    date = models.DateField(null=True, blank=True)
    count = models.PositiveIntegerField(default=1)
    columns = models.JSONField(default=dict, blank=True)
    sha256 = models.CharField(max_length=64)
    language = models.CharField("guessed language", max_length=35, blank=True, default="")
    script = models.CharField("script class", max_length=20, blank=True, default="")
    query_type = models.CharField(max_length=12, blank=True, default="")
    words = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "log queries"
        constraints = [models.UniqueConstraint(fields=["corpus", "sha256"], name="log_query_once")]
        indexes = [
            models.Index(fields=["corpus"], condition=Q(words__isnull=True), name="log_query_unread"),
            models.Index(fields=["corpus", "date"], name="log_query_by_day"),
        ]

    def __str__(self) -> str:
        return self.text
