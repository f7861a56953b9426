"""What a project should do when it is edited, published, rolled back and restored, in plain Python: one step at a time, nothing in parallel.

``Model.foresee`` returns what the server answers to a step right now and which activities it records, and changes nothing. ``Outcome.change``
then makes the change. A step without a change is a step that the server refuses, or that changes nothing.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tests.support.release_states import (
    Colors,
    Items,
    Json,
    Kind,
    Release,
    TextChange,
    Version,
    by_part,
    differences,
)
from tests.support.restored_screen import Texts


@dataclass(frozen=True)
class Step:
    """One call of a person: a verb, the thing it is about, the name that it gives, and values. ``number`` is of a version or a release."""

    verb: str
    place: str = ""
    key: str = ""
    name: str = ""
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    number: int = 0


@dataclass(frozen=True)
class Outcome:
    """What a step comes to. ``answer`` is what of the answer's body is foreseen."""

    status: int
    operations: tuple[str, ...] = ()
    change: Callable[[Json], None] | None = None
    answer: Json = field(default_factory=dict[str, Any])


NOT_YET = Outcome(0)
"""What nothing is answered with: the version that a step names is still to come."""


def _put(values: Json, changes: Mapping[str, Any]) -> Json:
    """Texts by language after a change: what is left out stays, an empty one goes."""
    return {code: text for code, text in {**values, **changes}.items() if text}


def _fit(data: Json, languages: tuple[str, ...] | list[str]) -> Json:
    """An item's data without what is in other languages."""
    titles = {code: text for code, text in data.get("title", {}).items() if code in languages}
    return {name: value for name, value in {**data, "title": titles}.items() if value not in (None, {})}


FIELDS: tuple[Json, ...] = (
    {"_id": "title", "name": "title", "isTranslatable": True},
    {"_id": "price", "name": "price", "isTranslatable": False},
)
"""Those of each store: nobody changes them."""


