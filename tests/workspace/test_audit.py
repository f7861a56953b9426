"""The audit log: what an entry holds, who may read it, its filters, its files, and that it never holds a secret."""

import asyncio
import csv
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import event, insert, select
from sqlalchemy.engine import Engine

from livery.accounts.models import ApiKey
from livery.activity import audit, service
from livery.activity.audit_values import fit_values, without_keys
from livery.activity.models import Activity, AuditEntry
from livery.app import Application
from livery.core import clock as core_clock
from livery.core import limits
from livery.core.context import Context
from livery.core.db import Database
from livery.core.errors import Unavailable
from livery.core.jobs import Sweeper
from livery.schedules import jobs as schedules
from livery.workspace.service import give_tier
from tests.conftest import ClientFrom
from tests.factories.accounts import PASSWORD, create_logged_in, create_user
from tests.factories.billing import give_credits
from tests.factories.projects import Desk, join, open_desk
from tests.factories.schedules import create_schedule, let_time_come
from tests.factories.sso import give_identity
from tests.factories.stores import create_item, create_store
from tests.images.pictures import BLUE, picture
from tests.support.clock import Clock
from tests.support.live_server import live_server
from tests.support.polling import ask_until

Entry = dict[str, Any]
NEW = "a canary that sings in no log"


@pytest.fixture
async def desk(context: Context, client: httpx2.AsyncClient) -> Desk:
    return await open_desk(context, client, languages=("en", "de"))


