"""The contract of mailers, on both: a folder and a real SMTP server."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import cast

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from livery.core.settings import Settings
from livery.email.mailers import Mailer, MailNotSent, OutboxMailer, SmtpMailer, open_mailer
from livery.email.schemas import Letter

LETTER = Letter(
    id="mail_abcdefgh",
    recipient="mara@example.com",
    kind="verify",
    subject="Verify your email",
    text="Öffnen: http://testserver/verify-email/" + "t" * 80,
    html="<p>Öffnen: http://testserver/verify-email/" + "t" * 80 + "</p>",
    created_at=datetime(2026, 11, 20, 12, 0, 0, 5000, tzinfo=UTC),
)
SENDER = "Livery <livery@example.org>"


class Mailbox:
    """The handler of a mail server in this process."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.answer = "250 OK"
        self.port = 0

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        if self.answer.startswith("250"):
            self.received.append(cast("bytes", envelope.content))
        return self.answer


@pytest.fixture
async def mailbox() -> AsyncIterator[Mailbox]:
    mailbox = Mailbox()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(mailbox, hostname="localhost", loop=loop), "127.0.0.1", 0)
    mailbox.port = server.sockets[0].getsockname()[1]
    yield mailbox
    server.close()
    await server.wait_closed()


@pytest.fixture(params=["outbox", "smtp"])
def mailer_and_reader(
    request: pytest.FixtureRequest, tmp_path: Path, mailbox: Mailbox
) -> tuple[Mailer, Callable[[], list[bytes]]]:
    if request.param == "smtp":
        return SmtpMailer(f"smtp://127.0.0.1:{mailbox.port}", sender=SENDER), lambda: mailbox.received
    folder = tmp_path / "outbox"
    return OutboxMailer(folder, sender=SENDER), lambda: [path.read_bytes() for path in folder.glob("*")]


def parse(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=default)


def list_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_a_mail_arrives_whole(mailer_and_reader: tuple[Mailer, Callable[[], list[bytes]]]) -> None:
    mailer, read = mailer_and_reader

    await mailer.send(LETTER)

    (raw,) = read()
    message = parse(raw)
    assert message["From"] == SENDER
    assert message["To"] == "mara@example.com"
    assert message["Subject"] == "Verify your email"
    assert message["Message-ID"] == "<mail_abcdefgh@example.org>"
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    assert text.get_content().strip() == LETTER.text
    assert html.get_content().strip() == LETTER.html
    assert all(len(line) <= 998 for line in raw.splitlines())


@pytest.mark.parametrize(
    "change", [{"subject": "Hi\r\nBcc: eve@example.com"}, {"recipient": "mara@example.com\nBcc: eve@example.com"}]
)
async def test_a_line_break_never_becomes_a_header(
    mailer_and_reader: tuple[Mailer, Callable[[], list[bytes]]], change: dict[str, str]
) -> None:
    mailer, read = mailer_and_reader

    with pytest.raises(MailNotSent):
        await mailer.send(replace(LETTER, **change))

    assert read() == []


async def test_a_mail_written_again_replaces_its_file(tmp_path: Path) -> None:
    mailer = OutboxMailer(tmp_path, sender=SENDER)

    await mailer.send(LETTER)
    await mailer.send(LETTER)

    (path,) = list_files(tmp_path)
    assert path.name == "20261120T120000.005000Z-mara@example.com-verify.eml"
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_link_in_the_file_of_a_mail_is_in_one_piece(tmp_path: Path) -> None:
    link = f"https://livery.example.com/verify-email/{'x' * 43}?next=/projects/prj_k3v5mq7aw2xhb6td"

    await OutboxMailer(tmp_path, sender=SENDER).send(replace(LETTER, text=f"Öffne {link}\n", html=f"<p>{link}</p>"))

    (path,) = list_files(tmp_path)
    assert path.read_text("utf-8").count(link) == 2


async def test_a_strange_recipient_stays_inside_the_folder(tmp_path: Path) -> None:
    await OutboxMailer(tmp_path / "outbox", sender=SENDER).send(replace(LETTER, recipient="../../x/y@example.com"))

    assert [path.parent.name for path in list_files(tmp_path)] == ["outbox"]


async def test_a_folder_that_can_not_be_written_raises_mail_not_sent(tmp_path: Path) -> None:
    (tmp_path / "outbox").write_text("a file stands in the way")

    with pytest.raises(MailNotSent):
        await OutboxMailer(tmp_path / "outbox", sender=SENDER).send(LETTER)


async def test_a_server_that_refuses_raises_an_error_without_the_content(mailbox: Mailbox) -> None:
    mailbox.answer = "451 try later"

    with pytest.raises(MailNotSent, match=r"451$") as raised:
        await SmtpMailer(f"smtp://127.0.0.1:{mailbox.port}", sender=SENDER).send(LETTER)

    assert "ttt" not in str(raised.value)


async def test_a_server_that_is_away_raises_mail_not_sent(mailbox: Mailbox, unused_port: int) -> None:
    with pytest.raises(MailNotSent):
        await SmtpMailer(f"smtp://127.0.0.1:{unused_port}", sender=SENDER).send(LETTER)


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize(
    "url", ["http://mail.example.com", "smtp://", "mail.example.com:25", "smtp://mail.example.com:port"]
)
def test_a_wrong_server_address_is_refused_at_the_start(url: str) -> None:
    with pytest.raises(ValueError, match="LIVERY_SMTP_URL"):
        SmtpMailer(url, sender=SENDER)


def test_the_settings_choose_the_mailer(tmp_path: Path) -> None:
    assert isinstance(open_mailer(Settings(data_dir=tmp_path)), OutboxMailer)
    assert isinstance(open_mailer(Settings(data_dir=tmp_path, smtp_url="smtp://localhost:25")), SmtpMailer)
