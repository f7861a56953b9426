"""People: sign-up, passwords, second factors, single sign-on, sessions, tokens in mails, and API keys.

A user has one canonical email (lower case) and is pending until ``verified_at`` is set. A session, a mail token and an API key are known by the
SHA-256 of an opaque random value. The database never holds the value itself. A mail token works once, and a user has at most one live token
per kind. No answer to a stranger shows whether an account exists. Argon2 never runs inside a transaction.

With single sign-on a person is known by issuer and subject, never by the email alone (``identities``).
A person with a second factor (an authenticator app or a passkey) gets a session only after both steps. No code, step or challenge is accepted twice.
The factors change only with the password and, where there is a factor, a fresh proof of it.

A closed account leaves an empty row, so that history still names its id. It has no session, key, name or email, and ``profile.hold_person`` refuses
it. A verb that gives something to a person (a project, a key) holds them first.
"""
