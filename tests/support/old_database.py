"""A database and the answers that the API gave on it, kept in two files, and the differences between two answers.

``tests/fixtures/make_before_content_model.py`` writes the files.
"""

import base64
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, cast

import httpx2
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Date,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    NullPool,
    Table,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
)

Json = dict[str, Any]
Row = dict[str, Any]

ROWS, ANSWERS = "rows.jsonl.gz", "answers.json.gz"
SHOWN_CHARACTERS = 120


@dataclass(frozen=True)
class Call:
    """One GET by a person, or by an app, whose key is in the address; ``after`` is the last event that the caller has."""

    path: str
    by: str | None = None
    after: str | None = None

    async def ask(self, client: httpx2.AsyncClient, tokens: Mapping[str, str]) -> "Answer":
        """Sends the call with the session of the person; ``tokens`` has these by name."""
        headers = {} if self.by is None else {"Authorization": f"Bearer {tokens[self.by]}"}
        if self.after is not None:
            headers["Last-Event-ID"] = self.after
        answer = await client.get(self.path, headers=headers)
        is_json = self.by is not None and self.after is None
        return Answer(self, answer.status_code, answer.json() if is_json else answer.text)


@dataclass(frozen=True)
class Answer:
    """What a call got. The body of an answer to an app, and that of events, is a text."""

    call: Call
    status: int
    body: Any


@dataclass(frozen=True)
class Project:
    """A project: its owner's name, its publishable key, and what apps got from each release by language, as a text.

    ``way_back`` is a walk through its histories after that moment: what was done, and what people and apps had then.
    """

    id: str
    owner: str
    key: str
    contents: dict[int, dict[str, str]]
    way_back: list[tuple[str, Json]]


@dataclass(frozen=True)
class Recording:
    """What people and apps saw at a moment, from whom it can be asked again, and the server's secret key."""

    moment: datetime
    secret_key: str
    people: dict[str, str] = field(default_factory=dict[str, str])
    projects: list[Project] = field(default_factory=list[Project])
    answers: list[Answer] = field(default_factory=list[Answer])


def write_recording(folder: Path, recording: Recording) -> None:
    """Writes the same bytes for the same answers."""
    text = json.dumps({**asdict(recording), "moment": recording.moment.isoformat()}, ensure_ascii=False, indent=0)
    (folder / ANSWERS).write_bytes(gzip.compress(text.encode(), mtime=0))


def read_recording(folder: Path) -> Recording:
    """Reads the answers of a folder."""
    value = cast("Json", json.loads(gzip.decompress((folder / ANSWERS).read_bytes())))
    answers = [Answer(Call(**answer["call"]), answer["status"], answer["body"]) for answer in value["answers"]]
    projects = [_project(project) for project in value["projects"]]
    moment = datetime.fromisoformat(value["moment"])
    return Recording(moment, value["secret_key"], value["people"], projects, answers)


def _project(value: Json) -> Project:
    contents = {int(number): texts for number, texts in value["contents"].items()}
    way_back = [(name, shape) for name, shape in value["way_back"]]
    return Project(value["id"], value["owner"], value["key"], contents, way_back)


def write_rows(folder: Path, tables: Iterable[tuple[str, list[Row]]], files: Iterable[bytes]) -> None:
    """Writes each row, then the file of each image, as a line of JSON. Bytes are base64, moments ISO 8601."""
    lines = [json.dumps([table, row], default=_encode, ensure_ascii=False) for table, rows in tables for row in rows]
    lines += [json.dumps(["file", {"data": data}], default=_encode) for data in files]
    (folder / ROWS).write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


