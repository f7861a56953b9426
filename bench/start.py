"""How long a server takes from its command to its first answer, on an installation that has its data already.

python -m bench.start
"""

import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from bench.support import LIVERY, environment, free_port, process, record

STARTS = 10


def main() -> None:
    """Start the server ten times, after one start that makes the database and the compiled modules."""
    seconds: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        env = environment(Path(folder))
        subprocess.run([str(LIVERY), "demo"], env=env, check=True, stdout=subprocess.DEVNULL)
        for number in range(STARTS + 1):
            port = free_port()
            begin = time.monotonic()
            with process(
                [str(LIVERY), "serve", "--port", str(port)], ready_url=f"http://127.0.0.1:{port}/healthz", env=env
            ):
                if number:
                    seconds.append(round(time.monotonic() - begin, 3))
    result = {"median_seconds": statistics.median(seconds), "slowest_seconds": max(seconds), "seconds": seconds}
    record("start", "python -m bench.start", result)


if __name__ == "__main__":
    main()
