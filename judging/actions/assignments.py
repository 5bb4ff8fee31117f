"""Leases: one person holds a pool at a time, for as long as they are at work on it."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from functools import cache
from itertools import chain

from django.db import IntegrityError, transaction
from django.db.models import Q

from curation.actions.lookups import insert_if_free, write
from curation.actions.refusal import Refused
from curation.actions.retiring import withdrawn_in_words
from curation.models import Corpus, Query, User
from curation.reports.prepared import KEY, PERSON, Prepared, PreparedRows
from judging.actions.leaving import FinishFirst, is_touched, put_back, put_back_as_sent
from judging.models import HOLDS, REOPENED, Assignment, Pool
from judging.reports.judging_order import judging_order
from judging.reports.own import begun, held_with_query, own_assignment, ran_out
from judging.reports.pools import WAITING, is_open, waits

LEASE = timedelta(minutes=15)  # renewed by every mark
MOST_SEED = 2**31 - 1
BACK = "Query {} is finished as before."
BACK_AS_MARKED = "Query {} is finished, with what you marked since."
KEPT = ("seconds_active", "lease_until")


def next_for(*, corpus: Corpus, person: User, now: datetime) -> Assignment | None:
    """What `person` judges next, leased to them from now on; None where nothing waits for them.

    First what they opened again or hold already, then the first pool of `judging_order` with a place that nobody
    takes before them: a place is never held by two people, because the database refuses the second.
    """
    return _at_hand(corpus, person, now) or next_after(corpus=corpus, person=person, now=now)


def next_after(*, corpus: Corpus, person: User, now: datetime) -> Assignment | None:
    """The same for whoever has just ended one: what they hold beside it, hardly anything, is asked for once."""
    release_expired(corpus=corpus, now=now)
    order = judging_order(corpus, person)
    first = next(order, None)  # looked up before others have to wait for this transaction
    with transaction.atomic():
        lock_person(person)  # two windows of one person take one pool
        at_hand = _at_hand(corpus, person, now)
        if at_hand is not None:
            return at_hand
        taken = (
            take_pool(pool, corpus, person=person, now=now) for pool in chain(() if first is None else (first,), order)
        )
        given = next((assignment for assignment in taken if assignment), None)
    # Where nothing was free, another window may have taken up again what ran out, meanwhile. Asked when no pool is
    # locked any more: that window has its assignment and may wait for the pool.
    return given or _at_hand(corpus, person, now)


def lock_person(person: User) -> None:
    """Let the person's other windows wait until this transaction ends: before any assignment or pool is locked."""
    _locked_person().rows({PERSON: person.pk})


def release_expired(*, corpus: Corpus, now: datetime) -> None:
    """Free the places whose holder has not marked anything for the length of a lease.

    What was finished, and opened again that long ago, counts as it stands, or as it was finished where that says more.
    """
    expired = Q(lease_until__lt=now)
    # Looked at first: on SQLite an update that finds nothing waits for whoever writes, too.
    found = {each.pk: each.reopened_at for each in ran_out(corpus, now=now)}
    if held := [pk for pk, reopened_at in found.items() if reopened_at is None]:
        # Asked of the rows alone, for so it is asked again where one was renewed or finished while this waited for it.
        Assignment.objects.filter(HOLDS, expired, pk__in=held).update(released_at=now, place=None)
    for pk in found.keys() - held:
        with transaction.atomic():
            for assignment in held_with_query(Assignment.objects.filter(expired, REOPENED, pk=pk)):
                _put_back(assignment, now)


def _put_back(assignment: Assignment, now: datetime) -> None:
    """Let it count as it stands now, else as it was finished: nobody is there to be asked what a finish would ask."""
    try:
        with transaction.atomic():
            put_back(assignment, now=now)
    except FinishFirst:
        assignment.refresh_from_db(fields=["nothing_because"])
        put_back_as_sent(assignment, now=now)


def take_up(*, corpus: Corpus, person: User, assignment_id: int, now: datetime) -> Assignment:
    """Go on with one's own assignment, its lease renewed.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        Refused: it is finished, or its query waits for judging no more or lies with someone else.
    """
    with transaction.atomic():
        assignment = own_assignment(corpus, person, assignment_id, lock="itself")
        query = assignment.pool.query
        if query.status == Query.Status.RETIRED:
            raise Refused(withdrawn_in_words(query, now=now))
        if assignment.finished_at and not assignment.reopened_at:
            raise Refused(f"You have finished query {query.external_id}. Undo (u) on the next one opens it again.")
        if not assignment.reopened_at and not waits(assignment.pool):
            raise Refused(f"Query {query.external_id} waits for judging no more.")
        if not keep_hold(assignment=assignment, now=now):
            raise Refused(f"Someone else judges query {query.external_id} now. Your marks on it are kept.")
        return assignment


def skip(*, corpus: Corpus, person: User, assignment_id: int, now: datetime) -> str:
    """Give the pool back; its marks stay, and the person is offered it again when nothing else waits.

    A finished query that was opened again counts with what was marked meanwhile. Returns in words what became of it.

    Raises:
        Assignment.DoesNotExist: the person has no such assignment in `corpus`.
        FinishFirst: finishing what was opened again would ask something; it stays open.
    """
    with transaction.atomic():
        assignment = own_assignment(corpus, person, assignment_id, lock="with query")
        if assignment.reopened_at is not None:
            words = BACK_AS_MARKED if is_touched(assignment) else BACK
            put_back(assignment, now=now)
            return _left_in_words(assignment, now, words)
        if assignment.finished_at is None and assignment.released_at is None:
            assignment.skipped_at, assignment.place = now, None
            assignment.save(update_fields=["skipped_at", "place"])
        return _left_in_words(assignment, now)


