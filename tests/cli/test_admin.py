"""What an operator does by hand: plans, limits and credits, each said back in a sentence."""

import os
import re
from pathlib import Path

import httpx2
import pytest
from anyio import to_thread
from sqlalchemy import select
from typer.testing import CliRunner, Result

from livery.activity.models import Activity
from livery.cli import app as livery
from livery.core.context import Context
from livery.workspace import demo


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
        """What a command that works says; it leaves the data sound."""
        result = self.run("admin", *arguments)
        assert result.exit_code == 0, result.output
        assert self.run("admin", "fsck").output.strip() == "All invariants hold."
        return result.output.strip()

    def refusal(self, *arguments: str) -> str:
        """What a command that is refused says: no traceback, and not 0."""
        result = self.run("admin", *arguments)
        assert result.exit_code in {1, 2}, result.output
        assert isinstance(result.exception, SystemExit), result.exception
        return " ".join(re.sub(r"[│╭╮╰╯─\n]", " ", result.output).split())


@pytest.fixture
def shell(tmp_path: Path, database_url: str) -> Shell:
    return Shell(tmp_path / "data", database_url)


def test_a_project_is_put_on_a_tier_until_a_moment(shell: Shell) -> None:
    said = shell.admin("projects", "set-tier", shell.project_id, "growth", "--until", "2031-01-31T01:00:00+01:00")

    assert said.endswith("is on Growth Tier until 31 January 2031, 00:00 UTC.")


def test_a_project_is_put_on_a_tier_without_end_and_on_none(shell: Shell) -> None:
    endless = shell.admin("projects", "set-tier", shell.project_id, "trial")
    none = shell.admin("projects", "set-tier", shell.project_id, "none")

    assert endless.endswith("is on Trial Plan until further notice.")
    assert none.endswith("is on No Active Plan until further notice.")


REFUSED_TIERS = [
    (["pro", "--until", "2031-01-31T00:00:00"], "Say the zone too, like 2027-01-31T00:00:00Z."),
    (["pro", "--until", "2031-01-31"], "Say the zone too"),
    (["pro", "--until", "tomorrow"], "Write it like 2027-01-31T00:00:00Z."),
    (["pro", "--until", "9999999-01-01T00:00:00Z"], "Write it like"),
    (["gold"], "Please select a valid tier and duration."),
    (["expired"], "A plan ends by its date"),
    (["none", "--until", "2031-01-31T00:00:00Z"], "No plan has no end"),
]


def test_other_tiers_and_moments_are_refused(shell: Shell) -> None:
    said = [shell.refusal("projects", "set-tier", shell.project_id, *arguments) for arguments, _ in REFUSED_TIERS]

    assert [text for text, (_, reason) in zip(said, REFUSED_TIERS, strict=True) if reason not in text] == []


def test_a_project_that_is_not_there_is_said(shell: Shell) -> None:
    assert "Project not found." in shell.refusal("projects", "set-tier", "prj_none", "pro")


def test_a_language_limit_is_set_and_said(shell: Shell) -> None:
    answers = [shell.admin("users", "set-language-limit", demo.EMAIL.upper(), limit) for limit in ("60", "-1", "0")]

    assert answers == [
        f"Projects of {demo.NAME} may have 60 languages.",
        f"Projects of {demo.NAME} may have any number of languages.",
        f"Projects of {demo.NAME} may have as many languages as their plans say.",
    ]


def test_other_language_limits_are_refused(shell: Shell) -> None:
    for limit in ("-2", "1001", "many", "1.5", "99999999999999999999"):
        shell.refusal("users", "set-language-limit", demo.EMAIL, limit)


def test_an_account_that_is_not_there_is_said(shell: Shell) -> None:
    assert "no account nobody@example.com" in shell.refusal("users", "set-language-limit", "nobody@example.com", "3")
    assert "no account nobody@example.com" in shell.refusal("credits", "grant", "nobody@example.com", "3")


def test_credits_are_given(shell: Shell) -> None:
    assert shell.admin("credits", "grant", demo.EMAIL, "19") == f"{demo.NAME} has 19 credits."
    assert shell.admin("credits", "grant", demo.EMAIL, "1") == f"{demo.NAME} has 20 credits."


async def test_what_commands_write_is_what_a_server_shows(
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
    assert audit.target.endswith(" to 60")
