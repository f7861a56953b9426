"""``/media``: stable and immutable addresses, smaller and converted forms, headers, limits."""

import asyncio
import os
from datetime import timedelta
from pathlib import Path

import pytest
import structlog

from livery.app import Application
from livery.core import clock as core_clock
from livery.core.context import Context
from livery.images import service
from livery.images.variants import make_room
from livery.worker import sweeper
from tests.factories.projects import Desk, put_on_tier
from tests.factories.usage import add_usage
from tests.images.pictures import BLUE, RED, decoded, photo, picture
from tests.support.clock import Clock
from tests.support.outage import database_away

GB = 1024**3


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


async def upload(desk: Desk, data: bytes, key: str = "hero") -> str:
    """The stable path of a new image."""
    answer = await desk.upload("/images/{id}", {"key": key}, data)
    assert answer.status_code == 201, answer.text
    return f"/media/{desk.project_id}/{key}"


async def immutable(desk: Desk, key: str = "hero") -> str:
    """The path that apps get."""
    return (await desk.content("en"))["images"][key]["url"]


async def image_id(desk: Desk, key: str = "hero") -> str:
    return next(record["_id"] for record in (await desk.get("/images/{id}")).json() if record["key"] == key)


async def test_an_image_comes_as_nothing_but_an_image(desk: Desk) -> None:
    path = await upload(desk, photo())

    answer = await desk.client.get(path)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["content-disposition"] == "inline"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "set-cookie" not in answer.headers


async def test_the_stable_address_is_requested_again_and_the_hashed_address_never(desk: Desk) -> None:
    path = await upload(desk, photo())
    await desk.publish()

    stable, fixed = await desk.client.get(path), await desk.client.get(await immutable(desk))

    assert stable.headers["cache-control"] == "no-cache"
    assert fixed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert stable.content == fixed.content
    assert stable.headers["etag"] == fixed.headers["etag"]
    again = await desk.client.get(path, headers={"If-None-Match": f'W/{stable.headers["etag"]}, "x"'})
    assert (again.status_code, again.content) == (304, b"")
    await desk.upload(f"/images/{{id}}/{await image_id(desk)}", {}, photo(64, 48))
    changed = await desk.client.get(path, headers={"If-None-Match": stable.headers["etag"]})
    assert changed.status_code == 200
    assert decoded(changed.content).size == (64, 48)


@pytest.mark.parametrize(
    ("query", "kind", "size"),
    [
        ("", "image/jpeg", (640, 480)),
        ("?w=64", "image/jpeg", (64, 48)),
        ("?w=512", "image/jpeg", (512, 384)),
        ("?w=1024", "image/jpeg", (640, 480)),
        ("?format=webp", "image/webp", (640, 480)),
        ("?w=128&format=webp", "image/webp", (128, 96)),
        ("?w=2048&format=webp", "image/webp", (640, 480)),
        ("?w=256&format=avif", "image/avif", (256, 192)),
        ("?v=7", "image/jpeg", (640, 480)),
    ],
)
async def test_smaller_and_converted_forms(desk: Desk, query: str, kind: str, size: tuple[int, int]) -> None:
    path = await upload(desk, photo())

    answer = await desk.client.get(path + query)

    assert answer.status_code == 200, answer.text
    assert (answer.headers["content-type"], decoded(answer.content).size) == (kind, size)
    assert decoded(answer.content).format == kind.removeprefix("image/").upper()
    assert int(answer.headers["content-length"]) == len(answer.content)
    not_modified = await desk.client.get(path + query, headers={"If-None-Match": answer.headers["etag"]})
    assert not_modified.status_code == 304


