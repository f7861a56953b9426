"""What the database layer promises beside its transactions."""

import pytest
from sqlalchemy.exc import IntegrityError

from livery.accounts.models import User
from livery.core import clock
from livery.core.db import Database


async def test_an_error_of_the_database_names_no_values(database: Database) -> None:
    def person(user_id: str) -> User:
        return User(
            id=user_id,
            name="Mara",
            email="canary@example.com",
            password_hash="canary-hash",
            verified_at=None,
            created_at=clock.now(),
        )

    async with database.write() as db:
        db.add(person("usr_a"))

    with pytest.raises(IntegrityError) as caught:
        async with database.write() as db:
            db.add(person("usr_b"))

    assert "canary-hash" not in str(caught.value)
