"""Analytics: how often each page of the dashboard is opened, per UTC day.

A page is known by its *route template* (``/reset-password/:token``), never by its address: an address may hold a token or name a project.
No cookie, no account and no address is kept. An operator may have page views sent to a different service, too (*forwarding*).
"""
