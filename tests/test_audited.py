"""Every call that changes something leaves an entry in the audit log, with who, from where and on which request. Or the reason why not is here."""

from collections.abc import Awaitable, Callable, Sequence

import httpx2
import pytest
from sqlalchemy import func, select

from livery.accounts import queries as accounts
from livery.activity.models import AuditEntry
from livery.activity.sentences import SENTENCES, target_of
from livery.core.context import Context
from tests.factories.accounts import PASSWORD, LoggedIn, create_logged_in, create_pending_user
from tests.factories.projects import Desk
from tests.factories.second_factors import add_passkey
from tests.support.authenticator import Authenticator
from tests.support.mails import Mails, token_in
from tests.support.town import Town, build_town, calls_with_success
from tests.test_recorded import changing_routes

NOT_AUDITED = {
    "POST /api/auth/register": "nobody is known yet: the address may be anyone's, and the answer must not differ",
    "POST /api/invitations/{token}/register": "nobody is known yet, as with a sign-up without an invitation",
    "POST /api/auth/forgot-password": "changes nothing but the outbox, and must take the same time for everyone",
    "POST /api/auth/resend-verification": "changes nothing but the outbox, and must take the same time for everyone",
    "POST /api/auth/login/passkey/options": "changes nothing",
    "POST /api/user/identities/start": "changes nothing of the account; the connection has an entry when the browser comes back",
    "POST /api/user/second-factors/totp": "changes nothing before its first code",
    "POST /api/user/second-factors/passkeys/options": "changes nothing before the passkey is made",
    "POST /api/projects/{projectId}/imports": "changes nothing of the draft before it is applied",
    "POST /api/import-files/{projectId}/{importId}": "changes nothing of the draft before the import is applied",
    "DELETE /api/projects/{projectId}/imports/{importId}/files/{fileNumber}": "as with adding a file",
    "POST /api/translations/rephrase": "changes nothing: it only answers a text",
    "POST /api/translations/translate": "changes nothing: it only answers a text",
    "POST /api/analytics/page-view": "counts, and knows nobody",
}
NOBODY = ""
"""The actor of what somebody does whom nobody knows."""
ELSEWHERE = {
    "POST /api/auth/sso/session": "needs a provider of single sign-on: tests/accounts/sso",
    "POST /api/payments/create-invoice": "needs a payment provider: tests/billing/purchases/test_buying.py",
    "POST /api/payments/webhooks/{provider}": "the payment is recorded by background work: the same file",
}


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def town(context: Context, client: httpx2.AsyncClient) -> Town:
    return await build_town(context, client)


async def entries_after(context: Context, entry_id: int) -> Sequence[AuditEntry]:
    async with context.database.read() as db:
        query = select(AuditEntry).where(AuditEntry.id > entry_id).order_by(AuditEntry.id)
        return (await db.scalars(query)).all()


async def last_id(context: Context) -> int:
    async with context.database.read() as db:
        return await db.scalar(select(func.max(AuditEntry.id))) or 0


@pytest.mark.deep_on("postgresql")  # what is written does not depend on the database
async def test_every_change_leaves_an_entry_or_has_a_reason_not_to(context: Context, town: Town, mails: Mails) -> None:
    audited: dict[str, str] = {}

    async def watch(route: str, actor_id: str, call: Callable[[], Awaitable[httpx2.Response]]) -> httpx2.Response:
        before = await last_id(context)
        answer = await call()
        assert answer.is_success, (route, answer.text)
        for entry in await entries_after(context, before):
            assert entry.actor_kind == "person", route
            assert entry.actor_id == actor_id, route
            is_erased = entry.action == "accounts.closed"
            assert entry.address == (None if is_erased else "127.0.0.1"), route
            assert entry.request_id, route
            assert entry.action in SENTENCES, route
            assert bool(entry.search_text) == ("[" in SENTENCES[entry.action]), (route, entry.subject)
            assert target_of(entry.action, entry.subject) == entry.search_text, route
            assert (entry.project_id is None) != (entry.account_id is None), route
            audited[route] = entry.action
        return answer

    async for route, desk, call in calls_with_success(context, town, mails):
        await watch(route, desk.person.actor.id, call)
    await visit_the_account_pages(town.mine.desk, context, mails, watch)

    silent = changing_routes(context) - audited.keys()
    assert silent - NOT_AUDITED.keys() - ELSEWHERE.keys() == set(), (
        "write an entry for these, or give the reason not to"
    )
    assert (NOT_AUDITED.keys() | ELSEWHERE.keys()) - silent == set(), "these have an entry, or are gone"
    assert len(set(audited.values())) >= 40


