"""What is served in production: files named by their content, and script modules that import each other by those names."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import LazySettings
from django.core.management import call_command

from curation.settings import STORAGES


def test_modules_import_the_very_files_that_pages_load(settings: LazySettings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = STORAGES
    call_command("collectstatic", interactive=False, verbosity=0)
    hashed = [path for path in settings.STATIC_ROOT.rglob("*.js") if re.search(r"\.[0-9a-f]{12}\.js$", path.name)]
    ours = [path for path in hashed if path.parent.name in {"curation", "judging"}]
    imports = [
        (path, name)
        for path in ours
        for name in re.findall(r'^import [^;]* from "([^"]+)";', path.read_text(), re.MULTILINE)
    ]
    assert len(imports) >= 7
    for path, name in imports:
        assert (path.parent / name).resolve() in hashed, f"{path.name} imports {name}"
