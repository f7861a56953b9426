"""``livery admin``: what an operator does by hand."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncSession

from livery.accounts import queries as accounts
from livery.accounts import second_factors
from livery.accounts import service as accounts_service
from livery.accounts.schemas import Actor
from livery.analytics import queries as analytics
from livery.billing import service as billing
from livery.cli.process import DAMAGED, read_settings, run
from livery.core import clock, integrity
from livery.core.context import Context
from livery.core.db import renew_epoch
from livery.core.errors import LiveryError, NotFound
from livery.core.ids import new_id
from livery.core.schemas import canonical_email
from livery.core.snapshots import SnapshotError
from livery.workspace.fsck import check_all, find_future
from livery.workspace.fsck_images import check_files
from livery.workspace.service import give_tier

app = typer.Typer(no_args_is_help=True, help="Commands for operators.")
users = typer.Typer(no_args_is_help=True, help="People.")
credit = typer.Typer(no_args_is_help=True, help="Credits.")
project = typer.Typer(no_args_is_help=True, help="Projects.")
app.add_typer(users, name="users")
app.add_typer(credit, name="credits")
app.add_typer(project, name="projects")


@app.command()
def fsck() -> None:
    """Check the database's structure, every invariant of the data, and every image's file.

    Ends with 1 if it finds a problem. What a wrong clock wrote is a note.
    """
    settings = read_settings()
    try:
        damages = integrity.problems_of(settings.resolved_database_url)
    except SnapshotError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    if damages:
        typer.echo("\n".join(damages))
        typer.echo(DAMAGED)
        raise typer.Exit(1)

    async def work(context: Context) -> tuple[list[str], list[str]]:
        async with context.database.read() as db:
            found = await check_all(db)
            notes = [note async for note in find_future(db)]
        return [*found, *[problem async for problem in check_files(context.database, context.blobs)]], notes

    problems, notes = run(work, settings)
    for line in (*problems, *(f"Note: {note}" for note in notes)):
        typer.echo(line)
    typer.echo("All invariants hold." if not problems else f"{len(problems)} problems.")
    raise typer.Exit(1 if problems else 0)


@app.command(name="new-epoch")
def new_epoch() -> None:
    """Make every app fetch its whole content again: for a database that was put back to an earlier state by hand."""

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            return await renew_epoch(db)

    typer.echo(f"The new epoch is {run(work)}. A server that runs follows within ten seconds.")


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
def create(email: str, name: Annotated[str, typer.Option(help="The full name.", prompt=True)]) -> None:
    """Create an account, also where registration is closed. Prints the link by which the person sets the password within an hour."""

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            path = await accounts_service.create_user_by_hand(db, name=name, email=email)
        return (
            f"Give this link to {name}. It sets the password, once, within an hour:\n{context.settings.base_url}{path}"
        )

    typer.echo(_told(work))


@users.command()
def verify(email: str) -> None:
    """Verify the email of an account by hand. Idempotent."""

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            return (await accounts_service.verify_user_by_email(db, context.bus, email=email)).name

    typer.echo(f"{_told(work)} is verified.")


@users.command(name="remove-second-factor")
def remove_second_factor(email: str) -> None:
    """Remove the authenticator app, passkeys and recovery codes of a person who lost them. Ask who they are first. Idempotent."""

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            user = await _find_user(db, email)
            if await second_factors.remove_all(db, context, user.id):
                return f"Two-factor sign-in of {user.name} was removed. They log in with their password alone now."
            return f"{user.name} has no second factor."

    typer.echo(_told(work))


@credit.command()
def grant(email: str, amount: int) -> None:
    """Give credits to an account."""

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            user = await _find_user(db, email)
            receipt = await billing.grant(db, user.id, amount, reference=new_id("grant"))
            return f"{user.name} has {receipt.balance} credits."

    typer.echo(_told(work))


@users.command(name="set-language-limit", context_settings={"ignore_unknown_options": True})
def set_language_limit(
    email: str,
    languages: Annotated[int, typer.Argument(help="-1 for any number, 0 for the limit of each project's plan.")],
) -> None:
    """Allow every project that an account owns so many languages, whatever its plan allows."""

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            user = await _find_user(db, email)
            await billing.set_language_limit(db, user.id, languages)
            allowed = {0: "as many languages as their plans allow", -1: "any number of languages"}
            return f"Projects of {user.name} may have {allowed.get(languages, f'{languages} languages')}."

    typer.echo(_told(work))


@project.command(name="set-tier")
def set_tier(
    project_id: str,
    tier: Annotated[str, typer.Argument(help="`none`, `trial`, `free_starter_month`, `starter`, `growth` or `pro`.")],
    until: Annotated[str | None, typer.Option(help="ISO date and time with its zone; left out: without end.")] = None,
) -> None:
    """Put a project on a tier, as a gift: bought time left of the same tier is kept, that of another ends."""
    moment = _parse_moment(until) if until else None
    if tier == "expired":
        raise typer.BadParameter("A plan ends by its date: give the tier with --until and a moment that is past.")
    if tier == "none" and moment:
        raise typer.BadParameter("No plan has no end: leave out --until.")

    async def work(context: Context) -> str:
        async with context.database.write() as db:
            return await give_tier(db, context.bus, project_id=project_id, tier_id=tier, until=moment)

    typer.echo(_told(work))


def _parse_moment(text: str) -> datetime:
    """Returns the moment in ``text``. Raises ``typer.BadParameter`` if the text is not a moment, or has no zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter("Write it like 2027-01-31T00:00:00Z.") from error
    if moment.tzinfo is None:
        raise typer.BadParameter("Write the zone too, like 2027-01-31T00:00:00Z.")
    return moment


async def _find_user(db: AsyncSession, email: str) -> Actor:
    user = await accounts.find_user_by_email(db, canonical_email(email))
    if user is None:
        raise NotFound(f"There is no account {email}.")
    return user


def _told(work: Callable[[Context], Awaitable[str]]) -> str:
    try:
        return run(work)
    except LiveryError as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(1) from error
