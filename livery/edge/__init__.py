"""Edges: processes without a database that serve apps from their disk and follow an origin.

An *origin* is what an edge follows: a server, or a further edge. What an origin gives to edges is a *supply* (``supply.py``): releases, verdicts
about keys, and one stream of what changed. ``/edge/v1`` is the same on both (``api.py``), and so edges make a tree.

A *ledger* has the parts of a project's last releases. An edge has it on its disk only with all bodies of the newest release, and informs readers
after that. A *verdict* is what a key opened when the server was last asked. A *batch* of counts has a number: a server adds it once.
"""
