"""Projects: their screens, languages, members, keys and tier.

A project has exactly one owner, who is no member row. `general` is always its first screen. Languages hold the default one. Every write to
a project's content locks its row first, so that writes, limits and publishes of one project happen one after another.
"""
