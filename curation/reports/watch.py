"""When drift alarms: what the manifest of an index says of its way back, else the threshold and window of everyone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from curation.formats.manifest import ManifestRefused, manifest_of
from curation.measures.overlap import ALARM_BELOW, WINDOW
from curation.models import TargetIndex

OVERLAP = re.compile(r"overlap(@|_at_)10(?![0-9])")


@dataclass(frozen=True, slots=True)
class Watch:
    """An alarm where the mean overlap@10 of the last `window` daily readings is below `threshold`."""

    threshold: float = ALARM_BELOW
    window: int = WINDOW
    from_manifest: bool = False


def watch_of(index: TargetIndex) -> Watch:
    """What the `rollback` of the manifest last read from the index says, where its metric is overlap@10."""
    try:
        told = manifest_of(index.manifest).rollback
    except ManifestRefused:
        return Watch()
    if told is None or OVERLAP.match(told.metric) is None:
        return Watch()
    return Watch(told.threshold, told.window_days, from_manifest=True)
