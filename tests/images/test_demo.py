"""The demo project shows what images are for."""

import httpx2

from livery.core.context import Context
from livery.workspace import demo


async def test_the_demo_has_a_logo_a_hero_and_a_photo_of_every_place(
    context: Context, client: httpx2.AsyncClient
) -> None:
    made = await demo.add_demo(context)
    login = await client.post("/api/auth/login", json={"email": demo.EMAIL, "password": demo.PASSWORD})
    headers = {"Authorization": f"Bearer {login.json()['token']}"}

    images = (await client.get(f"/api/images/{made.project_id}", headers=headers)).json()

    sizes = {image["key"]: (image["width"], image["height"]) for image in images}
    assert (sizes.pop("logo_primary"), sizes["hero"]) == ((256, 256), (1600, 900))
    assert sum(image["bytes"] for image in images) < 400_000
    for image in images:
        assert (await client.get(image["url"])).headers["content-type"] == image["contentType"]

    stores = (await client.get(f"/api/stores/{made.project_id}", headers=headers)).json()
    items = (await client.get(f"/api/stores/items/{stores[0]['_id']}", headers=headers)).json()
    photos = {item["data"]["photo"] for item in items}
    assert len(photos) == len(items) == 5
    assert photos <= {f"/media/{made.project_id}/{key}" for key in sizes}
