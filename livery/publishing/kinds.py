"""The kinds of content that a release consists of. A new kind is a class and a word in this tuple."""

from livery.colors.kind import Colors
from livery.content.kind import Kind
from livery.screens.kind import Texts
from livery.screens.outline import Outline
from livery.stores.kind import Stores

KINDS: tuple[Kind, ...] = (Outline(), Texts(), Colors(), Stores())
"""In the order in which people see their changes. What a kind needs (a screen, a language) comes before it."""
