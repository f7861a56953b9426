"""Moves who edited what, the places of deleted entries and the authors of versions into one table of what releases know of entries."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa
import zstandard
from alembic import op

from livery.core.db import Instant

revision: str = "0032"
down_revision: str | None = "0031"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_AT_ONCE = 500
Edit = tuple[str | None, int, bool]
"""Who (the id of a user), when (milliseconds since 1970), and whether by AI."""
Row = dict[str, Any]


@dataclass
class _Entry:
    """What a release knows of an entry. ``edits`` is complete: also what earlier releases changed last."""

    edits: dict[str, Edit] = field(default_factory=dict[str, Edit])
    id: str | None = None
    created_at: datetime | None = None


class _Known:
    """What the releases of one project know, by place and name, by the release that changed it."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.entries: dict[tuple[str, str], dict[int, _Entry]] = defaultdict(dict)

    def at(self, place: str, name: str, release: int) -> _Entry:
        """Returns the entry that ``release`` changed, with what the releases before it know. Releases come in their order."""
        known = self.entries[place, name]
        if release not in known:
            before = known[max(known)].edits if known else {}
            known[release] = _Entry({slot: edit for slot, edit in before.items() if slot})
        return known[release]

    def until(self, place: str, name: str, after: int, release: int | None) -> list[_Entry]:
        """Returns what the releases from ``after`` until before ``release`` know of an entry.

        If no release knows it, or the releases before the first with edits (``first``) do not, the release ``after`` knows it from now on.
        """
        known = self.entries[place, name]
        is_late = self.first is None or max(after, 1) < self.first
        if is_late or not any(since >= after and (release is None or since < release) for since in known):
            known.setdefault(after, _Entry())
        return [entry for since, entry in known.items() if since >= after and (release is None or since < release)]


