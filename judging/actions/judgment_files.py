"""Judgments from a file: one opinion of one judge a row, settled where those who judged agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.contrib.auth.hashers import make_password

from curation.actions.lookups import overwrite, rows_in
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.targets import Aim, aims
from curation.formats.grades import HIGHEST
from curation.formats.judgments import JudgmentRow, read_judgments
from curation.models import Corpus, Document, DocumentText, User
from judging.actions.imported_opinions import settle_imported
from judging.models import Judgment, State
from judging.reports.verdicts import GRADE_OF_SWEPT

BATCH = 500
MOST_NAME = 150
STATES = {"graded": State.GRADED, "swept": State.SWEPT, "unseen": State.UNSEEN, "cannot_judge": State.CANT_TELL}
Key = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Opinion:
    """A row with the query and the document (their primary keys) that it judges."""

    row: JudgmentRow
    query_id: int
    canonical_id: str
    document_id: int

    @property
    def key(self) -> Key:
        """What a judgment is unique by."""
        return self.query_id, self.document_id, self.row.judge


@dataclass(frozen=True, slots=True)
class Judge:
    """Whose opinions a file holds where it does not say, and which of its grades mean another here."""

    name: str = ""
    map_grades: Mapping[int, int] = field(default_factory=dict)


def import_judgments(*, corpus: Corpus, intake: Intake, now: datetime, judge: Judge | None = None) -> Receipt:
    """Import opinions. Judges without an account get one that nobody can sign in with.

    A judgment keeps the fingerprint of the text it saw: the file's, else that of the present text. Where all who judged
    an answer agree, their grade is settled; a query of which nothing is open turns JUDGED.

    Raises:
        Refused: someone else wrote the same rows meanwhile.
    """
    judge = judge or Judge()
    ledger = Ledger(intake)
    reader = read_judgments(intake.path, intake.reading, judge=judge.name, grades=judge.map_grades)
    opinions = _opinions(corpus, aims(corpus, _graded(ledger.rows(reader)), ledger), ledger)
    known = _known(corpus, opinions)
    texts = _fingerprints(opinions)
    fresh: dict[Key, Judgment] = {}
    noted: list[Judgment] = []
    for opinion in opinions:
        row = opinion.row
        met = known.get(opinion.key) or fresh.get(opinion.key)
        if met is None:
            fresh[opinion.key] = _judgment(opinion, texts, now)
            ledger.stored += 1
        elif _said(met.state, met.grade) != _said(STATES[row.state], row.grade):
            ledger.refuse(row, row.query_id, _contradiction(opinion, met))
        else:
            noted += _noted(met, row.note)
            ledger.merged += 1
    if ledger.stores:
        with ledger.writing():
            _write(fresh, [judgment for judgment in noted if judgment.pk])
            for notice in settle_imported(corpus=corpus, query_ids={opinion.query_id for opinion in opinions}, now=now):
                ledger.tell(notice)
    return ledger.receipt()


def _graded(rows: Sequence[JudgmentRow]) -> list[JudgmentRow]:
    """The rows on the scale of 0 to 3: where the highest grade is 1 the file is binary, and 1 becomes 3."""
    if max((row.grade or 0 for row in rows), default=0) != 1:
        return list(rows)
    return [replace(row, grade=HIGHEST) if row.grade == 1 else row for row in rows]


def _opinions(corpus: Corpus, aimed: Sequence[Aim[JudgmentRow]], ledger: Ledger) -> list[Opinion]:
    """The rows with the document each judged: the one named, else the article's only one, or its source."""
    open_ids = (aim.target.canonical_id for aim in aimed if aim.target.document_id is None)
    documents: dict[str, list[Document]] = {}
    for document in rows_in(Document.objects.filter(corpus=corpus), "canonical_id", open_ids):
        documents.setdefault(document.canonical_id, []).append(document)
    found = []
    for aim in aimed:
        named = aim.target.canonical_id
        document_id = aim.target.document_id or _only(documents.get(named, ()))
        if document_id is None:
            reason = f"The article {named} has several documents; name the one that was judged in doc_id."
            ledger.refuse(aim.row, aim.row.query_id, reason)
        elif len(aim.row.judge) > MOST_NAME:
            ledger.refuse(aim.row, aim.row.query_id, f"The judge's name has more than {MOST_NAME} characters.")
        else:
            found.append(Opinion(aim.row, aim.query_id, named, document_id))
    return found


def _only(documents: Sequence[Document]) -> int | None:
    sources = [document for document in documents if document.is_source]
    chosen = next((group for group in (documents, sources) if len(group) == 1), None)
    return chosen[0].pk if chosen else None


def _known(corpus: Corpus, opinions: Sequence[Opinion]) -> dict[Key, Judgment]:
    stored = Judgment.objects.filter(query__corpus=corpus).select_related("assessor")
    judgments = rows_in(stored, "query_id", (opinion.query_id for opinion in opinions))
    return {(found.query_id, found.document_id, found.assessor.username): found for found in judgments}


def _fingerprints(opinions: Sequence[Opinion]) -> dict[int, str]:
    texts = DocumentText.objects.filter(current=True).values_list("document_id", "sha256")
    return dict(rows_in(texts, "document_id", (opinion.document_id for opinion in opinions)))


def _judgment(opinion: Opinion, texts: Mapping[int, str], now: datetime) -> Judgment:
    row = opinion.row
    return Judgment(
        query_id=opinion.query_id,
        document_id=opinion.document_id,
        canonical_id=opinion.canonical_id,
        grade=row.grade,
        state=STATES[row.state],
        text_sha256=row.text_sha256 or texts.get(opinion.document_id, ""),
        note=row.note,
        original_score=row.score,
        kept_apart=not row.counts,
        judged_at=row.at or now,
    )


def _said(state: str, grade: int | None) -> tuple[str, int | None]:
    """What an opinion comes to: TREC and BEIR write what was left unmarked as the 0 that it counts for."""
    return (State.GRADED, GRADE_OF_SWEPT) if state == State.SWEPT else (state, grade)


def _contradiction(opinion: Opinion, met: Judgment) -> str:
    said = f"grade {met.grade}" if met.state == State.GRADED else State(met.state).label.lower()
    return f"{opinion.row.judge} judged {opinion.canonical_id} already, with another opinion ({said})."


def _noted(met: Judgment, note: str) -> list[Judgment]:
    """The judgment, if the note fills one that was empty."""
    if met.note or not note:
        return []
    met.note = note
    return [met]


def _write(fresh: Mapping[Key, Judgment], noted: Sequence[Judgment]) -> None:
    people = _people({judge for _, _, judge in fresh})
    for (_, _, judge), judgment in fresh.items():
        judgment.assessor = people[judge]
    Judgment.objects.bulk_create(fresh.values(), batch_size=BATCH)
    overwrite(noted, ["note"])


def _people(judges: set[str]) -> dict[str, User]:
    known = {user.username for user in rows_in(User.objects.all(), "username", judges)}
    nobody = make_password(None)
    missing = [User(username=judge, name=judge, is_active=False, password=nobody) for judge in sorted(judges - known)]
    User.objects.bulk_create(missing)
    return {user.username: user for user in rows_in(User.objects.all(), "username", judges)}
