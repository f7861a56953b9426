"""Projects: their screens, languages, members, invitations, keys and tier.

A project has exactly one owner, who is no member row; a transfer changes that only when an admin accepts it. An invitation takes a seat until it
is accepted, withdrawn or expired. `general` is always its first screen. Its languages include the default language. Every write to a project's
content and people locks the project's row first, then the accounts of these people. So writes, limits and publishes of one project happen in
sequence.
"""
