"""The sandbox: a payment provider that plays, on this very server. It has its own tables, an HTTP API, a page to pay on and notifications.

Billing knows it as it knows any provider: by HTTP alone (``protocol`` holds the few words that both sides agree on). No real money moves.
"""
