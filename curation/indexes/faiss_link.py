"""A link below the operator's folder to an index file, or to the folder that it lies in; changed by one rename."""

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from curation.indexes.base import IndexRefused
from curation.indexes.faiss_file import check_location


class FaissLink:
    """The link `folder / name`. One that leads to a folder changes an index and all that lies beside it at once.

    Links beside a link to a file that carry its name and more (`current.faiss.ids`) are led along, each by a rename
    of its own, before the link itself; where one cannot be renamed, those before it are led back. To change all in one
    step, link the folder.
    """

    def __init__(self, folder: Path, name: str) -> None:
        """Looks at nothing yet.

        Raises:
            IndexRefused: the name is absolute or leads upward.
        """
        check_location(name)
        self._name = name
        self._root = folder.resolve()
        self._path = self._root / name

    def __str__(self) -> str:
        return f"The link {self._name}"

    def target(self) -> str:
        """What it leads to, below the operator's folder.

        Raises:
            IndexRefused: there is no such link, or it leads out of the folder or nowhere.
        """
        if not self._path.is_symlink() or not self._path.parent.resolve().is_relative_to(self._root):
            raise IndexRefused(f"There is no link {self._name} in the folder of INDEX_FOLDER; make it there first.")
        return self._below(self._path, self._name)

    def named(self, location: str) -> str:
        """What the link has to lead to for the index file `location`: the file, or its folder where it links one.

        Raises:
            IndexRefused: the file is not there.
        """
        check_location(location)
        place = self._root / location
        if not place.is_file():
            raise IndexRefused(f"There is no file {location} in the folder of INDEX_FOLDER; put it there first.")
        is_of_folder = self._path.is_dir()
        return self._below(place.parent if is_of_folder else place, location)

    def lead(self, *, before: str, to: str, rehearse: bool) -> None:
        """Let it lead to `to`.

        Raises:
            IndexRefused: `to` is not there, or the folder cannot be written.
        """
        pairs = [*self._beside(before, to), (self._path, self._root / to)]
        for link, target in pairs:
            if not target.exists():
                raise IndexRefused(f"There is no {self._relative(target)} for {self._relative(link)} to lead to.")
            if not os.access(link.parent, os.W_OK):
                raise IndexRefused(f"The folder of {self} cannot be written; run this as who owns it.")
        if not rehearse:
            _replace(pairs)

    def _beside(self, before: str, to: str) -> list[tuple[Path, Path]]:
        """The links named after this one and led along with it, each with what it has to lead to."""
        if self._path.is_dir():
            return []
        found = []
        for link in sorted(self._path.parent.iterdir()):
            more = link.name.removeprefix(self._path.name)
            is_along = link.is_symlink() and link.name.startswith(f"{self._path.name}.")
            if is_along and link.resolve() == (self._root / f"{before}{more}").resolve():
                found.append((link, self._root / f"{to}{more}"))
        return found

    def _below(self, path: Path, name: str) -> str:
        try:
            place = path.resolve(strict=True)
        except (OSError, RuntimeError) as fault:
            raise IndexRefused(f"{name} leads nowhere; correct it in the folder of INDEX_FOLDER.") from fault
        if not place.is_relative_to(self._root) or place == self._root:
            raise IndexRefused(f"{name} leads out of the folder of INDEX_FOLDER; put what it leads to there.")
        return self._relative(place)

    def _relative(self, path: Path) -> str:
        return str(path.relative_to(self._root))


def _replace(pairs: Sequence[tuple[Path, Path]]) -> None:
    """Put a link to each target in the place of its link, all or none; nobody sees one missing.

    Every new link, and one to go back by, is made before the first rename: on a full disk nothing has changed yet.
    """
    mark = secrets.token_hex(4)
    places = [
        (link, link.with_name(f".{link.name}.{mark}.new"), link.with_name(f".{link.name}.{mark}.old"), target)
        for link, target in pairs
    ]
    renamed = []
    try:
        for link, fresh, back, target in places:
            fresh.symlink_to(os.path.relpath(target, link.parent))
            back.symlink_to(link.readlink())
        for link, fresh, back, _ in places:
            fresh.replace(link)
            renamed.append((link, back))
    except OSError as fault:
        for link, back in renamed:
            back.replace(link)
        words = (fault.strerror or "unknown").lower()
        raise IndexRefused(f"{pairs[-1][0].name} cannot be changed: {words}; it leads where it led.") from fault
    finally:
        for _, fresh, back, _ in places:
            fresh.unlink(missing_ok=True)
            back.unlink(missing_ok=True)