def _left_in_words(assignment: Assignment, now: datetime, words: str = BACK) -> str:
    query = assignment.pool.query
    if query.status == Query.Status.RETIRED:
        return withdrawn_in_words(query, now=now)
    if assignment.finished_at is not None:
        return words.format(query.external_id)
    if assignment.skipped_at is None:
        return f"Your lease on query {query.external_id} had run out. Your marks on it are kept."
    return f"Query {query.external_id} skipped. It comes back when nothing else waits."


def keep_hold(*, assignment: Assignment, now: datetime, seconds: int = 0) -> bool:
    """Renew the lease of `assignment` (locked by the caller), or take a place of its pool again where one is free.

    False where others have every place or the pool was settled without this opinion, which then is surplus. `seconds`
    of active work are added to its time.
    """
    held = is_held(assignment, now=now, seconds=seconds)
    write(assignment, *KEPT)
    return held


def is_held(assignment: Assignment, *, now: datetime, seconds: int) -> bool:
    """`keep_hold` for whoever writes `KEPT` with more of the row."""
    assignment.seconds_active += seconds
    held = assignment.place is not None or assignment.finished_at is not None or _take_back(assignment)
    if held:
        assignment.lease_until = now + LEASE
    return held


def _take_back(assignment: Assignment) -> bool:
    before = assignment.released_at, assignment.skipped_at
    assignment.released_at = assignment.skipped_at = None
    if take_place(assignment):
        return True
    assignment.released_at, assignment.skipped_at = before
    return False


def take_place(assignment: Assignment) -> bool:
    """Save the assignment in the first place of its pool that the database gives it; False where there is none."""
    if not Pool.objects.filter(WAITING, pk=assignment.pool_id).exists():
        return False
    return take_place_again(assignment)


def take_place_again(assignment: Assignment) -> bool:
    """`take_place`, whether or not the pool waits for opinions."""
    taken = _taken_places().rows({KEY: assignment.pool_id})
    free = set(range(1, assignment.pool.opinions + 1)) - {place for place, holder in taken if holder != assignment.pk}
    for place in sorted(free):
        assignment.place = place
        if _stored(assignment):
            return True
    assignment.place = None
    return False


def _stored(assignment: Assignment) -> bool:
    """Whether the database takes it in its place: not where someone was faster."""
    if assignment.pk is None:
        return insert_if_free(assignment)
    try:
        with transaction.atomic():
            assignment.save()
    except IntegrityError:
        return False
    return True


def _at_hand(corpus: Corpus, person: User, now: datetime) -> Assignment | None:
    """What the person opened again, else what they hold and what still waits; renewed."""
    own = begun(corpus, person)
    again = (each for each in own if each.reopened_at and each.pool.query.status != Query.Status.RETIRED)
    held = [each for each in own if each.finished_at is None]
    assignment = next(again, None) or next((each for each in held if waits(each.pool)), None)
    ended = [each.pk for each in held if not waits(each.pool)]
    if ended and (assignment is None or not assignment.reopened_at):
        Assignment.objects.filter(HOLDS, pk__in=ended).update(released_at=now, place=None)
    if assignment is not None:
        Assignment.objects.filter(pk=assignment.pk).update(lease_until=now + LEASE)
    return assignment


def take_pool(pool_id: int, corpus: Corpus, *, person: User, now: datetime) -> Assignment | None:
    """Lease a place of one pool, unless someone is taking or finishing it at this moment or has done so.

    Whoever put it off, or let its lease run out, goes on with the same assignment: their old window is no other judge.
    """
    pool = next(iter(_unlocked_pool().rows({KEY: pool_id})), None)
    if pool is None or not is_open(pool_id, corpus, person):
        return None
    if _left_asked(free=False).rows({KEY: pool_id, PERSON: person.pk}):
        left = next(iter(_left_asked(free=True).rows({KEY: pool_id, PERSON: person.pk})), None)
        return left if left is not None and _take_again(left, now) else None
    assignment = Assignment(
        pool=pool,
        assessor=person,
        order_seed=secrets.randbelow(MOST_SEED),
        blind=pool.opinions > 1,
        opened_at=now,
        lease_until=now + LEASE,
    )
    return assignment if take_place_again(assignment) else None


def _take_again(left: Assignment, now: datetime) -> bool:
    left.released_at = left.skipped_at = None
    left.lease_until = now + LEASE
    return take_place_again(left)


@cache
def _locked_person() -> Prepared:
    return Prepared.of(User.objects.select_for_update(no_key=True).filter(pk=PERSON).values_list("pk"))


@cache
def _unlocked_pool() -> PreparedRows[Pool]:
    told = Pool.objects.select_related("query__corpus", "query__stratum", "query__need")
    return PreparedRows(told.select_for_update(skip_locked=True, of=("self",), no_key=True).filter(pk=KEY))


@cache
def _left_asked(*, free: bool) -> PreparedRows[Assignment]:
    """What the person began on a pool and did not finish; `free` locks it, unless a window of theirs holds it already.

    Nobody waits for an assignment behind a pool: that window may wait for the pool.
    """
    left = Assignment.objects.filter(pool=KEY, assessor=PERSON, finished_at=None).order_by("-pk")
    if not free:
        return PreparedRows(left)
    told = left.select_related("pool__query__corpus", "pool__query__stratum", "pool__query__need", "assessor")
    return PreparedRows(told.select_for_update(skip_locked=True, of=("self",), no_key=True))


@cache
def _taken_places() -> Prepared:
    return Prepared.of(Assignment.objects.filter(pool=KEY, place__isnull=False).values_list("place", "pk"))
