"""What `livery serve` is measured against: an ASGI application that does nothing but send the same bytes, on the same server settings.

python -m bench.bare PORT HEADERS.json BODY
"""

import json
import sys
from pathlib import Path

import uvicorn
from starlette.types import Receive, Scope, Send

from livery.cli.serving import configure


def main(port: int, headers_file: str, body_file: str) -> None:
    """Serve one body with the given headers; 304 without a body when the request has any ``If-None-Match``."""
    headers = [(name.encode(), value.encode()) for name, value in json.loads(Path(headers_file).read_text())]
    kept = [pair for pair in headers if pair[0] not in {b"content-length", b"content-type", b"content-encoding"}]
    start = {"type": "http.response.start", "status": 200, "headers": headers}
    not_modified = {"type": "http.response.start", "status": 304, "headers": kept}
    body = {"type": "http.response.body", "body": Path(body_file).read_bytes()}
    empty = {"type": "http.response.body", "body": b""}

    async def bare(scope: Scope, _receive: Receive, send: Send) -> None:
        if any(name == b"if-none-match" for name, _ in scope["headers"]):
            await send(not_modified)
            await send(empty)
        else:
            await send(start)
            await send(body)

    config = configure(bare, lifespan="off")
    config.port = port
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
