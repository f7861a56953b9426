"""Inviting people: the mail, the link, who may follow it, and what makes it dead."""

import asyncio
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select

from livery import worker
from livery.app import Application
from livery.core.context import Context
from livery.projects import jobs
from livery.projects.models import Invitation, Member
from livery.usage.meter import Meter
from livery.workspace import fsck
from tests.factories.accounts import PASSWORD, create_logged_in, create_pending_user, log_in
from tests.factories.projects import Desk, create_project, join, open_desk, put_on_tier
from tests.support.clock import Clock
from tests.support.mails import Mails

NOOR = "noor@example.com"
GONE = "This invitation was withdrawn or declined."


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient, clock: Clock) -> Desk:
    return await open_desk(context, client)


async def invite(desk: Desk, email: str = NOOR, **role: str) -> httpx2.Response:
    return await desk.post("/projects/{id}/members", {"email": email, **role})


async def invited_id(desk: Desk, email: str = NOOR) -> str:
    rows = (await desk.get("/projects/{id}/members")).json()
    return next(row["user"]["_id"] for row in rows if row["user"]["email"] == email)


async def link_to(mails: Mails, email: str = NOOR) -> str:
    return (await mails.last(to=email, kind="invitation")).token


async def accept(person: Desk, token: str) -> httpx2.Response:
    return await person.post(f"/invitations/{token}/accept")


async def look(desk: Desk, token: str) -> httpx2.Response:
    return await desk.client.get(f"/api/invitations/{token}")


async def person_at(context: Context, desk: Desk, email: str = NOOR, name: str = "Noor Aziz") -> Desk:
    return desk.at(await create_logged_in(context, email=email, name=name))


async def sweep(context: Context) -> None:
    """What runs when somebody verified their email, and every ten seconds."""
    await next(work for work in jobs.sweeps(context, Meter()) if work.name == "user_verified").run()


async def verify_by_mail(desk: Desk, mails: Mails) -> None:
    token = (await mails.last(to="pending@example.com", kind="verify")).token
    assert (await desk.client.post(f"/api/auth/verify-email/{token}")).status_code == 200


async def roles(desk: Desk) -> list[tuple[str, str, str]]:
    rows = (await desk.get("/projects/{id}/members")).json()
    return [(row["user"]["email"], row["role"], row["status"]) for row in rows]


async def test_an_invitation_is_a_mail_whose_link_makes_its_reader_a_member(
    context: Context, desk: Desk, mails: Mails
) -> None:
    response = await invite(desk, role="viewer")

    assert response.status_code == 201
    assert response.json()["message"] == "The invitation is on its way."
    assert [row["status"] for row in response.json()["members"]] == ["active", "invited"]
    mail = await mails.last(to=NOOR)
    assert (mail.kind, mail.subject) == ("invitation", "Mara Lindt invites you to Aurora Travel")
    assert mail.link == f"http://testserver/invite/{mail.token}"
    assert "as a viewer" in mail.text
    assert mail.link in mail.html
    assert (await look(desk, mail.token)).json() == {
        "projectName": "Aurora Travel",
        "inviterName": "Mara Lindt",
        "email": NOOR,
        "role": "viewer",
        "expiresAt": "2026-12-04T12:00:00.000Z",
    }
    noor = await person_at(context, desk)
    assert (await noor.get("/projects/{id}")).status_code == 404
    accepted = await accept(noor, mail.token)
    assert (accepted.status_code, accepted.json()) == (200, await noor.project())
    assert accepted.json()["role"] == "viewer"
    assert await roles(desk) == [("mara@example.com", "owner", "active"), (NOOR, "viewer", "active")]
    actions = [(row["action"], row["actor"]) for row in (await desk.get("/activity")).json()]
    assert actions[:2] == [("Joined as viewer", "Noor Aziz"), (f"Invited {NOOR}", "Mara Lindt")]


async def test_the_default_role_is_editor_and_owner_is_refused(desk: Desk) -> None:
    assert (await invite(desk)).json()["members"][-1]["role"] == "editor"
    for role in ("owner", "", "EDITOR"):
        assert (await invite(desk, "other@example.com", role=role)).status_code == 422


