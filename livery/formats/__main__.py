"""The child process that reads a large or hostile file: ``python -m livery.formats`` with limits of memory and time.

Standard input has a line of JSON (``name``, ``format``, ``language``, ``hasItems``), then the bytes of the file. Standard output gets an answer
of ``reading.py``.
"""

import json
import sys

from livery.formats.reading_apart import answer_of

MEMORY_BYTES = 1_500_000_000
COMPUTING_SECONDS = 20


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING_SECONDS, COMPUTING_SECONDS))


def main() -> None:
    """Answers one question."""
    _limit()
    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    question = json.loads(head)
    answer = answer_of(
        data,
        name=question["name"],
        format_id=question["format"],
        language=question["language"],
        has_items=question["hasItems"],
    )
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
