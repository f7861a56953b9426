"""Preview links: for an hour, a link shows the draft of one project in an app."""
