"""JUnit XML, which continuous integration shows as a list of tests: one suite of cases that passed, failed or skipped.

The schema is that of Apache Ant's junitreport as Jenkins and GitLab read it; a warning is a skipped case, which is
shown and fails nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

State = Literal["passed", "failed", "skipped"]
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the suite; `message` says why it is not passed, `text` all there is to say."""

    name: str
    state: State
    message: str = ""
    text: str = ""


def junit(suite: str, cases: Sequence[Case], *, at: str) -> str:
    """The suite as an XML document; `at` is its ISO 8601 time."""
    counts = {state: str(sum(case.state == state for case in cases)) for state in ("failed", "skipped")}
    root = ET.Element("testsuites")
    told = {"name": _clean(suite), "tests": str(len(cases)), "errors": "0", "timestamp": at}
    own = ET.SubElement(root, "testsuite", told | {"failures": counts["failed"], "skipped": counts["skipped"]})
    for case in cases:
        _add(own, case, suite)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add(suite: ET.Element, case: Case, classname: str) -> None:
    line = ET.SubElement(suite, "testcase", {"name": _clean(case.name), "classname": _clean(classname)})
    if case.state == "passed":
        if case.text:
            ET.SubElement(line, "system-out").text = _clean(case.text)
        return
    tag = "failure" if case.state == "failed" else "skipped"
    ET.SubElement(line, tag, {"message": _clean(case.message)}).text = _clean(case.text)


def _clean(text: str) -> str:
    """XML 1.0 has no place for most control characters."""
    return _NOT_XML.sub("\ufffd", text)
