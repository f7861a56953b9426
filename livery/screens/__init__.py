"""Screens: text keys and their values per language, as drafts.

A value keeps its published form beside its draft; ``is_changed`` means that they differ. A removed key that apps still have stays as a
tombstone (``removed_at``) until the next publish. An empty value is a missing value: apps show the fallback.
"""
