"""No answer, no status and no work shows whether an email has an account: the same statements and the same hashes for both.

`bench.enumeration` measures the time itself, over HTTP.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest
from httpx2 import AsyncClient
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import Engine, event

from livery.core.context import Context
from tests.factories.accounts import PASSWORD, create_logged_in, create_pending_user

KNOWN, PENDING, UNKNOWN = "mara@example.com", "pending@example.com", "nobody@example.com"


@contextmanager
def recorded_work(monkeypatch: pytest.MonkeyPatch) -> Generator[list[str]]:
    """The statements and hashes that run inside the block, in order."""
    work: list[str] = []

    def on_statement(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        work.append(statement)

    def counted(name: str) -> Any:
        original = getattr(Argon2Hasher, name)

        def run(self: Argon2Hasher, *args: Any, **kwargs: Any) -> Any:
            work.append(f"argon2 {name}")
            return original(self, *args, **kwargs)

        return run

    with monkeypatch.context() as patch:
        patch.setattr(Argon2Hasher, "hash", counted("hash"))
        patch.setattr(Argon2Hasher, "verify", counted("verify"))
        event.listen(Engine, "before_cursor_execute", on_statement)
        try:
            yield work
        finally:
            event.remove(Engine, "before_cursor_execute", on_statement)


def body_of(path: str, email: str) -> dict[str, str]:
    fields = {"email": email}
    if path.endswith("login"):
        return {**fields, "password": "not the password at all"}
    if path.endswith("register"):
        return {**fields, "name": "Mara", "password": PASSWORD}
    return fields


@pytest.mark.parametrize("call", ["login", "register", "forgot-password", "resend-verification"])
async def test_known_pending_and_unknown_emails_get_the_same_answer_for_the_same_work(
    client: AsyncClient, context: Context, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = f"/api/auth/{call}"
    await create_logged_in(context, email=KNOWN)
    await create_pending_user(context, email=PENDING)
    await client.post(path, json=body_of(path, "warm@example.com"))  # what is done once per process

    seen: list[tuple[int, bytes, list[str]]] = []
    for email in (KNOWN, PENDING, UNKNOWN):
        with recorded_work(monkeypatch) as work:
            answer = await client.post(path, json=body_of(path, email))
        seen.append((answer.status_code, answer.content.replace(email.encode(), b"EMAIL"), work))

    assert seen[0][2], "something was recorded"
    assert seen[0] == seen[1] == seen[2]
