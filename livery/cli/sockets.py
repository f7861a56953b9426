"""The socket that the server listens on: its own, or the socket that a supervisor such as systemd hands over."""

import os
import socket
import sys

import typer

from livery.core.settings import Settings

FIRST_INHERITED = 3
"""The descriptor of the first socket that a supervisor hands over (sd_listen_fds(3))."""
BACKLOG = 2048
"""Connections that the system keeps until the server takes them."""


def open_listener(settings: Settings) -> socket.socket:
    """Returns a supervisor's socket if the environment names that socket, or else a new socket at the host and port of the settings.

    A supervisor keeps its socket open while the server restarts, so the system keeps the connections of that time and refuses no connection.
    Ends the command with a sentence if the server can't listen.
    """
    return _inherited() or _bind(settings)


class WorkerSockets:
    """A listening socket for each of several workers, all at one port.

    Linux divides connections evenly among sockets of one port. Workers that share a socket do not: one of two took up to three
    quarters of 400 connections. A supervisor's socket is shared all the same, and so is a socket of another system.
    """

    def __init__(self, settings: Settings, count: int) -> None:
        inherited = _inherited()
        first = inherited or _bind(settings)
        self.port = int(first.getsockname()[1])
        self._settings = settings.model_copy(update={"port": self.port})
        self._shared = first if inherited or sys.platform != "linux" else None
        self._own: dict[int, socket.socket] = {}
        if self._shared is None:
            first.close()  # it was there to find a free port, or a server that has the port
            self._own = {number: self._bind() for number in range(1, count + 1)}

    def of(self, number: int) -> socket.socket:
        """Returns the socket of a worker. Connections are queued there while the worker starts again."""
        return self._shared or self._own.get(number) or self._own.setdefault(number, self._bind())

    def drop(self, number: int) -> None:
        """Closes the socket of a worker that is down for long: the other workers get all connections then."""
        if own := self._own.pop(number, None):
            own.close()

    def close(self) -> None:
        """Closes all sockets of this process."""
        for listener in (*self._own.values(), *([self._shared] if self._shared else [])):
            listener.close()

    def _bind(self) -> socket.socket:
        return _bind(self._settings, is_one_of_many=True)


def _inherited() -> socket.socket | None:
    """Returns the socket that ``LISTEN_FDS`` names for this process. Child processes do not see the names."""
    process, count = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if process != str(os.getpid()) or count in {"", "0"}:
        return None
    if count != "1":
        typer.echo(f"The supervisor hands over {count} sockets. Livery listens on one socket.", err=True)
        raise typer.Exit(1)
    try:
        listener = socket.socket(fileno=FIRST_INHERITED)
        is_tcp = listener.type == socket.SOCK_STREAM and listener.family in {socket.AF_INET, socket.AF_INET6}
        if is_tcp and listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            listener.set_inheritable(False)
            return listener
        listener.close()
    except OSError:  # not a socket
        pass
    typer.echo("The supervisor's socket is not a TCP socket that listens.", err=True)
    raise typer.Exit(1)


def _bind(settings: Settings, *, is_one_of_many: bool = False) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if is_one_of_many:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        typer.echo(
            f"Can't listen on {settings.host}:{settings.port} ({error.strerror}). "
            "Is Livery running already? LIVERY_PORT sets another port.",
            err=True,
        )
        raise typer.Exit(1) from error
    listener.listen(BACKLOG)
    return listener
