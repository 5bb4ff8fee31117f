"""The web processes' entry point."""

from __future__ import annotations

import sys
from importlib import reload

import pytest

from curation import wsgi


def test_a_web_process_hands_its_lock_over_sooner_than_python_does() -> None:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    try:
        reload(wsgi)
        assert sys.getswitchinterval() == pytest.approx(0.001)
    finally:
        sys.setswitchinterval(usual)
