"""What a browser sends while it judges, and while a lead settles what judges disagree on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import uuid4

from django import forms
from django.core import signing

from curation.actions.judging_rules import WHOLE
from curation.models import PoolKind, Stratum
from judging.actions.adjudicating import Decision
from judging.actions.marks import Mark
from judging.actions.mismatches import Flag
from judging.actions.rules import Kept
from judging.actions.sweeping import Ending
from judging.models import Adjudication, Assignment, Mismatch, State
from judging.reports.disagreements import Disagreement

KEPT = Kept.KEPT.value
OPINIONS = [("", "As the corpus says"), *((str(n), str(n)) for n in range(1, Stratum.MOST_OPINIONS + 1))]
CANT_TELL, CLEAR = "cant_tell", "clear"
VALUES = ("0", "1", "2", "3", CANT_TELL, CLEAR)
MOST_NUMBER = 2**30  # the database counts on to twice as many, for what the server numbers itself
MOST_TOKEN = 64
MOST_KEY = 2**63 - 1
NO_GRADE = -1
MOST_DIGITS = 18  # of a candidate's key; Python refuses to read a number of thousands of digits
# A row's radios are named grade-<key of the candidate>, and text-<key> begins the fingerprint of its text. Where the
# row has a text twin, twins-<key> says whether the grade is meant for it too.
GRADE, TEXT, TWINS = "grade-", "text-", "twins-"
BEGINS = re.compile("[0-9a-f]{0,64}")
FOR_TWINS = {"0": False, "1": True}


def state_of(value: str) -> tuple[State, int | None]:
    """The state and the grade that a pressed key means."""
    if value == CANT_TELL:
        return State.CANT_TELL, None
    return (State.CLEARED, None) if value == CLEAR else (State.GRADED, int(value))


class MarkForm(forms.Form):
    """One press of a grade key."""

    candidate = forms.IntegerField(min_value=1, max_value=MOST_KEY)
    value = forms.ChoiceField(choices=[(value, value) for value in VALUES])
    token = forms.CharField(max_length=MOST_TOKEN)
    number = forms.IntegerField(min_value=1, max_value=MOST_NUMBER, required=False)
    text = forms.RegexField(rf"^{BEGINS.pattern}$", required=False)
    note = forms.CharField(max_length=2000, required=False, strip=False)
    for_twins = forms.ChoiceField(choices=[(value, value) for value in FOR_TWINS], required=False)
    undoes = forms.CharField(max_length=MOST_TOKEN, required=False)
    seconds = forms.IntegerField(min_value=0, max_value=MOST_NUMBER, required=False)

    def mark(self) -> Mark:
        """The mark of a valid form."""
        given = self.cleaned_data
        state, grade = state_of(given["value"])
        return Mark(
            candidate_id=given["candidate"],
            state=state,
            grade=grade,
            token=given["token"],
            number=given["number"],
            text=given["text"],
            note=given["note"] if "note" in self.data else None,
            for_twins=FOR_TWINS.get(given["for_twins"]),
            undoes=given["undoes"],
            seconds=given["seconds"] or 0,
        )


class MismatchForm(forms.Form):
    """One press that flags a candidate, or takes its flag back (an empty reason), or undoes such a press."""

    candidate = forms.IntegerField(min_value=1, max_value=MOST_KEY)
    reason = forms.ChoiceField(choices=Mismatch.Reason.choices, required=False)
    document = forms.IntegerField(min_value=1, max_value=MOST_KEY, required=False)
    note = forms.CharField(max_length=2000, required=False)
    undoes = forms.CharField(max_length=MOST_TOKEN, required=False)
    token = forms.CharField(max_length=MOST_TOKEN)

    def flag(self) -> Flag:
        """The flag of a valid form."""
        given = self.cleaned_data
        return Flag(
            given["candidate"],
            given["reason"],
            given["token"],
            document_id=given["document"],
            note=given["note"],
            undoes=given["undoes"],
        )


class DealingForm(forms.Form):
    """A flag that a lead has dealt with; `again` puts it back on the list."""

    flag = forms.IntegerField(min_value=1, max_value=MOST_KEY)
    again = forms.CharField(required=False)


class UndoForm(forms.Form):
    """One press of the undo key."""

    token = forms.CharField(max_length=MOST_TOKEN)


class FinishForm(forms.Form):
    """The end of a query. `seen` lists "key:fingerprint" of the candidates seen and of their texts, or keys alone.

    Without script those are all that the page showed, and `read` says whether they were seen. `screen` lists
    "key:milliseconds" of the candidates that were on screen, `shown` "key:mark" of all that the page's script showed.
    """

    seen = forms.RegexField(rf"^(?:[0-9]+(?::{BEGINS.pattern})?(?: |$))*$", required=False)
    screen = forms.RegexField(r"^(?:[0-9]{1,18}:[0-9]{1,9}(?: |$))*$", required=False)
    shown = forms.RegexField(r"^(?:[0-9]{1,18}:(?:[0-3]|cant_tell)?(?: |$))*$", required=False)
    read = forms.ChoiceField(choices=[("whole", "whole"), ("part", "part")], required=False)
    nothing_because = forms.ChoiceField(choices=Assignment.NothingBecause.choices, required=False)
    seconds = forms.IntegerField(min_value=0, max_value=MOST_NUMBER, required=False)

    def ending(self) -> Ending:
        """The ending of a valid form."""
        given = self.cleaned_data
        shown = (each.partition(":") for each in given["seen"].split() if given["read"] != "part")
        return Ending(
            {int(key): text for key, _, text in shown if len(key) <= MOST_DIGITS},
            nothing_because=given["nothing_because"],
            seconds=given["seconds"] or 0,
            screen_ms={int(key): int(ms) for key, ms in (pair.split(":") for pair in given["screen"].split())},
            shown={int(key): mark for key, mark in (pair.split(":") for pair in given["shown"].split())},
        )


class ShareForm(forms.Form):
    """The share of queries that two people judge, in percent."""

    share = forms.IntegerField(
        min_value=0,
        max_value=WHOLE,
        label="Queries that two people judge, in percent",
        help_text="A random share of all queries whose stratum does not say; raised, it adds queries to those it had.",
    )


class StratumRulesForm(forms.Form):
    """How the queries of a stratum are judged; `opinions` is empty for what the corpus says."""

    opinions = forms.TypedChoiceField(
        choices=OPINIONS,
        coerce=int,
        empty_value=None,
        required=False,
    )
    pool_kind = forms.ChoiceField(choices=PoolKind.choices)


class SeveralRulesForm(forms.Form):
    """What several strata shall have in common; what is kept stays as each of them has it."""

    opinions = forms.ChoiceField(
        choices=[(KEPT, "Opinions as they are"), *OPINIONS],
        initial=KEPT,
        required=False,
        widget=forms.Select({"class": "in", "aria-label": "Opinions on a query of several strata"}),
    )
    pool_kind = forms.ChoiceField(
        choices=[(KEPT, "Pool as it is"), *PoolKind.choices],
        initial=KEPT,
        widget=forms.Select({"class": "in", "aria-label": "Pool of several strata"}),
    )

    @property
    def opinions_said(self) -> int | Kept | None:
        """The opinions of a valid form, None for what the corpus says."""
        said = self.cleaned_data["opinions"]
        return Kept.KEPT if said == KEPT else int(said) if said else None

    @property
    def pool_kind_said(self) -> PoolKind | Kept:
        """The pool of a valid form."""
        said = self.cleaned_data["pool_kind"]
        return Kept.KEPT if said == KEPT else PoolKind(said)

    @property
    def changes_in_words(self) -> list[str]:
        """What a valid form changes."""
        opinions = [] if self.opinions_said is Kept.KEPT else [dict(OPINIONS)[self.cleaned_data["opinions"]]]
        pool = [] if self.pool_kind_said is Kept.KEPT else [PoolKind(self.cleaned_data["pool_kind"]).label]
        return [*(f"Opinions: {words}" for words in opinions), *(f"Pool: {words}" for words in pool)]


def marks_of_page(posted: Mapping[str, str]) -> list[Mark]:
    """The radios of a page that was posted whole, without script.

    Each has a token of its own, not one of the page: whoever goes back in the browser posts the same page again, with
    other grades.
    """
    marks = []
    for name, value in posted.items():
        key = name.removeprefix(GRADE)
        if name.startswith(GRADE) and key.isascii() and key.isdigit() and len(key) <= MOST_DIGITS and value in VALUES:
            state, grade = state_of(value)
            seen = BEGINS.fullmatch(posted.get(f"{TEXT}{key}", ""))
            text, twins = seen[0] if seen else "", FOR_TWINS.get(posted.get(f"{TWINS}{key}", ""))
            marks.append(Mark(int(key), state, uuid4().hex, grade=grade, text=text, for_twins=twins))
    return marks


@dataclass(frozen=True, slots=True)
class Showing:
    """One showing of a disagreement to a lead, as its form carries it, signed.

    `place` counts from 0 in the list; `at` is when it was shown, in seconds since 1970. `token` names the press that
    this showing is for.
    """

    query_id: int
    canonical_id: str
    place: int
    at: float
    token: str

    SALT = "hardset.disagreement"

    @classmethod
    def of(cls, disagreement: Disagreement, *, place: int, now: datetime) -> Showing:
        """A new showing."""
        dispute = disagreement.dispute
        return cls(dispute.query_id, dispute.canonical_id, place, now.timestamp(), uuid4().hex)

    @property
    def pair(self) -> tuple[int, str]:
        """(query, canonical id)."""
        return self.query_id, self.canonical_id

    def signed(self) -> str:
        """What the form carries."""
        return signing.dumps(asdict(self), salt=self.SALT)


class ShowingForm(forms.Form):
    """A press on the page of a disagreement."""

    showing = forms.CharField()

    def clean_showing(self) -> Showing:
        """The showing, if it is one that this server made."""
        try:
            return Showing(**signing.loads(self.cleaned_data["showing"], salt=Showing.SALT))
        except signing.BadSignature as forged:
            raise forms.ValidationError("This page was not made here.") from forged


class SettleForm(ShowingForm):
    """A lead's decision. `seconds` is what the page's script measured; `again` repeats a press that was too fast."""

    grade = forms.TypedChoiceField(choices=[(grade, str(grade)) for grade in range(4)], coerce=int, required=False)
    cause = forms.ChoiceField(choices=Adjudication.Cause.choices, required=False)
    seconds = forms.FloatField(min_value=0, required=False)
    again = forms.CharField(required=False)

    def decision(self, now: datetime) -> Decision:
        """The decision of a valid form; no more seconds than have passed, all of them where nobody measured."""
        given = self.cleaned_data
        passed = max(0.0, now.timestamp() - given["showing"].at)
        seconds = passed if given["seconds"] is None else min(given["seconds"], passed)
        grade = NO_GRADE if given["grade"] == "" else given["grade"]
        return Decision(grade, given["cause"], given["showing"].token, int(seconds))

    @property
    def press(self) -> str:
        """What was pressed, to tell whether it is pressed again."""
        return f"{self.cleaned_data['grade']} {self.cleaned_data['cause']}"

    @property
    def is_complete(self) -> bool:
        """Whether it names a grade and a cause."""
        return self.cleaned_data["grade"] != "" and bool(self.cleaned_data["cause"])

    @property
    def is_repeated(self) -> bool:
        """Whether the same was pressed before."""
        return bool(self.cleaned_data["again"] == self.press)


class UndoSettlingForm(forms.Form):
    """A press of undo: the decision to take back."""

    adjudication = forms.IntegerField(min_value=1, max_value=MOST_KEY)
