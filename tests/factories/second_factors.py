"""Gives people second factors, over HTTP as their dashboard does."""

from datetime import datetime
from typing import Any

from httpx2 import AsyncClient, Response
from pyotp.totp import TOTP

from tests.factories.accounts import PASSWORD, LoggedIn
from tests.support.authenticator import Authenticator

FACTORS = "/api/user/second-factors"


def code_at(secret: str, moment: datetime, *, steps: int = 0) -> str:
    """What an app with this secret shows at this moment, or so many steps later."""
    return TOTP(secret).at(moment, counter_offset=steps)


async def change(
    client: AsyncClient, person: LoggedIn, method: str, path: str, *, password: str = PASSWORD, **more: object
) -> Response:
    """One protected change of the second factors, with the password."""
    body = {"password": password, **more}
    return await client.request(method, f"{FACTORS}{path}", headers=person.headers, json=body)


async def set_up_totp(client: AsyncClient, person: LoggedIn, moment: datetime) -> tuple[str, list[str]]:
    """Turns an app on at this moment. Returns its secret and the recovery codes, empty if the person had some."""
    setup = await change(client, person, "POST", "/totp")
    assert setup.status_code == 201, setup.text
    secret = setup.json()["secret"]
    body = {"code": code_at(secret, moment)}
    confirmed = await client.post(f"{FACTORS}/totp/confirm", headers=person.headers, json=body)
    assert confirmed.status_code == 200, confirmed.text
    return secret, confirmed.json()["recoveryCodes"] or []


async def begin_passkey(client: AsyncClient, person: LoggedIn) -> dict[str, Any]:
    """Returns the ticket and the options for a new passkey."""
    begun = await change(client, person, "POST", "/passkeys/options")
    assert begun.status_code == 200, begun.text
    return begun.json()


async def keep_passkey(
    client: AsyncClient, person: LoggedIn, ticket: str, made: dict[str, Any], *, name: str = "Laptop"
) -> Response:
    """Sends what the authenticator made."""
    body = {"ticket": ticket, "name": name, "passkey": made}
    return await client.post(f"{FACTORS}/passkeys", headers=person.headers, json=body)


async def add_passkey(
    client: AsyncClient, person: LoggedIn, authenticator: Authenticator, *, name: str = "Laptop"
) -> list[str]:
    """Adds the passkey of this authenticator. Returns the recovery codes, empty if the person had some."""
    begun = await begin_passkey(client, person)
    made = authenticator.create(begun["options"])
    kept = await keep_passkey(client, person, begun["ticket"], made, name=name)
    assert kept.status_code == 201, kept.text
    return kept.json()["recoveryCodes"] or []


async def list_factors(client: AsyncClient, person: LoggedIn) -> dict[str, Any]:
    """The second factors of a person as their settings show them."""
    return (await client.get(FACTORS, headers=person.headers)).json()
