"""Reads files for a server: small files in a thread, others in a child process with limits of memory and time."""

import asyncio
import json
import sys
from typing import Any

import structlog

from livery.core.errors import BadRequest, Invalid
from livery.formats.model import FormatId, TextFile
from livery.formats.reading_apart import Answer, answer_of, unpacked

log = structlog.get_logger()

SMALL_BYTES = 200_000
"""A file of this size takes at most about 0.2 s of a processor, whatever is in it."""
PATIENCE_SECONDS = 60.0
_TOO_HARD = "This file takes too much to read. Divide it into several files."


class FileReader:
    """Reads at most ``processes`` large files at a time; the rest are queued."""

    def __init__(self, processes: int = 2, *, small_bytes: int = SMALL_BYTES) -> None:
        self._turns = asyncio.Semaphore(processes)
        self._small_bytes = small_bytes

    async def read(
        self, data: bytes, *, name: str, format_id: FormatId | None, language: str | None, has_items: bool = False
    ) -> tuple[FormatId, TextFile]:
        """Returns the format of a file and what is in it.

        Raises ``Invalid`` about ``format``, and ``BadRequest`` for a file that can't be read.
        """
        answer = await self._answer(data, name=name, format_id=format_id, language=language, has_items=has_items)
        if answer.is_format:
            raise Invalid.field("format", answer.reason, code="unknown_format")
        if answer.file is None or answer.format_id is None:
            raise BadRequest(f"{name}: {answer.reason}", code="unreadable_file")
        return answer.format_id, answer.file

    async def _answer(self, data: bytes, **facts: Any) -> Answer:
        if len(data) <= self._small_bytes:
            return unpacked(await asyncio.to_thread(answer_of, data, **facts))
        question = {
            "name": facts["name"],
            "format": facts["format_id"],
            "language": facts["language"],
            "hasItems": facts["has_items"],
        }
        async with self._turns:
            answer = await _ask(json.dumps(question).encode() + b"\n" + data)
        return Answer(None, None, _TOO_HARD) if answer is None else unpacked(json.loads(answer))


async def _ask(question: bytes) -> bytes | None:
    """Returns the answer of a child process; ``None`` if it died or took too long."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # modules of the working folder are not ours
        "-m",
        "livery.formats",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer, _ = await process.communicate(question)
    except TimeoutError:
        answer = b""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0 or not answer:
        log.warning("import_file_given_up", status=process.returncode)
        return None
    return answer
