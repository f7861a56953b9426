"""Server-sent events from bytes, as the HTML standard parses them: any line ending, any chunking, a BOM, comments."""

import codecs
from dataclasses import dataclass

# A larger event is no event of Livery; without a bound a broken server could fill the memory.
MAX_EVENT_CHARACTERS = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """An event of a stream."""

    type: str
    data: str


class EventParser:
    """Takes a stream piece by piece. ``retry`` is the last ``retry:`` field, in milliseconds; ``last_id`` the last ``id:`` field."""

    def __init__(self) -> None:
        self.retry: int | None = None
        self.last_id = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._is_first = True
        self._line: list[str] = []
        self._open = 0
        self._type = ""
        self._data: list[str] = []
        self._size = 0
        self._after_return = False

    def feed(self, piece: bytes) -> list[ServerEvent]:
        """Returns the events that this piece completes. Raises ``ValueError`` when an event passes the bound."""
        text = self._decoder.decode(piece)
        if self._is_first and text:
            text, self._is_first = text.removeprefix("\ufeff"), False
        # CRLF may be split over two pieces: its LF then ends no second line.
        if self._after_return and text:
            text, self._after_return = text.removeprefix("\n"), False
        events: list[ServerEvent] = []
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if text.endswith("\r"):
            self._after_return = True
        for line in lines[:-1]:
            self._take("".join([*self._line, line]), events)
            self._line.clear()
            self._open = 0
        self._line.append(lines[-1])
        self._open += len(lines[-1])
        if self._open + self._size > MAX_EVENT_CHARACTERS:
            raise ValueError("event too large")
        return events

    def _take(self, line: str, events: list[ServerEvent]) -> None:
        if not line:
            if self._data:
                events.append(ServerEvent(self._type or "message", "\n".join(self._data)))
            self._type, self._data, self._size = "", [], 0
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "data":
                self._data.append(value)
                self._size += len(value) + 1
            case "event":
                self._type = value
            case "id" if "\0" not in value:
                self.last_id = value
            case "retry" if value.isascii() and value.isdigit():
                self.retry = int(value[:15])
            case _:
                pass
