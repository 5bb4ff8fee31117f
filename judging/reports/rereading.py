"""Documents whose text changed since they were judged: the words that changed, before and now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from curation.miners.alignment import Run, align
from curation.miners.pieces import pieces
from curation.models import DocumentText, Qrel
from judging.models import Candidate, Judgment, State
from judging.reports.opinions import TEXT_CHANGED, said_here
from judging.reports.passages import paragraphs

COMPARED = 8000  # characters of each text
LEFT_OUT = SafeString("…")


@dataclass(frozen=True, slots=True)
class Reread:
    """The paragraphs of both texts from the first change to the last, with the words that changed marked.

    `own` is what the reader said of the earlier text, in words; nobody reads here what others said. `same_words` tells
    texts that differ in nothing but their spacing, or beyond what is compared.
    """

    own: str
    before: tuple[SafeString, ...]
    now: tuple[SafeString, ...]
    same_words: bool


def rereads(
    candidates: Iterable[Candidate], texts: Mapping[int, DocumentText], judgments: Mapping[int, Judgment]
) -> dict[int, Reread]:
    """What changed, by candidate, for those that the assessor or a settled grade spoke of when the text was another.

    `texts` are the present texts and `judgments` the assessor's own, by document. Two database queries at most, and
    none where no candidate is of that kind.
    """
    standing = [each for each in candidates if each.document_id in texts and each.document.gone_at is None]
    own = {each.pk: said for each in standing if (said := _said_before(each, texts, judgments))}
    sent = [each for each in standing if TEXT_CHANGED in each.origins and each.pk not in own]
    seen = {**_settled_on(sent), **{pk: said.text_sha256 for pk, said in own.items()}}
    earlier = _versions(standing, seen)
    return {
        each.pk: reread(before, texts[each.document_id], _in_words(own.get(each.pk)))
        for each in standing
        if (before := earlier.get((each.document_id, seen.get(each.pk, "")))) and not before.current
    }


def _said_before(
    candidate: Candidate, texts: Mapping[int, DocumentText], judgments: Mapping[int, Judgment]
) -> Judgment | None:
    own = judgments.get(candidate.document_id)
    here = said_here(own, candidate, present=texts[candidate.document_id].sha256)
    return own if here is None else None


def _settled_on(candidates: Sequence[Candidate]) -> dict[int, str]:
    """The fingerprint of the text that the settled grade of each candidate was given to."""
    if not candidates:
        return {}
    documents = {each.document_id: each.pk for each in candidates}
    settled = Qrel.objects.filter(query__pools=candidates[0].pool_id, gold_document__in=documents)
    return {documents[document]: seen for document, seen in settled.values_list("gold_document", "text_sha256")}


def _versions(candidates: Iterable[Candidate], seen: Mapping[int, str]) -> dict[tuple[int, str], DocumentText]:
    documents = {each.document_id for each in candidates if each.pk in seen}
    if not documents:
        return {}
    texts = DocumentText.objects.filter(document__in=documents, sha256__in=set(seen.values()))
    return {(text.document_id, text.sha256): text for text in texts}


def _in_words(said: Judgment | None) -> str:
    if said is None or said.state in {State.UNSEEN, State.CLEARED}:
        return ""
    if said.state == State.GRADED:
        return f"You graded it {said.grade} on the earlier text."
    if said.state == State.SWEPT:
        return "You left it unmarked on the earlier text."
    return "You could not tell on the earlier text."


def reread(before: DocumentText, now: DocumentText, own: str) -> Reread:
    """Two versions of a text laid over each other, word by word."""
    texts = [_whole(before), _whole(now)]
    runs = align([pieces(text, ()) for text in texts])
    sides = [tuple(_side(text, runs, member)) for member, text in enumerate(texts)]
    return Reread(own, sides[0], sides[1], same_words=all(run.shared for run in runs))


def _whole(text: DocumentText) -> str:
    return f"{text.title}\n{text.text}"[:COMPARED]


def _side(text: str, runs: Sequence[Run], member: int) -> Iterator[SafeString]:
    places = _places(runs, member) or [(0, len(text))]
    start = text.rfind("\n", 0, places[0][0]) + 1
    end = text.find("\n", places[-1][1])
    end = len(text) if end < 0 else end
    if text[:start].partition("\n")[2].strip():  # what goes before is more than the title
        yield LEFT_OUT
    marks = [(first - start, last - start) for first, last in _places(runs, member) if last > first]
    yield from paragraphs(text[start:end], marks)
    if text[end:].strip():
        yield LEFT_OUT


def _places(runs: Sequence[Run], member: int) -> list[tuple[int, int]]:
    """Where one text says something else than the other; an empty place where the other one says more."""
    at, places = 0, []
    for run in runs:
        own = run.pieces[member]
        start, end = (own[0].start, own[-1].end) if own else (at, at)
        if not run.shared:
            places.append((start, end))
        at = end
    return places
