"""What search gives."""

from typing import Literal

from livery.core.schemas import View


class SearchResult(View):
    """A key whose name matches (with its text in the default language), or a text that does."""

    tab_name: str
    key: str
    value: str
    language: str
    match_type: Literal["key", "value"]


class SearchResults(View):
    """The best first, keys before texts, at most 50."""

    results: list[SearchResult]
