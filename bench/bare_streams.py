"""What the streams of `livery serve` are measured against: one ``send`` to each connection, in a loop that does nothing else.

    python -m bench.bare_streams COUNT BYTES

Prints its port. Once ``COUNT`` connections have their hello, each line on the standard input is the number of a release. Every connection then gets
an event of this release with about ``BYTES`` bytes.
"""

import json
import socket
import sys


def event(name: str, release: int, size: int) -> bytes:
    """Returns an event as a server sends it: one chunk of the chunked coding."""
    text = f"event: {name}\ndata: {json.dumps({'release': release, 'text': '-' * size})}\n\n".encode()
    return b"%x\r\n%b\r\n" % (len(text), text)


def main(count: int, size: int) -> None:
    """Serve until the other side ends this process."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1_000)
    print(listener.getsockname()[1], flush=True)
    connections: list[socket.socket] = []
    hello = event("hello", 0, 0)
    while len(connections) < count:
        connection, _ = listener.accept()
        connection.send(hello)
        connections.append(connection)
    for line in sys.stdin:
        chunk = event("release", int(line), size)
        for connection in connections:
            connection.send(chunk)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
