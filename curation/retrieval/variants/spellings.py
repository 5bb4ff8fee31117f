"""The other spellings of one text: those that land in another cell than the text itself, and each cell once."""

from dataclasses import dataclass

from curation.retrieval.folding import nfc
from curation.retrieval.scripts import script_class
from curation.retrieval.variants.kinds import Kind, kinds_of


@dataclass(frozen=True, slots=True)
class Spelling:
    """A text in another spelling of its locale; `text` is "" where a native has to type it.

    `locale` is the text's own, but for a language written in several scripts. `script` is the class that `text` is
    in, or belongs in once it is typed.
    """

    key: str
    name: str
    text: str
    locale: str
    script: str


def spellings(text: str, locale: str) -> tuple[Spelling, ...]:
    """Return what a native of the canonical locale would type instead of `text`, the commonest first."""
    found: dict[tuple[str, str], Spelling] = {}
    for kind in kinds_of(locale):
        if spelling := spelling_of(kind, text, locale):
            found.setdefault((spelling.locale, spelling.script), spelling)
    return tuple(found.values())


def spelling_of(kind: Kind, text: str, locale: str) -> Spelling | None:
    """Return `text` in one spelling of its canonical locale, None where that is no other cell than its own."""
    spelt = kind.spell(text) if kind.spell else ""
    script = script_class(spelt, kind.locale) if spelt else kind.script
    if spelt == nfc(text) or (kind.locale, script) == (locale, script_class(text, locale)):
        return None
    return Spelling(kind.key, kind.name, spelt, kind.locale, script)


def changes_cell(text: str, locale: str, *, original: str, original_locale: str) -> bool:
    """Whether a variant counts apart from its original: its script class is another one, or its locale is."""
    return locale != original_locale or script_class(text, locale) != script_class(original, original_locale)
