"""The image library through HTTP: upload, replace, rename, delete; live at once; storage, plans and roles."""

import asyncio

import httpx2
import pytest
from sqlalchemy import update

from livery.core.context import Context
from livery.images.models import Image
from livery.workspace import fsck
from tests.factories.projects import Desk, join, open_desk, put_on_tier
from tests.images.pictures import BLUE, RED, decoded, photo, picture

GB = 1024**3


async def upload(desk: Desk, key: str = "logo", data: bytes | None = None) -> dict[str, object]:
    answer = await desk.upload("/images/{id}", {"key": key}, data or picture())
    assert answer.status_code == 201, answer.text
    return answer.json()


async def listed(desk: Desk) -> dict[str, dict[str, object]]:
    answer = await desk.get("/images/{id}")
    assert answer.status_code == 200, answer.text
    return {record["key"]: record for record in answer.json()}


async def test_an_uploaded_image_is_listed_and_shown_under_its_address(desk: Desk) -> None:
    record = await upload(desk, "logo_primary", picture(40, 30))

    assert (await listed(desk)) == {"logo_primary": record}
    assert record["url"] == f"http://testserver/media/{desk.project_id}/logo_primary"
    assert (record["width"], record["height"], record["contentType"]) == (40, 30, "image/png")
    assert record["revision"] == 1
    assert str(record["_id"]).startswith("img_")
    assert record["thumbhash"]
    shown = await desk.client.get(str(record["url"]))
    assert shown.status_code == 200
    assert len(shown.content) == record["bytes"]
    assert decoded(shown.content).convert("RGB").getpixel((3, 3)) == RED


async def test_images_are_unpublished_until_the_first_publish(desk: Desk) -> None:
    await upload(desk)
    assert (await desk.content("en"))["images"] == {}

    await desk.publish()

    images = (await desk.content("en"))["images"]
    assert list(images) == ["logo"]
    assert (images["logo"]["width"], images["logo"]["height"]) == (40, 30)
    assert (await desk.client.get(images["logo"]["url"])).status_code == 200


async def test_after_it_each_change_is_a_release_of_its_own_and_drafts_stay_drafts(desk: Desk) -> None:
    await desk.text("title", {"en": "Hello"})
    await desk.publish()
    await desk.text("draft", {"en": "not yet"})

    record = await upload(desk)
    first = await desk.content("en")
    path = f"/images/{{id}}/{record['_id']}"
    await desk.upload(path, {"key": "brand"}, picture(color=BLUE))
    second = await desk.content("en")
    await desk.delete(path)
    third = await desk.content("en")

    assert [content["release"] for content in (first, second, third)] == [2, 3, 4]
    assert [list(content["images"]) for content in (first, second, third)] == [["logo"], ["brand", "logo"], []]
    assert third["texts"] == {"general": {"title": "Hello"}}


async def test_a_renamed_image_answers_under_its_former_keys_too(desk: Desk) -> None:
    await desk.publish()
    record = await upload(desk)
    path = f"/images/{{id}}/{record['_id']}"
    before = (await desk.content("en"))["images"]["logo"]

    await desk.upload(path, {"key": "brand"})
    renamed = (await desk.upload(path, {"key": "mark"})).json()
    await desk.upload(path, {}, picture(color=BLUE))

    assert (renamed["key"], renamed["aliases"]) == ("mark", ["logo", "brand"])
    assert (await listed(desk))["mark"]["aliases"] == ["logo", "brand"]
    images = (await desk.content("en"))["images"]
    assert sorted(images) == ["brand", "logo", "mark"]
    for image in images.values():
        shown = await desk.client.get(image["url"])
        assert decoded(shown.content).convert("RGB").getpixel((3, 3)) == BLUE
    # An app that has not heard of the new picture yet.
    assert (await desk.client.get(before["url"])).status_code == 200
    assert (await desk.client.get(f"/media/{desk.project_id}/logo")).status_code == 200


async def test_a_former_key_ends_with_its_image_or_when_it_gets_one_of_its_own(context: Context, desk: Desk) -> None:
    await desk.publish()
    record = await upload(desk)
    path = f"/images/{{id}}/{record['_id']}"
    await desk.upload(path, {"key": "brand"})
    await upload(desk, "logo", picture(color=BLUE))

    assert {key: image["aliases"] for key, image in (await listed(desk)).items()} == {"brand": [], "logo": []}
    shown = await desk.client.get(f"/media/{desk.project_id}/logo")
    assert decoded(shown.content).convert("RGB").getpixel((3, 3)) == BLUE
    await desk.upload(path, {"key": "mark"})
    await desk.delete(path)
    assert list((await desk.content("en"))["images"]) == ["logo"]
    assert (await desk.client.get(f"/media/{desk.project_id}/brand")).status_code == 404
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_before_the_first_publish_no_app_asks_for_a_former_key(desk: Desk) -> None:
    record = await upload(desk)

    renamed = (await desk.upload(f"/images/{{id}}/{record['_id']}", {"key": "brand"})).json()

    assert renamed["aliases"] == []