async def test_the_answer_is_the_same_whether_or_not_the_email_has_an_account(
    context: Context, desk: Desk, mails: Mails
) -> None:
    await create_logged_in(context, email="known@example.com", name="Known Person")
    await create_pending_user(context, email="pending@example.com")
    emails = ("known@example.com", "pending@example.com", "unknown@example.com")

    answers: list[Any] = []
    letters: list[str] = []
    looks: list[Any] = []
    for email in emails:
        response = await invite(desk, email)
        row = response.json()["members"][-1]
        person = {**row["user"], "_id": "", "email": ""}
        answers.append({**response.json(), "members": {**row, "user": person, "inviteLink": ""}})
        mail = await mails.last(to=email, kind="invitation")
        letters.append(mail.text.replace(mail.token, "").replace(email, ""))
        looks.append({**(await look(desk, mail.token)).json(), "email": ""})

    assert answers[0] == answers[1] == answers[2]
    assert letters[0] == letters[1] == letters[2]
    assert looks[0] == looks[1] == looks[2]


@pytest.mark.parametrize("email", ["", "  ", "\t"])
async def test_an_email_is_required(desk: Desk, email: str) -> None:
    response = await invite(desk, email)

    assert (response.status_code, response.json()["message"]) == (422, "Email is required.")
    assert set(response.json()["fields"]) == {"email"}


HOSTILE = [
    "none", "a@b@c.example", "noor@example.com\r\nBcc: all@example.com", "n\u043eor@example.com", "noor@ex\u0430mple.com",
    "noor@example.com,mara@example.com", "<noor@example.com>", "a" * 65 + "@example.com", "noor\u200b@example.com",
    "noor @example.com", '"noor"@example.com', "noor@example..com", ".noor@example.com",
]  # fmt: skip


async def test_an_invalid_email_gets_no_mail(desk: Desk, mails: Mails) -> None:
    for email in HOSTILE:
        response = await invite(desk, email)
        assert response.status_code == 422, repr(email)
        assert set(response.json()["fields"]) == {"email"}

    assert await mails.sent(kind="invitation") == []


async def test_one_address_is_invited_once_however_it_is_spelt(context: Context, desk: Desk, mails: Mails) -> None:
    await invite(desk, " Noor@Example.COM ")

    for email in (NOOR, "NOOR@EXAMPLE.COM", "noor@example.com\n"):
        response = await invite(desk, email)
        assert (response.status_code, response.json()["code"]) == (409, "invitation_exists"), email
    assert (await invite(desk, "noor+work@example.com")).status_code == 201  # another address
    noor = await person_at(context, desk)
    tagged = await link_to(mails, "noor+work@example.com")
    assert (await accept(noor, tagged)).status_code == 404
    assert (await accept(noor, await link_to(mails))).status_code == 200
    for email in (NOOR, "mara@example.com"):
        response = await invite(desk, email)
        assert (response.status_code, response.json()["code"]) == (409, "member_exists")


async def test_somebody_else_can_not_follow_the_link_and_learns_nothing(
    context: Context, desk: Desk, mails: Mails
) -> None:
    await invite(desk)
    token = await link_to(mails)
    eve = await person_at(context, desk, "eve@example.com")

    foreign, unknown = await accept(eve, token), await accept(eve, "x" * 43)
    await desk.delete(f"/projects/{{id}}/members/{await invited_id(desk)}")
    withdrawn = await accept(eve, token)

    assert (foreign.status_code, foreign.content) == (404, unknown.content)
    assert withdrawn.content == unknown.content
    assert (await look(eve, "x" * 43)).status_code == 404
    assert (await eve.get("/projects/{id}")).status_code == 404


class TestUnverified:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"require_verified_login": False}

    async def test_a_login_with_an_unverified_email_can_not_accept(
        self, context: Context, desk: Desk, mails: Mails
    ) -> None:
        await invite(desk)
        await create_pending_user(context, email=NOOR)
        login = await desk.client.post("/api/auth/login", json={"email": NOOR, "password": PASSWORD})
        headers = {"Authorization": f"Bearer {login.json()['token']}"}

        response = await desk.client.post(f"/api/invitations/{await link_to(mails)}/accept", headers=headers)

        assert (response.status_code, response.json()["code"]) == (403, "email_not_verified")
        assert len(await roles(desk)) == 2


