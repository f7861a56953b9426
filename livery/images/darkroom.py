"""The child processes that read and write pixels for a server: started when needed, ended when they hang, die or grow fat."""

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from livery.core.errors import Invalid, Unavailable
from livery.images import pixels
from livery.images.pixels import PATIENCE_SECONDS, PIXEL_LIMIT, Format, Picture

log = structlog.get_logger()

_PROGRAM = Path(pixels.__file__)
REFUSALS = {
    "damaged": ("image_damaged", "This image is damaged and can't be read. Please choose a different image."),
    "too_many_pixels": (
        "too_many_pixels",
        f"This image has more than {PIXEL_LIMIT // 1_000_000} megapixels. Please choose a smaller image.",
    ),
    "too_large": ("image_too_large", "This image takes too much to process. Please choose a smaller image."),
    "unsupported": ("unsupported_format", "This server can't make AVIF images. Use webp."),
}
"""The code and the message for each outcome of a process that failed, by its status."""
_ANSWER_LIMIT_BYTES = 64 * 1024


@dataclass
class _Child:
    """One process, with nothing to do."""

    process: asyncio.subprocess.Process

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Sends a question to the process, and returns the answer. Raises ``EOFError`` when the process died over it."""
        reader, writer = self.process.stdout, self.process.stdin
        assert reader is not None
        assert writer is not None
        try:
            writer.write(json.dumps(question).encode() + b"\n")
            await writer.drain()
            line = await reader.readline()
        except (ConnectionError, ValueError) as error:
            raise EOFError from error
        if not line.endswith(b"\n"):
            raise EOFError
        return json.loads(line)

    async def end(self) -> None:
        """Kill it, however busy it is."""
        with suppress(ProcessLookupError):
            self.process.kill()
        if self.process.stdin is not None:
            self.process.stdin.close()
            with suppress(
                ConnectionError
            ):  # of a process that was dead already; asyncio reports an exception that nobody reads
                await self.process.stdin.wait_closed()
        await self.process.wait()


class Darkroom:
    """At most ``processes`` pictures are made at a time, each in a process of its own; the rest are queued."""

    def __init__(self, processes: int, seconds: float = PATIENCE_SECONDS) -> None:
        self._turns = asyncio.Semaphore(processes)
        # People who upload wait for an answer: what apps ask for never takes the last process from them.
        self.storing = asyncio.Semaphore(processes)
        """To be held while a finished file is in memory on its way to the store."""
        self._variant_turns = asyncio.Semaphore(max(1, processes - 1))
        self._seconds = seconds
        self._idle: list[_Child] = []
        self._is_closed = False

    @property
    def process_ids(self) -> list[int]:
        """The processes that wait for work."""
        return [child.process.pid for child in self._idle]

    async def take_in(self, source: Path, target: Path) -> Picture:
        """Write what an upload shows into a fresh file. Raises ``Invalid`` when that can't be done."""
        return await self._make({"work": "take_in", "source": str(source), "target": str(target)}, "imageFile")

    async def resize(self, source: Path, target: Path, *, width: int | None, kind: Format | None) -> Picture:
        """Write a smaller picture, or one in another format. Raises ``Invalid`` when that can't be done."""
        question = {"work": "resize", "source": str(source), "target": str(target), "width": width, "kind": kind}
        async with self._variant_turns:
            return await self._make(question, "format")

    async def close(self) -> None:
        """Ends every idle process; those at work end with their work."""
        self._is_closed = True
        idle, self._idle = self._idle, []
        for child in idle:
            await child.end()

    async def _make(self, question: dict[str, Any], field: str) -> Picture:
        async with self._turns:
            answer = await self._answer(question)
        if answer["status"] != "done":
            code, message = REFUSALS[answer["status"]]
            raise Invalid.field(field, message, code=code)
        return Picture(answer["format"], answer["width"], answer["height"], answer["thumbhash"])

    async def _answer(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(self._seconds):
                if child := await self._waiting_child():
                    with suppress(EOFError):  # it may have died while it was idle: this picture is not the cause
                        return await self._ask(child, question)
                return await self._ask(await self._new_child(), question)
        except (TimeoutError, EOFError) as error:
            log.warning("picture_given_up", reason=type(error).__name__)
            return {"status": "too_large"}

    async def _ask(self, child: _Child, question: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer of a process. A process that gave no answer, or its last, is ended."""
        is_sound = False
        try:
            answer = await child.ask(question)
            is_sound = not answer["last"] and not self._is_closed
            return answer
        finally:
            if is_sound:
                self._idle.append(child)
            else:
                await asyncio.shield(child.end())

    async def _waiting_child(self) -> _Child | None:
        """Returns an idle process that still lives, if there is any."""
        while self._idle:
            child = self._idle.pop()
            if child.process.returncode is None:
                return child
            await child.end()
        return None

    async def _new_child(self) -> _Child:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                str(_PROGRAM),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={},  # the server's settings hold secrets
                limit=_ANSWER_LIMIT_BYTES,
            )
        except OSError as error:
            raise Unavailable("Images can't be processed right now. Please try again.") from error
        return _Child(process)
