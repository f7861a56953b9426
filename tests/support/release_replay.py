"""Puts the steps that many people did at the same time into the server's order, and compares them with the model step by step.

The order is no guess. A step that changed anything recorded its activities in its own transaction, and the ids of the activities are the order of the
transactions. The actor and the time of an activity show to which step it belongs, because nobody does two things at once. A step that changed nothing
left no trace. For this step there must be a moment, between its actor's activities before and after, at which the model answers the same.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from tests.support.operations import Operation
from tests.support.release_model import Model, Outcome
from tests.support.release_states import Json
from tests.support.release_writers import Record


@dataclass(frozen=True)
class _Done:
    """A step with the places of its activities in the order of all activities."""

    record: Record
    places: tuple[int, ...]


def replay(model: Model, records: Sequence[Sequence[Record]], operations: Sequence[Operation]) -> int:
    """Applies all steps to the model in the server's order. Returns how many steps changed something. Fails at the first contradiction."""
    waiting = {person[0].actor_id: deque(_with_operations(person, operations)) for person in records if person}
    order = sorted((done for queue in waiting.values() for done in queue if done.places), key=lambda done: done.places)
    assert [place for done in order for place in done.places] == list(range(len(operations))), (
        "operations of two transactions are mixed, or nobody's"
    )
    _settle(model, list(waiting.values()))
    for done in order:
        record, queue = done.record, waiting[done.record.actor_id]
        assert queue[0] is done, f"at no moment before {record.step} could this be answered: {_said(queue[0].record)}"
        queue.popleft()
        outcome = model.foresee(record.step)
        actions = tuple(operations[place].action for place in done.places)
        assert _fits(outcome, record), f"{_said(record)}, but the model says {outcome}"
        assert (outcome.change is not None, outcome.operations) == (True, actions), (
            f"{_said(record)} did {actions}: {outcome}"
        )
        assert outcome.change is not None
        if record.reviewed is not None:
            assert record.reviewed == model.waiting(), "what went out is not what was reviewed"
        outcome.change(record.body)
        _settle(model, list(waiting.values()))
    left = [_said(queue[0].record) for queue in waiting.values() if queue]
    assert left == [], f"at no moment could this be answered: {left}"
    return len(order)


def _with_operations(records: Sequence[Record], operations: Sequence[Operation]) -> list[_Done]:
    """Returns a person's steps with their activities, matched by the time of the activities."""
    mine = deque(
        (place, operation) for place, operation in enumerate(operations) if operation.actor_id == records[0].actor_id
    )
    found: list[_Done] = []
    for record in records:
        places: list[int] = []
        while mine and mine[0][1].at <= record.ended_at:
            place, operation = mine.popleft()
            assert operation.at >= record.began_at, f"{operation} was done before {record.step} was asked for"
            places.append(place)
        found.append(_Done(record, tuple(places)))
    return found


def _settle(model: Model, queues: Sequence[deque[_Done]]) -> None:
    """Take out the steps without a trace that may have been answered at this moment."""
    for queue in queues:
        while queue and not queue[0].places and _could_be_silent(model, queue[0].record):
            queue.popleft()


def _could_be_silent(model: Model, record: Record) -> bool:
    if record.status == 503 or (record.status == 409 and record.body["code"] == "stale_diff"):
        return True
    outcome = model.foresee(record.step)
    return outcome.change is None and _fits(outcome, record)


def _fits(outcome: Outcome, record: Record) -> bool:
    body: Json = record.body.get("item", record.body)
    return outcome.status == record.status and all(body.get(name) == value for name, value in outcome.answer.items())


def _said(record: Record) -> str:
    return f"{record.step} was answered with {record.status} {str(record.body)[:300]}"
