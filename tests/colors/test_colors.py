"""Colours: making, changing, renaming and deleting them."""

import httpx2
import pytest

from livery.core import limits
from livery.core.context import Context
from livery.workspace import fsck
from tests.factories.projects import Desk, join, open_desk

INVALID_KEY = "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."
INVALID_VALUE = "Invalid color hex value. Please use format like #RRGGBB."


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client)


async def add(desk: Desk, key: str, value: str = "#c8371c", **more: object) -> httpx2.Response:
    return await desk.post("/colors/{id}", {"key": key, "value": value, **more})


async def change(desk: Desk, color: str, /, **fields: object) -> httpx2.Response:
    return await desk.put(f"/colors/{{id}}/{color}", fields)


async def colors(desk: Desk) -> dict[str, str]:
    return {color["key"]: color["value"] for color in (await desk.get("/colors/{id}")).json()["colors"]}


async def changes(desk: Desk) -> list[tuple[str, str, str, str]]:
    return [(color["key"], color["change"], color["old"], color["new"]) for color in (await desk.diff())["colors"]]


@pytest.mark.spec("color-1")
async def test_a_color_is_kept_in_lower_case_with_its_nickname(desk: Desk) -> None:
    response = await add(desk, " brand.primary-1 ", "#C8371C", nickname=" Vermilion ")

    assert response.status_code == 201
    record = response.json()
    assert (
        record | {"key": "brand.primary-1", "value": "#c8371c", "nickname": "Vermilion", "revision": 1, "state": "new"}
        == record
    )
    assert (await desk.get("/colors/{id}")).json() == {"colors": [record]}