async def test_a_smaller_form_keeps_what_is_transparent(desk: Desk) -> None:
    path = await upload(desk, picture(200, 100, (200, 30, 30, 0)))

    for query in ("?w=64", "?w=64&format=webp", "?w=64&format=avif"):
        image = decoded((await desk.client.get(path + query)).content).convert("RGBA")
        assert (image.size, image.getpixel((5, 5))[3]) == ((64, 32), 0), query  # pyright: ignore[reportOptionalSubscript, reportIndexIssue]  # it has an alpha


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("w=65", "w"), ("w=0", "w"), ("w=-64", "w"), ("w=4096", "w"), ("w=", "w"), ("w=064", "w"), ("w=64.0", "w"), ("w=%D9%A6%D9%A4", "w"),
        ("w=64&w=128", "w"), ("w=%00", "w"), ("format=png", "format"), ("format=", "format"), ("format=WEBP", "format"), ("format=svg", "format"),
        ("format=webp&format=avif", "format"), ("format=../x", "format"),
    ],
)  # fmt: skip
async def test_other_forms_are_refused(desk: Desk, query: str, field: str) -> None:
    path = await upload(desk, picture())

    answer = await desk.client.get(f"{path}?{query}")

    assert (answer.status_code, list(answer.json()["fields"])) == (422, [field])
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_a_form_is_made_once_however_many_ask(desk: Desk, app: Application) -> None:
    path = await upload(desk, photo(1200, 900))

    answers = await asyncio.gather(*(desk.client.get(f"{path}?w=512&format=webp") for _ in range(20)))
    await desk.client.get(f"{path}?w=512&format=webp")

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert app.media.variants.made == 1


@pytest.mark.parametrize(
    "path",
    [
        "", "/x", "/none", "/../hero", "/hero/", "/hero/x", "/hero/" + "A" * 64, "/hero/" + "a" * 63, "/hero/" + "a" * 64, "/%2e%2e/hero", "/hero%00",
        "/hero%2f..%2fx", "/hero%0a", "/" + "x" * 500, "/<script>", "/hero/" + "a" * 64 + "/x",
    ],
)  # fmt: skip
async def test_any_other_address_is_404(desk: Desk, path: str) -> None:
    await upload(desk, picture(), "other")

    answer = await desk.client.get(f"/media/{desk.project_id}{path}")

    assert answer.status_code == 404, path
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_only_reading_is_allowed(desk: Desk) -> None:
    path = await upload(desk, picture())

    head = await desk.client.head(path)
    preflight = await desk.client.options(path)

    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) == len((await desk.client.get(path)).content)
    assert preflight.status_code == 204
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        refused = await desk.client.request(method, path)
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS"), method


async def test_a_replaced_image_is_shown_for_a_day_and_then_redirects_to_the_new_image(
    desk: Desk, context: Context, clock: Clock
) -> None:
    path = await upload(desk, picture(color=RED))
    await desk.publish()
    old = await immutable(desk)
    await desk.upload(f"/images/{{id}}/{await image_id(desk)}", {}, picture(color=BLUE))
    new = await immutable(desk)
    old_hash = old.rsplit("/", 1)[1]

    clock.advance(hours=23)
    await service.forget(context.database, context.blobs)
    meanwhile = await desk.client.get(old)
    clock.advance(hours=2)
    while await service.forget(context.database, context.blobs):
        pass
    afterwards = await desk.client.get(old, follow_redirects=False)

    assert old != new
    assert decoded(meanwhile.content).convert("RGB").getpixel((3, 3)) == RED
    assert (afterwards.status_code, afterwards.headers["location"]) == (302, path)
    assert afterwards.headers["cache-control"] == "no-store"
    assert (await desk.client.get(new)).status_code == 200
    assert not stored(context, old_hash).exists(), "the file of what nothing shows any more is still there"


def stored(context: Context, file_hash: str) -> Path:
    return context.settings.data_dir / "blobs" / file_hash[:2] / file_hash[2:4] / file_hash


async def test_a_file_that_another_project_has_too_stays(desk: Desk, context: Context, clock: Clock) -> None:
    await upload(desk, picture(), "one")
    await upload(desk, picture(), "two")
    await desk.delete(f"/images/{{id}}/{await image_id(desk, 'one')}")

    clock.advance(days=3)
    while await service.forget(context.database, context.blobs):
        pass

    assert (await desk.client.get(f"/media/{desk.project_id}/two")).status_code == 200


async def test_a_file_without_a_row_goes_after_a_day_and_not_before(context: Context, clock: Clock) -> None:
    file_hash = await service.keep_file(context.database, context.blobs, b"orphan")

    clock.advance(hours=23)
    await service.forget(context.database, context.blobs)
    assert stored(context, file_hash).exists()
    clock.advance(hours=2)
    await service.forget(context.database, context.blobs)

    assert not stored(context, file_hash).exists()