async def test_only_the_latest_former_keys_answer(desk: Desk) -> None:
    await desk.publish()
    record = await upload(desk, "key_0")
    for number in range(1, 23):
        await desk.upload(f"/images/{{id}}/{record['_id']}", {"key": f"key_{number}"})

    (image,) = (await listed(desk)).values()
    assert image["aliases"] == [f"key_{number}" for number in range(2, 22)]


async def test_a_replaced_image_keeps_its_address_and_its_id(desk: Desk) -> None:
    record = await upload(desk)

    answer = await desk.upload(f"/images/{{id}}/{record['_id']}", {}, photo(64, 48))

    assert answer.status_code == 200, answer.text
    changed = answer.json()
    assert (changed["_id"], changed["url"], changed["revision"]) == (record["_id"], record["url"], 2)
    assert (changed["width"], changed["contentType"]) == (64, "image/jpeg")
    assert (await desk.client.get(changed["url"])).headers["content-type"] == "image/jpeg"


async def test_renaming_needs_no_file_and_what_is_as_it_was_changes_nothing(desk: Desk) -> None:
    record = await upload(desk)
    path = f"/images/{{id}}/{record['_id']}"

    renamed = (await desk.upload(path, {"key": "brand"})).json()
    same = (await desk.upload(path, {"key": "brand"}, picture())).json()

    assert (renamed["key"], renamed["bytes"], renamed["revision"]) == ("brand", record["bytes"], 2)
    assert same == renamed
    assert (await desk.client.get(str(record["url"]))).status_code == 404


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("", "Image key is required."),
        ("   ", "Image key is required."),
        ("1st", "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."),
        ("a b", "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."),
        ("../x", "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."),
        ("a/b", "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."),
        ("logo\n", None),
        ("constructor", "This name means something else in apps. Please choose a different name."),
        ("ä", "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."),
        ("x" * 129, "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."),
    ],
)
async def test_a_key_is_trimmed_and_follows_the_rule(desk: Desk, key: str, message: str | None) -> None:
    answer = await desk.upload("/images/{id}", {"key": key}, picture())

    if message is None:
        assert answer.json()["key"] == key.strip()
    else:
        assert (answer.status_code, answer.json()["fields"]) == (422, {"key": message})
        assert answer.json()["message"] == message


async def test_an_image_is_not_renamed_to_a_name_that_every_javascript_object_has(desk: Desk) -> None:
    record = await upload(desk, "logo")

    answer = await desk.upload(f"/images/{{id}}/{record['_id']}", {"key": "toString"})

    assert (answer.status_code, answer.json()["code"]) == (422, "name_of_every_object")


async def test_an_upload_names_the_field_that_its_form_lacks(desk: Desk) -> None:
    record = await upload(desk)

    no_key = await desk.upload("/images/{id}", {}, picture())
    no_file = await desk.upload("/images/{id}", {"key": "hero"})
    empty_file = await desk.upload("/images/{id}", {"key": "hero"}, b"")
    nothing = await desk.upload(f"/images/{{id}}/{record['_id']}", {"revision": "1"})

    assert (no_key.status_code, no_key.json()["message"]) == (422, "Image key is required.")
    for answer in (no_file, empty_file):
        assert (answer.status_code, answer.json()["message"]) == (422, "Please select an image to upload.")
        assert answer.json()["fields"] == {"imageFile": "Please select an image to upload."}
    assert nothing.status_code == 422


async def test_a_key_is_there_once(desk: Desk) -> None:
    await upload(desk, "logo")
    other = await upload(desk, "hero")

    again = await desk.upload("/images/{id}", {"key": "logo"}, picture(color=BLUE))
    renamed = await desk.upload(f"/images/{{id}}/{other['_id']}", {"key": "logo"})

    for answer in (again, renamed):
        assert (answer.status_code, answer.json()["message"]) == (409, 'Image key "logo" already exists.')
        assert answer.json()["fields"] == {"key": 'Image key "logo" already exists.'}
    assert (await listed(desk)).keys() == {"logo", "hero"}


async def test_only_the_first_of_parallel_uploads_of_a_key_is_stored(desk: Desk) -> None:
    answers = await asyncio.gather(
        *(desk.upload("/images/{id}", {"key": "logo"}, picture(color=color)) for color in (RED, BLUE, RED))
    )

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]


async def test_a_stale_revision_is_refused_with_the_present_record_and_its_editor(context: Context, desk: Desk) -> None:
    record = await upload(desk)
    path = f"/images/{{id}}/{record['_id']}"
    changed = (await (await join(context, desk, "editor")).upload(path, {"key": "brand", "revision": "1"})).json()

    stale = await desk.upload(path, {"key": "other", "revision": "1"})
    wrong = await desk.upload(path, {"key": "other", "revision": "x"})

    assert (stale.status_code, stale.json()["code"]) == (409, "stale_revision")
    assert (stale.json()["current"], stale.json()["by"]) == (changed, "Editor")
    assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["revision"])


