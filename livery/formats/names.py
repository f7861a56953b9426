"""The names that texts have in files."""

from collections.abc import Collection

from livery.core.text_names import GENERAL


def name_of(screen: str, key: str, screens: Collection[str]) -> str:
    """Returns ``screen.key``. A key of the screen ``general`` is bare, unless a screen of the project has its name: nested files would collide."""
    return key if screen == GENERAL and key not in screens else f"{screen}.{key}"