def _encode(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    assert isinstance(value, date)
    return value.isoformat()


def read_rows(folder: Path) -> tuple[dict[str, list[Row]], list[bytes]]:
    """Reads the rows by table, in the order in which they can be inserted, and the files of images."""
    rows: dict[str, list[Row]] = {}
    for line in gzip.decompress((folder / ROWS).read_bytes()).decode().splitlines():
        table, row = json.loads(line)
        rows.setdefault(table, []).append(row)
    return rows, [base64.b64decode(row["data"]) for row in rows.pop("file")]


def load_rows(url: str, rows: Mapping[str, list[Row]]) -> None:
    """Makes these rows the only rows of their tables. The columns are those of the database, whatever the models are now.

    Triggers write rows of their own: they are replaced if their table comes after the tables of the triggers.
    """
    engine = create_engine(url, poolclass=NullPool)
    tables = MetaData()
    event.listen(tables, "column_reflect", _keep_null)
    with engine.begin() as connection:
        tables.reflect(connection)
        for name, found in rows.items():
            table = tables.tables[name]
            connection.execute(delete(table))
            connection.execute(insert(table), [_decoded(connection, table, row) for row in found])
        if connection.dialect.name == "postgresql":
            for name in rows:
                _continue_numbers(connection, tables.tables[name])
    engine.dispose()


def _keep_null(_inspector: object, _table: object, column: Json) -> None:
    """Lets NULL be NULL in columns of JSON: by default it is the ``null`` of JSON."""
    if isinstance(column["type"], JSON):
        column["type"] = JSON(none_as_null=True)


def _decoded(connection: Connection, table: Table, row: Row) -> Row:
    return {name: _value(table.columns[name], value, connection.dialect.name) for name, value in row.items()}


def _value(column: Column[Any], value: Any, dialect: str) -> Any:
    if value is None:
        return None
    if isinstance(column.type, LargeBinary):
        return base64.b64decode(value)
    if isinstance(column.type, DateTime):
        moment = datetime.fromisoformat(value).astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect == "sqlite" else moment
    return date.fromisoformat(value) if isinstance(column.type, Date) else value


def _continue_numbers(connection: Connection, table: Table) -> None:
    """Lets the numbers that PostgreSQL gives begin after those of the rows. SQLite does so by itself."""
    for column in table.primary_key:
        if isinstance(column.type, Integer) and len(table.primary_key) == 1:
            sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
            highest = connection.scalar(select(func.max(column)))
            if sequence is not None and highest is not None:
                connection.execute(select(func.setval(sequence, highest)))


@dataclass(frozen=True)
class Difference:
    """What became of one place of an answer, such as ``screens[0].keys[3].by``. A missing value is ``...``."""

    path: str
    place: str
    before: object
    after: object

    def __str__(self) -> str:
        before, after = (repr(value)[:SHOWN_CHARACTERS] for value in (self.before, self.after))
        return f"{self.path} {self.place}: {before} became {after}"


def answer_differences(before: Answer, after: Answer) -> Iterator[Difference]:
    """Yields each place in which the answers to a call differ."""
    if before.status != after.status:
        yield Difference(before.call.path, "status", before.status, after.status)
    yield from differences(before.call.path, before.body, after.body)


def differences(path: str, before: object, after: object) -> Iterator[Difference]:
    """Yields each place in which two values differ; ``path`` names them."""
    for place, old, new in _differing(before, after, ""):
        yield Difference(path, place, old, new)


def _differing(before: object, after: object, place: str) -> Iterator[tuple[str, object, object]]:
    if isinstance(before, dict) and isinstance(after, dict):
        old, new = cast("Json", before), cast("Json", after)
        for name in dict.fromkeys([*old, *new]):
            yield from _differing(old.get(name, ...), new.get(name, ...), f"{place}.{name}".removeprefix("."))
    elif isinstance(before, list) and isinstance(after, list):
        older, newer = cast("list[object]", before), cast("list[object]", after)
        for number in range(max(len(older), len(newer))):
            old_entry, new_entry = (side[number] if number < len(side) else ... for side in (older, newer))
            yield from _differing(old_entry, new_entry, f"{place}[{number}]")
    elif before != after:
        yield place, before, after
