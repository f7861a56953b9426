"""The blob store's promises, on local files and on a store that speaks the object protocol in memory."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from obstore.store import MemoryStore

from livery.core.blobs import BlobStore, open_blobs
from livery.core.errors import NotFound, Unavailable


@pytest.fixture(params=["files", "memory"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore:
    return BlobStore(MemoryStore()) if request.param == "memory" else open_blobs("", tmp_path)


async def test_what_was_put_comes_back_under_its_hash(blobs: BlobStore) -> None:
    data = bytes(range(256)) * 1000

    blob_hash = await blobs.put(data)

    assert len(blob_hash) == 64
    assert await blobs.get(blob_hash) == data


async def test_the_same_bytes_put_in_parallel_are_one_blob(blobs: BlobStore) -> None:
    hashes = await asyncio.gather(*(blobs.put(b"logo") for _ in range(20)))

    assert len(set(hashes)) == 1
    assert await blobs.get(hashes[0]) == b"logo"


async def test_a_deleted_blob_is_gone_and_deleting_twice_is_no_error(blobs: BlobStore) -> None:
    blob_hash = await blobs.put(b"logo")

    await blobs.delete(blob_hash)
    await blobs.delete(blob_hash)

    with pytest.raises(NotFound):
        await blobs.get(blob_hash)


@pytest.mark.parametrize("name", ["../secret", "", "a" * 63, "A" * 64, "a" * 64 + "\n", "/etc/passwd"])
async def test_only_a_hash_is_a_name(blobs: BlobStore, name: str) -> None:
    with pytest.raises(ValueError, match="SHA-256"):
        await blobs.get(name)


async def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    blobs = open_blobs(f"file://{tmp_path}/store", tmp_path)
    blob_hash = await blobs.put(b"logo")
    (tmp_path / "store" / blob_hash[:2] / blob_hash[2:4] / blob_hash).write_bytes(b"l0go")

    with pytest.raises(Unavailable):
        await blobs.get(blob_hash)


async def test_a_check_of_a_missing_storage_raises_unavailable(tmp_path: Path) -> None:
    blobs = open_blobs("", tmp_path)
    (tmp_path / "blobs").rmdir()
    (tmp_path / "blobs").write_text("a file where the folder was")

    with pytest.raises(Unavailable):
        await blobs.check()


async def test_python_joins_each_thread_that_answers_when_it_ends(
    blobs: BlobStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    answering: set[threading.Thread] = set()
    call_soon = loop.call_soon_threadsafe

    def note(*arguments: Any, **options: Any) -> asyncio.Handle:
        answering.add(threading.current_thread())
        return call_soon(*arguments, **options)

    monkeypatch.setattr(loop, "call_soon_threadsafe", note)

    blob_hash = await blobs.put(b"logo")
    assert await blobs.get(blob_hash) == b"logo"
    assert [chunk async for chunk in (await blobs.open(blob_hash)).chunks] == [b"logo"]
    await blobs.delete(blob_hash)

    assert answering
    assert not [thread for thread in answering if thread.daemon]  # foreign threads count as daemons


async def test_an_s3_that_fails_is_asked_three_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")

        with pytest.raises(Unavailable):
            await open_blobs("s3://bucket/livery", tmp_path).check()

    assert len(requests) == 3
