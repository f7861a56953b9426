"""An open stream ends with the right that it was opened with, soon and without a word about what came after."""

import pytest

from livery.core.context import Context
from tests.factories.accounts import PASSWORD, log_in
from tests.factories.projects import Desk, join
from tests.live.conftest import Watch, expect_end, next_change


@pytest.mark.spec("live-8")
async def test_with_membership(mara: Desk, editor: Desk, watch: Watch) -> None:
    async with watch(editor) as stream:
        await stream.expect("hello")

        assert (await mara.delete(f"/projects/{{id}}/members/{editor.person.actor.id}")).is_success
        await mara.text("afterwards", {"en": "x"})
        events = await expect_end(stream)

    assert events[-1].name == "bye"
    assert "afterwards" not in str(events)


@pytest.mark.parametrize("check_seconds", [3600.0])
async def test_at_once_with_membership_however_rarely_rights_are_looked_at(
    mara: Desk, editor: Desk, watch: Watch
) -> None:
    async with watch(editor) as stream:
        await stream.expect("hello")
        assert (await mara.delete(f"/projects/{{id}}/members/{editor.person.actor.id}")).is_success
        events = await expect_end(stream)

    assert events[-1].name == "bye"


@pytest.mark.spec("live-8")
async def test_with_the_project(mara: Desk, editor: Desk, watch: Watch) -> None:
    async with watch(editor) as stream:
        await stream.expect("hello")

        assert (await mara.delete("/projects/{id}")).is_success

        assert (await expect_end(stream))[-1].name == "bye"


async def test_with_the_session_and_no_other_of_the_same_person(mara: Desk, watch: Watch, context: Context) -> None:
    elsewhere = mara.at(await log_in(context, mara.person.actor))
    async with watch(mara) as stream, watch(elsewhere) as other:
        await stream.expect("hello")
        await other.expect("hello")

        assert (await mara.post("/auth/logout")).is_success
        await expect_end(stream)

        await elsewhere.text("still_here", {"en": "x"})
        while "still_here" not in str((await next_change(other)).data):
            pass


@pytest.mark.spec("live-8")
@pytest.mark.parametrize("operation", ["revoked", "password", "closed"])
async def test_with_a_session_that_is_ended_from_elsewhere(
    mara: Desk, watch: Watch, context: Context, operation: str
) -> None:
    editor = await join(context, mara, "editor")
    elsewhere = editor.at(await log_in(context, editor.person.actor))
    async with watch(editor) as stream:
        await stream.expect("hello")

        if operation == "revoked":
            sessions = (await elsewhere.get("/user/sessions")).json()["sessions"]
            mine = next(session["_id"] for session in sessions if not session["current"])
            answer = await elsewhere.delete(f"/user/sessions/{mine}")
        elif operation == "password":
            body = {"oldPassword": PASSWORD, "newPassword": "a short and noisy brook"}
            answer = await elsewhere.put("/user/password", body)
        else:
            answer = await elsewhere.send("DELETE", "/user/me", {"password": PASSWORD})
        assert answer.is_success, answer.text

        await expect_end(stream)


async def test_not_with_a_lower_role_and_an_event_reports_the_role(mara: Desk, editor: Desk, watch: Watch) -> None:
    async with watch(editor) as stream:
        await stream.expect("hello")

        role = await mara.put(f"/projects/{{id}}/members/{editor.person.actor.id}", {"role": "viewer"})
        assert role.is_success
        while "members" not in (event := await next_change(stream)).data:
            pass
        await mara.text("title", {"en": "x"})
        while "screens" not in (later := await next_change(stream)).data:
            pass

    assert event.data["project"] is True
    assert later.data["screens"] == {"general": {"title": 1}}