async def log_of(desk: Desk, query: str = "") -> list[Entry]:
    answer = await desk.get(f"/projects/{{id}}/audit?limit=100{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def newest(desk: Desk, code: str) -> Entry:
    return next(entry for entry in await log_of(desk) if entry["code"] == code)


def change(entry: Entry) -> tuple[Any, Any]:
    return entry["before"], entry["after"]


async def test_an_edited_text_has_its_actor_address_and_both_texts(desk: Desk, clock: Clock) -> None:
    await desk.text("title", {"en": "Welcome", "de": "Willkommen"})
    body = {"key": "title", "values": {"de": "Hallo"}}
    assert (await desk.put("/translations/{id}/general/title", body)).is_success

    edited, added = (await log_of(desk))[:2]

    assert edited.pop("_id") > added["_id"]
    assert len(edited.pop("requestId")) == 16
    assert edited == {
        "timestamp": "2026-11-20T12:00:00.000Z",
        "actor": {
            "kind": "person",
            "_id": desk.person.actor.id,
            "name": "Mara Lindt",
            "email": "mara@example.com",
        },
        "action": "Changed text general.title",
        "code": "screens.key_updated",
        "target": "general.title",
        "address": "127.0.0.1",
        "before": {"de": "Willkommen"},
        "after": {"de": "Hallo"},
        "isCut": False,
    }
    assert change(added) == (None, {"en": "Welcome", "de": "Willkommen"})


async def test_the_log_keeps_each_edit_where_the_feed_keeps_the_last(desk: Desk, clock: Clock) -> None:
    await desk.text("title", {"en": "1"})
    for text in ("2", "3", "4"):
        await desk.put("/translations/{id}/general/title", {"key": "title", "values": {"en": text}})

    entries = await log_of(desk, "&action=screens.key_updated")

    assert [change(entry) for entry in entries] == [({"en": a}, {"en": b}) for a, b in ("34", "23", "12")]
    feed = (await desk.get("/activity")).json()
    assert [entry["action"] for entry in feed].count("Changed text general.title") == 1


async def test_settings_roles_languages_and_names_have_what_they_were(context: Context, desk: Desk) -> None:
    editor = await join(context, desk, "editor")
    assert (await desk.put("/projects/{id}", {"name": "Nordlicht", "defaultLanguage": "de"})).is_success
    member = f"/projects/{{id}}/members/{editor.person.actor.id}"
    assert (await desk.put(member, {"role": "viewer"})).is_success
    assert (await desk.delete(member)).is_success
    await desk.text("title", {"en": "Welcome", "de": "Willkommen"})
    assert (await desk.delete("/projects/{id}/languages/en")).is_success
    assert (await desk.post("/projects/{id}/screens", {"name": "home"})).is_success
    await desk.text("title", {"de": "Hallo"}, "home")
    assert (await desk.delete("/projects/{id}/screens/home")).is_success

    found = {entry["code"]: change(entry) for entry in await log_of(desk)}

    assert found["projects.updated"] == ({"name": "Aurora Travel"}, {"name": "Nordlicht"})
    assert found["projects.default_language_changed"] == ({"defaultLanguage": "en"}, {"defaultLanguage": "de"})
    assert found["projects.role_changed"] == ({"role": "editor"}, {"role": "viewer"})
    assert found["projects.member_removed"] == ({"email": "editor@example.com", "role": "viewer"}, None)
    assert found["projects.language_removed"] == ({"code": "en", "texts": 1}, None)
    assert found["projects.screen_removed"] == ({"keys": 1, "texts": 1}, None)


async def test_colours_stores_items_and_images_have_what_they_were(desk: Desk) -> None:
    await desk.post("/colors/{id}", {"key": "ink", "value": "#112233", "nickname": "Ink"})
    await desk.put("/colors/{id}/ink", {"value": "#445566"})
    await desk.delete("/colors/{id}/ink")
    store = await create_store(desk)
    item = await create_item(desk, store, title={"en": "Lofoten"}, price=7)
    await desk.put(f"/stores/items/{item['_id']}", {"data": {"title": {"de": "Lofoten!"}, "price": None}})
    fields = [field | {"name": "heading"} if field["name"] == "title" else field for field in store["fields"]]
    assert (await desk.put(f"/stores/{store['_id']}", {"name": "Places", "fields": fields})).is_success
    image = (await desk.upload("/images/{id}", {"key": "hero"}, picture())).json()
    assert (await desk.upload(f"/images/{{id}}/{image['_id']}", {"key": "top"}, picture(color=BLUE))).is_success

    found = {entry["code"]: change(entry) for entry in await log_of(desk)}

    assert found["colors.color_changed"] == ({"value": "#112233"}, {"value": "#445566"})
    assert found["colors.color_removed"] == ({"value": "#445566", "nickname": "Ink"}, None)
    assert found["stores.item_added"] == (None, {"title (en)": "Lofoten", "price": 7})
    assert found["stores.item_changed"] == ({"price": 7}, {"title (de)": "Lofoten!"})
    before, after = found["stores.store_changed"]
    assert before == {
        "name": "Destinations",
        "fields": ["title: String, required, translatable", "price: Number"],
    }
    assert after == {"name": "Places", "fields": ["heading: String, required, translatable", "price: Number"]}
    assert found["images.image_renamed"] == ({"key": "hero"}, {"key": "top"})
    before, after = found["images.image_replaced"]
    assert before["file"] != after["file"]


async def test_a_publish_of_many_texts_is_one_entry_with_counts(context: Context, desk: Desk) -> None:
    for number in range(12):
        await desk.text(f"key_{number}", {"en": "x", "de": "y"})
    await desk.post("/colors/{id}", {"key": "ink", "value": "#112233"})
    before = len(await log_of(desk))

    await desk.publish()

    assert len(await log_of(desk)) == before + 1
    published = (await log_of(desk))[0]
    assert published["before"] == {"release": 0}
    after = published["after"]
    assert (after["release"], after["keys"], after["colors"], after["items"]) == (1, 12, 1, 0)


async def test_ai_on_a_key_has_its_texts_and_on_a_screen_its_counts(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Welcome"})
    body = {"key": "title", "value": "Welcome", "sourceLang": "en"}
    assert (await desk.post("/translations/{id}/general/translate-key", body)).is_success
    await desk.text("other", {"en": "Hello"})
    fill = {"referenceLanguage": "en", "allTabs": False}
    assert (await desk.post("/translations/{id}/general/de/auto-translate", fill)).is_success

    one, many = await newest(desk, "ai.key_translated"), await newest(desk, "ai.translation_started")

    assert one["before"] is None
    assert list(one["after"]) == ["de"]
    assert many["after"]["texts"] == 1
    assert (many["after"]["from"], many["after"]["into"]) == ("en", "de")


async def test_an_activity_of_background_work_has_a_job_as_actor_and_no_address(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "Welcome"})
    await let_time_come(context, await create_schedule(desk))

    running = asyncio.create_task(Sweeper(schedules.sweeps(context)).run())
    entry = (await ask_until(bool, lambda: log_of(desk, "&action=publishing.published")))[0]
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert entry["actor"]["kind"] == "job"
    assert entry["actor"]["name"] == "Mara Lindt"
    assert entry["address"] is None
    assert entry["requestId"] is None
    scheduled = await newest(desk, "publishing.scheduled")
    assert (scheduled["actor"]["kind"], scheduled["address"]) == ("person", "127.0.0.1")
    assert [found["_id"] for found in await log_of(desk, "&actor=job")] == [entry["_id"]]


async def test_an_operators_command_is_the_operators(context: Context, desk: Desk) -> None:
    async with context.database.write() as db:
        await give_tier(db, context.bus, project_id=desk.project_id, tier_id="starter", until=None)

    entry = (await log_of(desk))[0]

    assert entry["code"] == "billing.tier_set"
    assert entry["actor"] == {"kind": "operator", "_id": None, "name": None, "email": None}
    assert entry["before"]["tier"] == "pro"
    assert entry["after"] == {"tier": "starter", "until": None}


async def test_behind_a_trusted_proxy_the_address_is_the_clients(app: Application, context: Context) -> None:
    person = await create_logged_in(context)
    headers = {**person.headers, "X-Forwarded-For": "198.51.100.1, 203.0.113.7"}

    async with live_server(app, trusted_proxies="127.0.0.1") as live:
        assert (await live.client.put("/api/user/me", headers=headers, json={"name": "Behind"})).is_success
        mine = (await live.client.get("/api/user/audit", headers=headers)).json()
    assert mine[0]["address"] == "203.0.113.7"

    async with live_server(app) as live:
        assert (await live.client.put("/api/user/me", headers=headers, json={"name": "Before"})).is_success
        mine = (await live.client.get("/api/user/audit", headers=headers)).json()
    assert mine[0]["address"] == "127.0.0.1"


async def test_only_the_owner_and_admins_read_the_log(context: Context, desk: Desk) -> None:
    admin = await join(context, desk, "admin")
    stranger = desk.at(await create_logged_in(context, email="stranger@example.com"))
    members = [await join(context, desk, "editor"), await join(context, desk, "viewer")]
    paths = ["/projects/{id}/audit", "/projects/{id}/audit/people", "/projects/{id}/audit/export?format=json"]

    for path in paths:
        assert (await admin.get(path)).status_code == 200
        for member in members:
            refused = await member.get(path)
            assert refused.status_code == 403
            assert refused.json()["message"] == "Only admins and the owner can see the audit log."
        assert (await stranger.get(path)).status_code == 404
        assert (await desk.client.get(f"/api{path.replace('{id}', desk.project_id)}")).status_code == 401


async def test_the_filters_find_by_person_kind_of_act_time_and_target(
    clock: Clock, context: Context, desk: Desk
) -> None:
    admin = await join(context, desk, "admin")
    clock.advance(hours=1)
    await desk.text("title", {"en": "x"})
    clock.advance(hours=1)
    await admin.text("subtitle", {"en": "x"})
    clock.advance(hours=1)
    await admin.post("/colors/{id}", {"key": "ink_50", "value": "#112233"})

    async def targets(query: str) -> list[str]:
        return [entry["target"] for entry in await log_of(desk, query)]

    assert await targets(f"&actor={admin.person.actor.id}") == ["ink_50", "general.subtitle"]
    assert await targets("&action=screens") == ["general.subtitle", "general.title"]
    assert await targets("&action=colors.color_added") == ["ink_50"]
    assert await targets("&action=color") == []
    assert await targets("&from=2026-11-20T14:00:00Z") == ["ink_50", "general.subtitle"]
    assert await targets("&from=2026-11-20T13:00:00Z&to=2026-11-20T14:00:00Z") == ["general.title"]
    assert await targets("&text=TITLE") == ["general.subtitle", "general.title"]
    assert await targets("&text=K_50") == ["ink_50"]
    assert await targets("&text=i%25k") == []
    assert await targets("&text=in__") == []
    people = (await desk.get("/projects/{id}/audit/people")).json()["people"]
    assert [(person["name"], person["email"]) for person in people] == [
        ("Admin", "admin@example.com"),
        ("Mara Lindt", "mara@example.com"),
    ]


@pytest.mark.parametrize(
    "query",
    [
        "from=yesterday",
        "from=2026-11-20",
        "to=2026-11-20T12:00:00",
        "to=0001-01-01T00:00:00%2B14:00",
        "from=9999-12-31T23:59:59-14:00",
        "action=Screens;",
        "action=a.b.c",
        "limit=0",
        "limit=101",
        "cursor=0",
        f"text={'x' * 201}",
        f"actor={'x' * 65}",
    ],
)
async def test_a_filter_that_makes_no_sense_is_refused_by_its_name(desk: Desk, query: str) -> None:
    for path in ("audit", "audit/export"):
        refused = await desk.get(f"/projects/{{id}}/{path}?{query}")
        if path == "audit/export" and query.split("=", maxsplit=1)[0] in {"limit", "cursor"}:
            continue
        assert refused.status_code == 422, refused.text
        assert list(refused.json()["fields"]) == [query.split("=", maxsplit=1)[0]]


async def test_pages_follow_each_other_without_gap_or_repeat(desk: Desk) -> None:
    for number in range(5):
        await desk.text(f"key_{number}", {"en": "x"})
    whole = [entry["_id"] for entry in await log_of(desk)]

    found: list[str] = []
    while page := (await desk.get(f"/projects/{{id}}/audit?limit=2{f'&cursor={found[-1]}' if found else ''}")).json():
        found += [entry["_id"] for entry in page]

    assert found == whole
    assert len(set(found)) == len(found) >= 6


async def add_entries(context: Context, desk: Desk, count: int, **values: Any) -> None:
    row = {
        "project_id": desk.project_id,
        "actor_kind": "person",
        "actor_id": desk.person.actor.id,
        "action": "screens.key_updated",
        "subject": {"screen": "general", "key": "title"},
        "search_text": "general.title",
        "is_cut": False,
        "created_at": core_clock.now(),
        **values,
    }
    async with context.database.write() as db:
        for start in range(0, count, 1_000):
            await db.execute(insert(AuditEntry), [row] * min(1_000, count - start))


@pytest.mark.parametrize("kind", ["csv", "json"])
async def test_an_export_of_five_thousand_entries_is_read_in_portions(
    context: Context, desk: Desk, clock: Clock, kind: str
) -> None:
    await add_entries(context, desk, 5_000, before={"en": "old"}, after={"en": "new"})
    fetched: list[int] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "FROM audit_entries" in statement and "LIMIT" in statement:
            fetched.append(1)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        answer = await desk.get(f"/projects/{{id}}/audit/export?format={kind}&action=screens")
    finally:
        event.remove(Engine, "before_cursor_execute", note)

    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="audit-aurora-travel-2026-11-20.{kind}"'
    rows = list(csv.DictReader(io.StringIO(answer.text))) if kind == "csv" else json.loads(answer.text)
    ids = [int(row["id" if kind == "csv" else "_id"]) for row in rows]
    assert len(ids) == 5_000
    assert ids == sorted(set(ids), reverse=True)
    assert len(fetched) == 11
    first = rows[0]
    assert first["code"] == "screens.key_updated"
    assert (json.loads(first["after"]) if kind == "csv" else first["after"]) == {"en": "new"}
    exported = await newest(desk, "projects.audit_exported")
    assert (exported["target"], exported["after"]) == (kind.upper(), {"action": "screens"})
    feed = (await desk.get("/activity")).json()
    assert all("Exported" not in entry["action"] for entry in feed)


async def test_an_empty_export_is_a_file_all_the_same(desk: Desk) -> None:
    table = await desk.get("/projects/{id}/audit/export?format=csv&text=nothing")
    array = await desk.get("/projects/{id}/audit/export?format=json&text=nothing")

    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert len(table.text.splitlines()) == 1
    assert array.headers["content-type"] == "application/json"
    assert array.json() == []


async def test_cells_that_a_spreadsheet_would_run_begin_with_an_apostrophe(context: Context, desk: Desk) -> None:
    targets = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "plain", "a=b"]
    for target in targets:
        await add_entries(context, desk, 1, subject={"text": target}, search_text=target)
    await desk.put("/user/me", {"name": "=HYPERLINK(1)"})

    answer = await desk.get("/projects/{id}/audit/export?format=csv&action=screens")

    rows = list(csv.DictReader(io.StringIO(answer.content.decode(), newline="")))
    assert [row["target"] for row in reversed(rows)] == [*(f"'{target}" for target in targets[:6]), "plain", "a=b"]
    assert {row["actor"] for row in rows} == {"'=HYPERLINK(1)"}


