"""The demo project shows what images are for."""

import httpx2

from livery.core.context import Context
from livery.workspace import demo


async def test_the_demo_has_a_logo_and_a_hero_that_apps_can_show(context: Context, client: httpx2.AsyncClient) -> None:
    made = await demo.add_demo(context)
    login = await client.post("/api/auth/login", json={"email": demo.EMAIL, "password": demo.PASSWORD})
    headers = {"Authorization": f"Bearer {login.json()['token']}"}

    images = (await client.get(f"/api/images/{made.project_id}", headers=headers)).json()

    assert {image["key"]: (image["width"], image["height"]) for image in images} == {
        "logo_primary": (256, 256),
        "hero": (1600, 900),
    }
    assert sum(image["bytes"] for image in images) < 150_000
    for image in images:
        assert (await client.get(image["url"])).headers["content-type"] == image["contentType"]
