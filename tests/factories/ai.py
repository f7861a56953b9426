"""Starts translation jobs for tests, over HTTP, and looks at what became of them."""

from typing import Any

from tests.factories.projects import Desk


async def start(desk: Desk, language: str, *, screen: str = "general", **more: object) -> dict[str, Any]:
    """Start filling a language; the job."""
    body = {"referenceLanguage": "en", "allTabs": False, **more}
    response = await desk.post(f"/translations/{{id}}/{screen}/{language}/auto-translate", body)
    assert response.status_code == 202, response.text
    return response.json()["job"]


async def job_of(desk: Desk, job: dict[str, Any]) -> dict[str, Any]:
    """The job as it is now."""
    response = await desk.get(f"/jobs/{job['_id']}")
    assert response.status_code == 200, response.text
    return response.json()


async def authors(desk: Desk, language: str, screen: str = "general") -> dict[str, str]:
    """Who wrote each text of a language."""
    keys = (await desk.get(f"/translations/{{id}}/{screen}")).json()["keys"]
    return {key["key"]: key["meta"][language]["by"] for key in keys if language in key["meta"]}