async def test_a_file_is_named_in_letters_that_every_system_takes(desk: Desk, clock: Clock) -> None:
    await desk.put("/projects/{id}", {"name": 'Ægir/"Über" \\ 旅'})

    answer = await desk.get("/projects/{id}/audit/export")

    assert answer.headers["content-disposition"] == 'attachment; filename="audit-gir-uber-2026-11-20.csv"'


async def entries(context: Context) -> Sequence[AuditEntry]:
    async with context.database.read() as db:
        return (await db.scalars(select(AuditEntry).order_by(AuditEntry.id))).all()


async def test_no_entry_is_left_of_an_act_that_was_rolled_back(context: Context, desk: Desk) -> None:
    before = len(await entries(context))

    with pytest.raises(RuntimeError):
        async with context.database.write() as db:
            audit.write(db, action="accounts.logged_in", actor_id=desk.person.actor.id)
            await service.record(db, project_id=desk.project_id, actor_id="usr_x", action="screens.key_added")
            raise RuntimeError("after both were written")
    refused = await desk.post("/translations/{id}/general", {"key": "bad key!", "values": {"en": "x"}})

    assert refused.status_code == 422
    assert len(await entries(context)) == before


async def test_nothing_secret_is_in_any_entry(context: Context, desk: Desk, app: Application) -> None:
    client, email = desk.client, desk.person.actor.email
    secrets = [PASSWORD, NEW, "wrong canary password", desk.person.token]
    await client.post("/api/auth/login", json={"email": email, "password": "wrong canary password"})
    login = await client.post("/api/auth/login", json={"email": email, "password": PASSWORD})
    secrets += [login.json()["token"], login.json()["device"]]
    secrets.append((await desk.get("/user/apikey")).json()["apikey"])
    secrets.append((await desk.post("/user/apikey/rotate")).json()["apikey"])
    keys = (await desk.get("/user/apikeys")).json()["apikeys"]
    former = next(key["_id"] for key in keys if not key["current"])
    assert (await desk.delete(f"/user/apikeys/{former}")).is_success
    secrets.append((await desk.project())["projectSecret"])
    secrets.append((await desk.post("/projects/{id}/secret/rotate")).json()["projectSecret"])
    secrets.append((await desk.post("/projects/{id}/publishable-key/rotate")).json()["publishableKey"])
    link = (await desk.post("/projects/{id}/preview-links", {"appUrl": "https://app.example.com/?s=canary"})).json()
    secrets += [link["token"], link["url"]]
    invited = await desk.post("/projects/{id}/members", {"email": "noor@example.org"})
    secrets.append(invited.json()["members"][-1]["inviteLink"].rsplit("/", 1)[1])
    await desk.text("pasted", {"en": f"Key {secrets[6]} in a text"})
    assert (await desk.put("/user/password", {"oldPassword": PASSWORD, "newPassword": NEW})).is_success
    wrong = await desk.put("/user/password", {"oldPassword": "wrong canary password", "newPassword": NEW})
    assert wrong.status_code == 422
    await app.failed_logins.flush(context.database)

    async with context.database.read() as db:
        rows = [repr(tuple(row)) for row in await db.execute(select(AuditEntry.__table__))]
        digests = list(await db.scalars(select(ApiKey.key_digest)))
    log = "\n".join(rows)

    assert len(secrets) == 14
    assert all(len(secret) > 12 for secret in secrets)
    assert [secret for secret in [*secrets, *digests] if secret in log] == []
    assert "accounts.password_refused" in log
    assert "Key lvk_… in a text" in log