async def test_parallel_acceptances_add_a_single_member(context: Context, desk: Desk, mails: Mails) -> None:
    await invite(desk)
    noor, token = await person_at(context, desk), await link_to(mails)

    answers = await asyncio.gather(*(accept(noor, token) for _ in range(10)))

    assert {answer.status_code for answer in answers} == {200}  # a member who accepts again gets the same answer
    async with context.database.read() as db:
        assert await db.scalar(select(func.count()).select_from(Member)) == 1
    assert [row["action"] for row in (await desk.get("/activity")).json()].count("Joined as editor") == 1


async def test_a_used_link_lets_nobody_in_again(context: Context, desk: Desk, mails: Mails) -> None:
    await invite(desk)
    noor, token = await person_at(context, desk), await link_to(mails)
    await accept(noor, token)
    await desk.delete(f"/projects/{{id}}/members/{noor.person.actor.id}")

    response = await accept(noor, token)

    assert (response.status_code, response.json()["code"]) == (410, "invitation_accepted")
    assert (await look(desk, token)).json()["code"] == "invitation_accepted"
    assert (await noor.get("/projects/{id}")).status_code == 404


async def test_the_dashboard_shows_my_invitations_which_i_accept_or_decline(
    context: Context, desk: Desk, mails: Mails, clock: Clock
) -> None:
    await invite(desk, role="viewer")
    other = Desk(desk.client, desk.person, await create_project(context, desk.person.actor, name="Harbour"))
    await put_on_tier(context, desk.person.actor, other.project_id, "growth")
    clock.advance(minutes=1)
    await invite(other)
    noor, eve = await person_at(context, desk), await person_at(context, desk, "eve@example.com")

    shown = (await noor.get("/user/invitations")).json()["invitations"]
    assert [(row["projectName"], row["inviterName"], row["role"]) for row in shown] == [
        ("Harbour", "Mara Lindt", "editor"),
        ("Aurora Travel", "Mara Lindt", "viewer"),
    ]
    harbour, aurora = (row["_id"] for row in shown)
    assert (await eve.get("/user/invitations")).json() == {"invitations": []}
    for method, path in (("POST", f"/user/invitations/{aurora}/accept"), ("DELETE", f"/user/invitations/{aurora}")):
        assert (await eve.send(method, path, None)).status_code == 404

    declined = await noor.delete(f"/user/invitations/{harbour}")
    accepted = await noor.post(f"/user/invitations/{aurora}/accept")

    assert (declined.status_code, declined.json()) == (200, {"message": "The invitation was declined."})
    assert (accepted.status_code, accepted.json()["role"]) == (200, "viewer")
    assert (await noor.post(f"/user/invitations/{aurora}/accept")).status_code == 200
    assert (await noor.get("/user/invitations")).json() == {"invitations": []}
    for again in (await noor.delete(f"/user/invitations/{harbour}"), await accept(noor, await link_to(mails))):
        assert (again.status_code, again.json()) == (410, {"message": GONE, "code": "invitation_withdrawn"})
    assert (await other.project())["seatsTaken"] == 1
    newest = [(row["action"], row["actor"]) for row in (await desk.get("/activity")).json()[:2]]
    assert newest == [("Joined as viewer", "Noor Aziz"), ("Declined the invitation", "Noor Aziz")]


async def test_only_invitations_that_can_be_accepted_are_shown_to_me(
    context: Context, desk: Desk, clock: Clock
) -> None:
    admin = await join(context, desk, "admin")
    await invite(admin)
    noor = await person_at(context, desk)

    async def shown() -> int:
        return len((await noor.get("/user/invitations")).json()["invitations"])

    assert await shown() == 1
    await desk.put(f"/projects/{{id}}/members/{admin.person.actor.id}", {"role": "editor"})
    assert await shown() == 0
    await desk.post(f"/projects/{{id}}/members/{await invited_id(desk)}/resend")
    assert await shown() == 1
    clock.advance(days=14)
    assert await shown() == 0


