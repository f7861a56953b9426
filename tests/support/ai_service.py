"""A translation service on loopback that speaks the protocols of OpenAI, Anthropic and DeepL, well or badly, as a test sets it."""

import html
import json
import re
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROTOCOLS = ("openai", "anthropic", "deepl")
_PATHS = {
    "/v1/chat/completions": "openai",
    "/v1/messages": "anthropic",
    "/v2/translate": "deepl",
    "/v2/write/rephrase": "deepl",
}


@dataclass(frozen=True)
class Asked:
    """One text of a request, with marks as ⟦n⟧ in every protocol."""

    id: str
    text: str
    data: dict[str, str]


@dataclass(frozen=True)
class Call:
    """One request. Header names are in lower case."""

    protocol: str
    path: str
    headers: dict[str, str]
    body: Any
    items: Sequence[Asked]
    target: str
    raw: str

    def answer(self, texts: Sequence[tuple[str, str]]) -> "Said":
        """A right answer in the protocol, with these texts by id."""
        if self.protocol == "deepl":
            field_name = "improvements" if "rephrase" in self.path else "translations"
            entries = [{"text": _to_tags(text), "billed_characters": len(text)} for _, text in texts]
            return Said(json.dumps({field_name: entries}))
        return self.says(json.dumps({"translations": [{"id": name, "text": text} for name, text in texts]}))

    def says(self, content: str, /, **more: Any) -> "Said":
        """Returns what a model answers, in the envelope of the protocol. DeepL has no models: its answer is the content."""
        if self.protocol == "openai":
            choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 100, "completion_tokens": 40, "total_tokens": 140, "cost": 0.0025}
            return Said(json.dumps({"choices": [{**choice, **more}], "usage": usage}))
        if self.protocol == "anthropic":
            usage = {"input_tokens": 100, "output_tokens": 40}
            blocks = [{"type": "text", "text": content}]
            return Said(json.dumps({"content": blocks, "stop_reason": "end_turn", "usage": usage, **more}))
        return Said(content)


@dataclass(frozen=True)
class Said:
    """An HTTP answer."""

    body: str | bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    hang_seconds: float = 0


Behaviour = Callable[[Call], Said]


def translated(call: Call) -> Said:
    """Each text with the target language behind it."""
    return call.answer([(item.id, f"{item.text} {call.target}") for item in call.items])


@dataclass
class AiService:
    """Behaves as ``next`` lists it, one entry a call, and then as ``always``."""

    url: str
    always: Behaviour = translated
    next: list[Behaviour] = field(default_factory=list[Behaviour])
    calls: list[Call] = field(default_factory=list[Call])
    delay_seconds: float = 0
    at_once: int = 0
    most_at_once: int = 0

    def settings(self, protocol: str) -> dict[str, object]:
        """The settings of a server that uses it."""
        base = {"openai": f"{self.url}/v1", "anthropic": self.url, "deepl": self.url}[protocol]
        return {"ai": protocol, "ai_base_url": base, "ai_api_key": "sk-canary-7f3a", "ai_model": "test-model"}

    @property
    def texts(self) -> list[str]:
        """Every text that was asked for, without marks."""
        return [re.sub("⟦[0-9]+⟧", "", item.text) for call in self.calls for item in call.items]


@contextmanager
def ai_service() -> Generator[AiService]:
    """A service that runs until the block ends."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", "0"))).decode()
            # It is at work until it has its answer: who waits for that can ask again before this thread runs on.
            with lock:
                service.at_once += 1
                service.most_at_once = max(service.most_at_once, service.at_once)
            try:
                said = self._work(raw)
            finally:
                with lock:
                    service.at_once -= 1
            self._send(said)

        def _work(self, raw: str) -> Said:
            headers = {name.lower(): value for name, value in self.headers.items()}
            call = _read(self.path, headers, raw)
            with lock:
                service.calls.append(call)
                behaviour = service.next.pop(0) if service.next else service.always
            time.sleep(service.delay_seconds)  # how long a service takes
            said = behaviour(call)
            stopped.wait(said.hang_seconds)
            return said

        def _send(self, said: Said) -> None:
            body = said.body.encode() if isinstance(said.body, str) else said.body
            try:
                self.send_response(said.status)
                for name, value in said.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                return  # who asked has gone

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it
            """Logs nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        request_queue_size = 128

    stopped = threading.Event()
    server = Server(("127.0.0.1", 0), Handler)
    service = AiService(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _read(path: str, headers: dict[str, str], raw: str) -> Call:
    protocol = _PATHS[path]
    body = json.loads(raw)
    if protocol == "deepl":
        texts = [_to_marks(text) if "translate" in path else text for text in body["text"]]
        items = [Asked(str(place), text, {}) for place, text in enumerate(texts)]
        return Call(protocol, path, headers, body, items, body["target_lang"].lower(), raw)
    message = body["messages"][-1]["content"]
    data = json.loads(message.removeprefix("```json\n").removesuffix("\n```"))
    items = [Asked(item["id"], item["text"], item) for item in data["items"]]
    return Call(protocol, path, headers, body, items, re.findall(r"\((.*)\)", data["target_language"])[-1], raw)


def _to_marks(text: str) -> str:
    return html.unescape(re.sub(r'<m id="([0-9]+)"/>', r"⟦\1⟧", text))


def _to_tags(text: str) -> str:
    return re.sub("⟦([0-9]+)⟧", r'<m id="\1"/>', html.escape(text, quote=False))
