"""One app that reads a content again and again over one connection.

    python -m bench.content_reader HOST PORT PATH KEY

Prints ``ready`` after its first read. When its standard input ends, it prints a JSON list. It has when each read began (seconds on the monotonic
clock of the machine), and how many milliseconds it took.
"""

import json
import select
import socket
import sys
import time

READ_SECONDS = 0.005
"""Between two reads."""


def read(connection: socket.socket, request: bytes) -> None:
    """Asks, and takes the whole answer."""
    connection.sendall(request)
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65_536)
    head, body = data.split(b"\r\n\r\n", 1)
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(head.decode())
    missing = int(head.lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0]) - len(body)
    while missing > 0:
        missing -= len(connection.recv(65_536))


def main(host: str, port: int, path: str, key: str) -> None:
    """Read until the standard input ends."""
    head = f"GET {path} HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: br\r\nAuthorization: Bearer {key}\r\n\r\n"
    found: list[tuple[float, float]] = []
    with socket.create_connection((host, port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        read(connection, head.encode())
        print("ready", flush=True)
        while not select.select([sys.stdin], [], [], READ_SECONDS)[0]:
            begin = time.monotonic()
            read(connection, head.encode())
            found.append((begin, (time.monotonic() - begin) * 1000))
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
