"""The provider of single sign-on, by OpenID Connect: its settings, its documents over HTTP, and what its ID tokens prove.

Nothing here knows the database. ``accounts.sso`` keeps the attempts, ``accounts.identities`` whose they are.
"""
