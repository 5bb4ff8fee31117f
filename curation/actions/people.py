"""Writing what people choose, and who may do what in a corpus."""

from __future__ import annotations

from curation.models import User


def choose_settings(*, user: User, name: str, theme: str, interface_language: str, single_keys: bool) -> None:
    """Store what `user` chose for themselves."""
    user.name, user.theme = name.strip(), theme
    user.interface_language, user.single_keys = interface_language, single_keys
    user.save(update_fields=["name", "theme", "interface_language", "single_keys"])
