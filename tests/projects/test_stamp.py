"""Each transaction that opens a project for a change renews its stamp, also if it writes rows past its session."""

from sqlalchemy import update

from livery.core.context import Context
from livery.projects.access import hold_project
from livery.projects.models import Project
from tests.factories.content import Studio


async def stamp_of(context: Context, project_id: str) -> str:
    async with context.database.read() as db:
        return (await db.get_one(Project, project_id)).stamp


async def test_a_transaction_that_the_session_does_not_flush_renews_the_stamp(context: Context) -> None:
    project_id = (await Studio.create(context)).project_id
    before = await stamp_of(context, project_id)

    async with context.database.write() as db:
        await hold_project(db, project_id)
        connection = await db.connection()
        await connection.execute(update(Project).where(Project.id == project_id).values(name="Past the session"))

    assert await stamp_of(context, project_id) not in {before, ""}


async def test_a_rehearsal_does_not(context: Context) -> None:
    project_id = (await Studio.create(context)).project_id
    before = await stamp_of(context, project_id)

    async with context.database.rehearse() as db:
        (await hold_project(db, project_id)).name = "Only tried"
        await db.flush()

    assert await stamp_of(context, project_id) == before
