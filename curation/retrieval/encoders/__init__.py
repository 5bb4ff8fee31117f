"""The encoders by name. Their libraries are imported when one is used, never when this module is."""

from collections.abc import Callable
from pathlib import Path

from curation.retrieval.encoders.base import Encoder, EncoderAway, TextsRefused, provenance_of
from curation.retrieval.encoders.lsa import Lsa
from curation.retrieval.encoders.precomputed import Precomputed
from curation.retrieval.encoders.use import Use

__all__ = ["Encoder", "EncoderAway", "TextsRefused", "UnknownEncoder", "load_encoder", "names", "provenance_of"]

_LOADERS: dict[str, Callable[[Path], Encoder]] = {"lsa": Lsa.load, "precomputed": Precomputed.load, "use": Use.load}


class UnknownEncoder(ValueError):
    """A name that no encoder bears."""


def names() -> tuple[str, ...]:
    """The names that `load_encoder` knows, in alphabetical order."""
    return tuple(sorted(_LOADERS))


def load_encoder(name: str, *, folder: Path) -> Encoder:
    """The encoder of that name.

    Args:
        name: one of `names()`.
        folder: what an encoder keeps on disk: the fit of `lsa`, the particulars of `precomputed`; `use` keeps
            nothing.

    Raises:
        UnknownEncoder: no encoder has this name.
        TextsRefused: the encoder is not ready in that folder.
    """
    if name not in _LOADERS:
        raise UnknownEncoder(f"There is no encoder named {name!r}; known are {', '.join(names())}.")
    return _LOADERS[name](folder)
