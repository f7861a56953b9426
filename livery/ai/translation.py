"""Turns texts into safe texts: masks what must stay, asks the service and checks every answer. Asks once more for wrong answers, and reports the
rest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from livery.ai.checks import problem_of, problem_of_whole
from livery.ai.masks import Masking, Plan, Unit, mark
from livery.ai.providers.port import (
    UNREADABLE,
    Item,
    Order,
    ProviderDown,
    Scene,
    Task,
    Tongue,
    Translator,
    Unusable,
    Usage,
)
from livery.core import limits
from livery.core.messages import Malformed

log = structlog.get_logger()

ITEMS_A_CALL, CHARACTERS_A_CALL = 40, 12_000
_MISSING = "The answer left this text out."


@dataclass(frozen=True)
class Text:
    """A text to translate, under an id that is the caller's."""

    id: str
    text: str
    key: str = ""


@dataclass
class Spent:
    """What was sent, and what it took as far as the provider reports it."""

    calls: int = 0
    characters: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    billed_characters: int = 0
    cost_micros: int = 0

    def add(self, usage: Usage, characters: int) -> None:
        """Count one call."""
        self.calls += 1
        self.characters += characters
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        self.billed_characters += usage.billed_characters
        self.cost_micros += usage.cost_micros


@dataclass
class Outcome:
    """Each text's id is in exactly one of ``texts`` (checked) and ``problems`` (a sentence for people)."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    problems: dict[str, str] = field(default_factory=dict[str, str])
    spent: Spent = field(default_factory=Spent)


class NothingDone(Exception):
    """The service did nothing of an order; ``spent`` is what may have been paid all the same."""

    def __init__(self, cause: ProviderDown, spent: Spent) -> None:
        super().__init__(cause.reason)
        self.cause = cause
        self.spent = spent


async def put_into(
    translator: Translator,
    texts: Sequence[Text],
    *,
    source: Tongue | None,
    target: Tongue,
    scene: Scene,
    task: Task = "translate",
) -> Outcome:
    """Translates the texts into ``target``. Raises ``NothingDone`` when the service did not answer at all; what it answered before is kept."""
    outcome = Outcome()
    masking = Masking(target.code if task == "translate" else None, can_inflect=translator.can_inflect)
    plans: dict[str, Plan] = {}
    items: list[tuple[Unit, Item]] = []
    for text in texts:
        try:
            plan = plans[text.id] = masking.plan(text.text)
        except Malformed as error:
            outcome.problems[text.id] = str(error)
            continue
        items += [(unit, Item(unit.id, unit.text, text.key, unit.note)) for unit in plan.units]
    asking = _Asking(translator, Order(task, source, target, (), scene), outcome.spent)
    answers, wrong = await asking.twice(items)
    for text in texts:
        if text.id in plans:
            _conclude(outcome, text, plans[text.id], answers, wrong)
    return outcome


def _conclude(
    outcome: Outcome, text: Text, plan: Plan, answers: Mapping[str, str], wrong: Mapping[str, tuple[Unit, str]]
) -> None:
    problem = next((wrong[unit.id][0].shown(wrong[unit.id][1]) for unit in plan.units if unit.id in wrong), None)
    if problem is None:
        made = plan.piece.assemble(answers)
        problem = problem_of_whole(text.text, made, limits.TEXT_CHARACTERS)
        if problem is None:
            outcome.texts[text.id] = made
            return
    outcome.problems[text.id] = problem


@dataclass
class _Asking:
    """One order's calls."""

    translator: Translator
    order: Order
    spent: Spent

    async def twice(self, items: Sequence[tuple[Unit, Item]]) -> tuple[dict[str, str], dict[str, tuple[Unit, str]]]:
        """Returns the good answers (without their own marks) by unit, and what is wrong with the others after a second attempt."""
        answers: dict[str, str] = {}
        wrong = await self._once(items, answers, is_first=True)
        if wrong:
            again = [
                (unit, Item(item.id, item.text, item.key, item.note, wrong[unit.id][1]))
                for unit, item in items
                if unit.id in wrong
            ]
            wrong = await self._once(again, answers, is_first=False)
        return answers, wrong

    async def _once(
        self, items: Sequence[tuple[Unit, Item]], answers: dict[str, str], *, is_first: bool
    ) -> dict[str, tuple[Unit, str]]:
        wrong: dict[str, tuple[Unit, str]] = {}
        for part in _parts(items):
            texts: Mapping[str, str] = {}
            missing = _MISSING
            try:
                texts = await self._ask([item for _, item in part])
            except Unusable as error:
                missing = error.reason
            except ProviderDown as error:
                log.warning("ai_not_asked", provider=self.translator.name, reason=error.detail)
                if is_first and not answers and not wrong:
                    raise NothingDone(error, self.spent) from error
                missing = error.reason
            for unit, _ in part:
                answer = texts.get(unit.id)
                problem = missing if answer is None else problem_of(unit, answer, self.translator.secrets)
                if answer is None or problem:
                    wrong[unit.id] = (unit, problem or UNREADABLE)
                else:
                    answers[unit.id] = answer.replace(mark(unit.own), "").strip()
        return wrong

    async def _ask(self, items: Sequence[Item]) -> Mapping[str, str]:
        order = Order(self.order.task, self.order.source, self.order.target, items, self.order.scene)
        characters = sum(len(item.text) for item in items)
        try:
            answer = await self.translator.ask(order)
        except ProviderDown as error:
            if not error.is_free:
                self.spent.add(Usage(), characters)
            raise
        except Unusable as error:
            self.spent.add(error.usage, characters)
            raise
        self.spent.add(answer.usage, characters)
        return answer.texts


def _parts(items: Sequence[tuple[Unit, Item]]) -> Iterator[list[tuple[Unit, Item]]]:
    """Yields the items in calls of bounded size."""
    part: list[tuple[Unit, Item]] = []
    size = 0
    for pair in items:
        length = len(pair[1].text)
        if part and (len(part) >= ITEMS_A_CALL or size + length > CHARACTERS_A_CALL):
            yield part
            part, size = [], 0
        part.append(pair)
        size += length
    if part:
        yield part
