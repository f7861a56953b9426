"""Keys, and what the database holds of secrets: nothing that can be used."""

import asyncio

import pytest
from httpx2 import AsyncClient
from sqlalchemy import select

from livery.accounts import passwords, queries
from livery.core.context import Context
from livery.core.db import Base
from livery.core.security import digest
from tests.factories.accounts import PASSWORD, create_logged_in
from tests.support.mails import Mails, token_in


async def read_key(client: AsyncClient, headers: dict[str, str]) -> str:
    answer = await client.get("/api/user/apikey", headers=headers)
    assert answer.status_code == 200
    return answer.json()["apikey"]


@pytest.mark.spec("settings-8")
async def test_the_key_is_made_on_first_ask_and_stays(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)

    keys = set(await asyncio.gather(*(read_key(client, person.headers) for _ in range(10))))

    assert len(keys) == 1
    key = keys.pop()
    assert key.startswith("lvk_")
    assert len(key) == 44
    async with context.database.read() as db:
        found = await queries.find_api_key(db, digest(key))
        assert found
        assert found.user_id == person.actor.id
        assert await queries.find_api_key(db, digest("lvk_unknown")) is None


async def test_the_key_is_no_session_and_a_stranger_gets_no_key(client: AsyncClient, context: Context) -> None:
    person = await create_logged_in(context)
    key = await read_key(client, person.headers)

    assert (await client.get("/api/user/apikey")).status_code == 401
    assert (await client.get("/api/user/me", headers={"Authorization": f"Bearer {key}"})).status_code == 401


async def test_the_database_holds_no_usable_secret(client: AsyncClient, context: Context, mails: Mails) -> None:
    person = await create_logged_in(context)
    key = await read_key(client, person.headers)
    await client.post("/api/auth/register", json={"name": "Noor", "email": "noor@example.com", "password": PASSWORD})
    await client.post("/api/auth/forgot-password", json={"email": "mara@example.com"})
    before_sending = await _dump(context)
    sign_up, reset = await mails.last(kind="verify"), await mails.last(kind="reset")
    secrets = [PASSWORD, person.token, key, sign_up.token, token_in(sign_up.links[1]), reset.token]

    dump = before_sending + await _dump(context)

    assert digest(person.token) in dump
    assert [secret for secret in secrets if secret in dump] == []


async def _dump(context: Context) -> str:
    async with context.database.read() as db:
        return "".join([repr((await db.execute(select(table))).all()) for table in Base.metadata.sorted_tables])


async def test_a_password_is_hashed_with_the_second_parameters_that_rfc_9106_recommends() -> None:
    passwords.use(None)

    assert (await passwords.hash_password(PASSWORD)).startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_an_unknown_email_costs_the_same_hash_as_a_known_email() -> None:
    passwords.use(None)

    assert not passwords.needs_rehash(passwords.DUMMY_HASH)


async def test_people_are_found_by_id_and_by_email(context: Context) -> None:
    mara = (await create_logged_in(context)).actor
    noor = (await create_logged_in(context, email="noor@example.com", name="Noor Aziz")).actor

    async with context.database.read() as db:
        assert await queries.find_user(db, mara.id) == mara
        assert await queries.find_user(db, "usr_nobody") is None
        assert await queries.find_users(db, [mara.id, noor.id, "usr_nobody"]) == {mara.id: mara, noor.id: noor}
        assert await queries.find_users(db, []) == {}
        assert await queries.find_user_by_email(db, "noor@example.com") == noor