def upgrade() -> None:
    """Applies this revision. Entries that left apps before the first record have a place only."""
    op.create_table(
        "released_entries",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("place", sa.String(length=80), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("since_release", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.String(length=128), nullable=True),
        sa.Column("created_at", Instant(timezone=True), nullable=True),
        sa.Column("edits", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_released_entries_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "place", "name", "since_release", name=op.f("pk_released_entries")),
    )
    for (project_id,) in _all("SELECT id FROM projects WHERE release_number > 0 ORDER BY id"):
        known = _Known()
        _read_edits(project_id, known)
        _read_places(project_id, known)
        _insert("released_entries", list(_rows(project_id, known)))
    op.drop_table("release_editors")
    op.drop_table("gone_places")
    op.execute("UPDATE content_versions SET body_hash = NULL WHERE kind = 'screen' AND entry = 'release'")
    op.execute(
        "DELETE FROM content_version_bodies WHERE NOT EXISTS (SELECT 1 FROM content_versions AS versions "
        "WHERE versions.project_id = content_version_bodies.project_id AND versions.body_hash = content_version_bodies.hash)"
    )


def _read_edits(project_id: str, known: _Known) -> None:
    """Reads who edited what each release changed, and which texts AI wrote."""
    found: dict[int, list[tuple[str, bytes]]] = defaultdict(list)
    for number, section, body in _all(
        "SELECT release_number, section, body FROM release_editors WHERE project_id = :project", project=project_id
    ):
        found[number].append((section, body))
    known.first = min(found, default=None)
    authors: dict[int, list[tuple[str, bytes, int]]] = defaultdict(list)
    for number, screen, at, body in _all(
        "SELECT versions.release_number, versions.place, versions.created_at, bodies.body FROM content_versions AS versions "
        "JOIN content_version_bodies AS bodies "
        "ON bodies.project_id = versions.project_id AND bodies.hash = versions.body_hash "
        "WHERE versions.project_id = :project AND versions.kind = 'screen' AND versions.entry = 'release'",
        {"created_at": Instant()},
        project=project_id,
    ):
        authors[number].append((f"screen/{screen}", body, int(at.timestamp() * 1000)))
    for number in sorted({*found, *authors}):
        for section, body in found[number]:
            _add_edits(known, section, number, _json(body))
        for place, body, at in authors[number]:
            _add_authors(known, place, number, at, _json(body))


def _add_edits(known: _Known, section: str, number: int, value: Any) -> None:
    people, first = value["people"], value["at"]
    for name, parts in value["of"].items():
        edits: dict[str, Edit] = {
            part: (people[person], first + after, False) for part, (person, after) in parts.items()
        }
        entry = known.at(section, name, number)
        entry.edits = edits if set(edits) == {""} else entry.edits | edits


def _add_authors(
    known: _Known, place: str, number: int, moment: int, value: Mapping[str, Mapping[str, Sequence[str]]]
) -> None:
    for language, names in value.items():
        for author in ("person", "ai"):
            for name in names.get(author, ()):
                entry = known.at(place, name, number)
                by, at, _ = entry.edits.get(language) or entry.edits.get("") or (None, moment, False)
                entry.edits[language] = by, at, author == "ai"


def _read_places(project_id: str, known: _Known) -> None:
    """Reads the places of present and former entries, and the ids of present keys."""
    gone: dict[tuple[str, str], int] = defaultdict(int)
    for place, name, until, at in _all(
        "SELECT list, name, until_release, created_at FROM gone_places WHERE project_id = :project "
        "ORDER BY until_release",
        {"created_at": Instant()},
        project=project_id,
    ):
        for entry in known.until(place, name, gone[place, name], until):
            entry.created_at = at
        gone[place, name] = until
    for place, name, entry_id, at in (
        *_all(
            "SELECT 'screen/' || screen AS place, name, id, created_at FROM text_keys WHERE project_id = :project",
            {"created_at": Instant()},
            project=project_id,
        ),
        *_all(
            "SELECT 'colors' AS place, key, key AS id, created_at FROM colors WHERE project_id = :project",
            {"created_at": Instant()},
            project=project_id,
        ),
    ):
        for entry in known.until(place, name, gone[place, name], None):
            entry.id, entry.created_at = entry_id, at


def _rows(project_id: str, known: _Known) -> Iterator[Row]:
    for (place, name), entries in known.entries.items():
        for release, entry in entries.items():
            slots: dict[Edit, list[str]] = defaultdict(list)
            for slot, edit in entry.edits.items():
                slots[edit].append(slot)
            yield {
                "project_id": project_id,
                "place": place,
                "name": name,
                "since_release": release,
                "entry_id": entry.id,
                "created_at": entry.created_at,
                "edits": _compact([[*edit, names] for edit, names in slots.items()]),
            }


def downgrade() -> None:
    """Takes this revision back. The record of an entry then also names the editors of what earlier releases changed."""
    op.create_table(
        "release_editors",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("section", sa.String(length=80), nullable=False),
        sa.Column("release_number", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_release_editors_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "section", "release_number", name=op.f("pk_release_editors")),
    )
    op.create_table(
        "gone_places",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("list", sa.String(length=80), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("until_release", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_gone_places_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "list", "name", "until_release", name=op.f("pk_gone_places")),
    )
    for (project_id,) in _all("SELECT id FROM projects WHERE release_number > 0 ORDER BY id"):
        _write_back(project_id)
    op.drop_table("released_entries")


def _write_back(project_id: str) -> None:
    sections: dict[tuple[str, int], dict[str, dict[str, Edit]]] = defaultdict(dict)
    places: list[Row] = []
    last: tuple[tuple[str, str], datetime | None] | None = None
    for place, name, release, at, body in _all(
        "SELECT place, name, since_release, created_at, edits FROM released_entries WHERE project_id = :project "
        "ORDER BY place, name, since_release",
        {"created_at": Instant()},
        project=project_id,
    ):
        edits: dict[str, Edit] = {slot: (by, ms, ai) for by, ms, ai, slots in json.loads(body) for slot in slots}
        if edits:
            sections[place, release][name] = edits
        # A later row with a different place means that the entry before it was gone.
        if last and last[0] == (place, name) and last[1] and at != last[1]:
            places.append({"list": place, "name": name, "until_release": release, "created_at": last[1]})
        last = (place, name), at
    _insert("gone_places", [{"project_id": project_id, **row} for row in places])
    editors: list[Row] = []
    for (section, number), entries in sections.items():
        editors.append(
            {"project_id": project_id, "section": section, "release_number": number, "body": _editors(entries)}
        )
        if section.startswith("screen/") and any(ai for edits in entries.values() for *_, ai in edits.values()):
            _write_authors(project_id, section.removeprefix("screen/"), number, entries)
    _insert("release_editors", editors)


def _editors(entries: Mapping[str, Mapping[str, Edit]]) -> bytes:
    edits = [edit for parts in entries.values() for edit in parts.values()]
    people = {person: place for place, person in enumerate(dict.fromkeys(person for person, *_ in edits))}
    first = min(at for _, at, _ in edits)
    of = {
        name: {part: [people[person], at - first] for part, (person, at, _) in parts.items()}
        for name, parts in entries.items()
    }
    return _packed(_compact({"people": list(people), "at": first, "of": of}).encode())


def _write_authors(project_id: str, screen: str, number: int, entries: Mapping[str, Mapping[str, Edit]]) -> None:
    authors: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, edits in entries.items():
        for slot, (*_, is_ai) in edits.items():
            if slot:
                authors[slot]["ai" if is_ai else "person"].append(name)
    raw = json.dumps(authors, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    row = {"project_id": project_id, "hash": hashlib.sha256(raw).hexdigest(), "body": _packed(raw)}
    connection = op.get_bind()
    connection.execute(
        sa.text(
            "INSERT INTO content_version_bodies (project_id, hash, body) VALUES (:project_id, :hash, :body) "
            "ON CONFLICT DO NOTHING"
        ),
        row,
    )
    connection.execute(
        sa.text(
            "UPDATE content_versions SET body_hash = :hash WHERE project_id = :project AND kind = 'screen' "
            "AND place = :screen AND entry = 'release' AND release_number = :number"
        ),
        {"hash": row["hash"], "project": project_id, "screen": screen, "number": number},
    )


def _all(query: str, types: Mapping[str, Any] | None = None, /, **values: str) -> list[Any]:
    statement = sa.text(query)
    if types:
        statement = statement.columns(**types)
    return list(op.get_bind().execute(statement, values).all())


def _insert(table: str, rows: Sequence[Row]) -> None:
    if not rows:
        return
    columns = [sa.column(name, Instant() if name == "created_at" else None) for name in rows[0]]
    for start in range(0, len(rows), _AT_ONCE):
        op.get_bind().execute(sa.table(table, *columns).insert(), list(rows[start : start + _AT_ONCE]))


def _json(body: bytes) -> Any:
    return json.loads(zstandard.ZstdDecompressor().decompress(body))


def _packed(raw: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=3).compress(raw)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
