"""Scheduled publishes: the draft of a project goes out by itself at a moment to come."""