async def test_a_person_reads_the_acts_on_their_own_account_and_nobody_else_does(
    context: Context, client_from: ClientFrom, app: Application, clock: Clock
) -> None:
    mara = await create_user(context)
    other = await create_logged_in(context, email="other@example.com")
    body = {"email": mara.email, "password": PASSWORD}
    async with client_from("203.0.113.9") as stranger:
        await stranger.post("/api/auth/login", json={**body, "password": "guessed wrongly"})
        await stranger.post("/api/auth/login", json={**body, "email": "nobody@example.com"})
    await app.failed_logins.flush(context.database)
    await give_credits(context.database, mara.id, 7)
    async with client_from("203.0.113.7") as client:
        token = (await client.post("/api/auth/login", json=body, headers={"User-Agent": "Test/1"})).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        mine = (await client.get("/api/user/audit", headers=headers)).json()
        page = (await client.get(f"/api/user/audit?limit=1&cursor={mine[1]['_id']}", headers=headers)).json()
        theirs = (await client.get("/api/user/audit", headers=other.headers)).json()

    assert [(entry["code"], entry["actor"]["kind"], entry["address"]) for entry in mine] == [
        ("accounts.logged_in", "person", "203.0.113.7"),
        ("billing.credits_granted", "operator", None),
        ("accounts.login_failed", "person", "203.0.113.9"),
        ("accounts.registered", "operator", None),
    ]
    assert mine[0]["after"] == {"userAgent": "Test/1"}
    assert mine[2]["actor"]["_id"] is None
    assert change(mine[1]) == ({"credits": 0}, {"credits": 7})
    assert page == [mine[2]]
    assert [entry["code"] for entry in theirs] == ["accounts.registered"]
    assert "203.0.113.9" not in str(theirs)


