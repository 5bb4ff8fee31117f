"""What a reviewer sees of a proposal: a group side by side, a term in its chunk, a query from the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.miners.declared import TITLE
from curation.miners.differences import Column
from curation.miners.facts import ASKED_FOR, Difference
from curation.miners.kept import KeptMember
from curation.models import Corpus, DocumentText, Proposal
from curation.retrieval.locales import UNDETERMINED
from curation.retrieval.scripts import is_usual

from .marks import Stretch, excerpt, marked
from .review_draft import Checked, Draft
from .traffic import locales_by_traffic
from .version_ranks import VersionRanks

KINDS: dict[Difference, str] = {
    "date": "date",
    "amount": "amount",
    "percent": "percentage",
    "count": "count",
    "duration": "time span",
    "jurisdiction": "territory",
    "version": "version",
    "citation": "citation",
    "article_number": "article number",
    "footnote": "footnote",
    "wording": "wording",
    "formatting": "formatting",
}
DECLARED = {
    "effective_date": "Effective",
    "limit_amount": "Limit",
    "jurisdiction": "Territory",
    "version": "Version",
}


@dataclass(frozen=True, slots=True)
class Version:
    """One member as a row of the table; `against` says in words what rules the query out, "" where it fits.

    `rank` is its place in exact search for the query, as it is shown; "" while nobody knows it.
    """

    number: int
    member: KeptMember
    facts: tuple[str, ...]
    rank: str
    against: str
    picked: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A document in whole, the words it was mined for marked; `passage` is the part around the first of them."""

    text: DocumentText
    title: list[Stretch]
    whole: list[Stretch]
    passage: list[Stretch]


@dataclass(frozen=True, slots=True)
class Locales:
    """The locales a query can be said to be in; `guessed` tells that `chosen` is no more than a guess."""

    choices: tuple[str, ...]
    chosen: str
    guessed: bool


def heading(column: Column) -> str:
    """The name of a fact column: the field's, else its kind."""
    own = DECLARED.get(column.name) if column.declared else None
    return own or KINDS[column.kind].capitalize()


def place_of(column: Column) -> str:
    """Where the fact of a column stands, beside its heading; "" for a field."""
    if not column.declared:
        return column.name
    if column.name == TITLE:
        return "in the title"
    return "" if column.stated else "declared only"


def columns_of(draft: Draft) -> list[Column]:
    """The facts that set a group's members apart and that people ask for."""
    columns = draft.group.columns if draft.group else ()
    return [column for column in columns if column.differs and column.kind in ASKED_FOR]


def versions_of(draft: Draft, found: Checked, ranks: VersionRanks | None) -> list[Version]:
    """A group's members, numbered from 1, beside the facts of `columns_of`."""
    if draft.group is None:
        return []
    columns = columns_of(draft)
    against = found.fit.against if found.fit else ((),) * len(draft.group.members)
    return [
        Version(
            number=place + 1,
            member=member,
            facts=tuple(column.values[place] or "" for column in columns),
            rank=ranks.in_words(place) if ranks else "",
            against=", ".join(KINDS[kind] for kind in against[place]),
            picked=place == draft.target,
        )
        for place, member in enumerate(draft.group.members)
    ]


def named_of(found: Checked) -> list[str]:
    """The kinds of fact that a query names, each once, in words."""
    return list(dict.fromkeys(KINDS[naming.kind] for naming in found.fit.named)) if found.fit else []


def source_of(corpus: Corpus, draft: Draft) -> Source | None:
    """The text of the chosen member, or of the chunk a term was found in; None for a query from the log."""
    external_id = draft.member.document if draft.member else ""
    document = draft.proposal.document
    named = document.external_id if document else external_id
    texts = DocumentText.objects.filter(document__corpus=corpus, document__external_id=named, current=True)
    text = texts.select_related("document").first() if named else None
    if text is None:
        return None
    return _marked(text, str(draft.proposal.evidence.get("term", "")))


def _marked(text: DocumentText, term: str) -> Source:
    title, language = text.title or text.document.external_id, text.document.language
    if not term:
        return Source(text, [Stretch(title, marked=False)], [Stretch(text.text, marked=False)], [])
    return Source(
        text,
        title=marked(title, term, locale=language),
        whole=marked(text.text, term, locale=language),
        passage=excerpt(text.text, term, locale=language),
    )


def corpus_locales(corpus: Corpus) -> list[str]:
    """The locales of the corpus, the busiest first; where none is stated yet, the languages of its documents."""
    stated = locales_by_traffic(corpus)
    if stated:
        return stated
    languages = corpus.documents.filter(gone_at=None).exclude(language=UNDETERMINED)
    return sorted(set(languages.values_list("language", flat=True).distinct()))


def locales_of(known: Sequence[str], proposal: Proposal) -> Locales:
    """The locales `known` in the corpus, and the proposal's own. Where the log had none, the best guess is chosen.

    The guess is the miner's hint, else the busiest locale that is usually written as the text is; none is chosen where
    there is no such locale.
    """
    if proposal.locale not in {"", UNDETERMINED}:
        return Locales(tuple(dict.fromkeys([*known, proposal.locale])), proposal.locale, guessed=False)
    hint = proposal.evidence.get("hint", "")
    fitting = (locale for locale in known if is_usual(proposal.text, locale))
    chosen = hint if hint in known else next(fitting, "")
    return Locales(tuple(known), chosen, guessed=bool(chosen))
