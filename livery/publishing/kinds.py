"""The kinds of content. These lists are explicit: a reader sees what publishing handles, and no kind registers itself."""

from collections.abc import Mapping
from typing import Any

from livery.colors.history import ColorHistory
from livery.colors.kind import Colors
from livery.content.history import Drafts, History
from livery.content.kind import Kind
from livery.screens.history import ScreenHistory
from livery.screens.kind import Texts
from livery.screens.outline import Outline
from livery.stores.history import ItemDrafts
from livery.stores.kind import Stores

KINDS: tuple[Kind, ...] = (Outline(), Texts(), Colors(), Stores())
"""In the order in which people see their changes. What a kind needs (a screen, a language) comes before it."""
COLORS, ITEMS, SCREENS = ColorHistory(), ItemDrafts(), ScreenHistory()
HISTORIES: Mapping[str, History[Any, Any]] = {history.kind: history for history in (COLORS, SCREENS)}
"""What has a history whose releases are compared, by the kind of its versions."""
DRAFTS: Mapping[str, Drafts[Any, Any]] = {**HISTORIES, ITEMS.kind: ITEMS}
"""What has overwritten drafts, by the kind of its versions."""