async def test_admins_can_copy_the_link_of_a_waiting_invitation(
    context: Context, desk: Desk, mails: Mails, clock: Clock
) -> None:
    admin, editor = await join(context, desk, "admin"), await join(context, desk, "editor")
    answered = (await invite(desk)).json()["members"]

    async def link(reader: Desk) -> str | None:
        return (await reader.get("/projects/{id}/members")).json()[-1]["inviteLink"]

    mailed = (await mails.last(to=NOOR)).link
    assert [row["inviteLink"] for row in answered] == [None, None, None, mailed]
    assert [await link(reader) for reader in (desk, admin, editor)] == [mailed, mailed, None]
    await desk.post(f"/projects/{{id}}/members/{await invited_id(desk)}/resend")
    resent = (await mails.last(to=NOOR)).link
    assert resent != mailed
    assert await link(desk) == resent
    clock.advance(days=14)
    assert await link(desk) is None


async def test_a_withdrawn_invitation_is_dead_and_its_seat_is_free(context: Context, desk: Desk, mails: Mails) -> None:
    await invite(desk)
    token, noor = await link_to(mails), await person_at(context, desk)

    response = await desk.delete(f"/projects/{{id}}/members/{await invited_id(desk)}")

    assert [row["status"] for row in response.json()["members"]] == ["active"]
    assert (await desk.project())["seatsTaken"] == 1
    dead = await accept(noor, token)
    assert (dead.status_code, dead.json()) == (410, {"message": GONE, "code": "invitation_withdrawn"})
    assert (await look(desk, token)).status_code == 410
    assert (await invite(desk)).status_code == 201


async def test_an_invitation_sent_again_has_a_new_link_and_the_old_link_is_invalid(
    context: Context, desk: Desk, mails: Mails, clock: Clock
) -> None:
    await invite(desk)
    old, invitation_id = await link_to(mails), await invited_id(desk)
    clock.advance(days=13)

    response = await desk.post(f"/projects/{{id}}/members/{invitation_id}/resend")

    assert (response.status_code, response.json()) == (200, {"message": "The invitation is on its way again."})
    new = await link_to(mails)
    assert await invited_id(desk) == invitation_id
    noor = await person_at(context, desk)
    assert (await accept(noor, old)).json()["code"] == "invitation_replaced"
    clock.advance(days=13)
    noor = noor.at(await log_in(context, noor.person.actor))
    assert (await accept(noor, new)).status_code == 200


async def test_an_invitation_expires_after_14_days_and_frees_its_seat(
    context: Context, desk: Desk, mails: Mails, clock: Clock
) -> None:
    await invite(desk)
    token, noor, invitation_id = await link_to(mails), await person_at(context, desk), await invited_id(desk)
    clock.advance(days=14)

    expired = await accept(noor, token)

    assert (expired.status_code, expired.json()["code"]) == (410, "invitation_expired")
    assert (await desk.project())["seatsTaken"] == 1
    assert (await roles(desk))[-1] == (NOOR, "editor", "invited")  # seen, to be sent again
    assert (await desk.post(f"/projects/{{id}}/members/{invitation_id}/resend")).status_code == 200
    assert (await accept(noor, await link_to(mails))).status_code == 200


async def test_after_an_expired_invitation_the_address_can_be_invited_again(
    desk: Desk, mails: Mails, clock: Clock
) -> None:
    await invite(desk, role="admin")
    old = await link_to(mails)
    clock.advance(days=15)

    assert (await invite(desk, role="viewer")).status_code == 201

    assert [row for row in await roles(desk) if row[0] == NOOR] == [(NOOR, "viewer", "invited")]
    assert (await look(desk, old)).json()["code"] == "invitation_expired"
    assert (await look(desk, await link_to(mails))).json()["role"] == "viewer"


async def test_the_role_of_an_invitation_can_be_changed(context: Context, desk: Desk, mails: Mails) -> None:
    await invite(desk, role="admin")

    await desk.put(f"/projects/{{id}}/members/{await invited_id(desk)}", {"role": "viewer"})

    noor = await person_at(context, desk)
    assert (await accept(noor, await link_to(mails))).json()["role"] == "viewer"


