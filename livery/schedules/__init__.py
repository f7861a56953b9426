"""Scheduled publishes: the server publishes the draft of a project at a time that a person chose."""
