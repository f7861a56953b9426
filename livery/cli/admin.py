"""``livery admin``: what an operator does by hand."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Annotated

import typer

from livery.accounts import queries as accounts
from livery.accounts import service as accounts_service
from livery.analytics import queries as analytics
from livery.billing import service as billing
from livery.cli.process import run
from livery.core import clock
from livery.core.context import Context
from livery.core.errors import LiveryError, NotFound
from livery.core.ids import new_id
from livery.core.schemas import canonical_email
from livery.projects import queries as projects
from livery.projects import service as projects_service
from livery.workspace.fsck import check_all

app = typer.Typer(no_args_is_help=True, help="Commands for operators.")
users = typer.Typer(no_args_is_help=True, help="People.")
credit = typer.Typer(no_args_is_help=True, help="Credits.")
project = typer.Typer(no_args_is_help=True, help="Projects.")
app.add_typer(users, name="users")
app.add_typer(credit, name="credits")
app.add_typer(project, name="projects")


@app.command()
def fsck() -> None:
    """Check every invariant of the data. Ends with 1 when one does not hold."""

    async def work(context: Context) -> list[str]:
        async with context.database.read() as db:
            return await check_all(db)

    problems = run(work)
    for problem in problems:
        typer.echo(problem)
    typer.echo("All invariants hold." if not problems else f"{len(problems)} problems.")
    raise typer.Exit(1 if problems else 0)


@app.command(name="page-views")
def page_views(days: Annotated[int, typer.Option(min=1, max=3650, help="How many days back.")] = 30) -> None:
    """Show how often each page of the dashboard was opened, per UTC day."""

    async def work(context: Context) -> list[str]:
        async with context.database.read() as db:
            rows = await analytics.days(db, clock.now().date() - timedelta(days=days - 1))
        return [f"{row.day}  {row.views:>8}  {row.route}" for row in rows]

    for line in run(work) or ["No page was opened."]:
        typer.echo(line)


@users.command()
def verify(email: str) -> None:
    """Verify the email of an account by hand. Idempotent."""

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            return (await accounts_service.verify_user_by_email(db, context.bus, email=email)).name

    typer.echo(f"{_told(work)} is verified.")


@credit.command()
def grant(email: str, amount: int) -> None:
    """Give credits to an account."""

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            user = await accounts.find_user_by_email(db, canonical_email(email))
            if user is None:
                raise NotFound(f"There is no account {email}.")
            receipt = await billing.grant(db, user.id, amount, reference=new_id("grant"))
            return f"{user.name} has {receipt.balance} credits."

    typer.echo(_told(work))


@project.command(name="set-tier")
def set_tier(
    project_id: str,
    tier: str,
    until: Annotated[str | None, typer.Option(help="ISO date and time with its zone; left out: without end.")] = None,
) -> None:
    """Put a project on a tier (none, trial, free_starter_month, starter, growth, pro)."""

    async def work(context: Context) -> str:
        moment = datetime.fromisoformat(until) if until else None
        if moment and moment.tzinfo is None:
            raise typer.BadParameter("Say the zone too, like 2027-01-31T00:00:00Z.")
        async with context.database.write() as db:
            found = await projects.find_project(db, project_id)
            if found is None:
                raise NotFound(f"There is no project {project_id}.")
            await projects_service.set_tier(db, found, tier=tier, expires_at=moment)
            state = projects.tier_of(found, clock.now(), is_billing_on=True)
            return f"{found.name} is on {state.id} until {moment.isoformat() if moment else 'further notice'}."

    typer.echo(_told(work))


def _told(work: Callable[[Context], Awaitable[str]]) -> str:
    try:
        return run(work)
    except LiveryError as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(1) from error
