"""What a key opens is looked up once however many ask, and no request pauses each time the answer gets old."""

import asyncio

from livery.delivery.admission import KEPT_SECONDS, LATE_SECONDS, RETRY_SECONDS, Admission, Gate

KEY = ("lvp_x", "prj_x")


class Desk:
    """Answers look-ups when the test asks for it, at a time that the test sets."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.looks: list[asyncio.Future[Admission]] = []
        self.gate = Gate(self.resolve, lambda: self.seconds)

    async def resolve(self, _key: str, _project_id: str) -> Admission:
        look = asyncio.get_running_loop().create_future()
        self.looks.append(look)
        return await look

    async def opened(self, admission: Admission = Admission.GRANTED) -> None:
        """The key was looked up just now."""
        asked = asyncio.create_task(self.gate.admit(*KEY))
        await self.begun(1)
        self.looks[0].set_result(admission)
        await asked

    async def begun(self, count: int) -> None:
        """Waits until so many look-ups have begun."""
        async with asyncio.timeout(5):
            while len(self.looks) < count:
                await asyncio.sleep(0)

    async def settled(self) -> None:
        """Gives the look-ups that got their answer the turns of the event loop that they need."""
        for _ in range(10):
            await asyncio.sleep(0)


async def test_all_who_ask_at_once_wait_for_one_look_up() -> None:
    desk = Desk()

    asked = [asyncio.create_task(desk.gate.admit(*KEY)) for _ in range(64)]
    await desk.begun(1)
    await asyncio.sleep(0)
    desk.looks[0].set_result(Admission.GRANTED)
    answers = await asyncio.gather(*asked)

    assert set(answers) == {(Admission.GRANTED, 100.0 + KEPT_SECONDS)}
    assert len(desk.looks) == 1


async def test_an_old_answer_is_given_while_one_look_up_runs() -> None:
    desk = Desk()
    await desk.opened()
    desk.seconds += KEPT_SECONDS

    answers = [await desk.gate.admit(*KEY) for _ in range(64)]
    await desk.begun(1 + 1)
    desk.looks[1].set_result(Admission.UNPAID)
    await desk.settled()

    assert set(answers) == {(Admission.GRANTED, desk.seconds + RETRY_SECONDS)}
    assert len(desk.looks) == 2
    assert (await desk.gate.admit(*KEY))[0] is Admission.UNPAID


async def test_an_old_answer_is_good_until_it_is_very_old_at_most() -> None:
    desk = Desk()
    await desk.opened()
    desk.seconds += KEPT_SECONDS + LATE_SECONDS - 0.25

    assert await desk.gate.admit(*KEY) == (Admission.GRANTED, desk.seconds + 0.25)

    await desk.begun(2)
    desk.looks[1].set_result(Admission.UNKNOWN)
    await desk.settled()


async def test_a_very_old_answer_is_not_given() -> None:
    desk = Desk()
    await desk.opened()
    desk.seconds += KEPT_SECONDS + LATE_SECONDS

    asked = asyncio.create_task(desk.gate.admit(*KEY))
    await desk.begun(2)
    desk.looks[1].set_result(Admission.UNKNOWN)

    assert (await asked)[0] is Admission.UNKNOWN


async def test_a_change_is_looked_up_at_once_and_a_look_up_from_before_it_is_not_kept() -> None:
    desk = Desk()
    await desk.opened()
    desk.seconds += KEPT_SECONDS
    await desk.gate.admit(*KEY)
    await desk.begun(2)

    desk.gate.forget("prj_x")
    asked = asyncio.create_task(desk.gate.admit(*KEY))
    await desk.begun(3)
    desk.looks[2].set_result(Admission.GONE)
    assert (await asked)[0] is Admission.GONE
    desk.looks[1].set_result(Admission.GRANTED)
    await desk.settled()

    assert (await desk.gate.admit(*KEY))[0] is Admission.GONE


async def test_without_a_database_nobody_waits_for_it_again_and_again() -> None:
    desk = Desk()
    await desk.opened()
    desk.seconds += 1_000

    asked = asyncio.create_task(desk.gate.admit(*KEY))
    await desk.begun(2)
    desk.looks[1].set_exception(ConnectionError())

    assert await asked == (Admission.GRANTED, desk.seconds + RETRY_SECONDS)
    desk.seconds += RETRY_SECONDS
    assert await desk.gate.admit(*KEY) == (Admission.GRANTED, desk.seconds + RETRY_SECONDS)
    await desk.begun(3)
    desk.looks[2].set_exception(ConnectionError())
    await desk.settled()