async def test_failed_logins_are_kept_while_the_database_is_away(
    app: Application, context: Context, tmp_path: Path
) -> None:
    away = Database(f"sqlite+aiosqlite:///{tmp_path}/no folder/livery.db")
    app.failed_logins.note("usr_first")
    app.failed_logins.note("usr_second")

    with pytest.raises(Unavailable):
        await app.failed_logins.flush(away)
    await away.close()
    await app.failed_logins.flush(context.database)
    await app.failed_logins.flush(context.database)

    assert [entry.account_id for entry in await entries(context)] == ["usr_first", "usr_second"]


async def test_a_closed_account_reads_deleted_user_and_keeps_no_address_of_its_own(
    context: Context, desk: Desk
) -> None:
    admin = await join(context, desk, "admin")
    await admin.text("title", {"en": "x"})
    await admin.put("/user/me", {"name": "Former name"})
    issuer = "https://id.acme.example"
    await give_identity(context, admin.person.actor.id, subject="a person", issuer=issuer)
    assert (await admin.send("DELETE", "/user/me", {"password": PASSWORD})).is_success

    left, added = (await log_of(desk))[:2]

    assert (left["code"], left["before"]) == ("projects.member_left", {"role": "admin"})
    for entry in (left, added):
        assert entry["actor"]["name"] == "Deleted user"
        assert entry["actor"]["email"] is None
        assert entry["address"] == "127.0.0.1"
    own = [entry for entry in await entries(context) if entry.account_id == admin.person.actor.id]
    assert {entry.action for entry in own} >= {"accounts.name_changed", "accounts.closed"}
    assert [entry for entry in own if entry.address or entry.subject or entry.search_text] == []
    assert {(entry.before, entry.after) for entry in own} == {(None, None)}
    async with context.database.read() as db:
        shown = (await db.scalars(select(Activity).where(Activity.actor_id == admin.person.actor.id))).all()
    assert [row.subject for row in shown if row.action == "accounts.identity_connected"] == [{}]
    assert [row.subject for row in shown if row.action == "screens.key_added"] == [
        {"screen": "general", "key": "title"}
    ]
    people = (await desk.get("/projects/{id}/audit/people")).json()["people"]
    assert ("Deleted user", None) in {(person["name"], person["email"]) for person in people}


