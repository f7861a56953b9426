"""The answers that delivery has given before, by path and by what was asked of it."""

from dataclasses import dataclass, field

from livery.delivery.rendering import Encoded
from livery.delivery.wire import Headers, Message
from livery.publishing.schemas import ReleaseState

AnswerKey = tuple[bytes, bytes | None, bytes | None]
"""What makes two requests for one page the same: query string, authorization, accepted encodings."""

_KEPT_ANSWERS = 20_000


@dataclass(slots=True)
class Answer:
    """An answer as it is sent, until its key must be looked up again (monotonic seconds)."""

    caller: str
    good_until: float
    etags: list[bytes]
    size_bytes: int
    start: Message
    body: Message
    not_modified: dict[bytes, Message]


@dataclass(slots=True)
class Page:
    """The answers under one path, good while ``state`` is the release of its project."""

    project_id: str
    state: ReleaseState
    answers: dict[AnswerKey, Answer] = field(default_factory=dict[AnswerKey, Answer])
    is_good: bool = True
    """False when something else than the release has changed: a quota, a plan, keys."""


class Pages:
    """The pages of a process, by path. With too many answers, all are forgotten."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}
        self._paths: dict[str, set[str]] = {}
        self._count = 0

    def get(self, path: str) -> Page | None:
        """Returns the page of a path, which may be of an earlier release."""
        return self._pages.get(path)

    def remember(self, path: str, state: ReleaseState, key: AnswerKey, answer: Answer) -> None:
        """Keep an answer of the project at ``state``."""
        if self._count >= _KEPT_ANSWERS:
            self.forget_all()
        page = self._pages.get(path)
        if page is None or page.state is not state:
            page = self._pages[path] = Page(state.project_id, state)
            self._paths.setdefault(state.project_id, set()).add(path)
        page.answers[key] = answer
        self._count += 1

    def forget(self, project_id: str) -> None:
        """Forget the answers of a project."""
        for path in self._paths.pop(project_id, ()):
            if page := self._pages.pop(path, None):
                page.is_good = False

    def forget_all(self) -> None:
        """Forget all answers."""
        for page in self._pages.values():
            page.is_good = False
        self._pages.clear()
        self._paths.clear()
        self._count = 0


def make_answer(caller: str, good_until: float, encoded: Encoded, encoding: str, fixed: Headers) -> Answer:
    """Returns the answer that sends ``encoded`` with the headers ``fixed``, and its answers without a body."""
    shared = [header for header in fixed if header[0] != b"content-type"]
    headers = [*fixed, (b"etag", encoded.etags[-1]), (b"content-length", str(len(encoded.body)).encode())]
    if encoding != "identity":
        headers.append((b"content-encoding", encoding.encode()))
    return Answer(
        caller=caller,
        good_until=good_until,
        etags=encoded.etags,
        size_bytes=len(encoded.body),
        start={"type": "http.response.start", "status": 200, "headers": headers},
        body={"type": "http.response.body", "body": encoded.body},
        not_modified={
            etag: {"type": "http.response.start", "status": 304, "headers": [*shared, (b"etag", etag)]}
            for etag in encoded.etags
        },
    )
