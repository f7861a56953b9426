"""What readers of a CDN get: each release, as the server answers it, and nothing that is not released."""

import httpx2
import pytest

from livery.app import Application, check_settings
from livery.core.db import renew_epoch
from livery.core.settings import SettingsError, load_settings
from livery.projects import copies
from tests.factories.projects import Desk, put_on_tier
from tests.support.cdn_reader import Cdn
from tests.support.clock import Clock


async def test_readers_get_what_the_server_answers_in_every_language(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await cdn.work()

    for language, asked in (("en", "en"), ("pt-br", "pt-BR"), ("_default", "en")):
        assert await cdn.content(language) == await desk.content(asked)
    assert await cdn.content("de") is None

    await desk.text("more", {"en": "More"})
    await desk.publish()
    await cdn.work()

    assert await cdn.content("pt-br") == await desk.content("pt-BR")
    assert await cdn.release() == 2


async def test_nothing_of_a_draft_and_no_secret_is_in_the_bucket(cdn: Cdn, desk: Desk) -> None:
    await cdn.work()
    assert await cdn.names() == []
    await desk.publish()
    await desk.text("later", {"en": "Only in the draft"})
    await cdn.work()

    found = await cdn.everything()

    project = await desk.project()
    assert "Hello" in found
    assert "Only in the draft" not in found
    for secret in (project["publishableKey"], project["projectSecret"], cdn.context.settings.secret_key):
        assert str(secret) not in found
    for person in ("mara", "@"):
        assert person not in found


async def test_a_release_that_is_not_committed_is_not_written(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await cdn.work()
    async with cdn.context.database.rehearse() as db:
        await copies.ask(db, desk.project_id)

    await cdn.work()

    assert await cdn.release() == 1
    async with cdn.context.database.read() as db:
        assert not await copies.COPIES.has_due(db)


async def test_languages_come_and_go_with_their_release(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    assert (await desk.post("/projects/{id}/languages", {"language": "de"})).is_success
    assert (await desk.delete("/projects/{id}/languages/pt-BR")).is_success
    await cdn.work()
    assert await cdn.content("de") is None
    assert await cdn.release("pt-br") == 1

    await desk.publish()
    await cdn.work()

    assert await cdn.content("de") == await desk.content("de")
    assert await cdn.content("pt-br") is None


async def test_the_contents_of_a_former_release_stay_for_a_day(clock: Clock, cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await cdn.work()
    first = {name for name in await cdn.names() if name.startswith("releases/")}
    await desk.text("more", {"en": "More"})
    await desk.publish()
    await cdn.work()
    assert first <= set(await cdn.names())

    clock.advance(days=1, minutes=2)
    await cdn.work()

    left = {name for name in await cdn.names() if name.startswith("releases/")}
    assert not first & left
    assert len(left) == 2
    assert await cdn.release() == 2


async def test_a_deleted_project_leaves_nothing(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await cdn.work()
    address = (await cdn.addresses())[0]

    assert (await desk.delete("/projects/{id}")).is_success
    await cdn.work()

    assert await cdn.names() == []
    assert await cdn.content("en", address) is None


async def test_a_plan_that_is_over_takes_the_content_away_and_a_new_plan_brings_it_back(
    clock: Clock, cdn: Cdn, desk: Desk, app: Application
) -> None:
    await desk.publish()
    await cdn.work()
    address = (await cdn.addresses())[0]
    clock.advance(days=59)
    await cdn.work()
    assert await cdn.content("en", address)

    clock.advance(days=1, seconds=1)
    await cdn.work()
    assert await cdn.names() == []

    await put_on_tier(app.context, desk.person.actor, desk.project_id, "pro")
    await cdn.work()
    assert await cdn.content("en", address)


async def test_an_ended_key_ends_its_address_and_the_names_of_the_contents(clock: Clock, cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await cdn.work()
    (former,) = await cdn.addresses()
    known = {name for name in await cdn.names() if name.startswith("releases/")}
    assert (await desk.post("/projects/{id}/publishable-key/rotate")).is_success
    await cdn.work()
    newest, same = await cdn.addresses()
    assert same == former
    assert await cdn.content("en", former) == await cdn.content("en", newest)

    keys = (await desk.get("/projects/{id}/publishable-keys")).json()["keys"]
    assert (await desk.delete(f"/projects/{{id}}/publishable-key/{keys[1]['_id']}")).is_success
    await cdn.work()

    assert await cdn.content("en", former) is None
    assert await cdn.content("en", newest) == await desk.content("en")
    clock.advance(days=1, minutes=2)
    await cdn.work()
    assert not known & set(await cdn.names())
    assert await cdn.content("en", newest) == await desk.content("en")


async def test_after_a_restore_readers_get_the_older_release_in_its_new_epoch(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await cdn.work()
    before = await cdn.content("en")
    async with cdn.context.database.write() as db:
        epoch = await renew_epoch(db)
    await cdn.work()
    assert await cdn.content("en") == before

    await cdn.look_elsewhere()
    await cdn.work()

    after = await cdn.content("en")
    assert before
    assert after
    assert after["version"] == f"{epoch}.1"
    assert after["texts"] == before["texts"]


async def test_a_new_bucket_gets_everything(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    await cdn.work()
    await cdn.s3.remove_bucket()
    await cdn.s3.make_bucket()
    async with cdn.context.database.write() as db:
        await copies.ask_for_elsewhere(db, place="a different bucket", epoch="")

    await cdn.work()

    assert await cdn.content("en") == await desk.content("en")


async def test_a_release_during_a_copy_is_copied_after_it(cdn: Cdn, desk: Desk) -> None:
    await desk.publish()
    async with cdn.context.database.write() as db:
        (row,) = await copies.claim(db)
    await desk.text("more", {"en": "More"})
    await desk.publish()
    await cdn.work()
    assert await cdn.names() == []  # the lease of the first is respected

    async with cdn.context.database.write() as db:
        await copies.finish(db, row, copies.Copied("", "", 1, None))
    await cdn.work()

    assert await cdn.release() == 2


async def test_the_address_is_shown_to_admins_only(cdn: Cdn, desk: Desk, client: httpx2.AsyncClient) -> None:
    (address,) = await cdn.addresses()

    assert address.startswith(f"https://cdn.example.com/livery/{desk.project_id}/")
    assert len(address.rpartition("/")[2]) == 40
    assert (await client.get(f"/api/projects/{desk.project_id}/publishable-keys")).status_code == 401


BUCKET = {"cdn_storage_url": "s3://bucket/cdn", "cdn_url": "https://cdn.example.com"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"cdn_url": ""},
        {"cdn_storage_url": ""},
        {"storage_url": "s3://bucket"},
        {"storage_url": "s3://bucket/cdn/"},
        {"storage_url": "s3://bucket/cdn/images"},
    ],
)
def test_a_server_with_half_a_cdn_or_a_public_storage_does_not_start(wrong: dict[str, str], tmp_path: object) -> None:
    settings = load_settings(**{"data_dir": tmp_path, **BUCKET, **wrong})

    with pytest.raises(SettingsError, match="LIVERY_CDN"):
        check_settings(settings)


@pytest.mark.parametrize("url", ["file:///tmp", "https://example.com", "s3://", "s3:///x"])
def test_only_an_s3_bucket_can_take_the_copies(url: str) -> None:
    with pytest.raises(SettingsError, match="LIVERY_CDN_STORAGE_URL must be like"):
        load_settings(cdn_storage_url=url)
