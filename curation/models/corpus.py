"""Corpora, their documents and the vectors made of them."""

from django.db import models
from django.db.models import F, Q


class Corpus(models.Model):
    """A named body of documents, and the rules its test collection is judged by.

    `double_judged` is the share of queries, in percent, that two people judge where their stratum does not say.
    `floors` are the levels of the gate that differ from those of the installation, by name.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    relevant_from = models.PositiveSmallIntegerField(default=2)
    double_judged = models.PositiveSmallIntegerField(default=10)
    floors = models.JSONField(default=dict, blank=True)
    time_zone = models.CharField(max_length=60, default="UTC")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "corpora"
        constraints = [
            models.CheckConstraint(condition=Q(relevant_from__range=(1, 3)), name="corpus_relevant_from_in_1_3"),
            models.CheckConstraint(condition=Q(double_judged__lte=100), name="corpus_double_judged_is_a_share"),
            models.CheckConstraint(condition=~Q(slug=""), name="corpus_slug_given"),
        ]

    def __str__(self) -> str:
        return self.name


class CorpusLocale(models.Model):
    """A locale whose people search the corpus; its share of the traffic stands in the newest `TrafficReading`."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="locales")
    locale = models.CharField(max_length=35)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["corpus", "locale"], name="corpus_locale_once")]

    def __str__(self) -> str:
        return self.locale


class Document(models.Model):
    """A document with its external id; `canonical_id` is shared by the renderings of one article.

    `gone_at` is set when a whole-corpus import no longer holds the document: it is kept while evidence hangs on it.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="documents")
    external_id = models.CharField(max_length=500)
    canonical_id = models.CharField(max_length=500)
    language = models.CharField(max_length=35, default="und")
    script = models.CharField(max_length=4, blank=True)
    is_source = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    gone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "external_id"], name="document_once"),
            models.CheckConstraint(condition=~Q(external_id=""), name="document_id_given"),
            models.CheckConstraint(condition=~Q(canonical_id=""), name="document_canonical_id_given"),
        ]
        indexes = [
            models.Index(fields=["corpus", "canonical_id"], name="document_by_canonical_id"),
            models.Index(
                fields=["corpus", "gone_at", "canonical_id"], name="document_gone", condition=Q(gone_at__isnull=False)
            ),
            models.Index(
                fields=["corpus", "language", "canonical_id"],
                name="document_language",
                condition=Q(gone_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.external_id


class DocumentText(models.Model):
    """One version of a document's text; judgments point at the `sha256` they saw.

    `folded_sha256` is the hash of the text with white space collapsed: equal ones are text twins. `taken_up_at` is when
    an earlier text last became the current one again.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="texts")
    sha256 = models.CharField(max_length=64)
    folded_sha256 = models.CharField(max_length=64, db_index=True)
    title = models.TextField(blank=True)
    text = models.TextField(blank=True)
    current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    taken_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "sha256"], name="document_text_once"),
            models.UniqueConstraint(fields=["document"], condition=Q(current=True), name="document_text_one_current"),
            models.CheckConstraint(condition=~(Q(title="") & Q(text="")), name="document_text_given"),
        ]
        # The earlier texts are few among many, and every page's menu asks for them.
        indexes = [models.Index(fields=["document"], condition=Q(current=False), name="document_text_earlier")]

    def __str__(self) -> str:
        return self.title or self.text[:60]


class EmbeddingSpace(models.Model):
    """The vectors of a corpus by one encoder: a float32 file under DATA_DIR, rows in ascending external id order.

    `documents_sha256` is the hash of the ids and texts encoded, so a space that no longer fits its corpus shows.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="embedding_spaces")
    encoder = models.CharField(max_length=200)
    revision = models.CharField(max_length=200)
    encoder_sha256 = models.CharField(max_length=64, blank=True)
    native_dims = models.PositiveIntegerField()
    dims = models.PositiveIntegerField()
    transform_order = models.JSONField(default=list)
    vectors_file = models.CharField(max_length=500)
    sha256 = models.CharField(max_length=64)
    documents_sha256 = models.CharField(max_length=64)
    rows = models.PositiveIntegerField()
    current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus"], condition=Q(current=True), name="embedding_space_one_current"),
            models.CheckConstraint(condition=Q(dims__lte=F("native_dims")), name="embedding_space_dims_fit"),
            models.CheckConstraint(condition=Q(dims__gt=0), name="embedding_space_dims_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.encoder} {self.revision}"
