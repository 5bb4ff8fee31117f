"""A judge at work; each module brings the `corpus`."""

from __future__ import annotations

import pytest

from curation.models import Corpus, Role
from judging.models import Assignment
from tests.judging.stage import Judge


@pytest.fixture
def judge(corpus: Corpus) -> Judge:
    """The adjuster of the corpus."""
    return Judge(corpus.memberships.get(role=Role.ADJUSTER).user)


@pytest.fixture
def held(judge: Judge) -> Assignment:
    """What the judge was given."""
    assignment = judge.next()
    assert assignment is not None
    return assignment
