"""What a browser sends while it judges."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms

from judging.actions.marks import Mark
from judging.actions.sweeping import Ending
from judging.models import Assignment, State

CANT_TELL, CLEAR = "cant_tell", "clear"
VALUES = ("0", "1", "2", "3", CANT_TELL, CLEAR)
MOST_NUMBER = 2**31 - 1
MOST_TOKEN = 64
MOST_DIGITS = 18  # of a candidate's key; Python refuses to read a number of thousands of digits
# A row's radios are named grade-<key of the candidate>, and text-<key> begins the fingerprint of its text.
GRADE, TEXT = "grade-", "text-"


def state_of(value: str) -> tuple[State, int | None]:
    """The state and the grade that a pressed key means."""
    if value == CANT_TELL:
        return State.CANT_TELL, None
    return (State.CLEARED, None) if value == CLEAR else (State.GRADED, int(value))


class MarkForm(forms.Form):
    """One press of a grade key. `assessor` is whose page it was pressed on, where the page says so."""

    candidate = forms.IntegerField(min_value=1)
    value = forms.ChoiceField(choices=[(value, value) for value in VALUES])
    token = forms.CharField(max_length=MOST_TOKEN)
    number = forms.IntegerField(min_value=1, max_value=MOST_NUMBER, required=False)
    text = forms.RegexField(r"^[0-9a-f]{0,64}$", required=False)
    note = forms.CharField(max_length=2000, required=False, strip=False)
    undoes = forms.CharField(max_length=MOST_TOKEN, required=False)
    seconds = forms.IntegerField(min_value=0, max_value=MOST_NUMBER, required=False)
    assessor = forms.IntegerField(required=False)

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
            undoes=given["undoes"],
            seconds=given["seconds"] or 0,
        )


class UndoForm(forms.Form):
    """One press of the undo key."""

    token = forms.CharField(max_length=MOST_TOKEN)


class FinishForm(forms.Form):
    """The end of a query. `seen` lists keys of candidates; `read` says it for all of them at once, without script."""

    seen = forms.RegexField(r"^[0-9 ]*$", required=False)
    read = forms.ChoiceField(choices=[("whole", "whole"), ("part", "part")], required=False)
    nothing_because = forms.ChoiceField(choices=Assignment.NothingBecause.choices, required=False)
    seconds = forms.IntegerField(min_value=0, max_value=MOST_NUMBER, required=False)

    def ending(self) -> Ending:
        """The ending of a valid form."""
        given = self.cleaned_data
        seen = frozenset(int(key) for key in given["seen"].split() if len(key) <= MOST_DIGITS)
        return Ending(
            seen,
            whole=given["read"] == "whole",
            nothing_because=given["nothing_because"],
            seconds=given["seconds"] or 0,
        )


def marks_of_page(posted: Mapping[str, str], token: str) -> list[Mark]:
    """The radios of a page that was posted whole, without script; one token names them all."""
    marks = []
    for name, value in posted.items():
        key = name.removeprefix(GRADE)
        if name.startswith(GRADE) and key.isascii() and key.isdigit() and len(key) <= MOST_DIGITS and value in VALUES:
            state, grade = state_of(value)
            text = posted.get(f"{TEXT}{key}", "")
            marks.append(Mark(int(key), state, f"{token}:{key}"[:MOST_TOKEN], grade=grade, text=text))
    return marks
