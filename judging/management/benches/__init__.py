"""Judging under load: a server of its own, a corpus of its own, many judges at once."""
