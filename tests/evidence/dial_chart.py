"""A chart of the dial as SVG: recall at three depths for each way to store vectors; the same figures, the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

Panel = Mapping[str, Sequence[float]]

WIDTH, NAMES, RIGHT, TOP, ROW = 900, 230, 30, 64, 26
FLOOR = 0.88
STYLE = """
.paper{fill:#fff}.ink{fill:#161a21}.soft{fill:#424b59}.grid{stroke:#d5dae2}.floor{stroke:#b0261c}.span{stroke:#8a94a3}
.d0{fill:none;stroke:#83500a}.d1{fill:#3350c0;stroke:#3350c0}.d2{fill:#161a21;stroke:#161a21}
@media(prefers-color-scheme:dark){.paper{fill:#14181f}.ink{fill:#eef1f5}.soft{fill:#b6bfcc}.grid{stroke:#343c48}
.floor{stroke:#ff8a7d}.span{stroke:#6d7786}.d0{stroke:#f0b056}.d1{fill:#93a8ff;stroke:#93a8ff}
.d2{fill:#eef1f5;stroke:#eef1f5}}
""".replace("\n", "")


def dial(panels: Mapping[str, Panel], depths: Sequence[int], *, alt: str) -> str:
    """Panels one above the other: a row for each way, a mark for each depth, along one axis that ends at 1."""
    lowest = min(recall for panel in panels.values() for recalls in panel.values() for recall in recalls)
    start = int(min(lowest, FLOOR) * 10) / 10
    drawn: list[str] = []
    top = 30
    for title, panel in panels.items():
        drawn += rows(title, panel, top=top, start=start)
        top += TOP + ROW * len(panel)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" font-family="sans-serif" font-size="13"'
        f' role="img" aria-label="{escape(alt)}"><title>{escape(alt)}</title><style>{STYLE}</style>'
    )
    paper = f'<rect class="paper" width="{WIDTH}" height="{top}"/>'
    return "\n".join([opening, paper, *legend(depths), *drawn, "</svg>"]) + "\n"


def legend(depths: Sequence[int]) -> list[str]:
    """The marks and the line of the floor, in words."""
    marks = [
        part
        for place, depth in enumerate(depths)
        for part in (mark(NAMES + 120 * place, 22, place), said(NAMES + 120 * place + 12, 26, f"recall@{depth}"))
    ]
    x = NAMES + 120 * len(depths)
    line = f'<path class="floor" stroke-dasharray="4 3" d="M{x} 14v16"/>'
    return [*marks, line, said(x + 8, 26, f"absolute floor {FLOOR}, read at 200")]


def rows(title: str, panel: Panel, *, top: int, start: float) -> list[str]:
    """One corpus: its axis, then a row for each way."""
    bottom = top + 34 + ROW * len(panel)
    parts = [f'<text class="ink" x="12" y="{top + 24}" font-weight="bold">{escape(title)}</text>']
    for tenth in range(round(start * 10), 11):
        x = across(tenth / 10, start)
        parts.append(f'<path class="grid" d="M{x:.1f} {top + 34}V{bottom}"/>')
        parts.append(said(x, bottom + 16, f"{tenth / 10:.1f}", css="soft", anchor="middle"))
    x = across(FLOOR, start)
    parts.append(f'<path class="floor" stroke-dasharray="4 3" d="M{x:.1f} {top + 34}V{bottom}"/>')
    for place, (name, recalls) in enumerate(panel.items()):
        y = top + 34 + ROW * place + ROW // 2
        ends = f"M{across(min(recalls), start):.1f} {y}H{across(max(recalls), start):.1f}"
        parts += [said(12, y + 4, name), f'<path class="span" d="{ends}"/>']
        deepest_first = reversed(list(enumerate(recalls)))
        parts += [mark(across(recall, start), y, depth) for depth, recall in deepest_first]
    return parts


def mark(x: float, y: int, depth: int) -> str:
    """The mark of a depth: a hollow circle, a square, a diamond, so that no colour is needed to tell them apart."""
    css = f'class="d{depth}" stroke-width="2"'
    if depth == 0:
        return f'<circle {css} cx="{x:.1f}" cy="{y}" r="6"/>'
    if depth == 1:
        return f'<rect {css} x="{x - 3.5:.1f}" y="{y - 3.5}" width="7" height="7"/>'
    return f'<path {css} d="M{x:.1f} {y - 5}l5 5l-5 5l-5 -5z"/>'


def said(x: float, y: int, words: str, *, css: str = "ink", anchor: str = "start") -> str:
    """A line of text."""
    return f'<text class="{css}" x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'


def across(recall: float, start: float) -> float:
    """How far to the right a recall stands."""
    return NAMES + (WIDTH - NAMES - RIGHT) * (recall - start) / (1 - start)
