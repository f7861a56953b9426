"""Routers whose routes take bodies as ``StrictJson`` parsed them, and are built when they are first needed."""

import re
from collections.abc import Callable, Coroutine, Sequence
from enum import Enum
from typing import Any, cast

from fastapi import APIRouter, Request, Response
from fastapi.params import Depends
from fastapi.routing import APIRoute
from starlette.routing import Match, Route, compile_path
from starlette.types import Scope

from livery.core.http import PARSED_BODY

_NAME = re.compile(r"\?P<\w+>")
"""The name of a group in a regular expression. One expression of several paths would have some names twice."""


class _ParsedRequest(Request):
    """A request whose body ``StrictJson`` parsed."""

    async def json(self) -> Any:
        """Returns the value of the body."""
        return self.scope[PARSED_BODY]


class _ParsedRoute(APIRoute):
    """A route that takes the value that ``StrictJson`` parsed. FastAPI's own route parses the body again.

    FastAPI builds a route again for the application that includes its router, at the first request that the router finds. So this has only what
    FastAPI reads then. FastAPI's own constructor builds all routes at import, too.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        vars(self).update(options, path=path, endpoint=endpoint, name=options["name"] or endpoint.__name__)
        self.methods = set(options["methods"])
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.form_limits = {}
        self.stream_item_type = None

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_parsed(request: Request) -> Response:
            is_parsed = PARSED_BODY in request.scope
            return await handle(_ParsedRequest(request.scope, request.receive) if is_parsed else request)

        return handle_parsed


class Router(APIRouter):
    """A router whose routes take bodies as ``StrictJson`` parsed them. Every route is added before the first request."""

    _paths: re.Pattern[str] | None = None

    def __init__(
        self,
        *,
        prefix: str = "",
        tags: list[str | Enum] | None = None,
        dependencies: Sequence[Depends] | None = None,
        include_in_schema: bool = True,
    ) -> None:
        super().__init__(
            prefix=prefix,
            tags=tags,
            dependencies=dependencies,
            include_in_schema=include_in_schema,
            route_class=_ParsedRoute,
        )

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Finds the route of a request. A path of a different router costs one regular expression in place of one for each route."""
        if self._paths is None:
            paths = {cast("Route", route).path_regex.pattern for route in self.routes}
            self._paths = re.compile(_NAME.sub("?:", "|".join(sorted(paths))))
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        return super().matches(scope) if self._paths.match(path) else (Match.NONE, {})
