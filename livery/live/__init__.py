"""Live refresh of the dashboard: who looks at a project hears what changed in it, and who else is there.

A *watcher* is one open stream of one person's browser; the watchers of a project share a *room*. The truth is the activity table: a room has the id
of an activity. One look at the database after a change serves everybody in it. Somebody who comes back names the id that they have. Nothing is
read for a project that nobody looks at. An event names what changed and never carries a text: clients read what they show.
Processes know each other's people from the table ``presences``.
"""
