"""A tighter bar on kept scores finds what mining at that bar finds."""

import json
from collections.abc import Sequence

import numpy as np
import pytest

from curation.miners.documents import Documents
from curation.miners.group import Group
from curation.miners.kept import AsRead, KeptGroup, facts_of, kept_group, shared_of
from curation.miners.near_duplicate import mine
from curation.miners.tightening import tightened
from curation.retrieval.vectors import Matrix

from .corpora import a_corpus

MINED_AT = 0.9


def stored(group: Group) -> KeptGroup:
    """The group after it went through the database."""
    return kept_group(json.loads(json.dumps(facts_of(group, read=AsRead()))), json.loads(json.dumps(shared_of(group))))


def editions(seed: int) -> tuple[Matrix, Documents]:
    """Eight articles in families of editions, all in two languages, near one another by chance."""
    random = np.random.default_rng(seed)
    texts, canonical, language, rows = {}, {}, {}, {}
    for number in range(16):
        base = random.normal(size=8) * 0.35 + np.eye(8)[number % 4] * 3
        for tag, words in (("de", "Der Selbstbehalt beträgt {} Euro"), ("en", "The deductible is {} euros")):
            name = f"a{number:02}.{tag}"
            texts[name], canonical[name], language[name] = words.format(100 * (number + 1)), name[:3], tag
            rows[name] = base + random.normal(size=8) * 0.2
    vectors = np.array([rows[name] for name in sorted(rows)], dtype=np.float32)
    return vectors, a_corpus(texts, canonical=canonical, language=language, sources=[n for n in texts if "en" in n])


def shown(groups: Sequence[Group | KeptGroup]) -> list[KeptGroup]:
    """Groups without their renderings, which only the run that was mined has to keep."""
    kept = [stored(each) if isinstance(each, Group) else each for each in groups]
    return [
        KeptGroup(each.language, each.topic, each.members, each.columns, each.same, each.shared, each.scores)
        for each in kept
    ]


@pytest.mark.parametrize("threshold", [MINED_AT, 0.92, 0.94, 0.96, 0.98, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_a_tighter_bar_gives_the_groups_of_mining_at_that_bar(seed: int, threshold: float) -> None:
    vectors, documents = editions(seed)
    mined = mine(vectors, documents, threshold=MINED_AT).groups
    assert mined
    kept = [stored(group) for group in mined]
    found = tightened(kept, documents, threshold=threshold, places=frozenset())
    again = mine(vectors, documents, threshold=threshold).groups
    assert shown([kept[each] if isinstance(each, int) else each for each in found]) == shown(again)


def test_texts_are_read_of_groups_that_change_alone() -> None:
    class Unread(list[str]):
        def __getitem__(self, row: object) -> str:  # type: ignore[override]
            raise AssertionError(f"text {row} was read")

    vectors, documents = editions(0)
    kept = [stored(group) for group in mine(vectors, documents, threshold=MINED_AT).groups]
    columns = {name: getattr(documents, name) for name in documents.__dataclass_fields__} | {"texts": Unread()}
    found = tightened(kept, Documents(**columns), threshold=MINED_AT, places=frozenset())
    assert found == list(range(len(kept)))


def test_twins_stay_beside_the_member_they_repeat() -> None:
    texts = {
        "a": "Limit 100 euros here",
        "a2": "Limit 100 euros here",
        "b": "Limit 200 euros here",
        "c": "Limit 300 euros here",
    }
    vectors = np.array([[1, 0], [1, 0], [1, 0.2], [1, 0.5]], dtype=np.float32)
    (group,) = mine(vectors, a_corpus(texts), threshold=0.8).groups
    [part] = tightened([stored(group)], a_corpus(texts), threshold=0.97, places=frozenset())
    assert isinstance(part, Group)
    assert [(member.external_id, member.twins) for member in part.members] == [("a", ("a2",)), ("b", ())]
    assert part.differs_in == ("amount",)
