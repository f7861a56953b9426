"""Colours: named `#rrggbb` values with an optional nickname, as drafts. A removed colour that apps have is a tombstone until published."""
