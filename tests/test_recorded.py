"""Every call that changes something is in the activity feed, with who did it; or the reason why not is here. The audit log has its own test."""

from collections.abc import Awaitable, Callable

import httpx2
import pytest
from sqlalchemy import select

from livery.activity.models import Activity
from livery.core.context import Context
from tests.factories.projects import Desk
from tests.support.api import operations_of
from tests.support.mails import Mails
from tests.support.town import Town, build_town, calls_with_success

NOT_RECORDED = {
    "POST /api/auth/register": "nobody is known yet: the address may be anyone's",
    "POST /api/invitations/{token}/register": "nobody is known yet, as with a sign-up without an invitation",
    "POST /api/auth/login": "of an account: the audit log has it",
    "POST /api/auth/login/second-factor": "of an account: the audit log has it; a recovery code is recorded",
    "POST /api/auth/login/passkey/options": "changes nothing",
    "POST /api/auth/login/passkey": "of an account: the audit log has it",
    "POST /api/user/second-factors/totp": "changes nothing before its first code",
    "POST /api/user/second-factors/passkeys/options": "changes nothing before the passkey is made",
    "POST /api/auth/sso/session": "a login is recorded; without a code there is none",
    "POST /api/user/identities/start": "changes nothing of the account; the connection is recorded when the browser comes back",
    "POST /api/auth/logout": "of an account: the audit log has it",
    "DELETE /api/user/sessions/{sessionId}": "of an account: the audit log has it",
    "POST /api/auth/forgot-password": "changes nothing but the outbox",
    "POST /api/auth/resend-verification": "changes nothing but the outbox",
    "POST /api/auth/verify-email/{token}": "the account begins here; its mails tell",
    "DELETE /api/auth/verify-email/{token}": "the account is gone with it",
    "POST /api/auth/reset-password/{token}": "a mail tells the owner",
    "POST /api/auth/end-keys/{token}": "each key that it ends is recorded; without a link it ends none",
    "DELETE /api/user/me": "nobody is left to read it",
    "POST /api/projects/{projectId}/imports": "changes nothing of the draft before it is applied",
    "POST /api/import-files/{projectId}/{importId}": "changes nothing of the draft before the import is applied",
    "DELETE /api/projects/{projectId}/imports/{importId}/files/{fileNumber}": "as with adding a file",
    "POST /api/translations/rephrase": "changes nothing: it only answers a text",
    "POST /api/translations/translate": "changes nothing: it only answers a text",
    "POST /api/analytics/page-view": "counts, and knows nobody",
    "POST /api/payments/create-invoice": "purchases and the ledger are listed in the settings",
    "POST /api/payments/webhooks/{provider}": "purchases and the ledger are listed in the settings",
}
READING = {"GET", "HEAD"}


@pytest.fixture
def settings_overrides() -> dict[str, object]:
    return {"rate_limits": "off"}


@pytest.fixture
async def town(context: Context, client: httpx2.AsyncClient) -> Town:
    return await build_town(context, client)


async def last_activity(context: Context) -> Activity:
    async with context.database.read() as db:
        return (await db.scalars(select(Activity).order_by(Activity.id.desc()).limit(1))).one()


def changing_routes(context: Context) -> set[str]:
    return {name for name in operations_of(context.settings) if name.split(maxsplit=1)[0] not in READING}


@pytest.mark.deep_on("postgresql")  # what is written does not depend on the database
async def test_every_change_is_recorded_with_its_actor_or_has_a_reason_not_to(
    context: Context, town: Town, mails: Mails
) -> None:
    recorded: dict[str, str] = {}

    async def watch(route: str, desk: Desk, call: Callable[[], Awaitable[httpx2.Response]]) -> None:
        before = await last_activity(context)
        answer = await call()
        after = await last_activity(context)
        assert answer.is_success, (route, answer.text)
        if after.id > before.id:
            assert after.actor_id == desk.person.actor.id, route
            recorded[route] = after.action

    async for route, desk, call in calls_with_success(context, town, mails):
        await watch(route, desk, call)

    silent = changing_routes(context) - recorded.keys()
    assert silent - NOT_RECORDED.keys() == set(), "record these, or give the reason not to"
    assert NOT_RECORDED.keys() - silent == set(), "these are recorded, or gone"
    assert len(set(recorded.values())) >= 25
