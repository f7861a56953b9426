"""What an export takes."""

from typing import Literal

Source = Literal["draft", "release"]
"""The draft, or the release that apps have."""
ColorFormat = Literal["css", "tailwind", "design_tokens", "android", "apple"]
ItemFormat = Literal["json", "csv", "xlsx"]
