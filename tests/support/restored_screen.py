"""What restoring a release makes of a screen that this release has, in plain Python: the part of ``release_model`` that is about its texts."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

Texts = dict[str, dict[str, str]]
"""Texts by key and language."""


def in_languages(keys: Texts, languages: Collection[str]) -> Texts:
    """The texts in these languages, of the keys that have any."""
    found = {key: {code: text for code, text in values.items() if code in languages} for key, values in keys.items()}
    return {key: values for key, values in found.items() if values}


@dataclass(frozen=True)
class RestoredScreen:
    """A screen as it is drafted, as apps have it, and as the release had it.

    ``buried`` is what keys had that left the draft while apps have them. ``new`` are the languages that neither release has, ``known`` those of
    the release that comes back. ``unreleased`` are keys that apps never had. ``ids`` has the ids of all keys of
    the draft, and of buried keys, by name.
    """

    draft: Texts
    buried: Texts
    live: Texts
    goal: Texts
    new: Collection[str]
    known: Collection[str]
    unreleased: Collection[str] = ()
    ids: dict[str, str] = field(default_factory=dict[str, str])

    def after(self) -> Texts:
        """The draft afterwards. What apps never had stays: keys, and texts in new languages."""
        after = {key: {**self.goal.get(key, {}), **values} for key, values in self._staying().items()}
        unburied, renamed = in_languages(self.buried, self.new), self._renamed()
        for key in self.goal.keys() - self.draft.keys():
            after[key] = {
                **self.goal[key],
                **(unburied.get(key) or in_languages(self.draft, self.new).get(renamed.get(key, ""), {})),
            }
        return after

    def count_lost(self, ids: Mapping[str, str]) -> int:
        """Returns how many keys lose an unpublished change of the draft. ``ids`` are the ids of the keys afterwards, by name.

        A deleted key stays deleted if another key comes back with its name.
        """
        after, unburied = self.after(), in_languages(self.buried, self.new)
        renamed = {old for new, old in self._renamed().items() if not unburied.get(new) and self.ids[old] == ids[new]}
        undone = {key for key in after if self.ids.get(key) == ids[key]}
        keys = self.draft.keys() | self.live.keys()
        return sum(
            self._loses(key, after, is_carried=key in renamed) if key in self.draft else key in undone for key in keys
        )

    def _loses(self, key: str, after: Texts, *, is_carried: bool) -> bool:
        drafted, live = self.draft[key], self.live.get(key, {})
        waiting = {code for code in drafted.keys() | live.keys() if drafted.get(code) != live.get(code)}
        if key not in after:
            return bool(waiting - {*self.new} if is_carried else waiting)
        return any(drafted.get(code) != after[key].get(code) for code in waiting)

    def _staying(self) -> Texts:
        """The keys of the draft that stay, each with its texts in new languages."""
        new = in_languages(self.draft, self.new)
        whole = in_languages(self.draft, {*self.new, *self.known})
        return {
            key: whole.get(key, {}) if key in self.unreleased and key not in self.goal else new.get(key, {})
            for key, values in self.draft.items()
            if key in self.goal or key in self.unreleased or not values.keys() - {*self.new}
        }

    def _renamed(self) -> dict[str, str]:
        """Returns the new name of each key that comes back, by its old name.

        The key with the new name is the only key that goes with these texts. The key with the old name is the only key that comes back with them.
        """
        going = {key: values for key, values in self.draft.items() if key not in self._staying()}
        going = list(in_languages(going, self.known).items())
        coming = [(key, values) for key, values in self.goal.items() if key not in self.draft]
        texts = [values for _, values in going], [values for _, values in coming]
        return {
            old: new
            for old, values in coming
            for new, others in going
            if values == others and all(found.count(values) == 1 for found in texts)
        }
