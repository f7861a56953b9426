"""What apps read: the content of the release, or of the draft, in each language."""

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from livery_client.cli.api import Api, segment
from livery_client.cli.failure import Failure
from livery_client.cli.project import read_project
from livery_client.content import Json

ATTEMPTS = 5
AT_ONCE = 6
_LANGUAGE = re.compile("[A-Za-z0-9-]+")

Texts = dict[str, dict[str, dict[str, str]]]
"""Screen, key, language, text."""


@dataclass(frozen=True)
class Draft:
    """The draft: its texts, with nothing filled in, and what apps would get in each language."""

    project: Json
    texts: Texts
    contents: list[Json]


def read_release(api: Api, project_id: str) -> list[Json]:
    """Reads the release in all its languages. All contents are of the same version. Raises ``Failure`` if nothing is published."""
    path = f"/sdk/v1/{segment(project_id)}/content"
    for _ in range(ATTEMPTS):
        first: Json = api.get(path)
        if not first.get("release"):
            raise Failure('The project has no release yet. Publish it ("livery-client publish"), or use --draft.')
        languages: list[str] = first["languages"]
        rest = [language for language in languages if language != first["language"]]

        def read(language: str) -> Json:
            return api.get(path, lang=language)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = [first, *pool.map(read, rest)]
        for content in found:
            if not _LANGUAGE.fullmatch(content["language"]):
                name = content["language"]
                raise Failure(f'The server names a language "{name}", which can\'t be the name of a file.')
        if all(content["version"] == first["version"] for content in found):
            return sorted(found, key=lambda content: languages.index(content["language"]))
    raise Failure("The project is published too often to read a single release. Try again.")


def read_stores(api: Api, project_id: str) -> Json:
    """Reads the fields of the stores in the draft, by API identifier."""
    stores: list[Json] = api.get(f"/api/stores/{segment(project_id)}")
    return {
        store["apiIdentifier"]: [{"name": field["name"], "type": field["type"]} for field in store["fields"]]
        for store in stores
    }


def languages_of(language: str) -> list[str]:
    """Returns a language and its parents: ``pt-BR``, ``pt``."""
    parts = language.split("-")
    return ["-".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _text_in(values: Mapping[str, str], chain: list[str]) -> str:
    return next((values[language] for language in chain if values.get(language)), "")


def _content(draft_texts: Texts, project: Json, shared: Json, language: str) -> Json:
    chain = [*languages_of(language), project["defaultLanguage"]]
    found = {
        screen: {key: text for key, values in keys.items() if (text := _text_in(values, chain))}
        for screen, keys in draft_texts.items()
    }
    texts = {screen: keys for screen, keys in found.items() if keys}
    return {**shared, "language": language, "languages": project["languages"], "texts": texts}


def _read_shared(api: Api, project_id: str) -> Json:
    colors: list[Json] = api.get(f"/api/colors/{segment(project_id)}")["colors"]
    images: list[Json] = api.get(f"/api/images/{segment(project_id)}")
    kept = ("url", "width", "height", "thumbhash")
    return {
        "projectId": project_id,
        "colors": {color["key"]: color["value"] for color in colors},
        "images": {image["key"]: {name: image[name] for name in kept} for image in images},
        "stores": dict.fromkeys(read_stores(api, project_id), ""),
    }


def read_draft(api: Api, project_id: str) -> Draft:
    """Reads the draft through the token."""
    project = read_project(api, project_id)

    def read_screen(screen: str) -> tuple[str, dict[str, Any]]:
        keys = api.get(f"/api/translations/{segment(project_id)}/{segment(screen)}")["keys"]
        return screen, {key["key"]: key["values"] for key in keys}

    with ThreadPoolExecutor(AT_ONCE) as pool:
        texts: Texts = dict(pool.map(read_screen, project["tabs"]))
    shared = _read_shared(api, project_id)
    contents = [_content(texts, project, shared, language) for language in project["languages"]]
    return Draft(project, texts, contents)
