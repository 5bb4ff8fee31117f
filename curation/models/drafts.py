"""What is typed and not saved yet."""

from django.conf import settings
from django.db import models

from .queries import Need


class WordingDraft(models.Model):
    """A wording as its writer left it, to be found again on any machine; gone once it is saved or emptied.

    `token` is that of its form, `seconds` the active seconds spent on it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts")
    need = models.ForeignKey(Need, models.CASCADE, related_name="drafts")
    locale = models.CharField(max_length=35)
    text = models.TextField()
    query_type = models.CharField(max_length=12, blank=True)
    token = models.CharField(max_length=64)
    seconds = models.PositiveIntegerField(default=0)
    kept_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "need", "locale"], name="wording_draft_once")]

    def __str__(self) -> str:
        return self.text
