"""Reading files apart: a hostile or large file can't take the server's memory or time."""

import json

import pytest

from livery.core.errors import BadRequest, Invalid
from livery.formats.model import FileText, TextFile
from livery.imports.reading import FileReader


async def read(reader: FileReader, data: bytes) -> tuple[str, TextFile]:
    return await reader.read(data, name="en.json", format_id=None, language="en")


async def test_a_child_process_reads_the_same_as_a_thread() -> None:
    data = json.dumps({"cart": {"items_one": "{{count}} item", "items_other": "{{count}} items", "": "lost"}}).encode()

    in_a_thread = await read(FileReader(), data)
    apart = await read(FileReader(small_bytes=0), data)

    assert apart == in_a_thread
    assert isinstance(apart[1].texts[0], FileText)


async def test_a_child_process_refuses_what_cannot_be_read() -> None:
    reader = FileReader(small_bytes=0)

    with pytest.raises(BadRequest, match=r"en\.json: "):
        await read(reader, b'{"a": ')
    with pytest.raises(Invalid):
        await reader.read(b"{}", name="en.json", format_id="word", language=None)


async def test_a_child_process_that_dies_is_no_error_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")  # no Python program can start

    with pytest.raises(BadRequest, match="takes too much"):
        await read(FileReader(small_bytes=0), b"{}")
