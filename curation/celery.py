"""The background workers' entry point; tasks stand in `curation.tasks` and `judging.tasks`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "curation.settings")
app = Celery("hardset")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
