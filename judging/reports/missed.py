"""Position bias: what judges missed, by its place in the list they were shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.measures.targets import COUNT_TARGETS
from curation.measures.wilson import wilson
from curation.models import Corpus, Qrel
from judging.reports.blind_lists import blind_lists
from judging.reports.voices import Heard, Voice

PARTS = 10
RELEVANT = COUNT_TARGETS["gate"]
DECIDED = (Qrel.Source.AGREED, Qrel.Source.ADJUDICATED)


@dataclass(frozen=True, slots=True)
class Missed:
    """One tenth of the list, counted from 1: of `relevant` answers shown there, judges swept `missed`."""

    tenth: int
    relevant: int
    missed: int

    @property
    def share(self) -> float | None:
        """The share missed, None below 100 relevant answers."""
        return self.missed / self.relevant if self.relevant >= RELEVANT else None

    @property
    def ci(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval of the share."""
        return wilson(self.missed, self.relevant) if self.relevant >= RELEVANT else None


def missed_by_place(corpus: Corpus, voices: Heard) -> tuple[Missed, ...]:
    """The ten tenths of the list, from its top; the number of SQL queries is fixed.

    Counted once for each judge whose opinion counts and who saw a blind order: only there is place left to chance. An
    answer is relevant by its settled grade, and stands at the first place of its documents on that judge's screen. An
    inherited or imported grade settles nothing here.
    """
    relevant, missed = [0] * PARTS, [0] * PARTS
    settled = _settled(corpus)
    for query, judge, order in blind_lists(corpus):
        for canonical_id, place in _first_places(order).items():
            answer, tenth = (query, canonical_id), place * PARTS // len(order)
            voice = next((each for each in voices.answers.get(answer, ()) if each.judge == judge), None)
            if voice is not None and answer in settled:
                relevant[tenth] += 1
                missed[tenth] += _overlooked(voice)
    return tuple(Missed(tenth + 1, relevant[tenth], missed[tenth]) for tenth in range(PARTS))


def _overlooked(voice: Voice) -> bool:
    return voice.swept and voice.grade == 0


def _settled(corpus: Corpus) -> set[tuple[int, str]]:
    """The answers that people settled as relevant."""
    decided = Qrel.objects.filter(query__corpus=corpus, source__in=DECIDED, grade__gte=corpus.relevant_from)
    return set(decided.values_list("query_id", "canonical_id"))


def _first_places(order: Iterable[str]) -> Mapping[str, int]:
    places: dict[str, int] = {}
    for place, canonical_id in enumerate(order):
        places.setdefault(canonical_id, place)
    return places


def whole(parts: Sequence[Missed]) -> tuple[int, int]:
    """Missed and relevant of all tenths together."""
    return sum(part.missed for part in parts), sum(part.relevant for part in parts)
