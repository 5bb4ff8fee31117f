"""The rows of a pool: one for each candidate, near-duplicates together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.safestring import SafeString

from curation.models import DocumentText
from judging.models import Candidate, Judgment, Mismatch
from judging.reports.findings import LONGEST, Finder, Findings
from judging.reports.folds import Folded, Rendering, fact_key, folded
from judging.reports.group_names import EDGES, SIGNS, own_from, shared_code, shared_title
from judging.reports.groups import versions_together
from judging.reports.highlights import Span, marked
from judging.reports.mismatches import UNFOLDED, unfolded
from judging.reports.opinions import inherited_here, said_here, shown_value
from judging.reports.passages import paragraphs
from judging.reports.pool_facts import FactCell, declared_alike, fact_cells, set_apart, summary
from judging.reports.rereading import Reread
from judging.reports.slots import slotted, within
from judging.reports.stated import Version, differing, in_common

FINGERPRINT = 16  # hexadecimal digits of a text's hash that the page carries


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate as it is shown; `name` is its whole title in plain text, `found` what is marked in that.

    `value` is "0" to "3", "cant_tell" or "" for no mark, `number` that of the mark that stands. `text` begins the
    fingerprint of the text shown. `seen` tells a row whose text was seen when the query was finished before.
    `translations` are the languages of the folded renderings, `folded` what each of them declares beside the row;
    `flag` says what the judge found wrong with the row. `article` is its canonical id, `twins` are those of its text
    twins, in the list or not; with `for_twins` the grade is meant for them too. `meant` is the grade that it takes from
    a twin that was marked outside this list: "" where such twins are graded differently, None for no such twin.
    `reread` is what changed since the document was judged. One that is gone from the corpus takes no grade: it has no
    value. The `passage` of near-duplicates stands in the first of them.
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
    folded: tuple[Folded, ...] = ()
    flag: str = ""
    article: str = ""
    twins: tuple[str, ...] = ()
    for_twins: bool = False
    meant: str | None = None
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

    `title` and `code` are what their titles and ids share, "" for nothing; each row keeps the rest of its title.
    `alike` are facts that all their texts state, as the first one writes them, `declared_alike` those all declare.
    """

    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    title: SafeString
    code: str = ""
    alike: tuple[str, ...] = ()
    declared_alike: tuple[str, ...] = ()

    @property
    def first(self) -> Row:
        """The one whose passage stands for all."""
        return self.rows[0]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known: inherited grades, groups, twins and what these are `meant` by canonical id, flags by candidate.

    The rest is by document.
    """

    texts: Mapping[int, DocumentText]
    judgments: Mapping[int, Judgment]
    inherited: Mapping[str, int]
    groups: Mapping[str, int]
    renderings: Mapping[int, Rendering]
    flags: Mapping[int, Mismatch] = field(default_factory=dict)
    twins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    meant: Mapping[str, str] = field(default_factory=dict)
    rereads: Mapping[int, Reread] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Read:
    """A candidate with what was found in its text; `slots` is where that differs from its near-duplicates."""

    candidate: Candidate
    text: DocumentText | None
    found: Findings
    slots: Sequence[Span] = ()

    @property
    def version(self) -> Version:
        """What of it is compared with its near-duplicates."""
        document, text = self.candidate.document, self.text.text if self.text else ""
        return Version(text, document.language, self.found.stated, str(document.facts.get("jurisdiction") or ""))


def rows_of(candidates: Iterable[Candidate], known: Known, finder: Finder) -> list[Row | Group]:
    """The rows in the order of `candidates`; a group stands where its first member would."""
    blocks = versions_together(candidates, known.groups)
    read = [read_together(block, known.texts, finder) for block in blocks]
    standing = [(each.canonical_id, each.document.external_id) for each in _standing(blocks)]
    return [
        _grouped(each, _codes_beside(each, standing), known) if len(each) > 1 else _row(each[0], known) for each in read
    ]


def _standing(blocks: Iterable[Sequence[Candidate]]) -> Iterator[Candidate]:
    """All but those that are gone."""
    return (each for block in blocks for each in block if each.document.gone_at is None)


def row_of(versions: Sequence[Candidate], known: Known, finder: Finder) -> Row:
    """The first of `versions`, with what the others of them, its near-duplicates, state otherwise."""
    return _row(read_together(versions, known.texts, finder)[0], known)


def read_together(candidates: Sequence[Candidate], texts: Mapping[int, DocumentText], finder: Finder) -> list[Read]:
    """Candidates that are near-duplicates, each read beside the others; a single one is read alone."""
    compared = len(candidates) > 1
    own = [texts.get(each.document_id) for each in candidates]
    found = [finder.found_in(each, text, compared=compared) for each, text in zip(candidates, own, strict=True)]
    read = list(map(Read, candidates, own, found))
    return list(map(Read, candidates, own, found, differing([each.version for each in read]))) if compared else read


def _grouped(read: Sequence[Read], codes_beside: Iterable[str], known: Known) -> Group:
    rows = [_row(each, known, is_first=not place) for place, each in enumerate(read)]
    apart = set_apart([row.facts for row in rows])
    shared = shared_title([row.name for row in rows])
    own = own_from(shared, [row.name for row in rows], rows[0].language)
    members = tuple(
        replace(row, facts=facts, title=_part(row, own, len(row.name))) for row, facts in zip(rows, apart, strict=True)
    )
    is_shared = bool(shared.strip(EDGES))
    alike = in_common([each.version for each in read])
    return Group(
        members,
        summary(apart),
        _part(rows[0], 0, own or len(shared)) if is_shared else rows[0].title,
        code=shared_code([row.code for row in rows], codes_beside),
        alike=tuple(alike.values()),
        declared_alike=tuple(_declared_alike(read[0].candidate, apart, alike)),
    )


def _codes_beside(group: Sequence[Read], standing: Iterable[tuple[str, str]]) -> list[str]:
    """The ids of all documents (canonical id, id) that are `standing` but those of the group's articles."""
    articles = {each.candidate.canonical_id for each in group}
    return [code for article, code in standing if article not in articles]


