"""One history: a table for the versions of screens, colours and items, and a table for their bodies."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import sqlalchemy as sa
import zstandard
from alembic import op

from livery.core.db import Instant

revision: str = "0029"
down_revision: str | None = "0028"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_AT_ONCE = 500
"""How many versions are in memory."""
_SAME = dict.fromkeys(("number", "id", "release_number", "restored_release", "created_at", "created_by"))
_COUNTED = dict.fromkeys(("changes", "top_revision"))
_UP: dict[str, dict[str, str | None]] = {
    "screen_versions": {"kind": "'screen'", "place": "screen", "entry": "kind", "body_hash": None, **_COUNTED},
    "color_versions": {"kind": "'colors'", "place": "''", "entry": "kind", "body_hash": ":hash", **_COUNTED},
    "item_versions": {"kind": "'item'", "place": "item_id", "entry": "kind", "body_hash": ":hash", "changes": "1"},
}
_DOWN: dict[str, dict[str, str | None]] = {
    "screen_versions": {"screen": "place", "kind": "entry", "body_hash": None, **_COUNTED},
    "color_versions": {"kind": "entry", "content": ":value", **_COUNTED},
    "item_versions": {"item_id": "place", "kind": "entry", "data": ":value"},
}
"""The columns of each table and where their values are from; ``None``: from the column of the same name."""
_BODY = "INSERT INTO content_version_bodies (project_id, hash, body) VALUES (:project_id, :hash, :body) ON CONFLICT DO NOTHING"
_BODIES_BACK = """
INSERT INTO screen_version_bodies (project_id, hash, body)
SELECT project_id, hash, body FROM content_version_bodies
WHERE (project_id, hash) IN (SELECT project_id, body_hash FROM content_versions WHERE kind = 'screen')
"""
_DRAFTS = "SELECT id, project_id, CAST(content AS TEXT) FROM color_versions WHERE id > :last ORDER BY id LIMIT :limit"
_DATA = "SELECT id, project_id, CAST(data AS TEXT) FROM item_versions WHERE id > :last ORDER BY id LIMIT :limit"
_KEPT = """
SELECT versions.id, bodies.body FROM content_versions AS versions
LEFT JOIN content_version_bodies AS bodies ON bodies.project_id = versions.project_id AND bodies.hash = versions.body_hash
WHERE versions.kind = '{kind}' AND versions.id > :last ORDER BY versions.id LIMIT :limit
"""


def upgrade() -> None:
    """Apply. Each version keeps its id. Drafts of colours and the data of items become bodies."""
    body_hash = sa.Column("body_hash", sa.String(length=64), nullable=True)
    place = _name("kind", 8), _name("place", 64)
    _create("content_versions", "entry", *place, body_hash, *_counts(), key=("project_id", "kind", "place", "number"))
    op.create_index(
        "ix_content_versions_drafts",
        "content_versions",
        ["project_id", "created_at"],
        sqlite_where=sa.text("entry = 'draft'"),
        postgresql_where=sa.text("entry = 'draft'"),
    )
    _create_bodies("content_version_bodies")
    op.execute(_copied("screen_version_bodies", "content_version_bodies", {"hash": None, "body": None}))
    op.execute(_copied("screen_versions", "content_versions", _UP["screen_versions"] | _SAME))
    for table, query in (("color_versions", _DRAFTS), ("item_versions", _DATA)):
        move = _copied(table, "content_versions", _UP[table] | _SAME) + " WHERE id = :id"
        for rows in _portions(query):
            packed = [_packed(*row) for row in rows]
            _run(_BODY, [row for row in packed if row["hash"]])
            _run(move, packed)
    for table in (*_UP, "screen_version_bodies"):
        op.drop_table(table)


def downgrade() -> None:
    """Take back."""
    data, content = sa.Column("data", sa.JSON(), nullable=False), sa.Column("content", sa.JSON(), nullable=True)
    body_hash = sa.Column("body_hash", sa.String(length=64), nullable=True)
    _create(
        "screen_versions", "kind", _name("screen", 64), body_hash, *_counts(), key=("project_id", "screen", "number")
    )
    _create("color_versions", "kind", content, *_counts(), key=("project_id", "number"))
    _create("item_versions", "kind", _name("item_id", 32), data, key=("project_id", "item_id", "number"))
    _create_bodies("screen_version_bodies")
    op.execute(_BODIES_BACK)
    move = _copied("content_versions", "screen_versions", _DOWN["screen_versions"] | _SAME)
    op.execute(f"{move} WHERE kind = 'screen'")
    for kind, table in (("colors", "color_versions"), ("item", "item_versions")):
        move = _copied("content_versions", table, _DOWN[table] | _SAME) + " WHERE id = :id"
        if op.get_bind().dialect.name == "postgresql":
            move = move.replace(":value", "CAST(:value AS JSON)")
        for rows in _portions(_KEPT.format(kind=kind)):
            _run(move, [{"id": version_id, "value": _unpacked(body)} for version_id, body in rows])
    op.drop_table("content_version_bodies")
    op.drop_index("ix_content_versions_drafts", table_name="content_versions")
    op.drop_table("content_versions")


def _copied(source: str, target: str, columns: Mapping[str, str | None]) -> str:
    """Returns the statement that copies rows of a table into a different table."""
    values = [value or name for name, value in columns.items()]
    parts = ("INSERT INTO", target, "(project_id,", ", ".join(columns), ") SELECT project_id,", ", ".join(values))
    return " ".join((*parts, "FROM", source))


def _name(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=length), nullable=False)


def _counts() -> tuple[sa.Column[int], sa.Column[int]]:
    return sa.Column("changes", sa.Integer(), nullable=False), sa.Column("top_revision", sa.Integer(), nullable=True)


def _create(table: str, kind: str, *columns: sa.Column[Any], key: Sequence[str]) -> None:
    op.create_table(
        table,
        _name("project_id", 32),
        sa.Column("number", sa.Integer(), nullable=False),
        _name("id", 32),
        _name(kind, 8),
        sa.Column("release_number", sa.Integer(), nullable=False),
        sa.Column("restored_release", sa.Integer(), nullable=True),
        sa.Column("created_at", Instant(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        *columns,
        sa.CheckConstraint(f"{kind} IN ('release', 'draft')", name=op.f(f"ck_{table}_{kind}")),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name=op.f(f"fk_{table}_created_by"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f(f"fk_{table}_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(*key, name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("id", name=op.f(f"uq_{table}_id")),
    )


def _create_bodies(table: str) -> None:
    op.create_table(
        table,
        _name("project_id", 32),
        _name("hash", 64),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f(f"fk_{table}_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "hash", name=op.f(f"pk_{table}")),
    )


def _portions(query: str) -> Iterator[Sequence[Sequence[Any]]]:
    """Yields all rows of a query, in the order of their first column."""
    last = ""
    while rows := op.get_bind().execute(sa.text(query), {"last": last, "limit": _AT_ONCE}).all():
        yield cast("Sequence[Sequence[Any]]", rows)
        last = rows[-1][0]


def _run(statement: str, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        op.get_bind().execute(sa.text(statement), rows)


def _packed(version_id: str, project_id: str, value: str | None) -> dict[str, Any]:
    """Returns the body of a value, given as JSON text: canonical, compressed, with its hash. No value has no body."""
    if value in (None, "null"):
        return {"id": version_id, "hash": None}
    raw = json.dumps(json.loads(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    body = zstandard.ZstdCompressor(level=3).compress(raw)
    return {"id": version_id, "project_id": project_id, "hash": hashlib.sha256(raw).hexdigest(), "body": body}


def _unpacked(body: bytes | None) -> str | None:
    return None if body is None else zstandard.ZstdDecompressor().decompress(body).decode()
