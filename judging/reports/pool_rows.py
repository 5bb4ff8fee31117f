"""The rows of a pool: one for each candidate, near-duplicates together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from django.utils.safestring import SafeString

from curation.miners.wordforms import is_function_word
from curation.models import DocumentText
from judging.models import Candidate, Judgment, Mismatch
from judging.reports.findings import LONGEST, Finder
from judging.reports.highlights import Span, marked
from judging.reports.mismatches import UNFOLDED, unfolded
from judging.reports.opinions import inherited_here, said_here, shown_value
from judging.reports.passages import Passage, inside, paragraphs
from judging.reports.pool_facts import FactCell, fact_cells, set_apart, summary
from judging.reports.rereading import Reread

SIGNS = " ,:;.–-"
EDGES = f"{SIGNS}("  # what may stand between the shared beginning of two titles and the rest
ENDS_PHRASE = re.compile(r"[,:;.–)\]]\s*$")
LAST_WORD = re.compile(r"(\w+)\W*$")
OPEN_BRACKET = re.compile(r"[(\[][^)\]]*$")
FINGERPRINT = 16  # hexadecimal digits of a text's hash that the page carries


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate as it is shown; `name` is its whole title in plain text, `found` what is marked in that.

    `value` is "0" to "3", "cant_tell" or "" for no mark, `number` that of the mark that stands. `text` begins the
    fingerprint of the text shown. `seen` tells a row that was seen when the query was finished before. `translations`
    are the languages of the folded renderings, `folded` their documents with their languages; `flag` says what the
    judge found wrong with the row. `article` is its canonical id, `twins` are those of its text twins, in the
    list or not; with `for_twins` the grade is meant for them too.
    `reread` is what changed since the document was judged. One that is gone from the corpus takes no grade: it has no
    value.
    """

    key: int
    code: str
    language: str
    name: str
    title: SafeString
    found: Sequence[Span]
    passage: SafeString
    paragraphs: tuple[SafeString, ...]
    is_cut: bool
    facts: tuple[FactCell, ...]
    translations: tuple[str, ...]
    value: str
    number: int
    note: str
    text: str
    seen: bool
    folded: tuple[tuple[int, str], ...] = ()
    flag: str = ""
    article: str = ""
    twins: tuple[str, ...] = ()
    for_twins: bool = False
    reread: Reread | None = None
    is_gone: bool = False

    @property
    def mismatches(self) -> list[tuple[str, str]]:
        """What can be wrong with the row: (reason, words). Of translations speaks only a row that has or had some."""
        has_some = self.folded or self.flag == Mismatch.Reason.NOT_SAME.label
        choices = Mismatch.Reason.choices
        return [choice for choice in choices if has_some or choice[0] not in Mismatch.OF_TRANSLATIONS]


@dataclass(frozen=True, slots=True)
class Group:
    """Near-duplicates: the passage of the best-ranked one is shown once, and what each column says of them.

    `title` is what their titles share; each row keeps the rest of its own.
    """

    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    title: SafeString

    @property
    def first(self) -> Row:
        """The one whose passage stands for all."""
        return self.rows[0]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known: inherited grades, groups and twins by canonical id, flags by candidate, the rest by document."""

    texts: Mapping[int, DocumentText]
    judgments: Mapping[int, Judgment]
    inherited: Mapping[str, int]
    groups: Mapping[str, int]
    languages: Mapping[int, str]
    flags: Mapping[int, Mismatch] = field(default_factory=dict)
    twins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rereads: Mapping[int, Reread] = field(default_factory=dict)


def rows_of(candidates: Iterable[Candidate], known: Known, finder: Finder) -> list[Row | Group]:
    """The rows in the order of `candidates`; a group stands where its first member would."""

    def group_of(candidate: Candidate) -> int | None:
        return None if candidate.document.gone_at is not None else group_in(known.groups, candidate)

    blocks = ([_row(each, known, finder) for each in block] for block in together(candidates, group_of))
    return [_grouped(rows) if len(rows) > 1 else rows[0] for rows in blocks]


def group_in(groups: Mapping[str, int], candidate: Candidate) -> int | None:
    """The group of the candidate's article; what was unfolded, because it is not the same document, has none."""
    return None if UNFOLDED in candidate.origins else groups.get(candidate.canonical_id)


def together(candidates: Iterable[Candidate], group_of: Callable[[Candidate], int | None]) -> list[list[Candidate]]:
    """`candidates` in blocks: those of one group where its first member stands, every other one (None) alone."""
    blocks: dict[object, list[Candidate]] = {}
    for candidate in candidates:
        group = group_of(candidate)
        place = ("alone", candidate.pk) if group is None else ("group", group)
        blocks.setdefault(place, []).append(candidate)
    return list(blocks.values())


