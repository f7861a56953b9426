"""What ends a command without an outcome."""


class Failure(Exception):
    """Misuse, or a server that can't be reached or refuses. The message is for people. The exit status is 2."""
