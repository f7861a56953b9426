"""How long a server takes from its command to its first answer, on an installation that has its data already.

python -m bench.start [sqlite] [postgresql]
"""

import http.client
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench.support import LIVERY, database, environment, free_port, kinds_of, record

STARTS = 10
PAUSE_SECONDS = 0.005
"""Between two looks whether the server answers: the error of a result."""


def start(env: dict[str, str]) -> float:
    """Returns the seconds from the command to the first answer. The server is ended by its process id."""
    port = free_port()
    begin = time.monotonic()
    with subprocess.Popen([str(LIVERY), "serve", "--port", str(port)], env=env, stdout=subprocess.DEVNULL) as child:
        while not answers(port):
            if child.poll() is not None:
                raise RuntimeError("the server ended")
            time.sleep(PAUSE_SECONDS)
        seconds = time.monotonic() - begin
        child.send_signal(signal.SIGTERM)
    return seconds


def answers(port: int) -> bool:
    """Whether the server answers that it is alive."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except ConnectionRefusedError:
            return False


def measure(kind: str) -> dict[str, float]:
    """Start the server ten times, after one start that makes the database and the compiled modules."""
    with tempfile.TemporaryDirectory() as folder, database(kind, "start") as url:
        env = environment(Path(folder)) | ({"LIVERY_DATABASE_URL": url} if url else {})
        subprocess.run([str(LIVERY), "demo"], env=env, check=True, stdout=subprocess.DEVNULL)
        start(env)
        seconds = [round(start(env), 3) for _ in range(STARTS)]
    return {
        "median_seconds": round(statistics.median(seconds), 3),
        "fastest_seconds": min(seconds),
        "slowest_seconds": max(seconds),
    }


def main() -> None:
    """Measure the start on each database."""
    record("start", "python -m bench.start", {kind: measure(kind) for kind in kinds_of(sys.argv[1:])})


if __name__ == "__main__":
    main()
