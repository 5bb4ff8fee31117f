"""What a reviewer would accept, told while it is typed and again when it is accepted: the same code decides both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from curation.measures.targets import next_target
from curation.miners.documents import description
from curation.miners.fits import Fit, fit
from curation.miners.kept import KeptGroup, KeptMember, kept_group
from curation.models import Corpus, DocumentText, Miner, Need, Proposal, Query, Slice
from curation.retrieval.locales import UNDETERMINED, language_of

from .checks import Reading, Typed, WordingRefused, have_of, read, same_text, twin_of
from .coming import destination_of
from .marks import holds
from .places import StratumKey

SLICES = {
    Miner.NEAR_DUPLICATE: Slice.NEAR_DUPLICATE,
    Miner.RARE_ENTITY: Slice.RARE_ENTITY,
    Miner.SHORT_KEYWORD: Slice.KEYWORD,
}


@dataclass(frozen=True)
class Draft:
    """A proposal with what the reviewer made of it.

    `target` is the place (from 0) of the group's member that the query must retrieve, `need` what a short query most
    often means, in English.
    """

    proposal: Proposal
    text: str
    locale: str
    target: int | None = None
    need: str = ""

    @cached_property
    def group(self) -> KeptGroup | None:
        """The group of a near-duplicate proposal."""
        held = self.proposal.group
        return kept_group(held.facts, held.shared) if held else None

    @property
    def member(self) -> KeptMember | None:
        """The member chosen as target."""
        if self.group is None or self.target is None or not 0 <= self.target < len(self.group.members):
            return None
        return self.group.members[self.target]

    @property
    def gold(self) -> str:
        """The canonical id the query should find: the chosen member's, the term's source's; none for a log query."""
        if self.member:
            return self.member.canonical_id
        return self.proposal.document.canonical_id if self.proposal.document else ""

    @property
    def negatives(self) -> int:
        """How many other versions become negatives of the query."""
        return len({member.canonical_id for member in self.group.members} - {self.gold}) if self.group else 0

    def following_target(self) -> Draft:
        """The same draft, with the chosen member's own wording where the text is still that of another member."""
        others = {member.query for member in self.group.members} if self.group else set()
        if self.member and self.text.strip() in others:
            return replace(self, text=self.member.query)
        return self

    def need_in(self, corpus: Corpus) -> Need:
        """The need the query words, not stored yet. Without words of its own it says what the query says."""
        return Need(
            corpus=corpus,
            text=self.need.strip() or self.text.strip(),
            is_english=bool(self.need.strip()) or language_of(self.locale) == "en",
            gold_canonical_id=self.gold,
            slice_hint=slice_of(self.proposal),
        )


def slice_of(proposal: Proposal) -> str:
    """The slice of what a proposal becomes: its miner's, but that of plain queries for a longer wording of the log."""
    return str(proposal.evidence.get("slice") or SLICES[Miner(proposal.run.miner)])


def first_draft(proposal: Proposal, *, locale: str) -> Draft:
    """A proposal as it was accepted before, also where that was taken back; else as it was mined.

    Of a mined group it is the first member whose wording fits it alone, else the first one.
    """
    before = proposal.queries.select_related("stratum", "need").order_by("-pk").first()
    if before is not None:
        return _as_accepted(proposal, before)
    draft = Draft(proposal, proposal.text, locale)
    if draft.group is None:
        return draft
    wordings = [member.query for member in draft.group.members]
    alone = (place for place, query in enumerate(wordings) if fit(query, locale, draft.group).fitting == (place,))
    target = next(alone, 0)
    return replace(draft, text=wordings[target], target=target)


