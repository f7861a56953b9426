"""What an operator does by hand: plans, limits and credits, each confirmed in a sentence."""

import os
import re
from pathlib import Path

import httpx2
import pytest
from anyio import to_thread
from sqlalchemy import func, select
from typer.testing import CliRunner, Result

from livery.activity.models import Activity
from livery.cli import app as livery
from livery.core import clock
from livery.core.context import Context
from livery.email.models import OutboxMail
from livery.workspace import demo
from tests.factories.accounts import PASSWORD, create_logged_in
from tests.factories.second_factors import add_passkey, list_factors, set_up_totp
from tests.support.authenticator import Authenticator


class Shell:
    """Runs commands with the settings of one installation, which has the demo project."""

    def __init__(self, data_dir: Path, database_url: str) -> None:
        self._environment = {
            **{name: None for name in os.environ if name.startswith("LIVERY_")},
            "LIVERY_DATA_DIR": str(data_dir),
            "LIVERY_DATABASE_URL": database_url,
            "LIVERY_LOG_LEVEL": "error",
        }
        made = self.run("demo")
        self.project_id = re.findall(r"prj_[a-z2-7]{16}", made.output)[0]

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(livery, arguments, env=self._environment)

    def admin(self, *arguments: str) -> str:
        """Returns the output of a command that works; it leaves the data sound."""
        result = self.run("admin", *arguments)
        assert result.exit_code == 0, result.output
        assert self.run("admin", "fsck").output.strip() == "All invariants hold."
        return result.output.strip()

    def refusal(self, *arguments: str) -> str:
        """Returns the output of a command that is refused: no traceback, and not 0."""
        result = self.run("admin", *arguments)
        assert result.exit_code in {1, 2}, result.output
        assert isinstance(result.exception, SystemExit), result.exception
        return " ".join(re.sub(r"[│╭╮╰╯─\n]", " ", result.output).split())


@pytest.fixture
def shell(tmp_path: Path, database_url: str) -> Shell:
    return Shell(tmp_path / "data", database_url)


def test_each_command_reports_what_it_did(shell: Shell) -> None:
    tier = ("projects", "set-tier", shell.project_id)
    limit = ("users", "set-language-limit", demo.EMAIL.upper())

    assert shell.admin(*tier, "growth", "--until", "2031-01-31T01:00:00+01:00").endswith(
        "is on Growth Tier until 31 January 2031, 00:00 UTC."
    )
    assert shell.admin(*tier, "trial").endswith("is on Trial Plan until further notice.")
    assert shell.admin(*tier, "none").endswith("is on No Active Plan until further notice.")
    assert [shell.admin(*limit, languages) for languages in ("60", "-1", "0")] == [
        f"Projects of {demo.NAME} may have 60 languages.",
        f"Projects of {demo.NAME} may have any number of languages.",
        f"Projects of {demo.NAME} may have as many languages as their plans allow.",
    ]
    assert shell.admin("credits", "grant", demo.EMAIL, "19") == f"{demo.NAME} has 19 credits."
    assert shell.admin("credits", "grant", demo.EMAIL, "1") == f"{demo.NAME} has 20 credits."


async def test_a_person_who_lost_all_second_factors_logs_in_with_the_password_again(
    context: Context, client: httpx2.AsyncClient, tmp_path: Path, database_url: str
) -> None:
    shell = await to_thread.run_sync(Shell, tmp_path / "data", database_url)
    mara = await create_logged_in(context)
    await set_up_totp(client, mara, clock.now())
    await add_passkey(client, mara, Authenticator())
    login = {"email": mara.actor.email, "password": PASSWORD}
    assert (await client.post("/api/auth/login", json=login)).status_code == 202
    command = ("users", "remove-second-factor", mara.actor.email.upper())

    said = [await to_thread.run_sync(shell.admin, *command) for _ in range(2)]

    assert said == [
        "Two-factor sign-in of Mara Lindt was removed. They log in with their password alone now.",
        "Mara Lindt has no second factor.",
    ]
    assert (await client.post("/api/auth/login", json=login)).status_code == 200
    assert (await list_factors(client, mara)) == {"totpSince": None, "passkeys": [], "recoveryCodesLeft": 0}
    async with context.database.read() as db:
        told = await db.scalar(select(func.count()).where(OutboxMail.kind == "second_factor_changed"))
    assert told == 3


REFUSED_TIERS = [
    (["pro", "--until", "2031-01-31T00:00:00"], "Write the zone too, like 2027-01-31T00:00:00Z."),
    (["pro", "--until", "2031-01-31"], "Write the zone too"),
    (["pro", "--until", "tomorrow"], "Write it like 2027-01-31T00:00:00Z."),
    (["pro", "--until", "9999999-01-01T00:00:00Z"], "Write it like"),
    (["gold"], "Please select a valid tier and duration."),
    (["expired"], "A plan ends by its date"),
    (["none", "--until", "2031-01-31T00:00:00Z"], "No plan has no end"),
]
REFUSED_LIMITS = ("-2", "1001", "many", "1.5", "99999999999999999999")


def test_a_refused_command_reports_the_reason(shell: Shell) -> None:
    tier, limit = ("projects", "set-tier"), ("users", "set-language-limit")
    expected = [
        *(((*tier, shell.project_id, *arguments), reason) for arguments, reason in REFUSED_TIERS),
        ((*tier, "prj_none", "pro"), "Project not found."),
        *(((*limit, demo.EMAIL, languages), "") for languages in REFUSED_LIMITS),
        ((*limit, "nobody@example.com", "3"), "no account nobody@example.com"),
        (("users", "remove-second-factor", "nobody@example.com"), "no account nobody@example.com"),
        (("credits", "grant", "nobody@example.com", "3"), "no account nobody@example.com"),
    ]

    said = [(arguments, reason, shell.refusal(*arguments)) for arguments, reason in expected]

    assert [(arguments, text) for arguments, reason, text in said if reason not in text] == []


async def test_a_server_shows_the_changes_that_commands_write(
    context: Context, client: httpx2.AsyncClient, tmp_path: Path, database_url: str
) -> None:
    shell = await to_thread.run_sync(Shell, tmp_path / "data", database_url)
    await to_thread.run_sync(shell.admin, "users", "set-language-limit", demo.EMAIL, "60")
    await to_thread.run_sync(shell.admin, "projects", "set-tier", shell.project_id, "starter")

    login = await client.post("/api/auth/login", json={"email": demo.EMAIL, "password": demo.PASSWORD})
    headers = {"Authorization": f"Bearer {login.json()['token']}"}
    project = (await client.get(f"/api/projects/{shell.project_id}", headers=headers)).json()
    assert (project["activeTier"], project["expiresAt"], project["limits"]["languages"]) == ("starter", None, 60)
    feed = (await client.get("/api/activity", headers=headers)).json()
    assert (feed[0]["action"], feed[0]["actor"]) == ("Starter Tier set by the operator", None)
    async with context.database.read() as db:
        audit = (await db.scalars(select(Activity).where(Activity.action == "billing.language_limit_set"))).one()
    assert audit.subject == {"person": login.json()["user"]["_id"], "languages": 60}