def _grouped(rows: Sequence[Row]) -> Group:
    apart = set_apart([row.facts for row in rows])
    shared = shared_title([row.name for row in rows])
    own = own_from(shared, [row.name for row in rows], rows[0].language)
    members = tuple(
        replace(row, facts=facts, title=_part(row, own, len(row.name))) for row, facts in zip(rows, apart, strict=True)
    )
    is_shared = bool(shared.strip(EDGES))
    return Group(members, summary(apart), _part(rows[0], 0, own or len(shared)) if is_shared else rows[0].title)


def _part(row: Row, start: int, end: int) -> SafeString:
    """The title of `row` between two characters, without the signs at its edges."""
    part = row.name[start:end].rstrip(EDGES)
    bare = part.lstrip(SIGNS)
    start += len(part) - len(bare)
    return marked(bare, inside(row.found, Passage(start, start + len(bare), cut_before=False, cut_after=False)))


def shared_title(titles: Sequence[str]) -> str:
    """The whole words with which all `titles` begin, up to the last comma or colon where there is one.

    "" where a title would keep nothing of its own, or where the cut would part a heading from its number
    ("Article 11: duty", "Article 16: duty").
    """
    columns = takewhile(lambda letters: len(set(letters)) == 1, zip(*titles, strict=False))
    shared = "".join(letters[0] for letters in columns)
    if any(title[len(shared) :][:1].isalnum() for title in titles):
        shared = re.sub(r"\w+$", "", shared)
    shared = re.sub(r"(?<=[,:;(–])[^,:;(–]*$", "", shared)
    rests = [title[len(shared) :] for title in titles]
    parts_a_heading = shared.strip(EDGES) == shared.rstrip() and any(":" in rest for rest in rests)
    return "" if parts_a_heading or not all(rest.strip(EDGES) for rest in rests) else shared


def own_from(shared: str, titles: Sequence[str], locale: str) -> int:
    """Where what a member is called begins: behind the `shared` beginning, but not inside a bracket or a phrase.

    "Clause (insurer)" keeps its bracket, and "Allowance from day 182" is "from day 182" rather than "182".
    """
    bracket = OPEN_BRACKET.search(shared)
    if bracket:
        return bracket.start()
    if ENDS_PHRASE.search(shared):
        return len(shared)
    kept = shared
    if any(title[len(shared) :].lstrip(EDGES)[:1].isdigit() for title in titles):
        kept = LAST_WORD.sub("", kept)
    while (last := LAST_WORD.search(kept)) and is_function_word(last[1], locale):
        kept = kept[: last.start()]
    return len(kept)


def _row(candidate: Candidate, known: Known, finder: Finder) -> Row:
    document = candidate.document
    text = known.texts.get(document.pk)
    judgment = known.judgments.get(document.pk)
    said = said_here(judgment, candidate, present=text.sha256 if text else "")
    is_gone = document.gone_at is not None
    flag = known.flags.get(candidate.pk)
    apart = set(unfolded(candidate, flag))
    folded = [(pk, known.languages[pk]) for pk in candidate.folded if pk in known.languages and pk not in apart]
    title, body = (text.title, text.text[:LONGEST]) if text else ("", "")
    found = finder.found_in(candidate, text)
    return Row(
        key=candidate.pk,
        code=document.external_id,
        language=document.language,
        name=title,
        title=marked(title, found.title),
        found=found.title,
        passage=_passage(body, found.body, found.passage),
        paragraphs=tuple(paragraphs(body, found.body)),
        is_cut=text is not None and len(text.text) > LONGEST,
        facts=fact_cells(document.facts, found.facts),
        translations=tuple(sorted({language for _, language in folded})),
        value="" if is_gone else shown_value(said, inherited_here(candidate, known.inherited)),
        number=judgment.number if judgment else 0,
        note=judgment.note if judgment else "",
        text=text.sha256[:FINGERPRINT] if text else "",
        seen=said is not None and said.was_seen,
        folded=tuple(folded),
        flag=flag.get_reason_display() if flag else "",
        article=candidate.canonical_id,
        twins=_twins(candidate, known),
        for_twins=said is not None and said.for_twins,
        reread=known.rereads.get(candidate.pk),
        is_gone=is_gone,
    )


def _twins(candidate: Candidate, known: Known) -> tuple[str, ...]:
    """The text twins of the candidate's article; what is not the same document has none of them."""
    names = () if UNFOLDED in candidate.origins else known.twins.get(candidate.canonical_id, ())
    return tuple(name for name in names if name != candidate.canonical_id)


def _passage(text: str, spans: Sequence[Span], passage: Passage) -> SafeString:
    before, after = "… " if passage.cut_before else "", "…" if passage.cut_after else ""
    shift = len(before)
    moved = [(start + shift, end + shift) for start, end in inside(spans, passage)]
    return marked(f"{before}{text[passage.start : passage.end]}{after}", moved)
