"""The rows of the judging page. They are fifty of one shape, so each shape is rendered once and filled fifty times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from html import escape

from django import template
from django.template.loader import get_template, render_to_string
from django.utils.safestring import SafeString

from curation.templatetags.look import language
from judging.reports.folds import Folded
from judging.reports.pool_facts import FactCell
from judging.reports.pool_page import PoolPage
from judging.reports.pool_rows import Group, Row

register = template.Library()

GRADES = ("0", "1", "2", "3")
NAMED = 2  # text twins of a row that are named
CHECKED, NOTHING = SafeString(" checked"), SafeString()
FLAG = '<span class="flag" title="{0}"><span class="i i-flag s" aria-hidden="true"></span>{0}</span>'
SAME_FACTS = SafeString('<span class="i i-ok s" aria-hidden="true"></span> ')
OTHER_FACT = '<span class="ne"><span class="sr">other </span><bdi>{}</bdi></span>'
IN_A_ROW = ("key", "number", "seen", "note", "grade", "title", "code", "fold", "facts", "reread", "full")
SLOTS = {
    "judging/_judge_row.html": (*IN_A_ROW, "tongue", "passage"),
    "judging/_judge_group.html": ("count", "title", "code", "same", "tongue", "passage", "columns", "members"),
    "judging/_judge_member.html": IN_A_ROW,
    "judging/_judge_grade.html": ("key", "code", "text", *(f"is_{grade}" for grade in GRADES)),
    "judging/_judge_fold.html": ("key", "translations", "twin", "flag", "is_unsure", "clear"),
    "judging/_judge_clear.html": ("key",),
    "judging/_judge_twin.html": ("key", "set", "twins", "is_chosen", "meant"),
    "judging/_judge_full.html": ("tongue", "name", "code", "facts", "passage", "rest"),
}


@cache
def shape(name: str) -> str:
    """The template `name` as a pattern of its slots, for the % operator."""
    marks = {slot: SafeString(f"\0{slot}\0") for slot in SLOTS[name]}
    pieces = get_template(name).render({**marks, "grades": [(each, marks.get(f"is_{each}")) for each in GRADES]})
    texts, slots = pieces.split("\0")[::2], pieces.split("\0")[1::2]
    return "".join(
        text.replace("%", "%%") + (f"%({slot})s" if slot else "")
        for text, slot in zip(texts, [*slots, ""], strict=True)
    )


def filled(name: str, /, **values: str) -> SafeString:
    """The template `name` with its slots filled; what is not safe yet is escaped."""
    safe = {slot: value if isinstance(value, SafeString) else escape(value) for slot, value in values.items()}
    return SafeString(shape(name) % safe)


def put(pattern: str, *values: str) -> SafeString:
    """A few words of markup around `values`; what is not safe yet is escaped."""
    safe = [value if isinstance(value, SafeString) else escape(value) for value in values]
    return SafeString(pattern.format(*safe))


def joined(pieces: Iterable[SafeString]) -> SafeString:
    """Safe pieces, one after the other."""
    return SafeString("".join(pieces))


@register.simple_tag
def candidates(page: PoolPage) -> SafeString:
    """Every row and group of the page, in its order."""
    has_facts = page.has_facts
    return joined(_entry(entry, has_facts=has_facts) for entry in page.entries)


def _entry(entry: Row | Group, *, has_facts: bool) -> SafeString:
    if isinstance(entry, Row) and entry.is_gone:
        return render_to_string("judging/_judge_gone.html", {"row": entry})
    if isinstance(entry, Row):
        return row_html(entry, has_facts=has_facts)
    members = joined(member_html(row, has_facts=has_facts) for row in entry.rows)
    return group_html(entry, members)


def group_html(group: Group, members: SafeString) -> SafeString:
    """Near-duplicates below the lines that they share."""
    return filled(
        "judging/_judge_group.html",
        count=str(len(group.rows)),
        title=group.title,
        code=put("<small><bdi>{}</bdi></small>", group.code) if group.code else NOTHING,
        same=_same_in_all(group),
        tongue=_tongue(group.first),
        passage=group.first.passage,
        columns=joined(map(_column, group.columns)),
        members=members,
    )


def _same_in_all(group: Group) -> SafeString:
    """The facts that all members of a group share, on one line; its title holds what finds no room there."""
    if not group.alike and not group.declared_alike:
        return NOTHING
    told = [put('<bdi lang="{}">{}</bdi>', group.first.language, words) for words in group.alike]
    line = SafeString(", ".join([*told, *map(escape, group.declared_alike)]))
    title = ", ".join([*group.alike, *group.declared_alike])
    words = f"Same in all {len(group.rows)}"
    return put('<span class="fold same hide-s" title="{0}: {1}">{0}: {2}</span>', words, title, line)


def _column(words: str) -> SafeString:
    """What a column of a group says: how many values differ, that all are the same, or nothing."""
    if not words or words == "same":
        return put('<span class="fact{}">{}</span>', " same" if words else NOTHING, words)
    return put('<span class="fact"><span class="ne">{}</span></span>', words)


def row_html(row: Row, *, has_facts: bool) -> SafeString:
    """A candidate that stands alone, with the lines that are read first."""
    values = _values(row, has_facts=has_facts)
    return filled("judging/_judge_row.html", **values, tongue=_tongue(row), passage=row.passage)


def member_html(row: Row, *, has_facts: bool) -> SafeString:
    """A near-duplicate, below the lines that it shares with its group."""
    return filled("judging/_judge_member.html", **_values(row, has_facts=has_facts))


def _values(row: Row, *, has_facts: bool) -> dict[str, str]:
    return {
        "key": SafeString(row.key),
        "number": put(' data-number="{}"', str(row.number)) if row.number else NOTHING,
        "seen": SafeString(" data-seen") if row.seen else NOTHING,
        "note": put(' data-note="{}"', row.note) if row.note else NOTHING,
        "grade": _grade(row),
        "title": put('<span class="tt"{}>{}</span>', _tongue(row), row.title) if row.title else NOTHING,
        "code": row.code,
        "fold": _fold(row),
        "facts": joined(map(_fact, row.facts)) if has_facts else NOTHING,
        "reread": render_to_string("judging/_judge_reread.html", {"row": row}) if row.reread else NOTHING,
        "full": _full(row, has_facts=has_facts),
    }


def _tongue(row: Row) -> SafeString:
    return put(' lang="{}" dir="auto"', row.language)


def _grade(row: Row) -> SafeString:
    checked: dict[str, str] = {f"is_{grade}": CHECKED if row.value == grade else NOTHING for grade in GRADES}
    return filled("judging/_judge_grade.html", key=SafeString(row.key), code=row.code, text=row.text, **checked)


def _fold(row: Row) -> SafeString:
    is_unsure = CHECKED if row.value == "cant_tell" else NOTHING
    count = len(row.translations)
    title = "The same document in other languages; one grade counts for all"
    globe = '<span class="i i-globe s" aria-hidden="true"></span><span class="sr">translations </span>'
    folded = put(f'<span class="fold" title="{title}">{globe}+{{}}</span>', str(count)) if count else NOTHING
    flag = put(FLAG, row.flag) if row.flag else NOTHING
    return filled(
        "judging/_judge_fold.html",
        key=SafeString(row.key),
        translations=folded,
        twin=_twin(row) if row.twins else NOTHING,
        flag=flag,
        is_unsure=is_unsure,
        # Only where a radio is chosen: whoever has script clears by a key, and their page carries none of it else.
        clear=filled("judging/_judge_clear.html", key=SafeString(row.key)) if row.value else NOTHING,
    )


def _twin(row: Row) -> SafeString:
    named = ", ".join(row.twins[:NAMED]) + (f" and {len(row.twins) - NAMED} more" if len(row.twins) > NAMED else "")
    return filled(
        "judging/_judge_twin.html",
        key=SafeString(row.key),
        set=min((row.article, *row.twins)),
        twins=named,
        is_chosen=CHECKED if row.for_twins else NOTHING,
        meant=NOTHING if row.meant is None else put(' data-meant="{}"', row.meant),
    )


def _fact(cell: FactCell) -> SafeString:
    shown = put('<span class="diff">{}</span>', cell.shown) if cell.others else cell.shown
    return put('<span class="fact" dir="auto">{}</span>', shown)


def _full(row: Row, *, has_facts: bool) -> SafeString:
    declared = joined(_declared(cell) for cell in row.facts if cell.words) if has_facts else NOTHING
    return filled(
        "judging/_judge_full.html",
        tongue=_tongue(row),
        name=row.name or row.code,
        code=put('<span class="code"><bdi>{}</bdi></span>', row.code) if row.name else NOTHING,
        facts=put('<dl class="facts small">{}</dl>', declared) if declared else NOTHING,
        passage=joined(put("<p>{}</p>", paragraph) for paragraph in row.paragraphs),
        rest=_rest(row),
    )


def _declared(cell: FactCell) -> SafeString:
    if not cell.others:
        return put("<dt>{}</dt><dd>{}</dd>", cell.title, cell.shown)
    others = ", ".join(cell.others) + (f" and {cell.more:,} more" if cell.more else "")
    return put(
        '<dt>{}</dt><dd><span class="diff">{}</span> <span class="ne">others {}</span></dd>',
        cell.title, cell.shown, others,
    )  # fmt: skip


def _rest(row: Row) -> SafeString:
    cut = '<p class="small muted">The text goes on; its beginning is shown here.</p>'
    folded = (
        '<h3>Folded translations</h3><ul class="small soft folded">{}</ul><p class="small muted">One grade counts for'
        " the document and its translations. If a translation states different facts, press <kbd>x</kbd>.</p>"
    )
    names = joined(map(_folded, row.folded))
    return joined([SafeString(cut) if row.is_cut else NOTHING, put(folded, names) if names else NOTHING])


def _folded(rendering: Folded) -> SafeString:
    told = _compared(rendering.language, same=rendering.same, others=rendering.others, single=rendering.single)
    return put('<li data-document="{}">{}</li>', str(rendering.key), told)


@lru_cache(maxsize=1024)
def _compared(tag: str, *, same: Sequence[str], others: Sequence[str], single: Sequence[str]) -> SafeString:
    """The language of a folded rendering with the facts that it declares as the row does, and otherwise."""
    differ = [put(OTHER_FACT, words) for words in others]
    alike = [f"same {name}" for name in same]
    told = ", ".join([*differ, *alike, *(f"{name} declared in one only" for name in single)])
    icon = SAME_FACTS if same and not others else NOTHING
    return put("{}<span data-language>{}</span>{}", icon, language(tag), SafeString(told and f": {told}"))
