"""Previews: whoever has a link sees the draft of one project in the app, for an hour."""
