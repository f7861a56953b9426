"""Passkeys, as the second step and alone: real signatures, and every way in which one must be refused."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from httpx2 import AsyncClient, Response

from livery.accounts.passkeys import RelyingParty
from livery.core.context import Context
from tests.factories.accounts import PASSWORD, LoggedIn, create_logged_in, log_in
from tests.factories.second_factors import (
    FACTORS,
    add_passkey,
    begin_passkey,
    change,
    keep_passkey,
    list_factors,
    set_up_totp,
)
from tests.support.authenticator import Authenticator
from tests.support.clock import Clock

Json = dict[str, Any]


@pytest.fixture
async def mara(context: Context, clock: Clock) -> LoggedIn:
    return await create_logged_in(context)


@pytest.fixture
async def laptop(client: AsyncClient, mara: LoggedIn) -> Authenticator:
    """The authenticator with Mara's passkey."""
    authenticator = Authenticator()
    await add_passkey(client, mara, authenticator)
    return authenticator


async def begin(client: AsyncClient, email: str = "mara@example.com") -> Json:
    answer = await client.post("/api/auth/login", json={"email": email, "password": PASSWORD})
    assert answer.status_code == 202, answer.text
    return answer.json()


async def finish(client: AsyncClient, ticket: str, signed: Json) -> Response:
    return await client.post("/api/auth/login/second-factor", json={"ticket": ticket, "passkey": signed})


async def begin_alone(client: AsyncClient) -> Json:
    return (await client.post("/api/auth/login/passkey/options")).json()


async def finish_alone(client: AsyncClient, ticket: str, signed: Json) -> Response:
    return await client.post("/api/auth/login/passkey", json={"ticket": ticket, "passkey": signed})


async def log_in_alone(client: AsyncClient, authenticator: Authenticator) -> Response:
    begun = await begin_alone(client)
    return await finish_alone(client, begun["ticket"], authenticator.get(begun["options"]))


def refusal(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_a_passkey_passes_the_second_step(client: AsyncClient, laptop: Authenticator) -> None:
    step = await begin(client)
    assert step["methods"] == ["passkey", "recovery"]
    assert step["passkeyOptions"]["userVerification"] == "required"
    assert len(step["passkeyOptions"]["allowCredentials"]) == 1

    done = await finish(client, step["ticket"], laptop.get(step["passkeyOptions"]))

    assert done.status_code == 200, done.text
    headers = {"Authorization": f"Bearer {done.json()['token']}"}
    assert (await client.get("/api/user/me", headers=headers)).json()["email"] == "mara@example.com"


async def test_a_passkey_alone_logs_in_without_a_name(
    client: AsyncClient, mara: LoggedIn, laptop: Authenticator
) -> None:
    begun = await begin_alone(client)
    assert begun["options"]["allowCredentials"] == []
    assert begun["options"]["rpId"] == "testserver"

    done = await finish_alone(client, begun["ticket"], laptop.get(begun["options"]))

    assert done.status_code == 200, done.text
    assert done.json().keys() == {"message", "token", "user", "device"}
    (passkey,) = (await list_factors(client, mara))["passkeys"]
    assert passkey["lastUsedAt"] is not None
    fresh = LoggedIn(mara.actor, done.json()["token"])
    assert (await change(client, fresh, "POST", "/recovery-codes")).status_code == 201, "it counts as both factors"


async def test_the_first_passkey_comes_with_recovery_codes_and_the_second_without(
    client: AsyncClient, mara: LoggedIn, clock: Clock
) -> None:
    assert len(await add_passkey(client, mara, Authenticator())) == 10
    clock.advance(seconds=1)
    assert await add_passkey(client, mara, Authenticator(), name="Phone") == []

    assert [row["name"] for row in (await list_factors(client, mara))["passkeys"]] == ["Laptop", "Phone"]


async def test_an_authenticator_that_does_not_count_works(client: AsyncClient, mara: LoggedIn) -> None:
    phone = Authenticator(counts=False)
    await add_passkey(client, mara, phone)

    assert (await log_in_alone(client, phone)).status_code == 200
    assert (await log_in_alone(client, phone)).status_code == 200


async def test_a_signature_is_accepted_once(client: AsyncClient, mara: LoggedIn) -> None:
    phone = Authenticator(counts=False)  # the counter would refuse the replay too
    await add_passkey(client, mara, phone)
    begun = await begin_alone(client)
    signed = phone.get(begun["options"])
    assert (await finish_alone(client, begun["ticket"], signed)).status_code == 200
    assert refusal(await finish_alone(client, begun["ticket"], signed)) == (401, "login_over")

    other = await begin_alone(client)
    assert refusal(await finish_alone(client, other["ticket"], signed)) == (422, "wrong_passkey")
    step = await begin(client)
    assert refusal(await finish(client, step["ticket"], signed)) == (422, "wrong_passkey")
    signed = phone.get(step["passkeyOptions"])
    assert (await finish(client, step["ticket"], signed)).status_code == 200
    assert refusal(await finish(client, step["ticket"], signed)) == (401, "login_over")


async def test_only_the_first_of_parallel_uses_of_a_signature_logs_in(client: AsyncClient, mara: LoggedIn) -> None:
    phone = Authenticator(counts=False)
    await add_passkey(client, mara, phone)
    begun, step = await begin_alone(client), await begin(client)
    alone, second = phone.get(begun["options"]), phone.get(step["passkeyOptions"])

    answers = await asyncio.gather(*(finish_alone(client, begun["ticket"], alone) for _ in range(5)))
    steps = await asyncio.gather(*(finish(client, step["ticket"], second) for _ in range(5)))

    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401]
    assert sorted(answer.status_code for answer in steps) == [200, 401, 401, 401, 401]


