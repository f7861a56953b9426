"""What every domain builds on: settings, database, errors, HTTP, events, background work, ids, clock and secrets.

Core knows no domain: nothing in here names a project, a screen or a person.
"""