class Model:
    """A project. ``released`` are its releases by number, 0 is what there was before the first.

    A restore is for apps only: the draft stays. ``test_restore_at_random`` is about a restore of the draft.
    """

    def __init__(self, languages: list[str], screens: list[str], stores: Mapping[str, Items]) -> None:
        self.languages = list(languages)
        self.screens: dict[str, Texts] = {name: {} for name in screens}
        self.places = {name: place for place, name in enumerate(screens)}
        self.colors: Colors = {}
        self.images: dict[str, tuple[str, int]] = {}
        self.aliases: dict[str, str] = {}
        self.items: dict[str, Items] = deepcopy(dict(stores))
        self.order: dict[str, list[str]] = {name: list(items) for name, items in stores.items()}
        self.screen_versions: dict[str, list[Version]] = {}
        self.color_versions: list[Version] = []
        self.item_versions: dict[str, list[Version]] = {}
        nothing = {name: dict[str, Json]() for name in stores}
        self.released = [Release(0, None, tuple(languages), (), {}, {}, {}, nothing)]

    @property
    def live(self) -> Release:
        """What apps have now."""
        return self.released[-1]

    def foresee(self, step: Step) -> Outcome:
        """What the server does with a step now."""
        return getattr(self, f"_{step.verb}")(step)

    # Keys

    def _refused_place(self, screen: str, values: Mapping[str, Any]) -> Outcome | None:
        if screen not in self.screens:
            return Outcome(404)
        return Outcome(422) if set(values) - set(self.languages) else None

    def _add_key(self, step: Step) -> Outcome:
        if refused := self._refused_place(step.place, step.values):
            return refused
        if step.key in self.screens[step.place]:
            return Outcome(409)
        values = _put({}, step.values)

        def change(_body: Json) -> None:
            self.screens[step.place][step.key] = values

        return Outcome(201, ("screens.key_added",), change, {"values": values})

    def _edit_key(self, step: Step) -> Outcome:
        """Its texts, its name, or both."""
        if refused := self._refused_place(step.place, step.values):
            return refused
        keys = self.screens[step.place]
        if step.key not in keys:
            return Outcome(404)
        if step.name != step.key and step.name in keys:
            return Outcome(409)
        values = _put(keys[step.key], step.values)
        answer = {"values": values, "key": step.name}
        operations = ("screens.key_renamed",) if step.name != step.key else ()
        if not operations and values == keys[step.key]:
            return Outcome(200, answer=answer)
        if step.values:
            operations += ("screens.key_updated",)

        def change(_body: Json) -> None:
            keys.pop(step.key)
            keys[step.name] = values

        return Outcome(200, operations, change, answer)

    def _remove_key(self, step: Step) -> Outcome:
        if step.key not in self.screens.get(step.place, {}):
            return Outcome(404)
        keys = self.screens[step.place]
        operations = ("screens.key_removed",)
        return Outcome(200, operations, lambda _: _drop(keys, step.key))

    # Screens and languages

    def _add_screen(self, step: Step) -> Outcome:
        if step.place in self.screens:
            return Outcome(409)

        def change(_body: Json) -> None:
            if step.place not in self.places:  # a screen that apps still have comes back where it was
                self.places[step.place] = max(self.places.values()) + 1
            self.screens[step.place] = {}

        return Outcome(201, ("projects.screen_added",), change)

    def _remove_screen(self, step: Step) -> Outcome:
        if step.place not in self.screens:
            return Outcome(404)
        operations = ("projects.screen_removed",)
        return Outcome(200, operations, lambda _: _drop(self.screens, step.place))

    def _add_language(self, step: Step) -> Outcome:
        if step.key in self.languages:
            return Outcome(409)
        return Outcome(201, ("projects.language_added",), lambda _: self.languages.append(step.key))

    def _remove_language(self, step: Step) -> Outcome:
        if step.key not in self.languages:
            return Outcome(404)

        def change(_body: Json) -> None:
            self.languages.remove(step.key)
            for keys in self.screens.values():
                for values in keys.values():
                    values.pop(step.key, None)
            for items in self.items.values():
                for item_id, data in items.items():
                    if step.key in data.get("title", {}):
                        items[item_id] = _fit(data, self.languages)

        return Outcome(200, ("projects.language_removed",), change)

    # Colours

    def _add_color(self, step: Step) -> Outcome:
        if step.key in self.colors:
            return Outcome(409)
        color = (str(step.values["value"]), str(step.values["nickname"]))

        def change(_body: Json) -> None:
            self.colors[step.key] = color

        return Outcome(201, ("colors.color_added",), change, {"value": color[0], "nickname": color[1]})

    def _edit_color(self, step: Step) -> Outcome:
        if step.key not in self.colors:
            return Outcome(404)
        if step.name != step.key and step.name in self.colors:
            return Outcome(409)
        value, nickname = self.colors[step.key]
        color = (str(step.values.get("value", value)), str(step.values.get("nickname", nickname)))
        answer: Json = {"key": step.name, "value": color[0], "nickname": color[1]}
        if step.name == step.key and color == (value, nickname):
            return Outcome(200, answer=answer)

        def change(_body: Json) -> None:
            del self.colors[step.key]
            self.colors[step.name] = color

        return Outcome(200, ("colors.color_changed",), change, answer)

    def _remove_color(self, step: Step) -> Outcome:
        if step.key not in self.colors:
            return Outcome(404)
        return Outcome(200, ("colors.color_removed",), lambda _: _drop(self.colors, step.key))

    # Items

    def _store_of(self, item_id: str) -> str | None:
        return next((name for name, items in self.items.items() if item_id in items), None)

    def _merged(self, data: Json, values: Mapping[str, Any]) -> Json:
        changed = {**data, **values}
        if "title" in values:
            changed["title"] = _put(data.get("title", {}), values["title"])
        return _fit(changed, self.languages)

    def _knows(self, values: Mapping[str, Any]) -> bool:
        return not set(values.get("title", {})) - set(self.languages)

    def _add_item(self, step: Step) -> Outcome:
        if not self._knows(step.values):
            return Outcome(422)
        data = self._merged({}, step.values)

        def change(body: Json) -> None:
            self.items[step.place][body["_id"]] = data
            self.order[step.place].append(body["_id"])

        return Outcome(201, ("stores.item_added",), change, {"data": data})

    def _edit_item(self, step: Step) -> Outcome:
        store = self._store_of(step.key)
        if store is None:
            return Outcome(404)
        if not self._knows(step.values):
            return Outcome(422)
        data = self._merged(self.items[store][step.key], step.values)
        if data == self.items[store][step.key]:
            return Outcome(200, answer={"data": data})

        def change(_body: Json) -> None:
            self.items[store][step.key] = data

        return Outcome(200, ("stores.item_changed",), change, {"data": data})

    def _remove_item(self, step: Step) -> Outcome:
        store = self._store_of(step.key)
        if store is None:
            return Outcome(404)

        return Outcome(200, ("stores.item_removed",), lambda _: _drop(self.items[store], step.key))

    def _roll_item_back(self, step: Step) -> Outcome:
        store = self._store_of(step.key)
        if store is None:
            return Outcome(404)
        versions = self.item_versions.get(step.key, [])
        if len(versions) < step.number:
            return NOT_YET
        version = versions[step.number - 1]
        before, after = self.items[store][step.key], _fit(version.content, self.languages)
        live = self.live.items[store].get(step.key)
        goes_out = _fit(version.content, self.live.languages)
        is_draft = version.kind == "draft"
        is_new, is_live_new = after != before, goes_out != live and not is_draft
        operation = "stores.item_brought_back" if is_draft else "stores.item_rolled_back"
        operations = (operation,) if is_new or is_live_new else ()
        operations += ("publishing.published",) if is_live_new else ()

        def change(_body: Json) -> None:
            if is_new and before != live:
                self._keep_item(step.key, "draft", self.live.number, before)
            self.items[store][step.key] = after
            if is_live_new:
                items = self._in_order(store, {**self.live.items[store], step.key: goes_out})
                self._release("item_rollback", items={**self.live.items, store: items})
                self._keep_item(step.key, "release", self.live.number, goes_out)

        return Outcome(200, operations, change if operations else None, {"data": after})

    def _in_order(self, store: str, items: Mapping[str, Json]) -> Items:
        """Returns items at their places: new items are always last."""
        return {item_id: items[item_id] for item_id in self.order[store] if item_id in items}

    def _keep_item(self, item_id: str, kind: Literal["release", "draft"], release: int, data: Json) -> None:
        self.item_versions.setdefault(item_id, []).append(Version(kind, release, data))

    # Images

    def _image(self, image_id: str) -> str | None:
        return next((key for key, (found, _) in self.images.items() if found == image_id), None)

    def _add_image(self, step: Step) -> Outcome:
        if step.key in self.images:
            return Outcome(409)

        def change(body: Json) -> None:
            self._show_images({**self.images, step.key: (body["_id"], step.number)})

        return Outcome(201, ("images.image_added",), change, {"width": step.number})

    def _change_image(self, step: Step) -> Outcome:
        """Changes its file (of a width that identifies it), its key, or both."""
        key = self._image(step.key)
        if key is None:
            return Outcome(404)
        name, width = step.name or key, step.number or self.images[key][1]
        if name != key and name in self.images:
            return Outcome(409)
        operations = ("images.image_renamed",) if name != key else ()
        operations += ("images.image_replaced",) if width != self.images[key][1] else ()
        others = {other: image for other, image in self.images.items() if other != key}

        def change(_body: Json) -> None:
            former = (key, step.key) if name != key else None
            self._show_images({**others, name: (step.key, width)}, former=former)

        return Outcome(200, operations, change if operations else None, {"key": name, "width": width})

    def _remove_image(self, step: Step) -> Outcome:
        key = self._image(step.key)
        if key is None:
            return Outcome(404)
        others = {other: image for other, image in self.images.items() if other != key}
        return Outcome(200, ("images.image_removed",), lambda _: self._show_images(others))

    def _show_images(self, images: dict[str, tuple[str, int]], *, former: tuple[str, str] | None = None) -> None:
        """Makes these the images. ``former`` is a key that an image lost, and the image's id: apps that ask for it still get the image."""
        if former and self.live.number:
            self.aliases |= dict([former])
        known = {image_id for image_id, _ in images.values()}
        self.aliases = {key: one for key, one in self.aliases.items() if key not in images and one in known}
        self.images = images
        if self.live.number and self._shown_images() != self.live.images:
            self._release("images", images=self._shown_images())

    def _shown_images(self) -> dict[str, int]:
        """The width of the image that apps get under each key and each former key."""
        widths = dict(self.images.values())
        shown = {key: widths[image_id] for key, image_id in self.aliases.items()}
        return shown | {key: width for key, (_, width) in self.images.items()}

    # Roll backs of drafts

    def _roll_screen_back(self, step: Step) -> Outcome:
        if step.place not in self.screens:
            return Outcome(404)
        versions = self.screen_versions.get(step.place, [])
        if len(versions) < step.number:
            return NOT_YET
        version = versions[step.number - 1]
        wanted = self._wanted(step.place, version)
        draft = self.screens[step.place]
        count = sum(draft.get(key) != wanted.get(key) for key in draft.keys() | wanted.keys())
        if not count:
            return Outcome(200, answer={"changed": 0})
        operations = ("screens.rolled_back",)
        return Outcome(200, operations, lambda _: self._overwrite_screen(step.place, wanted), {"changed": count})

    def _wanted(self, screen: str, version: Version) -> Texts:
        """What a version makes of a screen's draft: languages that are gone stay gone, and a release knows nothing of keys without texts."""
        wanted = {
            key: {code: text for code, text in values.items() if code in self.languages}
            for key, values in version.content.items()
        }
        if version.kind == "release":
            wanted |= {key: {} for key, values in self.screens[screen].items() if not values and key not in wanted}
        return wanted

    def _overwrite_screen(self, screen: str, wanted: Texts) -> None:
        draft = self.screens[screen]
        self._keep_screen(screen, "draft", deepcopy(draft))
        self.screens[screen] = wanted

    def _keep_screen(self, screen: str, kind: Literal["release", "draft"], content: Texts) -> None:
        self.screen_versions.setdefault(screen, []).append(Version(kind, self.live.number, content))

    def _roll_colors_back(self, step: Step) -> Outcome:
        if len(self.color_versions) < step.number:
            return NOT_YET
        wanted = dict(self.color_versions[step.number - 1].content)
        count = sum(self.colors.get(key) != wanted.get(key) for key in self.colors.keys() | wanted.keys())
        if not count:
            return Outcome(200, answer={"changed": 0})

        def change(_body: Json) -> None:
            self.color_versions.append(Version("draft", self.live.number, dict(self.colors)))
            self.colors = wanted

        return Outcome(200, ("colors.rolled_back",), change, {"changed": count})

    # Releases

    def _screens_in_order(self) -> list[str]:
        return sorted(self.screens, key=lambda name: self.places[name])

    def _drafted(self) -> Release:
        """What a publish would make."""
        screens = tuple(self._screens_in_order())
        texts: dict[tuple[str, str], dict[str, str]] = {}
        for screen in screens:
            texts |= by_part(screen, self.screens[screen])
        return Release(
            number=self.live.number + 1,
            kind="publish",
            languages=tuple(self.languages),
            screens=screens,
            texts=texts,
            colors=dict(self.colors),
            images=self._shown_images(),
            items={name: self._in_order(name, items) for name, items in self.items.items()},
        )

    def _publish(self, step: Step) -> Outcome:
        drafted = self._drafted()
        if self.live.number and replace(drafted, number=self.live.number, kind=self.live.kind) == self.live:
            return Outcome(200, answer={"published": False, "release": self.live.number})
        answer = {"published": True, "release": drafted.number}
        return Outcome(200, ("publishing.published",), lambda _: self._put_out(drafted), answer)

    def _put_out(self, new: Release) -> None:
        """Make it the newest release, with an entry in the history of everything that it changes."""
        old = self.live
        same = {name: old.items[name] for name in new.items if old.items.get(name) == new.items[name]}
        self.released.append(replace(new, items={**new.items, **same}))
        changed = {part for part in old.texts.keys() | new.texts.keys() if old.texts.get(part) != new.texts.get(part)}
        for screen in sorted({screen for screen, _ in changed}):
            self._keep_screen(screen, "release", new.screen(screen))
        if old.colors != new.colors:
            self.color_versions.append(Version("release", new.number, dict(new.colors)))
        for store in new.items.keys() - same.keys():
            for item_id, data in new.items[store].items():
                if old.items.get(store, {}).get(item_id) != data:
                    self._keep_item(item_id, "release", new.number, data)
        known = {*self.screens, *new.screens}
        self.places = {name: place for name, place in self.places.items() if name in known}
        for name in new.screens:  # a screen that only apps have again would come last
            self.places.setdefault(name, max(self.places.values()) + 1)

    def _release(self, kind: Kind, **parts: Any) -> None:
        """The last release with some of its parts replaced."""
        self.released.append(replace(self.live, number=self.live.number + 1, kind=kind, **parts))

    def _restore(self, step: Step) -> Outcome:
        """Apps get what a release had, images apart. The draft stays as it is."""
        if not 0 < step.number < len(self.released):
            return Outcome(404)
        goal, live = self.released[step.number], self.live
        new = replace(goal, number=live.number + 1, kind="restore", images=live.images)
        is_new = replace(new, number=live.number, kind=live.kind) != live
        answer: Json = {"published": is_new, "release": live.number + is_new, "leftOut": [], "keptEdits": 0}
        if not is_new:
            return Outcome(200, answer=answer)
        return Outcome(200, ("publishing.restored",), lambda _: self._put_out(new), answer)

    def waiting(self) -> frozenset[TextChange]:
        """What of texts a publish would change."""
        return differences(self.live, self._drafted())


def _drop(things: dict[str, Any], key: str) -> None:
    del things[key]
