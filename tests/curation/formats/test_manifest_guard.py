"""The guard that a search service starts behind, alone in a Python of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curation.formats import manifest_guard
from curation.formats.manifest_guard import ManifestMismatch, main, require

from .test_manifest import FILE, record

ORDER = ["truncate", "l2_normalise", "centre", "quantise"]
OPTIONS = ["--truncate-to", "1024", "--transform-order", ",".join(ORDER)]
SOURCE = Path(manifest_guard.__file__)


def test_an_index_made_as_it_is_asked_may_be_served() -> None:
    require(record(), truncate_to=1024, transform_order=tuple(ORDER))


@pytest.mark.parametrize(
    ("manifest", "truncate_to", "order", "said"),
    [
        (None, 1024, ORDER, "has no manifest"),
        ({}, 1024, ORDER, "has no manifest"),
        ({"manifest_version": 3}, 1024, ORDER, "of version 3 and this service reads version 2"),
        ({"manifest_version": 2, "embedding": []}, 1024, ORDER, "truncate_to is None in the index and 1024 here"),
        (record(), 512, ORDER, "laws_chunks_2026_05 was made .* truncate_to is 1024 in the index and 512 here;"),
        (record(), 1024, ORDER[::-1], r"transform_order is \['truncate', .* in the index and \['quantise', "),
    ],
)
def test_any_other_is_not_served(
    manifest: dict[str, Any] | None, truncate_to: int, order: list[str], said: str
) -> None:
    with pytest.raises(ManifestMismatch, match=said):
        require(manifest, truncate_to=truncate_to, transform_order=order)


def test_the_exit_code_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, no_object = tmp_path / "broken.json", tmp_path / "list.json"
    broken.write_text("{")
    no_object.write_text(json.dumps([1]))
    (tmp_path / "deep.json").write_text("[" * 100_000)
    paths = (FILE, tmp_path / "absent.json", broken, no_object, tmp_path / "deep.json", tmp_path)
    assert [main([str(path), *OPTIONS]) for path in paths] == [0, 1, 2, 2, 2, 2]
    assert main([str(FILE), "--truncate-to", "512", *OPTIONS[2:]]) == 1
    assert "truncate_to is 1024 in the index and 512 here" in capsys.readouterr().err
    (tmp_path / "plain.json").write_text(
        json.dumps(record() | {"embedding": {"truncate_to": 8, "transform_order": []}})
    )
    assert main([str(tmp_path / "plain.json"), "--truncate-to", "8", "--transform-order", ""]) == 0


def test_it_needs_python_alone_and_can_be_copied(tmp_path: Path) -> None:
    assert len(SOURCE.read_text(encoding="utf-8").splitlines()) <= 100
    shutil.copy(SOURCE, tmp_path / "guard.py")
    alone = [sys.executable, "-I", "-S", "guard.py", str(FILE)]  # no package can be imported so
    codes = [
        subprocess.run([*alone, *options], cwd=tmp_path, capture_output=True, check=False).returncode
        for options in (OPTIONS, ["--truncate-to", "512", *OPTIONS[2:]], [])
    ]
    assert codes == [0, 1, 2]


def test_it_runs_as_a_module() -> None:
    code = (
        "import sys, runpy\n"
        "try: runpy.run_module('curation.formats.manifest_guard', run_name='__main__')\n"
        "except SystemExit as end: print(end.code, 'django' in sys.modules)"
    )
    words = [sys.executable, "-c", code, str(FILE), *OPTIONS]
    ran = subprocess.run(words, cwd=SOURCE.parents[2], capture_output=True, text=True, check=True)
    assert ran.stdout == "0 False\n"
