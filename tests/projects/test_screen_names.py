"""The reserved screen names against the addresses of the running application."""

import pytest
from fastapi.routing import iter_route_contexts

from livery.core.context import Context
from livery.core.names import RESERVED_SCREENS
from livery.core.text_names import GENERAL
from tests.support.api import api_of

DASHBOARD_TABS = {"general", "stores", "colors", "images", "releases", "settings"}
"""What ``/projects/{projectId}/…`` of the dashboard and the spec keep for themselves."""


def _is_parameter(segment: str) -> bool:
    return segment.startswith("{")


def _may_be_one_address(left: list[str], right: list[str]) -> bool:
    return all(a == b or _is_parameter(a) or _is_parameter(b) for a, b in zip(left, right, strict=True))


def colliding_segments(paths: list[list[str]]) -> set[str]:
    """Returns every static segment at a place where a different address has a screen's name."""
    found: set[str] = set()
    for path in paths:
        for place in [place for place, segment in enumerate(path) if segment == "{tabName}"]:
            for other in paths:
                is_there = len(other) > place and _may_be_one_address(path[:place], other[:place])
                if is_there and not _is_parameter(other[place]):
                    found.add(other[place])
    return found


async def test_every_static_segment_in_the_place_of_a_screen_is_reserved(context: Context) -> None:
    routes = iter_route_contexts(api_of(context.settings).routes)
    paths = [(route.path or "").strip("/").split("/") for route in routes]

    colliding = colliding_segments(paths)

    assert "publish" in colliding
    assert colliding - RESERVED_SCREENS == set()


@pytest.mark.spec("screen-5")
def test_the_dashboards_own_tabs_are_reserved() -> None:
    assert {GENERAL} == DASHBOARD_TABS - RESERVED_SCREENS  # general is taken because every project has it


def test_a_colliding_segment_is_found() -> None:
    paths = ["api/t/{projectId}/{tabName}", "api/t/{projectId}/search", "api/t/rephrase", "api/c/{projectId}/versions"]

    assert colliding_segments([path.split("/") for path in paths]) == {"search"}
