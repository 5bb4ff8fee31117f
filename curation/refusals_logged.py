"""How a refusal stands in the log: a person who opens what is not theirs is no fault of the product."""

from __future__ import annotations

import logging

FORBIDDEN = 403


class QuietRefusals(logging.Filter):
    """Makes one line at INFO of a refused page; Django warns of it with a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass, quieter where it is of a refusal and INFO is logged at all."""
        if getattr(record, "status_code", None) != FORBIDDEN:
            return True
        record.exc_info = record.exc_text = None
        record.levelno, record.levelname = logging.INFO, logging.getLevelName(logging.INFO)
        return logging.getLogger(record.name).isEnabledFor(logging.INFO)
