"""The downloads of a set version, on its page."""

from __future__ import annotations

from typing import Any

from django import template

from curation.actions import set_exporting
from curation.models import SetVersion

register = template.Library()


@register.inclusion_tag("curation/_set_exports.html", takes_context=True)
def set_exports(context: template.Context, version: SetVersion) -> dict[str, Any]:
    """Every layout of `version`, with a link to fetch it or a button to have it packed."""
    return {
        "version": version,
        "downloads": set_exporting.downloads(version),
        "csrf_token": context.get("csrf_token"),
    }