async def test_a_deleted_project_is_410_and_its_files_go_after_a_day(
    desk: Desk, context: Context, clock: Clock
) -> None:
    path = await upload(desk, picture())
    file_hash = (await desk.client.get(path)).headers["etag"].strip('"')
    await desk.delete("/projects/{id}")

    gone = await desk.client.get(path)
    clock.advance(days=1, hours=1)
    while await service.forget(context.database, context.blobs):
        pass

    assert gone.status_code == 410
    assert (await desk.client.get("/media/prj_aaaaaaaaaaaaaaaa/hero")).status_code == 404
    assert not stored(context, file_hash).exists()


async def test_bytes_are_counted_and_304s_are_free(desk: Desk) -> None:
    path = await upload(desk, photo())

    full, small = await desk.client.get(path), await desk.client.get(f"{path}?w=64")
    await desk.client.get(path, headers={"If-None-Match": full.headers["etag"]})
    await desk.client.head(path)
    usage = (await desk.get("/projects/{id}/usage")).json()

    assert usage["bandwidthUsage"] == len(full.content) + len(small.content)


@pytest.mark.parametrize(("share", "status", "cache"), [(1.2, 200, "max-age=300"), (1.6, 429, "no-store")])
async def test_over_the_month_images_slow_down_and_then_end(
    desk: Desk, context: Context, share: float, status: int, cache: str
) -> None:
    path = await upload(desk, picture())
    await add_usage(context, desk.project_id, size_bytes=int(300 * GB * share))

    answer = await desk.client.get(path)

    assert (answer.status_code, answer.headers["cache-control"]) == (status, cache)


async def test_long_after_a_plans_end_it_is_402(desk: Desk, context: Context, clock: Clock) -> None:
    path = await upload(desk, picture())
    await desk.publish()
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=-31)

    assert (await desk.client.get(path)).status_code == 402


@pytest.mark.fresh
async def test_while_the_database_is_away_what_was_shown_is_shown(desk: Desk, context: Context) -> None:
    path = await upload(desk, picture())
    await desk.client.get(path)

    async with database_away(context.database):
        known, unknown = await desk.client.get(path), await desk.client.get(f"{path}x")

    assert (known.status_code, unknown.status_code) == (200, 503)


async def test_a_damaged_file_is_never_given_whole(desk: Desk, context: Context) -> None:
    path = await upload(desk, picture())
    file = stored(context, (await desk.client.get(path)).headers["etag"].strip('"'))
    file.write_bytes(b"\0" * file.stat().st_size)

    with pytest.raises(Exception, match="damaged"):
        await desk.client.get(path)


async def test_a_failure_has_the_same_id_in_its_answer_and_in_the_log(desk: Desk, context: Context) -> None:
    path = await upload(desk, picture())
    folder = context.settings.data_dir / "blobs"
    folder.rename(folder.with_name("away"))
    folder.write_text("in the way")

    with structlog.testing.capture_logs([structlog.contextvars.merge_contextvars]) as logs:
        answer = await desk.client.get(path)

    assert answer.status_code == 503
    named = [(entry["event"], entry["request_id"]) for entry in logs]
    assert named == [("storage_unavailable", answer.headers["x-request-id"])]


async def test_the_folder_of_forms_stays_within_its_limit(tmp_path: Path) -> None:
    (tmp_path / "ab").mkdir()
    for age in range(10):
        file = tmp_path / "ab" / f"file{age}"
        file.write_bytes(b"x" * 1_000)
        os.utime(file, (1_000_000 - age, 1_000_000 - age))

    make_room(tmp_path, 5_000, tmp_path / "ab" / "file9")

    assert {path.name for path in (tmp_path / "ab").iterdir()} == {"file0", "file1", "file2", "file9"}


async def test_background_work_forgets_by_itself(app: Application, context: Context, clock: Clock) -> None:
    file_hash = await service.keep_file(context.database, context.blobs, b"orphan")
    clock.moment = core_clock.now() + timedelta(days=2)
    work = sweeper(
        context,
        meter=app.meter,
        key_uses=app.key_uses,
        failed_logins=app.failed_logins,
        page_views=app.page_views,
        forwarder=app.forwarder,
    )
    task = asyncio.create_task(work.run())

    async with asyncio.timeout(20):
        while stored(context, file_hash).exists():
            await asyncio.sleep(0.01)  # the sweep runs beside this

    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
