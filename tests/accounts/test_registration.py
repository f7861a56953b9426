"""Servers that admit only invited people, or nobody, to create an account."""

import asyncio
from pathlib import Path

import httpx2
import pytest

from livery.core.context import Context
from tests.factories.accounts import PASSWORD
from tests.factories.projects import Desk, open_desk
from tests.support.mails import Mails
from tests.support.server_process import run_command, server_environment

SIGN_UP = {"name": "Noor Aziz", "email": "noor@example.com", "password": PASSWORD}
WELCOME = "Account created successfully! Please check your email to verify."
INVITED_ONLY = "Only invited people can create an account on this server. Open the link in your invitation."
NOBODY = "Nobody can create an account on this server. Ask its operator for an account."


async def invite(context: Context, client: httpx2.AsyncClient, mails: Mails) -> tuple[Desk, str]:
    """Invites Noor, and returns the inviter with the token of the invitation."""
    desk = await open_desk(context, client)
    assert (await desk.post("/projects/{id}/members", {"email": "noor@example.com"})).status_code == 201
    return desk, (await mails.last(to="noor@example.com", kind="invitation")).token


class TestForInvitedPeople:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"registration": "invitation"}

    async def test_an_invited_person_signs_up_by_the_link_and_joins(
        self, context: Context, client: httpx2.AsyncClient, mails: Mails
    ) -> None:
        _, token = await invite(context, client, mails)

        answer = await client.post(f"/api/invitations/{token}/register", json={**SIGN_UP, "email": "Noor@Example.com"})

        assert (answer.status_code, answer.json()["message"]) == (201, WELCOME)
        verify = (await mails.last(to="noor@example.com", kind="verify")).token
        assert (await client.post(f"/api/auth/verify-email/{verify}")).status_code == 200
        login = await client.post("/api/auth/login", json={"email": SIGN_UP["email"], "password": PASSWORD})
        assert login.status_code == 200

    async def test_others_are_refused_with_the_reason(
        self, context: Context, client: httpx2.AsyncClient, mails: Mails
    ) -> None:
        desk, token = await invite(context, client, mails)

        plain = await client.post("/api/auth/register", json=SIGN_UP)
        other = await client.post(f"/api/invitations/{token}/register", json={**SIGN_UP, "email": "eve@example.com"})
        guessed = await client.post("/api/invitations/guessed/register", json=SIGN_UP)
        invited = next(row for row in (await desk.get("/projects/{id}/members")).json() if row["status"] == "invited")
        await desk.delete("/projects/{id}/members/" + invited["user"]["_id"])
        withdrawn = await client.post(f"/api/invitations/{token}/register", json=SIGN_UP)

        assert (plain.status_code, plain.json()["code"]) == (403, "registration_closed")
        assert plain.json()["message"] == INVITED_ONLY
        assert (other.status_code, other.json()["fields"]) == (
            422,
            {"email": "The invitation is for noor@example.com."},
        )
        assert (guessed.status_code, withdrawn.status_code) == (404, 410)
        assert (await client.get("/api/auth/sso")).json() == {"name": None, "registration": "invitation"}


class TestForNobody:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, object]:
        return {"registration": "closed"}

    async def test_not_even_an_invited_person_signs_up(
        self, context: Context, client: httpx2.AsyncClient, mails: Mails
    ) -> None:
        _, token = await invite(context, client, mails)

        for path in ("/api/auth/register", f"/api/invitations/{token}/register"):
            answer = await client.post(path, json=SIGN_UP)
            assert (answer.status_code, answer.json()["message"]) == (403, NOBODY)


async def test_the_operator_creates_an_account_whose_link_sets_the_password(
    context: Context, client: httpx2.AsyncClient, tmp_path: Path
) -> None:
    url = context.database.url.replace("+aiosqlite", "").replace("+psycopg", "")
    environment = server_environment(tmp_path, url, registration="closed")
    command = ("admin", "users", "create", "noor@example.com", "--name", "Noor Aziz")

    created = await asyncio.to_thread(run_command, environment, *command)
    again = await asyncio.to_thread(run_command, environment, *command)

    token = created.stdout.split()[-1].partition("/reset-password/")[2]
    answer = await client.post(f"/api/auth/reset-password/{token}", json={"password": PASSWORD})
    login = await client.post("/api/auth/login", json={"email": "noor@example.com", "password": PASSWORD})

    assert (answer.status_code, login.status_code) == (200, 200)
    assert (again.returncode, "There is an account with this email already." in again.stderr) == (1, True)
