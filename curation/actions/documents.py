"""Documents of a corpus file: what is new, what changed, what is gone."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Max
from django.db.models.functions import Now

from curation.actions.import_progress import ImportProgress, Stored
from curation.actions.lookups import blocks, insert, overwrite, rows_in
from curation.actions.many_rows import look_again
from curation.actions.receipts import Ledger
from curation.actions.texts import text_sha256, twin_sha256
from curation.formats.documents import DocumentRow
from curation.models import Corpus, Document, DocumentText
from curation.retrieval.locales import UNDETERMINED, ScriptNeeded, UnknownLocale, corpus_language, script_of

FIELDS = ["canonical_id", "language", "script", "is_source", "metadata", "facts", "gone_at"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A row as it would be stored."""

    row: DocumentRow
    language: str
    script: str
    sha256: str
    twin: str


@dataclass(slots=True)
class DocumentPlan:
    """What a file would do to a corpus. `seen` holds every id of the file, those of refused rows included."""

    known: dict[str, Document] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    created: dict[str, Draft] = field(default_factory=dict)
    described: dict[str, Draft] = field(default_factory=dict)
    retold: dict[str, Draft] = field(default_factory=dict)
    unchanged: set[str] = field(default_factory=set)
    gone: list[Document] = field(default_factory=list)


def plan_documents(corpus: Corpus | None, rows: Sequence[DocumentRow], ledger: Ledger) -> DocumentPlan:
    """Tell new rows from known and changed ones, and refuse what cannot be stored; nothing is written."""
    plan = DocumentPlan(seen={row.external_id for row in rows} | {fault.id for fault in ledger.faults})
    if corpus is not None:
        known = Document.objects.filter(corpus=corpus)
        plan.known = {found.external_id: found for found in rows_in(known, "external_id", plan.seen)}
        texts = DocumentText.objects.filter(current=True, document__corpus=corpus)
        current = rows_in(texts.values_list("document__external_id", "sha256"), "document__external_id", plan.known)
        plan.texts = dict(current)
    drafts: dict[str, Draft] = {}
    for place, row in enumerate(rows):
        ledger.intake.progress.compared(place, len(rows))
        draft = _draft(row, ledger)
        if draft is not None:
            _place(plan, draft, drafts=drafts, ledger=ledger)
    ledger.intake.progress.compared(len(rows), len(rows))
    _list_twins(corpus, plan, ledger)
    return plan


def _draft(row: DocumentRow, ledger: Ledger) -> Draft | None:
    try:
        language = corpus_language(row.language, row.script) if row.language else UNDETERMINED
    except (UnknownLocale, ScriptNeeded) as refusal:
        ledger.refuse(row, row.external_id, str(refusal))
        return None
    own = row.script if len(row.script) == 4 else script_of(language)
    digest = text_sha256(row.title, row.text)
    return Draft(row, language, own, digest, twin_sha256(row.title, row.text))


def _place(plan: DocumentPlan, draft: Draft, *, drafts: dict[str, Draft], ledger: Ledger) -> None:
    external_id = draft.row.external_id
    first = drafts.setdefault(external_id, draft)
    if first is not draft:
        _repeated(first, draft, ledger)
        return
    document = plan.known.get(external_id)
    if document is None:
        plan.created[external_id] = draft
    elif plan.texts.get(external_id) != draft.sha256:
        plan.retold[external_id] = draft
    elif _describes(draft, document):
        plan.unchanged.add(external_id)
        ledger.merged += 1
        return
    else:
        plan.described[external_id] = draft
    ledger.stored += 1


def _repeated(first: Draft, again: Draft, ledger: Ledger) -> None:
    if (first.sha256, _description(first)) == (again.sha256, _description(again)):
        ledger.merged += 1
        return
    reason = f"The id stands on line {first.row.line} already, with another content; give each document its own id."
    ledger.refuse(again.row, again.row.external_id, reason)


def _description(draft: Draft) -> tuple[object, ...]:
    row = draft.row
    return row.canonical_id, draft.language, draft.script, row.is_source, dict(row.metadata), dict(row.facts)


def _describes(draft: Draft, document: Document) -> bool:
    stored = (
        document.canonical_id,
        document.language,
        document.script,
        document.is_source,
        document.metadata,
        document.facts,
    )
    return document.gone_at is None and stored == _description(draft)


def _list_twins(corpus: Corpus | None, plan: DocumentPlan, ledger: Ledger) -> None:
    """Name every new text that equals another document's, unless both render one article."""
    drafts = [*plan.created.values(), *plan.retold.values()]
    first: dict[str, tuple[str, str]] = {}
    if corpus is not None:
        texts = DocumentText.objects.filter(document__corpus=corpus, current=True, document__gone_at=None)
        names = texts.values_list("folded_sha256", "document__external_id", "document__canonical_id")
        for twin, external_id, canonical_id in rows_in(names, "folded_sha256", (draft.twin for draft in drafts)):
            if external_id not in plan.retold:
                first.setdefault(twin, (external_id, canonical_id))
    for draft in drafts:
        row = draft.row
        external_id, canonical_id = first.setdefault(draft.twin, (row.external_id, row.canonical_id))
        if external_id != row.external_id and canonical_id != row.canonical_id:
            text = f"A true duplicate: its text is that of document {external_id}."
            ledger.tell(text, line=row.line, external_id=row.external_id)


