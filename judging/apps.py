"""The judging app."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Pools, leases, opinions, and the pages that mix both apps."""

    name = "judging"
    verbose_name = "Judging"