async def test_a_failed_login_that_is_written_after_the_end_of_its_account_has_no_address(
    context: Context, app: Application, client_from: ClientFrom
) -> None:
    mara = await create_logged_in(context)
    other = await create_logged_in(context, email="other@example.com")
    async with client_from("203.0.113.9") as stranger:
        for person in (mara, other):
            await stranger.post("/api/auth/login", json={"email": person.actor.email, "password": "guessed wrongly"})
        gone = await stranger.request("DELETE", "/api/user/me", json={"password": PASSWORD}, headers=mara.headers)
    assert gone.is_success, gone.text
    await app.failed_logins.flush(context.database)

    failed = {e.account_id: e.address for e in await entries(context) if e.action == "accounts.login_failed"}
    assert failed == {mara.actor.id: None, other.actor.id: "203.0.113.9"}


async def test_the_log_of_a_deleted_project_stays_and_has_what_was_in_it(context: Context, desk: Desk) -> None:
    await desk.text("title", {"en": "x"})
    assert (await desk.delete("/projects/{id}")).is_success

    last = (await entries(context))[-1]

    assert last.action == "projects.deleted"
    assert last.before
    assert (last.before["name"], last.before["keys"], last.before["texts"]) == ("Aurora Travel", 1, 1)
    assert (await desk.get("/projects/{id}/audit")).status_code == 404