def find_gone(corpus: Corpus, plan: DocumentPlan, ledger: Ledger) -> None:
    """For a file that holds the whole corpus: the documents it lacks, and the counts of what was here before.

    A file with refused rows may hold any document in them, so that none is taken for gone.
    """
    here = corpus.documents.filter(gone_at=None)
    plan.gone = [document for document in here if document.external_id not in plan.seen and not ledger.faults]
    if ledger.faults:
        ledger.tell(
            "Rows of the file were refused, so no document is marked as gone; correct them and import it again."
        )
    ledger.standing = {
        "unchanged": len(plan.unchanged) + len(plan.described),
        "changed": len(plan.retold),
        "gone": len(plan.gone),
        "new": len(plan.created),
    }
    for document in plan.gone:
        ledger.tell(
            "The file no longer holds this document; it is kept and marked as gone.", external_id=document.external_id
        )


def moved_articles(plan: DocumentPlan) -> set[str]:
    """The canonical ids that other documents will render than now; to be asked before the plan is written."""
    moved = {draft.row.canonical_id for draft in plan.created.values()}
    moved.update(document.canonical_id for document in plan.gone)
    for name, draft in {**plan.described, **plan.retold}.items():
        now, then = plan.known[name], draft.row.canonical_id
        if now.gone_at is not None or now.canonical_id != then:
            moved.update((now.canonical_id, then))
    return moved


def write_documents(corpus: Corpus, plan: DocumentPlan, *, now: datetime, progress: ImportProgress) -> None:
    """Write what the plan says; call inside a transaction."""
    drafts = {**plan.described, **plan.retold}
    changed = [plan.known[name] for name in drafts]
    for document in changed:
        _describe(document, drafts[document.external_id])
    for document in plan.gone:
        document.gone_at = now
    steps = 2 * len(plan.created) + len(changed) + len(plan.gone) + len(plan.retold)
    stored = Stored(progress, steps)
    _create(corpus, plan.created, stored)
    for block in stored.each(blocks(changed), len(changed), "changed documents"):
        overwrite(block, FIELDS)
    for block in stored.each(blocks(plan.gone), len(plan.gone), "documents that are gone"):
        overwrite(block, ["gone_at"])
    _retell([plan.known[name] for name in plan.retold], plan, stored)
    look_again(len(plan.created), Document, DocumentText)


def _create(corpus: Corpus, drafts: dict[str, Draft], stored: Stored) -> None:
    """New documents, then their texts, few at once: all of them would take as much memory as the drafts again.

    Their keys are read by one question. Asked block by block, PostgreSQL took the table for the empty one that it had
    been, and read it whole for each: 100,000 documents took it minutes.
    """
    newest = Document.objects.aggregate(newest=Max("pk", default=0))["newest"]
    for names in stored.each(blocks(drafts), len(drafts), "new documents"):
        created = [Document(corpus=corpus, external_id=name) for name in names]
        for document in created:
            _describe(document, drafts[document.external_id])
        insert(created)
    keys = Document.objects.filter(corpus=corpus, pk__gt=newest).values_list("external_id", "pk")
    ours = blocks(row for row in keys if row[0] in drafts)  # who imports at this moment adds others
    for rows in stored.each(ours, len(drafts), "texts of new documents"):
        _tell_first((Document(pk=key, external_id=name) for name, key in rows), drafts)


def _describe(document: Document, draft: Draft) -> None:
    document.canonical_id, document.language, document.script = draft.row.canonical_id, draft.language, draft.script
    document.is_source, document.gone_at = draft.row.is_source, None
    document.metadata, document.facts = dict(draft.row.metadata), dict(draft.row.facts)


def _retell(documents: Sequence[Document], plan: DocumentPlan, stored: Stored) -> None:
    """The new text becomes the current one; an old text that comes back is taken up again."""
    keys = [document.pk for document in documents]
    for block in blocks(keys):
        DocumentText.objects.filter(current=True, document__in=block).update(current=False)
    texts = DocumentText.objects.values_list("document_id", "sha256", "pk")
    versions = {(document, digest): pk for document, digest, pk in rows_in(texts, "document_id", keys)}
    fresh = []
    for document in documents:
        old = versions.get((document.pk, plan.retold[document.external_id].sha256))
        if old is None:
            fresh.append(document)
        else:
            # by the database's clock: a long import began before what was frozen meanwhile
            DocumentText.objects.filter(pk=old).update(current=True, taken_up_at=Now())
    for part in stored.each(blocks(fresh), len(fresh), "changed texts"):
        _tell_first(part, plan.retold)


def _tell_first(documents: Iterable[Document], drafts: dict[str, Draft]) -> None:
    texts = []
    for document in documents:
        draft = drafts[document.external_id]
        row = draft.row
        texts.append(
            DocumentText(
                document=document, sha256=draft.sha256, folded_sha256=draft.twin, title=row.title, text=row.text
            )
        )
    insert(texts)


def known_ids(corpus: Corpus | None) -> Collection[str]:
    """The external ids a corpus holds, those of documents that are gone included."""
    return list(corpus.documents.values_list("external_id", flat=True)) if corpus else ()
