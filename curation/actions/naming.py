"""Names that people give to indexes and runs."""

from __future__ import annotations

import unicodedata

from curation.actions.refusal import Refused

LONGEST = 200  # characters that a column keeps


def require_name(name: str, *, of: str) -> None:
    """Refuse a name that nothing can be called by; `of` says what bears it, such as "an index".

    Raises:
        Refused: it is empty, too long, or holds a control character.
    """
    if not name.strip():
        raise Refused(f"{of.capitalize()} needs a name.")
    if len(name) > LONGEST or any(unicodedata.category(sign) == "Cc" for sign in name):
        raise Refused(f"The name of {of} is at most {LONGEST} characters on one line; choose a shorter, plain one.")