def from_a_foreign_origin(authenticator: Authenticator) -> None:
    authenticator.origin = "http://testserver.evil.example"


def from_another_port(authenticator: Authenticator) -> None:
    authenticator.origin = "http://testserver:8080"


def from_another_scheme(authenticator: Authenticator) -> None:
    authenticator.origin = "https://testserver"


def for_a_foreign_party(authenticator: Authenticator) -> None:
    authenticator.rp_id = "evil.example"


def without_its_user(authenticator: Authenticator) -> None:
    authenticator.verifies_user = False


LIES = [from_a_foreign_origin, from_another_port, from_another_scheme, for_a_foreign_party, without_its_user]


def back_in_time(authenticator: Authenticator) -> None:
    authenticator.credential.sign_count = 1


def with_another_key(authenticator: Authenticator) -> None:
    other = Authenticator()
    other.create({"user": {"id": ""}, "challenge": ""})
    authenticator.credential.key = other.credential.key


@pytest.mark.parametrize("lie", [*LIES, back_in_time, with_another_key])
async def test_a_signature_that_is_not_for_this_login_is_refused(
    client: AsyncClient, mara: LoggedIn, laptop: Authenticator, lie: Callable[[Authenticator], None]
) -> None:
    for _ in range(3):
        assert (await log_in_alone(client, laptop)).status_code == 200

    lie(laptop)

    assert refusal(await log_in_alone(client, laptop)) == (422, "wrong_passkey")
    step = await begin(client)
    refused = await finish(client, step["ticket"], laptop.get(step["passkeyOptions"]))
    assert refusal(refused) == (422, "wrong_passkey")
    assert set(refused.json()["fields"]) == {"passkey"}


@pytest.mark.parametrize("lie", LIES)
async def test_a_passkey_that_was_made_elsewhere_is_not_kept(
    client: AsyncClient, mara: LoggedIn, lie: Callable[[Authenticator], None]
) -> None:
    begun, authenticator = await begin_passkey(client, mara), Authenticator()
    lie(authenticator)

    refused = await keep_passkey(client, mara, begun["ticket"], authenticator.create(begun["options"]))

    assert refusal(refused) == (422, "wrong_passkey")
    assert (await list_factors(client, mara))["passkeys"] == []


