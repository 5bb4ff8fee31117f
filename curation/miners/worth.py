"""How likely a rare term is worth a query, from what it looks like and how its chunk speaks of it.

The weights are a logistic regression (L2) over terms that were read and judged by the rule of docs/rare-terms.md, its
coefficients rounded to a twentieth. They order terms; the figure itself means nothing.
"""

import regex

from curation.miners.entities import Kind
from curation.miners.ordinary import LANGUAGES
from curation.miners.sightings import Place, Sighting, is_named_in
from curation.retrieval.locales import language_of

# Below this a term is not proposed. Of the terms the weights come from, one in ten of those under it was worth a query;
# it costs one in seventeen of those that were.
BAR = -0.75
_MOST_PIECES = 6
_PIECES_OF_STRANGERS = 2  # in languages whose words the witness cuts all alike
_MOST_REPEATED = 3
_LISTED_WITHIN = 60  # characters either side in which commas are counted
_MOST_COMMAS = 4
_COMMA = regex.compile(r"[,;、，،]")
_DEFINES = regex.compile(
    r"[”\"’)]?,? (?:means?|is|are|refers to|sind|ist|bedeutet|significa|désigne) |(?:とは|とみなし)"
)
_NAMES = regex.compile(
    r"(?:known as|called|termed|sogenannte[nrs]?|genannt|heißt|llamad[ao]s?|appelée?s?|adı verilen) \W?\Z"
)
_BEFORE_SUBJECT = regex.compile(r"\s*(?:\(\w+\)\s*)*(?:an?|the|der|die|das|eine?|el|la|los|las|les?)?\s*", regex.I)
_IN_PASSING = regex.compile(
    r"(?:such as|for example|for instance|including|as shown (?:in|on)|etwa|zum Beispiel|por ejemplo|par exemple)"
    r"[^.]{0,80}\Z"
)
_EXAMPLE = regex.compile(r"\b(?:for (?:example|instance)|assume|zum Beispiel|por ejemplo|par exemple)\b", regex.I)
# What ends so is a quality or an act more often than a thing that has its own rules.
_QUALITY = regex.compile(r".*(?:ive|[ai]ble|ous|ical|ary|ful|al|ic|ent|ant|ular)")
_ACT = regex.compile(r".*(?:tions?|ity|ies|ness|[ae]nce|ments?|ship|hood|cy)")


def worth(sighting: Sighting, place: Place, *, pieces: int) -> float:
    """Higher is likelier to be worth a query.

    Args:
        sighting: where the corpus names the term.
        place: where its chunk names it first.
        pieces: into how many pieces the witness of ordinary words cuts it.
    """
    return _of_looks(place.term, sighting.kind, language_of(place.language), pieces=pieces) + _of_place(place, sighting)


def _of_looks(term: str, kind: Kind, language: str, *, pieces: int) -> float:
    word = kind == "word"
    if word and language not in LANGUAGES:
        pieces = _PIECES_OF_STRANGERS
    score = 0.5 * min(pieces, _MOST_PIECES) - 0.45 * len(term.split())
    score += 0.4 * (word and "-" in term) + 0.65 * bool(regex.search(r"\p{Nd}", term)) - 0.9 * term[0].islower()
    if word and language == "en":
        score += 0.25 * term[0].isupper() - 0.45 * bool(_QUALITY.fullmatch(term)) - 0.55 * bool(_ACT.fullmatch(term))
    return score


def _of_place(place: Place, sighting: Sighting) -> float:
    before, after = place.sentence[: place.start], place.sentence[place.end :]
    commas = len(_COMMA.findall(before[-_LISTED_WITHIN:])) + len(_COMMA.findall(after[:_LISTED_WITHIN]))
    heading = place.title.rpartition("›")[2]
    return (
        0.85 * is_named_in(place.title, sighting.key, place.language)
        + 0.6 * is_named_in(heading, sighting.key, place.language)
        + 0.6 * bool(_BEFORE_SUBJECT.fullmatch(before) or _NAMES.search(before))
        + 0.3 * bool(_DEFINES.match(after))
        + 0.35 * min(sighting.uses[place.row] - 1, _MOST_REPEATED)
        - 0.65 * bool(_IN_PASSING.search(before))
        - 0.35 * bool(_EXAMPLE.search(place.body, 0, place.at + place.start))
        - 0.25 * min(commas, _MOST_COMMAS)
        - 0.3 * len(place.sentence) / 100
    )
