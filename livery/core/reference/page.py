"""Draws OpenAPI documents as one page for people, without scripts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from livery.core.cors import ALLOWED, ANY_ORIGIN
from livery.core.templates import templates_of

if TYPE_CHECKING:
    from jinja2 import Environment

Json = Mapping[str, Any]

_TITLES = {"ai": "AI", "colors": "Colours", "stores": "Data stores", "workspace": "Projects and accounts"}
_DEEPEST = 4
"""Levels of a body that the page shows."""


@dataclass(frozen=True)
class Property:
    """A value in a body, or a parameter. ``depth`` is 0 at the top of the body."""

    depth: int
    name: str
    type: str
    is_required: bool
    description: str


@dataclass(frozen=True)
class Answer:
    """A status with its body."""

    status: str
    description: str
    properties: list[Property]


@dataclass(frozen=True)
class Operation:
    """A call."""

    name: str
    method: str
    path: str
    summary: str
    description: str
    needs: str
    parameters: list[Property]
    body: list[Property]
    answers: list[Answer]


@dataclass(frozen=True)
class Group:
    """Calls about one thing."""

    title: str
    operations: list[Operation]


@cache
def _environment() -> "Environment":
    environment = templates_of("livery.core.reference")
    environment.filters["code"] = _mark_code
    return environment


def _mark_code(text: str) -> Markup:
    """Returns the text with the words between backticks as code."""
    parts = text.split("`")
    marked = (
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part) for number, part in enumerate(parts)
    )
    return Markup("").join(marked)


def draw(dashboard: Json, delivery: Json) -> str:
    """Returns the page of both documents."""
    groups = [Group("Apps", list(_operations(delivery))), *_groups(dashboard)]
    origins = [(name.decode().title(), value.decode()) for name, value in (*ANY_ORIGIN, *ALLOWED)]
    template = _environment().get_template("page.html")
    return template.render(groups=groups, origins=origins, version=dashboard["info"]["version"])


def style() -> str:
    """Returns the style sheet of the page."""
    return _environment().get_template("page.css").render()


def _groups(document: Json) -> Iterable[Group]:
    by_tag: dict[str, list[Operation]] = {}
    for operation, tags in ((operation, raw["tags"]) for operation, raw in _pairs(document)):
        by_tag.setdefault(tags[0], []).append(operation)
    return (Group(_TITLES.get(tag, tag.capitalize()), operations) for tag, operations in sorted(by_tag.items()))


def _operations(document: Json) -> Iterable[Operation]:
    return (operation for operation, _ in _pairs(document))


def _pairs(document: Json) -> Iterable[tuple[Operation, Json]]:
    for path, calls in document["paths"].items():
        for method, raw in calls.items():
            yield _operation(document, path, method, raw), raw


def _operation(document: Json, path: str, method: str, raw: Json) -> Operation:
    summary, _, rest = raw.get("description", "").partition("\n\n")
    if not raw.get("tags"):  # the document of delivery has written summaries
        summary, rest = raw["summary"], raw.get("description", "")
    body = raw.get("requestBody", {}).get("content", {})
    return Operation(
        name=raw["operationId"],
        method=method.upper(),
        path=path,
        summary=summary.strip().rstrip("."),
        description=rest.strip(),
        needs=", ".join(
            f"{name} ({', '.join(scopes)})" if scopes else name
            for need in raw.get("security", ())
            for name, scopes in need.items()
        ),
        parameters=[
            Property(
                0,
                parameter["name"],
                f"{_type(document, parameter['schema'])} in {parameter['in']}",
                parameter.get("required", False),
                parameter.get("description", ""),
            )
            for parameter in raw.get("parameters", ())
        ],
        body=_properties(document, _schema(body)),
        answers=[_answer(document, status, answer) for status, answer in raw["responses"].items()],
    )


def _answer(document: Json, status: str, raw: Json) -> Answer:
    """Returns an answer with its body. A refusal has no body here: all refusals have the same."""
    answer = _resolve(document, raw)
    content: Json = answer.get("content", {}) if status.startswith("2") else {}
    return Answer(status, answer["description"], _properties(document, _schema(content)))


def _schema(content: Json) -> Json:
    nothing: Json = {}
    return next((kind.get("schema", nothing) for kind in content.values()), nothing)


def _resolve(document: Json, schema: Json) -> Json:
    while "$ref" in schema:
        _, _, kind, name = schema["$ref"].split("/")
        schema = document["components"][kind][name]
    return schema


def _properties(document: Json, schema: Json, depth: int = 0) -> list[Property]:
    """Returns the properties of an object, of a list's objects, or of all alternatives, each followed by its own properties."""
    schema = _resolve(document, schema)
    if depth >= _DEEPEST:
        return []
    found: list[Property] = []
    for alternative in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        found += _properties(document, alternative, depth)
    if "items" in schema:
        found += _properties(document, schema["items"], depth)
    required = schema.get("required", ())
    for name, value in schema.get("properties", {}).items():
        known = _resolve(document, value)
        description = value.get("description", known.get("description", "") if known is value else "")
        found.append(Property(depth, name, _type(document, value), name in required, description))
        found += _properties(document, value, depth + 1)
    return found


def _type(document: Json, schema: Json) -> str:
    schema = _resolve(document, schema)
    if alternatives := (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        return " or ".join(dict.fromkeys(_type(document, alternative) for alternative in alternatives))
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return ", ".join(str(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(document, schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type", "any value"))
