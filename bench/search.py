"""Measures how long a search takes in a project of 25,000 keys in 28 languages, beside different projects.

Also measures how large the index of the search is, and what it costs an editor who writes. The words of each language are made up in its own script,
and are drawn as unevenly as the words of a real language. Searches are sequential HTTP calls to a server on the loopback address. Runs on SQLite,
and also on PostgreSQL when ``LIVERY_TEST_DATABASE_URL`` names a server whose user may create databases. Takes about five minutes for each database.

    python -m bench.search
"""

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import insert, text

from bench.support import database, kinds_of, percentile, record, served
from livery import migrations
from livery.accounts.schemas import Actor
from livery.accounts.service import create_verified_user, start_session
from livery.core import clock
from livery.core.context import Context, open_context
from livery.core.settings import Settings, load_settings
from livery.projects import service as projects
from livery.projects.access import open_project
from livery.projects.languages import SUPPORTED
from livery.projects.models import ProjectLanguage, ProjectScreen
from livery.projects.permissions import Permission
from livery.screens import service as screens
from livery.screens.models import TextKey, TextValue
from livery.screens.schemas import AiText
from livery.search import service as search

SCREENS, KEYS, LANGUAGES, OTHERS, TARGET_MS = 50, 500, 28, 2, 100
OTHER_SCREENS, ROUNDS, EDITS, FILL = 5, 40, 60, 5000
LATIN = "abcdefghijklmnopqrstuvwxyz"
LETTERS = {
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "ur": "ابپتٹجچحخدڈرزژسشصطظعغفقکگلمنوہی", "he": "אבגדהוזחטיכלמנסעפצקרשת",
    "ru": "абвгдежзийклмнопрстуфхцчшщыьэюя", "el": "αβγδεζηθικλμνξοπρστυφχψωάέήίό", "hi": "अआइईउकखगघचछजटडतदनपबमयरलवसहािीुे",
    "th": "กขคงจชซดตถทนบปพมยรลวสหอะาิีเแ", "ko": "".join(chr(0xAC00 + 37 * number) for number in range(290)),
    "ja": "".join(chr(0x4E00 + 7 * number) for number in range(800)) + "あいうえおかがきくけこさしすせそたちつてとなにのはひまやらりる",
    "zh": "".join(chr(0x4E00 + 5 * number) for number in range(2000)), "de": LATIN + "äöüß", "fr": LATIN + "éèàçêîô",
    "cs": LATIN + "áčďéěíňóřšťúůýž", "pl": LATIN + "ąćęłńóśźż", "tr": LATIN + "çğışöü", "vi": LATIN + "ạảấầẩậắằặẹẻếềệịọốồộớờợụủứừựỳ",
}  # fmt: skip
UNSPACED = {"ja", "zh", "th"}
PARTS = "title label hint button error confirm empty header body cancel help menu row column status".split()
AREAS = "booking search profile payment ticket seat route station refund language theme account invite".split()


class Language:
    """Makes texts of one language, the same texts in each run."""

    def __init__(self, code: str) -> None:
        self.random = random.Random(code)
        self.joint = "" if code in UNSPACED else " "
        longest = 3 if code in UNSPACED else 9
        letters = LETTERS.get(code, LATIN)
        weights = [1 / (place + 3) for place in range(len(letters))]
        self.words = [
            "".join(self.random.choices(letters, weights, k=self.random.randint(1 if self.joint == "" else 2, longest)))
            for _ in range(4000)
        ]
        self.weights = list(accumulate(1 / (place + 8) for place in range(len(self.words))))

    def text(self) -> str:
        """Returns a text of about 45 characters on average; one text in fifty is long."""
        count = self.random.randint(60, 90) if self.random.random() < 0.02 else self.random.randint(2, 11)
        line = self.joint.join(self.random.choices(self.words, cum_weights=self.weights, k=count))
        return line[:1].upper() + line[1:]


