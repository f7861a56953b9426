"""The answers of the draft channel. Each is composed again from what the application provides, and nobody keeps it.

The version of a draft is ``draft-<digest of what an app sees of it>.<the next release>``. Two states that look the same have one version, whatever
process made them. No version of a release equals it. Versions of drafts have no order.
"""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from livery.content.parts import Meta
from livery.core import limits
from livery.core.errors import Invalid, NotFound
from livery.core.streams import event_bytes
from livery.delivery import content as contents
from livery.delivery import stores
from livery.delivery.admission import Admission, Resolve
from livery.delivery.content import Json
from livery.delivery.library import Library
from livery.delivery.rendering import cursor_expired, dump, merge_patch
from livery.delivery.wire import Query
from livery.publishing.schemas import Draft, PlaceState, ReleaseState, WantedLanguages

Build = Callable[[str, Draft | None, WantedLanguages], Awaitable[Draft | None]]


@dataclass(frozen=True)
class DraftSource:
    """Who may see a draft, and the draft itself, read as far as it differs from one of before. Delivery has no other way to either."""

    resolve: Resolve
    build: Build


async def _nobody(_key: str, _project_id: str) -> Admission:
    return Admission.UNKNOWN


async def _nothing(_project_id: str, _before: Draft | None, _wanted: WantedLanguages) -> Draft | None:
    return None


NO_DRAFTS = DraftSource(_nobody, _nothing)
"""The drafts of a delivery without access to drafts."""


def languages_for(project_id: str, asked: Iterable[str | None]) -> WantedLanguages:
    """Returns the languages of the texts for apps that ask for these languages."""
    asked = frozenset(asked)

    def wanted(meta: Meta) -> frozenset[str]:
        state = ReleaseState(project_id, 0, meta, {})
        served = {contents.served_language(state, one) for one in asked}
        return frozenset(code for language in served for code in contents.fallback_chain(state, language))

    return wanted


def version_of(state: ReleaseState, asked: str | None) -> str:
    """Returns the version of a draft for an app that asks for a language."""
    language = contents.served_language(state, asked)
    return _version(
        state,
        language,
        state.meta.languages,
        [(screen, contents.hashes_of_screens(state, language, (screen,))) for screen in state.meta.screens],
        [state.parts.get(name) for name in contents.SHARED],
        [(name, store.digest) for name, store in contents.stores_of(state).items()],
    )


def _store_version(state: ReleaseState, store: PlaceState, language: str) -> str:
    """Returns the version of a store's pages: texts that change beside it don't send a reader back to the first page."""
    return _version(state, contents.fallback_chain(state, language), store.digest)


def _version(state: ReleaseState, *seen: object) -> str:
    digest = hashlib.sha256(json.dumps([state.project_id, *seen]).encode()).hexdigest()[:24]
    return f"draft-{digest}.{state.release}"


class Drafts:
    """Composes the answers of drafts. Bodies of releases come from the library; those of drafts never get there."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def bodies(self, *drafts: Draft) -> stores.Bodies:
        """Returns the way to every body that these drafts are made of."""

        async def read(project_id: str, hashes: list[str]) -> dict[str, object]:
            own = {name: draft.bodies[name] for draft in drafts for name in hashes if name in draft.bodies}
            released = [name for name in hashes if name not in own]
            return own | (await self._library.bodies(project_id, released) if released else {})

        return read

    async def content(self, draft: Draft, asked: str | None) -> bytes:
        """Returns the whole content. Raises ``Invalid`` when it is more than apps can load."""
        state = draft.state
        language, version = contents.served_language(state, asked), version_of(state, asked)
        bodies = await self.bodies(draft)(state.project_id, contents.hashes_of_content(state, language))
        raw = await asyncio.to_thread(
            lambda: dump({**contents.compose(state, language, version, bodies), "draft": True})
        )
        if len(raw) > limits.LANGUAGE_BYTES:
            raise Invalid(
                f"This draft is more than {limits.megabytes(limits.LANGUAGE_BYTES)} in one language.",
                code="content_too_large",
            )
        return raw

    async def store_page(self, draft: Draft, name: str, query: Query) -> bytes:
        """A page of a store's items. Raises ``NotFound``, and ``Conflict`` for a cursor from before the store changed."""
        state = draft.state
        store = contents.stores_of(state).get(name)
        if store is None:
            raise NotFound("There is no such store.", code="store_not_found")
        language = contents.served_language(state, query.asked)
        version = _store_version(state, store, language)
        if query.cursor and str(query.cursor.version) != version:
            raise cursor_expired()
        page = await stores.read_page(state, store, query.cursor.chunk if query.cursor else 0, self.bodies(draft))
        composed = stores.compose_page(state, store, language, version, page)
        return await asyncio.to_thread(lambda: dump({**composed, "draft": True}))

    async def event(self, old: Draft, new: Draft, asked: str | None) -> bytes:
        """Returns the event that takes a reader of ``old`` to ``new``: a patch, or the request to fetch if the patch is missing or long."""
        version = version_of(new.state, asked)
        patch = await merge_patch(old.state, new.state, asked, self.bodies(old, new))
        if patch is not None:
            data = {"from": version_of(old.state, asked), **_standing(new, version), "patch": patch}
            event = event_bytes("release", data, version)
            if len(event) <= limits.INLINE_PATCH_BYTES:
                return event
        return refetch_event(new, version)


def hello_event(draft: Draft, version: str) -> bytes:
    """Returns the first event of a stream."""
    return event_bytes("hello", _standing(draft, version))


def refetch_event(draft: Draft, version: str) -> bytes:
    """Returns the event that asks a reader to fetch, at once: a draft has few readers."""
    return event_bytes("release", {**_standing(draft, version), "refetch": True, "spreadMs": 0}, version)


def _standing(draft: Draft, version: str) -> Json:
    return {"version": version, "release": draft.state.release, "draft": True}