def _declared_alike(first: Candidate, rows: Sequence[tuple[FactCell, ...]], told: Iterable[str]) -> Iterable[str]:
    """The facts that all declare alike, without those that their texts have `told` already."""
    stated, document = set(told), first.document
    for cell in declared_alike(rows):
        if not stated or fact_key(cell.name, str(document.facts[cell.name]), document.language) not in stated:
            yield f"{cell.title.lower()} {cell.words}"


def _part(row: Row, start: int, end: int) -> SafeString:
    """The title of `row` between two characters, without the signs at its edges."""
    part = row.name[start:end].rstrip(EDGES)
    bare = part.lstrip(SIGNS)
    start += len(part) - len(bare)
    return marked(bare, within(row.found, start, start + len(bare)))


def _row(read: Read, known: Known, *, is_first: bool = True) -> Row:
    """The row of a candidate; of several near-duplicates the first has the passage for all."""
    candidate, text, found = read.candidate, read.text, read.found
    document = candidate.document
    judgment = known.judgments.get(document.pk)
    said = said_here(judgment, candidate, present=text.sha256 if text else "")
    is_gone = document.gone_at is not None
    flag = known.flags.get(candidate.pk)
    folds = _folds(candidate, flag, known)
    title, body = (text.title, text.text[:LONGEST]) if text else ("", "")
    return Row(
        key=candidate.pk,
        code=document.external_id,
        language=document.language,
        name=title,
        title=marked(title, found.title),
        found=found.title,
        passage=_passage(body, found, read.slots) if is_first else SafeString(),
        paragraphs=tuple(paragraphs(body, found.body, read.slots)),
        is_cut=text is not None and len(text.text) > LONGEST,
        facts=fact_cells(document.facts, found.facts),
        translations=tuple(sorted({each.language for each in folds})),
        value="" if is_gone else shown_value(said, inherited_here(candidate, known.inherited)),
        number=judgment.number if judgment else 0,
        note=judgment.note if judgment else "",
        text=text.sha256[:FINGERPRINT] if text else "",
        seen=said is not None and said.was_seen and said.text_sha256 in {"", text.sha256 if text else ""},
        folded=folds,
        flag=flag.get_reason_display() if flag else "",
        article=candidate.canonical_id,
        twins=_twins(candidate, known),
        for_twins=said is not None and said.for_twins,
        meant=known.meant.get(candidate.canonical_id),
        reread=known.rereads.get(candidate.pk),
        is_gone=is_gone,
    )


def _twins(candidate: Candidate, known: Known) -> tuple[str, ...]:
    """The text twins of the candidate's article; what is not the same document has none of them."""
    names = () if UNFOLDED in candidate.origins else known.twins.get(candidate.canonical_id, ())
    return tuple(name for name in names if name != candidate.canonical_id)


def _folds(candidate: Candidate, flag: Mismatch | None, known: Known) -> tuple[Folded, ...]:
    """The renderings folded into the candidate, without those that the judge took out of it."""
    shown = Rendering(candidate.document.language, candidate.document.facts)
    apart = set(unfolded(candidate, flag))
    standing = (pk for pk in candidate.folded if pk in known.renderings and pk not in apart)
    return tuple(folded(pk, known.renderings[pk], shown) for pk in standing)


def _passage(text: str, found: Findings, slots: Sequence[Span]) -> SafeString:
    passage = found.passage
    start, end = passage.start, passage.end
    words = slotted(text[start:end], within(found.body, start, end), within(slots, start, end))
    return SafeString(f"{'… ' * passage.cut_before}{words}{'…' * passage.cut_after}")
