#!/usr/bin/env python
"""Hardset's command line."""

import os
import sys
import traceback

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

COULD_NOT_RUN = 2  # Python's own 1 is an answer: "rejected" of the gate, "blocked" of a freeze


def main() -> int:
    """Run a command; whatever keeps it from running ends with 2."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "curation.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:
        sys.stderr.write(f"{fault}\n")
    except Exception:  # noqa: BLE001  (whatever it is, a shell must not take it for an answer)
        traceback.print_exc()
    else:
        return 0
    return COULD_NOT_RUN


if __name__ == "__main__":
    sys.exit(main())