async def test_a_project_has_at_most_as_many_colors_as_its_limit(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COLORS", 2)
    for key in ("one", "two"):
        await desk.post("/colors/{id}", {"key": key})

    refused = await desk.post("/colors/{id}", {"key": "three"})

    assert (refused.status_code, refused.json()["code"]) == (403, "color_limit")
    assert refused.json()["message"] == "A project can have at most 2 colours."
    await desk.delete("/colors/{id}/one")
    assert (await desk.post("/colors/{id}", {"key": "three"})).status_code == 201


@pytest.mark.spec("color-3")
async def test_a_color_without_a_value_is_black(desk: Desk) -> None:
    assert (await desk.post("/colors/{id}", {"key": "ink"})).json()["value"] == "#000000"


BAD_KEYS = ["1st", ".a", "-a", "a b", "a/b", "größe", "a\nb", "a" * 129, "\u0661", "a\u200b", "../x", "a!"]


@pytest.mark.spec("color-4")
async def test_a_bad_key_is_refused_when_making_and_renaming(desk: Desk) -> None:
    await add(desk, "primary")

    for key in ("", "  ", *BAD_KEYS):
        message = INVALID_KEY if key.strip() else "Color key cannot be empty."
        for response in (await add(desk, key), await change(desk, "primary", key=key)):
            assert (response.status_code, response.json()["message"]) == (422, message), repr(key)
            assert response.json()["fields"] == {"key": message}
    assert await colors(desk) == {"primary": "#c8371c"}


HOSTILE_VALUES = [
    "", "#", "#fff", "#ffff", "#fffff", "#fffffff", "#ffffffff", "ffffff", "fffffff", "#ffffff\n", "\n#ffffff", " #ffffff", "#ffffff ",
    "#gggggg", "#ff ff f", "#-fffff", "#+fffff", "#0xffff", "#ff_fff", "#fffff\u0660", "#\u0661\u0661\u0661\u0661\u0661\u0661",
    "#\uff46\uff46\uff46\uff46\uff46\uff46", "#\u0430\u0430\u0430\u0430\u0430\u0430", "\uff03ffffff", "##fffff", "#fffff#", "red",
    "transparent", "rgb(0,0,0)", "hsl(0 0% 0%)", "var(--x)", "url(//x)", "expression()", "#fff;}", "#ffffff;", "</style>", "#ff/**/f",
    "#fffff\\", "#ffff\\f", "#FFFFF\u0130", "#fffff\u200b", "\u202e#ffffff", "#ffffff\u0085", "#ffffff\u2028", "#ffffff\r", "#ffffff\t",
    "\ufeff#ffffff", "#fffffé", "#fffff\u0301", "#\uff26\uff26\uff26\uff26\uff26\uff26", "#12345", "#1234567", "0x123456", "#12 456",
    "'#ffffff'", '"#ffffff"', "#ffffff#000000", "#ffffff,#000000", "null", "NaN", "#" + "f" * 49, "🟥", "#🟥🟥🟥🟥🟥🟥",
]  # fmt: skip


async def test_only_six_hex_digits_after_a_hash_are_a_value(desk: Desk) -> None:
    await add(desk, "primary")
    assert len(HOSTILE_VALUES) >= 60

    for value in HOSTILE_VALUES:
        for response in (await add(desk, "other", value), await change(desk, "primary", value=value)):
            assert (response.status_code, response.json()["message"]) == (422, INVALID_VALUE), repr(value)
            assert response.json()["fields"] == {"value": INVALID_VALUE}
    assert await colors(desk) == {"primary": "#c8371c"}


async def test_a_key_is_given_once_and_the_message_names_it(desk: Desk) -> None:
    await add(desk, "primary")
    await add(desk, "accent")

    for response in (await add(desk, "primary"), await change(desk, "accent", key="primary")):
        assert response.status_code == 409
        assert response.json()["message"] == 'Color key "primary" already exists.'
    assert set(await colors(desk)) == {"primary", "accent"}


async def test_a_change_leaves_out_what_it_does_not_name(desk: Desk) -> None:
    await add(desk, "primary", nickname="Vermilion")

    record = (await change(desk, "primary", value="#000001")).json()

    assert (record["value"], record["nickname"], record["revision"]) == ("#000001", "Vermilion", 2)
    assert (await change(desk, "primary", nickname="")).json()["nickname"] == ""


async def test_a_change_that_changes_nothing_keeps_the_revision(desk: Desk) -> None:
    record = (await add(desk, "primary", nickname="Vermilion")).json()

    same = await change(desk, "primary", key="primary", value="#C8371C", nickname="Vermilion", revision=1)

    assert same.json() == record


async def test_a_stale_revision_gets_the_current_record_and_its_editor(context: Context, desk: Desk) -> None:
    await add(desk, "primary")
    theirs = (await change(await join(context, desk, "editor"), "primary", value="#111111", revision=1)).json()

    mine = await change(desk, "primary", value="#222222", revision=1)

    assert mine.status_code == 409
    assert mine.json()["code"] == "stale_revision"
    assert (mine.json()["current"], mine.json()["by"]) == (theirs, "Editor")
    assert await colors(desk) == {"primary": "#111111"}


async def test_a_stale_edit_of_a_deleted_color_cannot_change_the_new_color_of_its_key(desk: Desk) -> None:
    first = (await add(desk, "primary")).json()
    await desk.delete("/colors/{id}/primary")
    await add(desk, "primary", "#445566")

    late = await change(desk, "primary", value="#222222", revision=first["revision"])

    assert (late.status_code, late.json()["code"]) == (409, "stale_revision")
    assert await colors(desk) == {"primary": "#445566"}


async def test_a_missing_color_is_404(desk: Desk) -> None:
    for response in (await change(desk, "nope", value="#000000"), await desk.delete("/colors/{id}/nope")):
        assert response.status_code == 404
        assert response.json()["code"] == "color_not_found"


async def test_a_deleted_color_stays_in_apps_until_the_next_publish(desk: Desk) -> None:
    await add(desk, "primary")
    await add(desk, "accent", "#112233")
    await desk.publish()

    assert (await desk.delete("/colors/{id}/primary")).json() == {"message": "Colour deleted."}

    assert await changes(desk) == [("primary", "removed", "#c8371c", "")]
    assert await colors(desk) == {"accent": "#112233"}
    assert (await desk.content("en"))["colors"] == {"accent": "#112233", "primary": "#c8371c"}
    await desk.publish()
    assert (await desk.content("en"))["colors"] == {"accent": "#112233"}
    assert (await desk.delete("/colors/{id}/primary")).status_code == 404


async def test_a_color_deleted_and_made_again_is_no_change(desk: Desk) -> None:
    await add(desk, "primary", nickname="Vermilion")
    await desk.publish()

    await desk.delete("/colors/{id}/primary")
    record = (await add(desk, "primary", nickname="Vermilion")).json()

    assert record["state"] == "published"
    assert await changes(desk) == []
    await desk.delete("/colors/{id}/primary")
    await add(desk, "primary", "#000000")
    assert await changes(desk) == [("primary", "changed", "#c8371c", "#000000")]


async def test_a_renamed_color_is_one_removed_and_one_added_and_back_is_no_change(desk: Desk) -> None:
    await add(desk, "primary", nickname="Vermilion")
    await desk.publish()

    renamed = (await change(desk, "primary", key="brand", value="#000001")).json()

    assert (renamed["key"], renamed["value"], renamed["nickname"]) == ("brand", "#000001", "Vermilion")
    assert await changes(desk) == [("brand", "added", "", "#000001"), ("primary", "removed", "#c8371c", "")]
    assert renamed["renamedFrom"] == "primary"
    names = [(color["renamedFrom"], color["renamedTo"]) for color in (await desk.diff())["colors"]]
    assert names == [("primary", None), (None, "brand")]
    back = (await change(desk, "brand", key="primary", value="#c8371c")).json()
    assert back["renamedFrom"] is None
    assert await changes(desk) == []
    assert (await desk.project())["unpublished"]["total"] == 0
    await change(desk, "primary", key="brand")
    await desk.publish()
    (color,) = (await desk.get("/colors/{id}")).json()["colors"]
    assert color["renamedFrom"] is None
    assert (await desk.content("en"))["colors"] == {"brand": "#c8371c"}
    assert await colors(desk) == {"brand": "#c8371c"}


async def test_a_color_with_the_key_and_value_of_a_removed_color_is_renamed_until_the_publish(
    context: Context, desk: Desk
) -> None:
    await add(desk, "primary", "#000000")
    await add(desk, "brand", "#000000")
    await desk.publish()
    await desk.delete("/colors/{id}/brand")

    renamed = (await change(desk, "primary", key="brand")).json()
    await desk.publish()

    assert (renamed["state"], renamed["renamedFrom"]) == ("published", "primary")
    (color,) = (await desk.get("/colors/{id}")).json()["colors"]
    assert (color["key"], color["renamedFrom"]) == ("brand", None)
    async with context.database.read() as db:
        assert await fsck.check_all(db) == []


async def test_a_viewer_reads_and_does_not_write(context: Context, desk: Desk) -> None:
    await add(desk, "primary")
    viewer = await join(context, desk, "viewer")

    assert await colors(viewer) == {"primary": "#c8371c"}
    for response in (
        await add(viewer, "other"),
        await change(viewer, "primary", value="#000000"),
        await viewer.delete("/colors/{id}/primary"),
    ):
        assert response.status_code == 403
    assert await colors(desk) == {"primary": "#c8371c"}
