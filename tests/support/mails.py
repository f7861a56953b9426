"""Reads the mails that an application sent."""

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from html import unescape
from pathlib import Path

from livery.accounts import jobs as account_jobs
from livery.accounts.api_keys import KeyUses
from livery.accounts.failed_logins import FailedLogins
from livery.core.context import Context
from livery.email import jobs as email_jobs

_LINK = re.compile(r"https?://\S+")
_NAME = re.compile(r"-(?P<kind>[a-z0-9_]+)\.eml$")


@dataclass(frozen=True)
class SentMail:
    """One mail as its reader sees it."""

    to: str
    kind: str
    subject: str
    text: str
    html: str
    raw: str

    @property
    def links(self) -> list[str]:
        """The addresses in the text, in order; the last address is the server's own."""
        return [link.rstrip(".") for link in _LINK.findall(self.text)]

    @property
    def link(self) -> str:
        """Where the mail wants its reader to go."""
        return self.links[0]

    @property
    def token(self) -> str:
        """The last part of that address."""
        return token_in(self.link)


def token_in(link: str) -> str:
    """The last path segment of an address."""
    return link.split("?", 1)[0].rsplit("/", 1)[1]


class Mails:
    """Runs the background work of mails, then reads the outbox folder."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._sweeps = [*account_jobs.sweeps(context, KeyUses(), FailedLogins()), *email_jobs.sweeps(context)]

    async def sweep(self) -> None:
        """Writes and sends what is queued, once."""
        for sweep in self._sweeps:
            await sweep.run()

    async def sent(self, *, to: str | None = None, kind: str | None = None) -> list[SentMail]:
        """All mails so far, oldest first."""
        await self.sweep()
        mails = [_read(path) for path in sorted(self._context.settings.outbox_dir.glob("*.eml"))]
        return [mail for mail in mails if (to is None or mail.to == to) and (kind is None or mail.kind == kind)]

    async def last(self, *, to: str | None = None, kind: str | None = None) -> SentMail:
        """Returns the newest of these mails; fails when there is no such mail."""
        mails = await self.sent(to=to, kind=kind)
        assert mails, f"no mail to {to or 'anyone'}"
        return mails[-1]


def _read(path: Path) -> SentMail:
    raw = path.read_bytes()
    message = message_from_bytes(raw, policy=default)
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    name = _NAME.search(path.name)
    assert text
    assert html
    assert name
    return SentMail(
        to=str(message["To"]),
        kind=name["kind"],
        subject=str(message["Subject"]),
        text=text.get_content(),
        html=unescape(html.get_content()),
        raw=raw.decode(),
    )
