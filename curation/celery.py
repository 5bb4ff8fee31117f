"""The background workers' entry point; tasks stand in `curation.tasks` and `judging.tasks`."""

import os

from celery import Celery
from celery.signals import worker_process_init

from curation.management.parents import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "curation.settings")
app = Celery("hardset")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def end_with_the_worker(**_: object) -> None:
    """A worker killed without a word takes its children along; a job of theirs would run on unseen."""
    die_with_parent(os.getppid())
