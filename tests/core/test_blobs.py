"""The blob store's promises, on local files and on a real S3 server."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from livery.core.blobs import DAMAGED, BlobStore, StorageUnavailable, hash_of, open_blobs
from livery.core.errors import NotFound, Unavailable
from tests.support.s3_server import S3, Fault


@pytest.fixture(params=["files", "s3"])
def storage_url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue("s3").url if request.param == "s3" else ""


@pytest.fixture
def blobs(storage_url: str, tmp_path: Path) -> BlobStore:
    return open_blobs(storage_url, tmp_path)


async def test_a_stored_blob_comes_back_under_its_hash(blobs: BlobStore) -> None:
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


@pytest.mark.parametrize("name", ["my images", "my%20images"])
async def test_the_address_of_a_folder_may_be_encoded(tmp_path: Path, name: str) -> None:
    await open_blobs(f"file://{tmp_path}/{name}", tmp_path).put(b"logo")

    assert [path.name for path in tmp_path.iterdir()] == ["my images"]


async def test_a_folder_with_a_percent_sign_that_is_there_is_taken(tmp_path: Path) -> None:
    (tmp_path / "my%20images").mkdir()

    await open_blobs(f"file://{tmp_path}/my%20images", tmp_path).put(b"logo")

    assert [path.name for path in tmp_path.iterdir()] == ["my%20images"]


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


async def test_the_hashes_of_all_blobs_are_listed(blobs: BlobStore) -> None:
    put = {await blobs.put(b"%d" % number) for number in range(20)}

    assert {name async for name in blobs.hashes()} == put


async def test_an_s3_that_fails_is_asked_three_times(s3: S3, tmp_path: Path) -> None:
    s3.fault = Fault(503, "SlowDown")

    with pytest.raises(StorageUnavailable, match="storage"):
        await open_blobs(s3.url, tmp_path).check()

    assert len(s3.requests) == 3


async def test_a_damaged_answer_of_s3_is_never_given_whole(s3: S3, tmp_path: Path) -> None:
    blobs = open_blobs(s3.url, tmp_path)
    blob_hash = await blobs.put(b"logo")
    s3.fault = Fault(method="GET", flips_last_byte=True)

    with pytest.raises(Unavailable) as caught:
        await blobs.get(blob_hash)
    assert caught.value.code == DAMAGED
    given: list[bytes] = []
    with pytest.raises(Unavailable):
        given.extend([chunk async for chunk in (await blobs.open(blob_hash)).chunks])
    assert given == []


async def test_a_missing_bucket_is_no_missing_blob(s3: S3, tmp_path: Path) -> None:
    """A delete that found nothing would forget a blob that is there again with its bucket."""
    blobs = open_blobs(s3.url, tmp_path)
    blob_hash = hash_of(b"logo")
    await s3.remove_bucket()
    found: list[str] = []

    for call in (blobs.get(blob_hash), blobs.open(blob_hash), blobs.delete(blob_hash), blobs.put(b"logo")):
        with pytest.raises(StorageUnavailable) as caught:
            await call
        found.append(caught.value.advice)

    assert found == ["S3 answered NoSuchBucket. Create the bucket, or correct LIVERY_STORAGE_URL and AWS_REGION."] * 4
    await s3.make_bucket()
    await blobs.delete(await blobs.put(b"logo"))
    with pytest.raises(NotFound):
        await blobs.get(blob_hash)