Watch = Callable[[str, str, Callable[[], Awaitable[httpx2.Response]]], Awaitable[httpx2.Response]]


async def visit_the_account_pages(me: Desk, context: Context, mails: Mails, watch: Watch) -> None:
    """Goes through what people do without a session, and at the end of a session."""
    client, my_id = me.client, me.person.actor.id

    async def post(path: str, body: object = None) -> httpx2.Response:
        return await client.post(f"/api{path}", json=body) if body is not None else await client.post(f"/api{path}")

    await create_pending_user(context, email="pending@example.com")
    verify = (await mails.last(to="pending@example.com", kind="verify")).token
    pending_id = await id_of(context, "pending@example.com")
    await watch("POST /api/auth/verify-email/{token}", pending_id, lambda: post(f"/auth/verify-email/{verify}"))

    await create_pending_user(context, email="wrong@example.com")
    not_me = token_in((await mails.last(to="wrong@example.com", kind="verify")).links[1])
    await watch(
        "DELETE /api/auth/verify-email/{token}", NOBODY, lambda: client.delete(f"/api/auth/verify-email/{not_me}")
    )

    guest = await create_logged_in(context, email="guest@example.com")
    await watch("POST /api/auth/login", guest.actor.id, lambda: post("/auth/login", credentials_of(guest)))
    phone = Authenticator()
    await add_passkey(client, guest, phone)
    step = (await post("/auth/login", credentials_of(guest))).json()
    second = {"ticket": step["ticket"], "passkey": phone.get(step["passkeyOptions"])}
    passing = "POST /api/auth/login/second-factor"
    await watch(passing, guest.actor.id, lambda: post("/auth/login/second-factor", second))
    alone = (await post("/auth/login/passkey/options")).json()
    signed = {"ticket": alone["ticket"], "passkey": phone.get(alone["options"])}
    await watch("POST /api/auth/login/passkey", guest.actor.id, lambda: post("/auth/login/passkey", signed))

    await watch("POST /api/auth/logout", my_id, lambda: me.post("/auth/logout"))
    await post("/auth/forgot-password", {"email": me.person.actor.email})
    reset = (await mails.last(to=me.person.actor.email, kind="reset")).token
    body = {"password": PASSWORD}
    await watch("POST /api/auth/reset-password/{token}", my_id, lambda: post(f"/auth/reset-password/{reset}", body))
    links = (await mails.last(to=me.person.actor.email, kind="password_changed")).links
    end_keys = next(token_in(link) for link in links if "/end-keys/" in link)
    await watch("POST /api/auth/end-keys/{token}", my_id, lambda: post(f"/auth/end-keys/{end_keys}"))

    leaving = me.at(await create_logged_in(context, email="leaving@example.com"))
    await watch(
        "DELETE /api/user/me",
        leaving.person.actor.id,
        lambda: leaving.send("DELETE", "/user/me", {"password": PASSWORD}),
    )


def credentials_of(person: LoggedIn) -> dict[str, str]:
    return {"email": person.actor.email, "password": PASSWORD}


async def id_of(context: Context, email: str) -> str:
    async with context.database.read() as db:
        user = await accounts.find_user_by_email(db, email)
    assert user
    return user.id
