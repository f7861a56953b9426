"""Where mails go: into a folder as ``.eml`` files (the default), or to a mail server."""

import ipaddress
import os
import re
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

import structlog
from anyio import to_thread

from livery.core.settings import Settings, SettingsError
from livery.email.schemas import Letter

log = structlog.get_logger()

_TIMEOUT_SECONDS = 20
_SMTP_FORM = "LIVERY_SMTP_URL must be like smtp://user:password@host:587 or smtps://user:password@host:465."


class MailNotSent(Exception):
    """The mail is still with us; the message gives the reason, without the mail's content."""


class Mailer(Protocol):
    """Carries one mail out of the house."""

    async def send(self, letter: Letter) -> None:
        """Returns when the mail is in safe hands (on disk, or accepted by the server). Raises ``MailNotSent``."""
        ...


def file_prefix(moment: datetime) -> str:
    """How the name of a mail's file begins: the moment (UTC) in which it was enqueued."""
    return f"{moment:%Y%m%dT%H%M%S.%f}Z"


class OutboxMailer:
    """Writes each mail as a file named by time, recipient and kind, whole or not at all. The log at level info names no recipient."""

    def __init__(self, folder: Path, *, sender: str) -> None:
        self._folder = folder
        self._sender = sender

    async def send(self, letter: Letter) -> None:
        """Writing it again replaces the same file."""
        # 8bit keeps each link in one piece: people copy it out of the file.
        content = _message(letter, self._sender, encoding="8bit").as_bytes()
        recipient = re.sub(r"[^a-z0-9.@+-]", "_", letter.recipient)
        path = self._folder / f"{file_prefix(letter.created_at)}-{recipient[:100]}-{letter.kind}.eml"
        try:
            await to_thread.run_sync(_write_durably, path, content)
        except OSError as error:
            raise MailNotSent(f"{type(error).__name__}: {error.strerror}") from error
        log.info("mail_written", kind=letter.kind, folder=str(self._folder))
        log.debug("mail_file", path=str(path))


class SmtpMailer:
    """Hands each mail to a server. A password is sent over TLS only, unless the server is this machine."""

    def __init__(self, url: str, *, sender: str) -> None:
        self._server = _parse_server(url)
        self._sender = sender

    async def send(self, letter: Letter) -> None:
        """One connection per mail, at most 20 s per step."""
        import aiosmtplib

        server = self._server
        message = _message(letter, self._sender)
        try:
            await aiosmtplib.send(
                message,
                sender=parseaddr(self._sender)[1],
                recipients=[letter.recipient],
                hostname=server.host,
                port=server.port,
                username=server.username,
                password=server.password,
                use_tls=server.is_tls,
                start_tls=server.must_start_tls,
                timeout=_TIMEOUT_SECONDS,
            )
        except (aiosmtplib.SMTPException, OSError) as error:
            code = getattr(error, "code", "")
            raise MailNotSent(f"{type(error).__name__} {code}".strip()) from error


@dataclass(frozen=True)
class _Server:
    host: str
    port: int | None
    username: str | None
    password: str | None
    is_tls: bool
    must_start_tls: bool | None


def _parse_server(url: str) -> _Server:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise SettingsError(_SMTP_FORM) from error
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise SettingsError(_SMTP_FORM)
    username = unquote(parts.username) if parts.username else None
    is_tls = parts.scheme == "smtps"
    must_start_tls = True if username and not is_tls and not _is_this_machine(parts.hostname) else None
    return _Server(
        host=parts.hostname,
        port=port,
        username=username,
        password=unquote(parts.password) if parts.password else None,
        is_tls=is_tls,
        must_start_tls=False if is_tls else must_start_tls,
    )


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def open_mailer(settings: Settings) -> Mailer:
    """Opens the mailer that the settings ask for. Raises ``SettingsError``."""
    if settings.smtp_url:
        return SmtpMailer(settings.smtp_url, sender=settings.mail_from)
    return OutboxMailer(settings.outbox_dir, sender=settings.mail_from)


def _message(letter: Letter, sender: str, *, encoding: str = "quoted-printable") -> EmailMessage:
    """Returns the mail as it is sent. Its id is that of its row, so that a second delivery is known as the same mail."""
    message = EmailMessage(policy=SMTP)
    try:
        message["From"] = sender
        message["To"] = letter.recipient
        message["Subject"] = letter.subject
    except (ValueError, MessageError) as error:  # a line break: the mail would have headers that are not ours
        raise MailNotSent("A header holds a line break.") from error
    message["Date"] = format_datetime(letter.created_at)
    message["Message-ID"] = f"<{letter.id}@{parseaddr(sender)[1].rpartition('@')[2] or 'localhost'}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text, cte=encoding)
    message.add_alternative(letter.html, subtype="html", cte=encoding)
    return message


def _write_durably(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
