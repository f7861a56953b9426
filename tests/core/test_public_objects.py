"""The promises of the objects that apps read past the server, on a real S3 server."""

import pytest
import structlog

from livery.core.blobs import PublicObjects, StorageUnavailable, open_public_objects
from livery.core.errors import Unavailable
from tests.support.s3_server import S3, Fault

HEADERS = {"Content-Type": "application/json", "Cache-Control": "public, max-age=10"}


@pytest.fixture
def objects(s3: S3) -> PublicObjects:
    return open_public_objects(s3.url)


async def test_readers_get_an_object_with_its_headers(objects: PublicObjects, s3: S3) -> None:
    await objects.write("a/b.json", b"\x1f\x8b", {**HEADERS, "Content-Encoding": "gzip"})

    answer = await s3.read("livery/a/b.json")

    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=10"
    assert answer.headers["content-encoding"] == "gzip"


async def test_an_object_is_replaced_only_by_the_caller_who_knows_it(objects: PublicObjects) -> None:
    assert await objects.read("a") is None
    assert await objects.replace("a", b"1", HEADERS, tag=None)
    assert not await objects.replace("a", b"2", HEADERS, tag=None)
    found = await objects.read("a")
    assert found
    data, tag = found
    assert data == b"1"
    assert await objects.replace("a", b"3", HEADERS, tag=tag)
    assert not await objects.replace("a", b"4", HEADERS, tag=tag)

    await objects.delete(["a", "never there"])

    assert not await objects.replace("a", b"5", HEADERS, tag=tag)
    assert await objects.read("a") is None


@pytest.mark.parametrize("tag", [None, '"a"'])
async def test_a_conflict_of_two_writers_is_not_a_trouble(objects: PublicObjects, s3: S3, tag: str | None) -> None:
    s3.fault = Fault(409, "ConditionalRequestConflict", method="PUT")

    assert not await objects.replace("a", b"1", HEADERS, tag=tag)

    assert not objects.trouble.is_present


async def test_a_list_has_what_is_below_a_folder_and_nothing_else(objects: PublicObjects) -> None:
    for name in ("prj_1/b", "prj_1/a/c", "prj_10/a"):
        await objects.write(name, b"1", HEADERS)

    assert [found.name for found in await objects.list("prj_1")] == ["prj_1/a/c", "prj_1/b"]


@pytest.mark.fresh
async def test_a_bucket_that_is_gone_is_a_trouble_with_advice_and_never_an_absent_object(
    objects: PublicObjects, s3: S3
) -> None:
    await s3.remove_bucket()
    with structlog.testing.capture_logs() as lines:
        for call in (
            lambda: objects.read("a"),
            lambda: objects.list("a"),
            lambda: objects.write("a", b"1", HEADERS),
            lambda: objects.replace("a", b"1", HEADERS, tag=None),
            lambda: objects.delete(["a"]),
            objects.check,
        ):
            with pytest.raises(StorageUnavailable) as refused:
                await call()
            assert "LIVERY_CDN_STORAGE_URL" in refused.value.advice
    assert [line["event"] for line in lines] == ["cdn_unavailable"]


async def test_a_refusal_is_unavailable(objects: PublicObjects, s3: S3) -> None:
    s3.fault = Fault(403, "AccessDenied")

    with pytest.raises(Unavailable):
        await objects.replace("a", b"1", HEADERS, tag=None)