async def test_the_passkey_of_another_person_does_not_pass(
    client: AsyncClient, context: Context, mara: LoggedIn, laptop: Authenticator
) -> None:
    noor = await create_logged_in(context, email="noor@example.com")
    theirs = Authenticator()
    await add_passkey(client, noor, theirs)

    step = await begin(client)
    assert refusal(await finish(client, step["ticket"], theirs.get(step["passkeyOptions"]))) == (422, "wrong_passkey")

    begun = await begin_alone(client)
    signed = theirs.get(begun["options"])
    signed["response"]["userHandle"] = laptop.credential.user_handle
    assert refusal(await finish_alone(client, begun["ticket"], signed)) == (422, "wrong_passkey")
    assert (await log_in_alone(client, theirs)).json()["user"]["email"] == "noor@example.com"


async def test_a_passkey_that_was_removed_is_unknown(
    client: AsyncClient, mara: LoggedIn, laptop: Authenticator, clock: Clock
) -> None:
    await set_up_totp(client, mara, clock())
    (passkey,) = (await list_factors(client, mara))["passkeys"]
    assert (await change(client, mara, "DELETE", f"/passkeys/{passkey['_id']}")).status_code == 200

    assert refusal(await log_in_alone(client, laptop)) == (422, "wrong_passkey")
    assert (await begin(client))["passkeyOptions"] is None


async def test_tickets_live_five_minutes(
    client: AsyncClient, mara: LoggedIn, laptop: Authenticator, clock: Clock
) -> None:
    begun, step, enrolment = await begin_alone(client), await begin(client), await begin_passkey(client, mara)
    clock.advance(minutes=5)

    assert refusal(await finish_alone(client, begun["ticket"], laptop.get(begun["options"]))) == (401, "login_over")
    late = await finish(client, step["ticket"], laptop.get(step["passkeyOptions"]))
    assert refusal(late) == (401, "login_over")
    made = Authenticator().create(enrolment["options"])
    assert refusal(await keep_passkey(client, mara, enrolment["ticket"], made)) == (400, "step_over")


async def test_tickets_of_one_kind_do_not_work_for_another(
    client: AsyncClient, context: Context, mara: LoggedIn, laptop: Authenticator
) -> None:
    step, begun, enrolment = await begin(client), await begin_alone(client), await begin_passkey(client, mara)
    sealed = context.vault.seal("device mara@example.com")

    for ticket in (step["ticket"], enrolment["ticket"], sealed, "x", ""):
        refused = await finish_alone(client, ticket, laptop.get(step["passkeyOptions"]))
        assert refusal(refused) == (401, "login_over"), ticket
    for ticket in (begun["ticket"], enrolment["ticket"]):
        assert refusal(await finish(client, ticket, laptop.get(begun["options"]))) == (401, "login_over")
    made = Authenticator().create(enrolment["options"])
    assert refusal(await keep_passkey(client, mara, step["ticket"], made)) == (400, "step_over")


async def test_the_enrolment_of_another_person_keeps_nothing(
    client: AsyncClient, context: Context, mara: LoggedIn
) -> None:
    noor = await create_logged_in(context, email="noor@example.com")
    begun = await begin_passkey(client, noor)
    made = Authenticator().create(begun["options"])

    assert refusal(await keep_passkey(client, mara, begun["ticket"], made)) == (400, "step_over")
    assert (await keep_passkey(client, noor, begun["ticket"], made)).status_code == 201
    assert refusal(await keep_passkey(client, noor, begun["ticket"], made)) == (400, "step_over"), "used twice"


async def test_a_credential_is_kept_once(client: AsyncClient, context: Context, mara: LoggedIn) -> None:
    laptop = Authenticator(counts=False)
    first = await begin_passkey(client, mara)
    made = laptop.create(first["options"])
    assert (await keep_passkey(client, mara, first["ticket"], made)).status_code == 201
    second = await begin_passkey(client, mara)
    assert [row["id"] for row in second["options"]["excludeCredentials"]] == [made["id"]]

    refused = await keep_passkey(client, mara, second["ticket"], made)  # it signed another challenge

    assert refusal(refused) == (422, "wrong_passkey")


