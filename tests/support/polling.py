"""Asks again until the answer is the awaited answer."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

Answer = TypeVar("Answer")

PATIENCE_SECONDS = 20.0
FIRST_PAUSE_SECONDS = 0.002
LONGEST_PAUSE_SECONDS = 0.05
PAUSE_GROWTH = 1.25
"""Without a pause, a loop keeps the processor from the work that it waits for.
The pauses grow to a rate below the 50 requests a second that one address may make, so no loop ends in a 429."""


async def ask_until(is_right: Callable[[Answer], bool], ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """Returns the first answer of ``ask`` that ``is_right`` accepts.

    Raises ``TimeoutError``, which shows the last answer, after ``PATIENCE_SECONDS``.
    """
    pause = FIRST_PAUSE_SECONDS
    answer = None
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not is_right(answer := await ask()):
                await asyncio.sleep(pause)
                pause = min(pause * PAUSE_GROWTH, LONGEST_PAUSE_SECONDS)
    except TimeoutError as error:
        raise TimeoutError(
            f"No right answer within {PATIENCE_SECONDS:.0f} s. The last answer: {answer!r:.2000}"
        ) from error
    return answer