def test_equal_values_are_left_out_and_long_values_are_cut_around_the_change() -> None:
    assert fit_values({"name": "a", "description": "x"}, {"name": "b", "description": "x"}) == (
        {"name": "a"},
        {"name": "b"},
        False,
    )
    assert fit_values({"name": "a"}, {"name": "a"}) == (None, None, False)

    before, after, is_cut = fit_values({"en": "x" * 5_000 + " old"}, {"en": "x" * 5_000 + " new"})
    assert is_cut
    assert before is not None
    assert after is not None
    assert (before["en"][-4:], after["en"][-4:]) == (" old", " new")
    assert before["en"].startswith("…x")


@pytest.mark.parametrize(
    "values",
    [
        {"en": "x" * 30_000},
        {"en": '"\n\\\u0001' * 5_000, "de": "ü" * 3_000},
        {f"field {number}": "y" * 300 for number in range(200)},
        {"x" * 5_000: "y"},
        {"list": ["z" * 100] * 300, "number": 7},
    ],
)
def test_a_side_is_never_longer_than_its_limit_and_is_marked_as_cut(values: dict[str, Any]) -> None:
    _, after, is_cut = fit_values(None, values)

    assert is_cut
    assert after
    assert len(json.dumps(after, ensure_ascii=False)) <= limits.AUDIT_VALUES_CHARACTERS
    assert "…" in json.dumps(after, ensure_ascii=False)


@pytest.mark.parametrize("before", ["", "x_", "key:", "é", "-"])
def test_a_key_is_masked_whatever_is_before_it(before: str) -> None:
    assert without_keys(f"{before}lvs_{'A' * 43}") == f"{before}lvs_…"


@pytest.mark.parametrize("before", ["x", "7"])
def test_a_longer_word_is_no_key(before: str) -> None:
    text = f"{before}lvs_{'A' * 43}"
    assert without_keys(text) == text