async def test_a_passkey_proves_a_change_too(client: AsyncClient, context: Context, mara: LoggedIn) -> None:
    laptop = Authenticator()
    await add_passkey(client, mara, laptop)
    other = await log_in(context, mara.actor)
    step = (await change(client, other, "POST", "/totp")).json()
    assert step["code"] == "second_factor_needed"
    signed = laptop.get(step["passkeyOptions"])

    done = await change(client, other, "POST", "/totp", ticket=step["ticket"], passkey=signed)

    assert done.status_code == 201, done.text


async def test_a_person_has_at_most_20_passkeys(client: AsyncClient, mara: LoggedIn) -> None:
    for number in range(20):
        await add_passkey(client, mara, Authenticator(), name=f"Key {number}")
    begun = await begin_passkey(client, mara)

    refused = await keep_passkey(client, mara, begun["ticket"], Authenticator().create(begun["options"]))

    assert refusal(refused) == (409, "too_many_passkeys")


@pytest.mark.parametrize("name", ["", "  ", "x" * 51, "a\nb", "a\u202eb"])
async def test_a_name_is_one_line_of_1_to_50_characters(
    client: AsyncClient, mara: LoggedIn, laptop: Authenticator, name: str
) -> None:
    (passkey,) = (await list_factors(client, mara))["passkeys"]
    url = f"{FACTORS}/passkeys/{passkey['_id']}"

    answer = await client.put(url, headers=mara.headers, json={"name": name})

    assert (answer.status_code, set(answer.json()["fields"])) == (422, {"name"})


async def test_passkeys_of_others_are_not_found(
    client: AsyncClient, context: Context, mara: LoggedIn, laptop: Authenticator
) -> None:
    noor = await create_logged_in(context, email="noor@example.com")
    (passkey,) = (await list_factors(client, mara))["passkeys"]
    url = f"{FACTORS}/passkeys/{passkey['_id']}"

    assert (await client.put(url, headers=noor.headers, json={"name": "Mine"})).status_code == 404
    assert (await change(client, noor, "DELETE", f"/passkeys/{passkey['_id']}")).status_code == 404
    assert [row["name"] for row in (await list_factors(client, mara))["passkeys"]] == ["Laptop"]


BROKEN = ["", "A", "AAAA", "_" * 200, "oQ", "gICAgA"]


@pytest.mark.parametrize("raw", BROKEN)
async def test_broken_bytes_are_a_refusal(client: AsyncClient, mara: LoggedIn, laptop: Authenticator, raw: str) -> None:
    for field in ("clientDataJSON", "authenticatorData", "signature", "userHandle"):
        begun = await begin_alone(client)
        signed = laptop.get(begun["options"])
        signed["response"][field] = raw
        assert refusal(await finish_alone(client, begun["ticket"], signed)) == (422, "wrong_passkey"), field
    for field in ("clientDataJSON", "attestationObject"):
        enrolment = await begin_passkey(client, mara)
        made = Authenticator().create(enrolment["options"])
        made["response"][field] = raw
        assert refusal(await keep_passkey(client, mara, enrolment["ticket"], made)) == (422, "wrong_passkey"), field


@pytest.mark.parametrize(
    ("url", "party"),
    [
        ("https://livery.example.com", RelyingParty("livery.example.com", "https://livery.example.com")),
        ("https://Livery.Example.com:443", RelyingParty("livery.example.com", "https://livery.example.com")),
        ("https://livery.example.com:8443/", RelyingParty("livery.example.com", "https://livery.example.com:8443")),
        ("http://localhost:8000", RelyingParty("localhost", "http://localhost:8000")),
        ("https://bücher.example", RelyingParty("xn--bcher-kva.example", "https://xn--bcher-kva.example")),
        ("http://[::1]:8000", RelyingParty("::1", "http://[::1]:8000")),
    ],
)
def test_the_party_is_spelled_as_browsers_spell_it(url: str, party: RelyingParty) -> None:
    assert RelyingParty.of(url) == party
