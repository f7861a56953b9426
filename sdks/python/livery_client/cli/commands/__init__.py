"""The commands, a file for each group that works on the same thing."""
