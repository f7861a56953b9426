"""The search index, and the triggers that mark which texts changed. Texts that are there already are marked: blocks follow in the background."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

MARKS = "INSERT INTO search_marks (project_id, screen, language, stamp)"
ANEW = "ON CONFLICT (project_id, screen, language) DO UPDATE SET stamp = excluded.stamp"
# A project takes its texts along when it goes: a mark would have nobody to belong to.
LIVES = "EXISTS (SELECT 1 FROM projects WHERE id = {row}.project_id)"

# Name, table, event, condition on a row, the row to mark, its language.
TRIGGERS = (
    ("search_text_added", "text_values", "INSERT", "NEW.value <> ''", "NEW", "NEW.language"),
    ("search_text_changed", "text_values", "UPDATE OF value", "OLD.value <> NEW.value", "NEW", "NEW.language"),
    ("search_text_removed", "text_values", "DELETE", "OLD.value <> ''", "OLD", "OLD.language"),
    ("search_key_added", "text_keys", "INSERT", "true", "NEW", "''"),
    ("search_key_renamed", "text_keys", "UPDATE OF name", "OLD.name <> NEW.name", "NEW", "''"),
    ("search_key_removed", "text_keys", "DELETE", "true", "OLD", "''"),
)


def _sqlite_triggers() -> None:
    """A random stamp differs each time, even when a mark was deleted and made again."""
    for name, table, event, condition, row, language in TRIGGERS:
        op.execute(
            f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW WHEN {condition} BEGIN "
            f"{MARKS} SELECT {row}.project_id, {row}.screen, {language}, random() WHERE {LIVES.format(row=row)} {ANEW}; END"
        )


def _postgresql_triggers() -> None:
    """What a statement removes is marked at once; a row that comes or changes by itself, since such rows come one by one.

    The stamp is the transaction: a place is marked once in each, however many of its rows change.
    """
    anew = f"{ANEW} WHERE search_marks.stamp <> excluded.stamp"
    for kind, of_rows, of_row, condition in (
        ("values", "language", "NEW.language", "value <> ''"),
        ("keys", "''", "''", "true"),
    ):
        touched = f"SELECT DISTINCT project_id, screen, {of_rows}, txid_current() FROM touched"  # noqa: S608  # names of this file, no input
        lives = LIVES.format(row="touched")
        place = f"project_id = NEW.project_id AND screen = NEW.screen AND language = {of_row}"
        is_marked = f"EXISTS (SELECT 1 FROM search_marks WHERE {place} AND stamp = txid_current())"  # noqa: S608  # names of this file, no input
        bodies = {
            f"search_mark_{kind}_removed": f"{MARKS} {touched} WHERE {condition} AND {lives} ORDER BY 1, 2, 3 {anew};",
            f"search_mark_{kind}": (
                f"IF NOT {is_marked} THEN "
                f"{MARKS} VALUES (NEW.project_id, NEW.screen, {of_row}, txid_current()) {anew}; END IF;"
            ),
        }
        for name, body in bodies.items():
            op.execute(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN NULL; END $$"
            )
    for name, table, event, condition, _, _ in TRIGGERS:
        kind = table.removeprefix("text_")
        if event == "DELETE":
            each = f"REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION search_mark_{kind}_removed()"
        else:
            each = f"FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION search_mark_{kind}()"
        op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} {each}")


def upgrade() -> None:
    """Apply."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    op.create_index(
        "ix_text_keys_removed",
        "text_keys",
        ["project_id"],
        sqlite_where=sa.text("removed_at IS NOT NULL"),
        postgresql_where=sa.text("removed_at IS NOT NULL"),
    )
    op.create_table(
        "search_blocks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("form", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("key_ids", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_search_blocks_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_blocks")),
        sa.UniqueConstraint(
            "project_id", "screen", "language", name=op.f("uq_search_blocks_project_id_screen_language")
        ),
    )
    op.create_table(
        "search_marks",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("stamp", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_search_marks_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "screen", "language", name=op.f("pk_search_marks")),
        sqlite_with_rowid=False,
    )
    if is_sqlite:
        _sqlite_triggers()
    else:
        # Signatures are read with every search, so they stay in their row; texts are looked through, so they are not compressed.
        op.execute("ALTER TABLE search_blocks ALTER COLUMN signature SET STORAGE MAIN")
        op.execute("ALTER TABLE search_blocks ALTER COLUMN text SET STORAGE EXTERNAL")
        _postgresql_triggers()
    texts = "SELECT DISTINCT project_id, screen, language, 0 FROM text_values WHERE value <> ''"
    names = "SELECT DISTINCT project_id, screen, '', 0 FROM text_keys"
    op.execute(f"{MARKS} {texts} UNION {names}")


def downgrade() -> None:
    """Take back."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for name, table, *_ in TRIGGERS:
        op.execute(f"DROP TRIGGER {name}" if is_sqlite else f"DROP TRIGGER {name} ON {table}")
    if not is_sqlite:
        for kind in ("values", "keys"):
            op.execute(f"DROP FUNCTION search_mark_{kind}")
            op.execute(f"DROP FUNCTION search_mark_{kind}_removed")
    op.drop_table("search_marks")
    op.drop_table("search_blocks")
    op.drop_index("ix_text_keys_removed", table_name="text_keys")