async def test_an_invitation_is_worth_what_its_sender_may_do_when_it_is_accepted(
    context: Context, desk: Desk, mails: Mails
) -> None:
    admin = await join(context, desk, "admin")
    await invite(admin, role="admin")
    noor, token = await person_at(context, desk), await link_to(mails)
    await desk.put(f"/projects/{{id}}/members/{admin.person.actor.id}", {"role": "editor"})

    void = await accept(noor, token)
    await sweep(context)

    assert (void.status_code, void.json()["code"]) == (410, "invitation_void")
    assert (await look(desk, token)).json()["code"] == "invitation_void"
    assert (await noor.get("/projects/{id}")).status_code == 404
    await desk.post(f"/projects/{{id}}/members/{await invited_id(desk)}/resend")
    assert (await accept(noor, await link_to(mails))).json()["role"] == "admin"


async def test_without_a_plan_and_without_a_seat_nobody_is_invited(
    context: Context, client: httpx2.AsyncClient, clock: Clock, mails: Mails
) -> None:
    desk = await open_desk(context, client, tier="none")

    no_plan = await invite(desk)
    await put_on_tier(context, desk.person.actor, desk.project_id, "starter")
    one_seat = await invite(desk)
    await put_on_tier(context, desk.person.actor, desk.project_id, "growth")
    answers = [await invite(desk, f"person{number}@example.com") for number in range(3)]

    assert (no_plan.status_code, no_plan.json()["message"]) == (
        403,
        "Activate a plan for this project to manage members.",
    )
    for full in (one_seat, answers[2]):
        assert full.status_code == 403
        assert full.json() == {
            "message": "You've reached the user seat limit for your current tier",
            "code": "seat_limit",
        }
    assert [answer.status_code for answer in answers] == [201, 201, 403]
    assert len(await mails.sent()) == 2


async def test_a_smaller_tier_keeps_those_who_are_invited_out_until_there_is_room(
    context: Context, desk: Desk, mails: Mails
) -> None:
    await invite(desk)
    noor, token = await person_at(context, desk), await link_to(mails)
    await put_on_tier(context, desk.person.actor, desk.project_id, "starter")

    full = await accept(noor, token)
    await put_on_tier(context, desk.person.actor, desk.project_id, "growth")

    assert (full.status_code, full.json()["code"]) == (403, "seat_limit")
    assert (await accept(noor, token)).status_code == 200


class TestBillingOff:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"billing": "off", "rate_limits": "off"}

    async def test_with_billing_off_seats_are_unlimited_but_mails_are_twenty_a_day(
        self, desk: Desk, mails: Mails, clock: Clock
    ) -> None:
        answers = [await invite(desk, f"person{number}@example.com") for number in range(18)]
        invitation_id = await invited_id(desk, "person0@example.com")
        again: list[int] = []
        for _ in range(3):
            clock.advance(seconds=1)  # files of mails are named by their time
            again.append((await desk.post(f"/projects/{{id}}/members/{invitation_id}/resend")).status_code)
        refused = await invite(desk, "another@example.com")

        assert {answer.status_code for answer in answers} == {201}
        assert again == [200, 200, 429]
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_invitations")
        assert int(refused.headers["retry-after"]) == 24 * 60 * 60 - 3
        assert len(await mails.sent(kind="invitation")) == 20
        clock.advance(days=1)
        assert (await invite(desk, "another@example.com")).status_code == 201


async def test_one_address_gets_five_such_mails_an_hour_from_whatever_project(
    context: Context, desk: Desk, mails: Mails, clock: Clock
) -> None:
    answers: list[int] = []
    for number in range(6):
        clock.advance(seconds=1)
        project_id = await create_project(context, desk.person.actor, name=f"P{number}")
        response = await desk.post(f"/projects/{project_id}/members", {"email": NOOR})
        answers.append(response.status_code)

    assert answers == [201] * 5 + [429]
    assert len(await mails.sent(to=NOOR)) == 5
    await create_logged_in(context, email=NOOR)
    await desk.client.post("/api/auth/forgot-password", json={"email": NOOR})
    assert (await mails.last(to=NOOR)).kind == "reset"  # which has its own share


async def test_links_are_not_guessed_from_one_address(desk: Desk) -> None:
    answers = [(await look(desk, "x" * 43)).status_code for _ in range(61)]

    assert answers == [404] * 60 + [429]


