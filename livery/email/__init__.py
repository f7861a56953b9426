"""Mails: an outbox row is written with the change that it reports, and sent afterwards.

A mail is enqueued in the caller's transaction and is therefore sent if, and only if, the change is durable. A mail server that is down never
fails a request: the row is put off (1, 5, 30 minutes, 2 hours) and then is ``failed``. The content holds links with tokens: it is sealed by the
vault and wiped when the mail is sent or given up. Sending is at least once, with one Message-ID per row.
"""