def _as_accepted(proposal: Proposal, query: Query) -> Draft:
    draft = Draft(proposal, query.text, query.stratum.query_language)
    if draft.group is not None:
        return replace(draft, target=next(iter(fit(draft.text, draft.locale, draft.group).fitting), None))
    stated = query.need.text if query.need and query.need.text != query.text else ""
    return replace(draft, need=stated)


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft read against the corpus; `reading` and `have` are None where the text cannot be a query at all.

    `have` counts the queries in the stratum it lands in, or of the plan that it is on the way `toward`. `refusal` says
    why it cannot be accepted, "" where it can.
    """

    reading: Reading | None
    have: int | None
    fit: Fit | None
    refusal: str
    toward: StratumKey | None = None

    @property
    def goal(self) -> int | None:
        """The next count target of the stratum, None past the last."""
        return None if self.have is None else next_target(self.have)


def checked(corpus: Corpus, draft: Draft) -> Checked:
    """Read a draft against the corpus and its own evidence."""
    if draft.locale in {"", UNDETERMINED}:
        return Checked(None, None, None, "The log does not say which language this is. Choose one, then accept.")
    found = fit(draft.text, draft.locale, draft.group) if draft.group else None
    try:
        reading = read(corpus, Typed(draft.need_in(corpus), draft.locale, draft.text))
    except WordingRefused as refusal:
        return Checked(None, None, found, str(refusal))
    twin = twin_of(corpus, reading)
    against = outdated(corpus, draft) or _refusal(draft, found, twin)
    toward = destination_of(corpus, reading.place, asked="", gold=draft.gold)
    return Checked(reading, have_of(corpus, toward or reading.place), found, against, toward)


def outdated(corpus: Corpus, draft: Draft) -> str:
    """Which document of a proposal is gone, or says something else by now than when it was mined; "" where none is.

    The facts of a group decide which members become negatives, so they must be those of the texts of today.
    """
    read = (
        {member.document: (member.version, member.described) for member in draft.group.members} if draft.group else {}
    )
    if draft.proposal.document:
        read[draft.proposal.document.external_id] = ("", "")
    here = DocumentText.objects.filter(document__corpus=corpus, document__gone_at=None, current=True)
    columns = ("sha256", *(f"document__{name}" for name in ("canonical_id", "language", "facts", "is_source")))
    found = here.filter(document__external_id__in=read).values_list("document__external_id", *columns)
    now = {name: (version, description(*about, is_source=mark)) for name, version, *about, mark in found}
    for name, hashes in read.items():
        if name not in now:
            return f"Document {name} has gone from the corpus since this was mined. Mine again, or reject this."
        if any(then and then != today for then, today in zip(hashes, now[name], strict=True)):
            return f"Document {name} has changed since this was mined, so its facts are out of date. Mine again."
    return ""


def _refusal(draft: Draft, found: Fit | None, twin: Query | None) -> str:
    if twin and draft.proposal.run.miner == Miner.SHORT_KEYWORD:
        return f"Query {twin.external_id} is the same text already. Reject this one: it would count twice."
    if twin:
        return same_text(twin)
    if found and draft.group:
        return _misfit(found, draft.target, versions=len(draft.group.members))
    term = draft.proposal.evidence.get("term", "")
    if term and not holds(draft.text, term, locale=draft.locale):
        return f"The query no longer holds “{term}”, the term it was mined for. Put it back, or reject the term."
    return ""


def _misfit(found: Fit, target: int | None, *, versions: int) -> str:
    """Why a query does not fit exactly the chosen version."""
    if target is None or not 0 <= target < versions:
        return "Choose the version the query must retrieve."
    fitting, chosen = found.fitting, target + 1
    if fitting == (target,):
        return ""
    if len(fitting) > 1:
        return f"The query fits {len(fitting)} of {versions} versions. Name a fact that only version {chosen} states."
    if fitting:
        return f"The query fits version {fitting[0] + 1}, not version {chosen}. Choose that one, or change the query."
    if found.stated_by_none:
        words = " and ".join(naming.words for naming in found.stated_by_none)
        return f"No version states {words}, which the query names. Name what version {chosen} states instead."
    words = " and ".join(dict.fromkeys(naming.words for naming in found.named))
    return f"No version states all of {words}. Name what version {chosen} states instead."