def rows(
    project_id: str, screen: int, languages: Mapping[str, Language]
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each key of a screen with its texts."""
    moment, name = clock.now(), f"screen_{screen}"
    for key in range(KEYS):
        key_id = f"key_{screen:04d}x{key:06d}xaaaaa"
        shared = {"project_id": project_id, "screen": name, "updated_at": moment, "updated_by": None}
        key_name = f"{AREAS[key % len(AREAS)]}_{PARTS[key // len(AREAS) % len(PARTS)]}_{key}"
        row = {**shared, "id": key_id, "name": key_name, "created_at": moment, "is_changed": True}
        values = [
            {**shared, "language": code, "key_id": key_id, "value": language.text(), "is_changed": True}
            for code, language in languages.items()
        ]
        yield row, values


async def fill(context: Context, actor: Actor, count: int, languages: Mapping[str, Language]) -> str:
    """A project with ``count`` screens."""
    moment = clock.now()
    async with context.database.write() as db:
        project = await projects.create_project(
            db, context.vault, actor, name="Bench", description="", default_language="en"
        )
        await projects.set_tier(db, project, tier="pro", expires_at=None)
        spoken = [code for code in languages if code != "en"]
        await db.execute(
            insert(ProjectLanguage),
            [{"project_id": project.id, "code": code, "position": place} for place, code in enumerate(spoken, start=1)],
        )
    for screen in range(count):
        made = {"project_id": project.id, "name": f"screen_{screen}", "position": screen + 1, "created_at": moment}
        async with context.database.write() as db:
            await db.execute(insert(ProjectScreen), [made])
            pairs = list(rows(project.id, screen, languages))
            await db.execute(insert(TextKey), [row for row, _ in pairs])
            if not context.database.is_sqlite:
                # Without it PostgreSQL reads all keys for each text: it planned when the table was empty.
                await db.execute(text("ANALYZE text_keys"))
            await db.execute(insert(TextValue), [value for _, values in pairs for value in values])
    return project.id


def queries(languages: Mapping[str, Language]) -> dict[str, list[str]]:
    """What is searched for, by kind; each kind of several, so that no answer is remembered."""
    latin = [languages[code] for code in ("en", "de", "fr", "es", "it", "nl", "sv", "pl")]
    pick = random.Random(7)
    sample = [pick.choice(latin) for _ in range(ROUNDS)]
    folded = str.maketrans("äöüéèàçêîôčěřšžąęłńśźż", "aoueeaceioceršzaelnszz".replace("š", "s"))
    long_texts = [languages["en"].text() for _ in range(ROUNDS)]
    return {
        "frequent word": [one.words[pick.randrange(0, 20)] for one in sample],
        "rare word": [one.words[pick.randrange(2500, 4000)] for one in sample],
        "two words": [f"{one.words[pick.randrange(9)]} {one.words[pick.randrange(200)]}" for one in sample],
        "no hit": ["".join(pick.choices("qxzjwvk", k=7)) for _ in sample],
        "no hit, of frequent parts": [one.words[pick.randrange(40)] + one.words[pick.randrange(40)] for one in sample],
        "one letter": list("abcdefghijklmnopqrstuvwxyz0123456789.?!-")[:ROUNDS],
        "one rare character": [chr(0x4E00 + 5 * pick.randrange(1500, 2000)) for _ in sample],
        "two letters": ["".join(pick.choices(LATIN, k=2)) for _ in sample],
        "two of Chinese": ["".join(pick.choices(LETTERS["zh"], k=2)) for _ in sample],
        "two of Japanese": ["".join(pick.choices(LETTERS["ja"][:200], k=2)) for _ in sample],
        "Korean": [languages["ko"].words[pick.randrange(3000)] for _ in sample],
        "Arabic": [languages["ar"].words[pick.randrange(4000)] for _ in sample],
        "without its accents": [languages["cs"].words[pick.randrange(4000)].translate(folded) for _ in sample],
        "long phrase": [line[: pick.randrange(30, 120)] for line in long_texts],
        "name of a key": [f"{pick.choice(AREAS)}_{pick.choice(PARTS)}" for _ in sample],
        "end of a key's name": [f"{pick.choice(PARTS)}_{pick.randrange(KEYS)}" for _ in sample],
    }


def times(call: Callable[[str], object], arguments: Sequence[str]) -> list[float]:
    """Milliseconds of each call."""
    found: list[float] = []
    for argument in arguments:
        begin = time.perf_counter()
        call(argument)
        found.append((time.perf_counter() - begin) * 1000)
    return found


def summary(values: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile and the slowest."""
    return {
        "p50": round(statistics.median(values), 1),
        "p95": round(percentile(values, 0.95), 1),
        "max": round(max(values), 1),
    }


def measure(base_url: str, project_id: str, session: str, asked: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The searches of one run, those first that find no block in memory; then edits with searches between them."""
    with httpx2.Client(base_url=base_url, timeout=60, headers={"Authorization": f"Bearer {session}"}) as client:
        hits: dict[str, list[int]] = {}

        def find(query: str) -> None:
            answer = client.get(f"/api/translations/{project_id}/search", params={"q": query}).raise_for_status()
            hits.setdefault(query, []).append(len(answer.json()["results"]))

        first = [value for some in asked.values() for value in times(find, some[:1])]
        by_kind = {kind: times(find, some) for kind, some in asked.items()}
        every = [value for values in by_kind.values() for value in values]
        found = {kind: round(statistics.mean(hits[query][0] for query in some), 1) for kind, some in asked.items()}
        while_writing: list[float] = []
        for number in range(EDITS):
            edit(client, project_id, number)
            while_writing += times(find, [asked["rare word"][number % ROUNDS]])
    kinds = {kind: {**summary(values), "results": found[kind]} for kind, values in by_kind.items()}
    return {
        "first_of_each_kind": summary(first),
        "all": summary(every),
        "right_after_an_edit": summary(while_writing),
        "kinds": kinds,
    }


def edit(client: httpx2.Client, project_id: str, number: int) -> None:
    """One text of one key."""
    name = f"{AREAS[number % len(AREAS)]}_{PARTS[number // len(AREAS) % len(PARTS)]}_{number}"
    body = {"key": name, "values": {"de": f"Ein anderer Text, der {number}te {time.perf_counter_ns()}."}}
    client.put(f"/api/translations/{project_id}/screen_1/{name}", json=body).raise_for_status()


def edits(base_url: str, project_id: str, session: str) -> dict[str, float]:
    """One text after the other, as an editor saves them."""
    with httpx2.Client(base_url=base_url, timeout=60, headers={"Authorization": f"Bearer {session}"}) as client:
        return summary(times(lambda number: edit(client, project_id, int(number)), list(map(str, range(EDITS)))))


def settings_of(data_dir: Path, url: str | None) -> Settings:
    """The settings that the server starts with, too."""
    return load_settings(data_dir=data_dir, **({"database_url": url} if url else {}))


@asynccontextmanager
async def opened(data_dir: Path, url: str | None) -> AsyncGenerator[Context]:
    """The context of a database."""
    context = open_context(settings_of(data_dir, url))
    try:
        yield context
    finally:
        await context.database.close()


async def make(data_dir: Path, url: str | None, languages: Mapping[str, Language]) -> dict[str, Any]:
    """The projects, the first one large, with their index."""
    migrations.upgrade(settings_of(data_dir, url).resolved_database_url)
    async with opened(data_dir, url) as context:
        begin = time.monotonic()
        async with context.database.write() as db:
            actor = await create_verified_user(db, name="Bench", email="bench@example.com", password_hash="")
            session = await start_session(db, actor.id)
        project_ids = [
            await fill(context, actor, OTHER_SCREENS if number < OTHERS else SCREENS, languages)
            for number in range(1 + OTHERS)
        ]
        filled = time.monotonic()
        while await search.renew(context.database):
            continue
        made = {"fill_seconds": round(filled - begin, 1), "index_seconds": round(time.monotonic() - filled, 1)}
        async with context.database.write() as db:
            if context.database.is_sqlite:
                size = "SELECT sum(length(text) + length(key_ids) + length(signature)) FROM search_blocks"
                whole = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
                texts = "SELECT sum(length(CAST(value AS BLOB))) FROM text_values"
                size = size.replace("length(text)", "length(CAST(text AS BLOB))")
            else:
                size = "SELECT pg_total_relation_size('search_blocks')"
                whole = "SELECT pg_database_size(current_database())"
                texts = "SELECT sum(octet_length(value)) FROM text_values"
            for name, query in (("index_bytes", size), ("database_bytes", whole), ("text_bytes", texts)):
                made[name] = int((await db.execute(text(query))).scalar_one())
        if not context.database.is_sqlite:
            async with context.database.engine.connect() as connection:
                free = await connection.execution_options(isolation_level="AUTOCOMMIT")
                await free.execute(text("ANALYZE"))
        return {"project_id": project_ids[-1], "session": session, "actor": actor, "made": made}


async def bulk(data_dir: Path, url: str | None, project_id: str, actor: Actor) -> dict[str, float]:
    """Seconds of writing 5,000 texts as AI does, twenty at a time, and of taking a language away (then rolled back)."""
    async with opened(data_dir, url) as context:
        settings = settings_of(data_dir, url)
        found: dict[str, float] = {}
        try:
            async with context.database.write() as db:
                access = await open_project(db, settings, actor, project_id, Permission.EDIT)
                query = (
                    "SELECT a.key_id, a.value, b.value FROM text_values a JOIN text_values b USING (project_id, screen, key_id) "
                    "WHERE a.project_id = :id AND a.language = 'en' AND b.language = 'fr' LIMIT :most"
                )
                texts = (await db.execute(text(query), {"id": project_id, "most": FILL})).all()
                begin = time.perf_counter()
                for start in range(0, len(texts), 20):
                    batch = [
                        AiText(
                            key_id=row[0],
                            language="fr",
                            text=f"{row[2]} !",
                            source_language="en",
                            source=row[1],
                            replaces=row[2],
                        )
                        for row in texts[start : start + 20]
                    ]
                    await screens.write_ai_texts(db, access, batch)
                found["5000_ai_texts_s"] = round(time.perf_counter() - begin, 2)
                begin = time.perf_counter()
                await screens.remove_texts_in_language(db, access, "sv")
                found["remove_language_s"] = round(time.perf_counter() - begin, 2)
                raise _Undone
        except _Undone:
            return found


class _Undone(Exception):
    """Ends a transaction without a trace."""


async def drop_triggers(data_dir: Path, url: str | None) -> None:
    """Take away what writing costs, to see what it costs."""
    async with opened(data_dir, url) as context, context.database.write() as db:
        if context.database.is_sqlite:
            rows = await db.execute(text("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"))
            for name, _ in rows.all():
                await db.execute(text(f"DROP TRIGGER {name}"))
        else:
            rows = await db.execute(text("SELECT tgname, tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal"))
            for name, table in rows.all():
                await db.execute(text(f"DROP TRIGGER {name} ON {table}"))


def run(kind: str) -> dict[str, Any]:
    """All figures of one kind of database."""
    codes = ["en", *[code for code in SUPPORTED if code != "en"]][:LANGUAGES]
    languages = {code: Language(code) for code in codes}
    with tempfile.TemporaryDirectory() as folder, database(kind, "search") as url:
        data_dir = Path(folder)
        made = asyncio.run(make(data_dir, url, languages))
        with served(data_dir, url) as base_url:
            searches = measure(base_url, made["project_id"], made["session"], queries(languages))
            with_index = edits(base_url, made["project_id"], made["session"])
        with_index |= asyncio.run(bulk(data_dir, url, made["project_id"], made["actor"]))
        asyncio.run(drop_triggers(data_dir, url))
        with served(data_dir, url) as base_url:
            without = edits(base_url, made["project_id"], made["session"])
        without |= asyncio.run(bulk(data_dir, url, made["project_id"], made["actor"]))
    writes = {"with_index": with_index, "without": without}
    return {**made["made"], "search_ms": searches, "writes": writes}


def main() -> None:
    """Measure and record."""
    kinds = kinds_of(sys.argv[1:])
    shape = {"keys": SCREENS * KEYS, "languages": LANGUAGES, "values": SCREENS * KEYS * LANGUAGES}
    result: dict[str, Any] = {}
    for kind in kinds:
        result[kind] = run(kind)
        print(kind, json.dumps(result[kind], indent=2), flush=True)
    record("search", "python -m bench.search", {"project": shape, "target_p95_ms": TARGET_MS, **result})


if __name__ == "__main__":
    main()