async def test_a_person_who_registers_and_verifies_is_a_member_of_the_projects_that_invited_them(
    context: Context, desk: Desk, mails: Mails, clock: Clock
) -> None:
    heard: list[str] = []
    context.bus.subscribe(lambda topic, _: heard.append(topic))
    await invite(desk, "pending@example.com", role="viewer")
    second = await create_project(context, desk.person.actor, name="Second")
    clock.advance(seconds=1)
    await desk.post(f"/projects/{second}/members", {"email": "pending@example.com", "role": "admin"})
    clock.advance(seconds=1)
    await create_pending_user(context)
    await sweep(context)
    assert [row[2] for row in await roles(desk)] == ["active", "invited"]

    verify = (await mails.last(to="pending@example.com", kind="verify")).token
    await desk.client.post(f"/api/auth/verify-email/{verify}")

    assert "user_verified" in [work.name for work in jobs.sweeps(context, Meter())]
    assert "user_verified" in heard  # wakes the sweep
    await sweep(context)
    await sweep(context)
    assert await roles(desk) == [("mara@example.com", "owner", "active"), ("pending@example.com", "viewer", "active")]
    login = await desk.client.post("/api/auth/login", json={"email": "pending@example.com", "password": PASSWORD})
    headers = {"Authorization": f"Bearer {login.json()['token']}"}
    listed = (await desk.client.get("/api/projects", headers=headers)).json()
    assert {(row["name"], row["role"]) for row in listed} == {("Aurora Travel", "viewer"), ("Second", "admin")}
    token = next(mail.token for mail in await mails.sent(kind="invitation") if "a viewer" in mail.text)
    again = await desk.client.post(f"/api/invitations/{token}/accept", headers=headers)
    assert (again.status_code, again.json()["role"]) == (200, "viewer")


async def test_a_verification_joins_nobody_where_it_may_not(
    context: Context, desk: Desk, mails: Mails, clock: Clock
) -> None:
    admin = await join(context, desk, "admin")
    others = [await create_project(context, desk.person.actor, name=name) for name in ("Full", "Deleted", "Late")]
    await invite(admin, "pending@example.com")
    for project_id in others:
        await desk.post(f"/projects/{project_id}/members", {"email": "pending@example.com"})
    await put_on_tier(context, desk.person.actor, others[0], "starter")
    await desk.delete(f"/projects/{others[1]}")
    await desk.delete(f"/projects/{{id}}/members/{admin.person.actor.id}")
    await create_pending_user(context)
    await verify_by_mail(desk, mails)

    await sweep(context)
    async with context.database.read() as db:
        joined = (await db.scalars(select(Member.project_id))).all()
        waiting = (await db.scalars(select(Invitation).where(Invitation.ended_at.is_(None)))).all()
        assert await fsck.check_all(db) == []

    assert joined == [others[2]]
    assert len(waiting) == 3


async def test_an_account_that_was_there_before_joins_by_the_link_alone(
    context: Context, desk: Desk, mails: Mails, clock: Clock
) -> None:
    noor = await person_at(context, desk)
    clock.advance(seconds=1)
    await invite(desk)

    await sweep(context)

    assert (await noor.get("/projects/{id}")).status_code == 404
    assert (await accept(noor, await link_to(mails))).status_code == 200


async def test_the_database_holds_no_link(context: Context, desk: Desk, mails: Mails) -> None:
    await invite(desk)
    token = await link_to(mails)

    async with context.database.read() as db:
        (row,) = (await db.scalars(select(Invitation))).all()

    assert token not in {str(value) for value in vars(row).values()}


async def test_a_running_server_joins_whoever_verifies_without_being_asked(
    app: Application, context: Context, desk: Desk, mails: Mails
) -> None:
    await invite(desk, "pending@example.com")
    await create_pending_user(context)
    token = (await mails.last(kind="verify")).token
    sweeper = worker.sweeper(
        context,
        meter=app.meter,
        key_uses=app.key_uses,
        failed_logins=app.failed_logins,
        page_views=app.page_views,
        forwarder=app.forwarder,
    )
    context.bus.subscribe(sweeper.wake)
    running = asyncio.create_task(sweeper.run())
    try:
        assert (await desk.client.post(f"/api/auth/verify-email/{token}")).status_code == 200
        async with asyncio.timeout(jobs.LOOK_SECONDS):
            while (await roles(desk))[-1] != ("pending@example.com", "editor", "active"):
                await asyncio.sleep(0.01)  # nothing informs a test that background work is done
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