async def test_deleting_names_the_image_and_a_second_delete_is_404(desk: Desk) -> None:
    record = await upload(desk)

    first = await desk.delete(f"/images/{{id}}/{record['_id']}")
    second = await desk.delete(f"/images/{{id}}/{record['_id']}")

    assert (first.status_code, first.json()) == (200, {"message": 'Image "logo" deleted successfully.'})
    assert (second.status_code, second.json()["code"]) == (404, "image_not_found")
    assert await listed(desk) == {}


async def test_storage_is_the_exact_sum_and_is_freed(desk: Desk) -> None:
    async def used() -> int:
        return (await desk.get("/projects/{id}/usage")).json()["usageBytes"]

    first, second = await upload(desk, "a"), await upload(desk, "b", photo())
    both = await used()
    replaced = (await desk.upload(f"/images/{{id}}/{second['_id']}", {}, picture(color=BLUE))).json()
    after_replacing = await used()
    await desk.delete(f"/images/{{id}}/{first['_id']}")

    assert both == int(str(first["bytes"])) + int(str(second["bytes"]))
    assert after_replacing == int(str(first["bytes"])) + replaced["bytes"]
    assert await used() == replaced["bytes"]


async def test_an_upload_that_would_pass_the_storage_is_refused(context: Context, client: httpx2.AsyncClient) -> None:
    desk = await open_desk(context, client, tier="starter")
    record = await upload(desk, "large")
    async with context.database.write() as db:
        await db.execute(update(Image).values(size_bytes=10 * GB - 10))

    refused = await desk.upload("/images/{id}", {"key": "more"}, picture())
    smaller = await desk.upload(f"/images/{{id}}/{record['_id']}", {}, picture(color=BLUE))

    assert (refused.status_code, refused.json()["code"]) == (403, "storage_limit")
    assert "10 GB of the 10 GB" in refused.json()["message"]
    assert smaller.status_code == 200
    assert (await listed(desk)).keys() == {"large"}


async def test_uploading_needs_a_plan_and_the_rest_does_not(
    context: Context, client: httpx2.AsyncClient, desk: Desk
) -> None:
    record = await upload(desk)
    await put_on_tier(context, desk.person.actor, desk.project_id, "pro", days=-1)
    path = f"/images/{{id}}/{record['_id']}"

    for answer in (
        await desk.upload("/images/{id}", {"key": "hero"}, picture()),
        await desk.upload(path, {}, picture(color=BLUE)),
    ):
        assert (answer.status_code, answer.json()["code"]) == (402, "plan_required")
        assert answer.json()["message"].startswith("This project does not have an active plan.")
    assert (await desk.upload(path, {"key": "brand"})).status_code == 200
    assert (await desk.delete(path)).status_code == 200


async def test_a_viewer_looks_and_an_editor_changes(context: Context, desk: Desk) -> None:
    record = await upload(desk)
    viewer, editor = await join(context, desk, "viewer"), await join(context, desk, "editor")
    path = f"/images/{{id}}/{record['_id']}"

    assert (await listed(viewer)).keys() == {"logo"}
    for answer in (
        await viewer.upload("/images/{id}", {"key": "hero"}, picture()),
        await viewer.upload(path, {"key": "hero"}),
        await viewer.delete(path),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "role_forbidden")
    assert (await editor.upload("/images/{id}", {"key": "hero"}, picture())).status_code == 201
    assert (await editor.upload(path, {}, picture(color=BLUE))).status_code == 200
    assert (await editor.delete(path)).status_code == 200


async def test_the_feed_shows_every_change_of_an_image(desk: Desk) -> None:
    record = await upload(desk)
    path = f"/images/{{id}}/{record['_id']}"
    await desk.upload(path, {"key": "brand"}, picture(color=BLUE))
    await desk.delete(path)

    feed = [entry["action"] for entry in (await desk.get("/activity")).json()]

    assert feed[:4] == [
        "Deleted image brand",
        "Replaced image brand",
        "Renamed image logo → brand",
        "Uploaded image logo",
    ]


async def test_an_image_lists_the_items_that_show_it_in_the_draft_or_in_apps(desk: Desk) -> None:
    await desk.publish()
    image, other = await upload(desk, "hero"), await upload(desk, "hero_2")
    field = {"name": "photo", "type": "Media"}
    title = {"name": "title", "type": "String"}
    store = {"name": "Places", "apiIdentifier": "places", "fields": [title, field]}
    store_id = (await desk.post("/stores/{id}", store)).json()["_id"]
    photo = f"/media/{desk.project_id}/hero"
    path = f"/stores/items/{store_id}"
    items = [(await desk.post(path, {"data": {"title": name, "photo": photo}})).json() for name in ("Oslo", "Turku")]
    await desk.publish()
    await desk.put(f"/stores/items/{items[1]['_id']}", {"data": {"photo": None}})

    uses = await desk.get(f"/images/{{id}}/{image['_id']}/uses")
    assert uses.json() == [{"store": "places", "name": "Places", "items": 2, "labels": ["Oslo", "Turku"]}]
    assert (await desk.get(f"/images/{{id}}/{other['_id']}/uses")).json() == []
    await desk.publish()
    assert (await desk.get(f"/images/{{id}}/{image['_id']}/uses")).json()[0]["labels"] == ["Oslo"]
