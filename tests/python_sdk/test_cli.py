"""The command line of the Python SDK against a running server: an app goes from files and code to a release and back."""

import asyncio
import io
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from livery.projects import tokens
from livery.projects.schemas import Scope
from livery_client import Livery, load_snapshots
from livery_client.cli.run import main
from tests.factories.content import Studio
from tests.support.live_server import LiveServer

pytestmark = pytest.mark.deep_on("postgresql")  # an SDK does not know the database of the server

NODE_CLI = Path(__file__).parents[2] / "sdks/typescript/cli/dist/livery-cli.js"
PO = """msgid ""
msgstr ""
"Language: de\\n"

msgid "shop.hello"
msgstr "Hallo %(name)s"
"""


@dataclass
class App:
    """A folder with an app, whose commands run in this process."""

    folder: Path
    output: pytest.CaptureFixture[str]
    server: str
    studio: Studio

    async def run(self, *arguments: str) -> tuple[int, str]:
        """Returns the exit status and what the command printed."""
        try:
            status = await asyncio.to_thread(main, arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        printed = self.output.readouterr()
        return status, printed.out + printed.err

    async def json(self, *arguments: str) -> Any:
        return json.loads((await self.run(*arguments, "--json"))[1])

    def write(self, path: str, text: str) -> None:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    def configure(self, **fields: object) -> None:
        config = {"server": self.server, "projectId": self.studio.project_id, "key": self.studio.key, **fields}
        self.write("livery.json", json.dumps(config))

    async def token(self, *scopes: Scope) -> str:
        async with self.studio.context.database.write() as db:
            access = await self.studio.access(db)
            made = await tokens.make(db, access, name="CI", scopes=scopes or ("read", "write", "publish"), days=None)
        return made.token


@pytest.fixture
def app(
    live: LiveServer,
    studio: Studio,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> App:
    for name in ("LIVERY_TOKEN", "LIVERY_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "app"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return App(folder, capsys, f"http://127.0.0.1:{live.port}", studio)


async def test_an_app_goes_from_files_to_a_release_and_back(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app.write("locale/de/LC_MESSAGES/django.po", PO)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{await app.token()}\n"))

    status, text = await app.run("login", "--server", app.server, "--token", "-")
    assert (status, 'token "CI"' in text) == (0, True)
    assert (app.folder.parent / "config/livery/credentials.json").stat().st_mode & 0o777 == 0o600
    assert (await app.run("init", "--server", app.server, "--keys", "app/keys.py"))[0] == 0
    assert json.loads(app.read("livery.json"))["locales"] == "locale/{language}/LC_MESSAGES/{namespace}.po"

    planned = await app.json("push", "--dry-run")
    assert [(row["key"], row["language"], row["text"]) for row in planned["rows"]] == [("hello", "de", "Hallo {name}")]
    pushed = await app.json("push")
    assert (pushed["texts"], pushed["newScreens"]) == (1, ["shop"])
    assert (await app.json("publish", "--dry-run"))["total"] == 1
    assert (await app.json("publish", "--wait"))["release"] == 2
    assert (await app.json("pull"))["languages"] == ["en", "de"]
    assert "def hello(self, *, name: object)" in app.read("app/keys.py")

    assert (await app.json("import", "--undo", pushed["importId"]))["message"]
    exported = ("export", "--language", "de", "--output", "de.out")
    assert (await app.json(*exported, "--format", "json"))["file"] == "de.out"
    assert "Hallo" in app.read("de.out")
    assert (await app.json(*exported, "--format", "apple_strings"))["file"] == "de.out.zip"  # with remarks
    assert await app.json("logout", "--server", app.server) == {"server": app.server, "forgotten": 1}
    status, text = await app.run("push")
    assert (status, "This needs a project token" in text) == (2, True)


async def test_snapshots_are_shown_without_a_network(app: App) -> None:
    app.configure()

    assert (await app.run("pull"))[0] == 0

    with Livery("prj_other", "lvp_1", "http://127.0.0.1:9", language="de", connection="off", cache=False) as empty:
        assert empty.t("home.title", name="Ada") == "home.title"
    with Livery(
        app.studio.project_id,
        app.studio.key,
        app.server,
        language="de",
        connection="off",
        cache=False,
        fallback=load_snapshots(app.folder / "livery"),
    ) as shown:
        assert shown.t("home.title", name="Ada") == "Hallo Ada"


async def test_a_check_of_the_snapshots_finds_an_old_file_and_writes_nothing(app: App) -> None:
    app.configure(code={"python": "keys.py"})
    assert [(await app.run("pull"))[0], (await app.run("pull", "--check"))[0]] == [0, 0]
    before = app.read("livery/en.json")
    await app.studio.set_text("title", {"en": "Welcome {name}"}, screen="home")
    await app.studio.publish()

    status, text = await app.run("pull", "--check")

    assert status == 1
    assert text.splitlines()[1:] == ["Differs: livery/en.json", "Differs: livery/de.json", "Differs: keys.py"]
    assert app.read("livery/en.json") == before


async def test_it_writes_the_files_of_the_command_line_for_node(app: App) -> None:
    """The two are used in the same repository. Keys are reserved words, and parameters meet in the same identifier."""
    studio = app.studio
    await studio.add_screen("class")
    for key, text in {
        "from": "{day, date, long} {größe, number} {n, plural, other {{kind, select, other {}}}}",
        "self": "{self} {a-b} {a.b} {a_b} {def}",
        "letters": "\U0001f600" * 100,
        "controls": 'a\u202eb\n\tc "quoted" \\ end',
    }.items():
        await studio.add_key(key, {"en": text}, screen="class")
    await studio.publish()
    app.configure(code={"python": "app/keys.py"})
    environment: Mapping[str, str] = {**os.environ, "LIVERY_TOKEN": await app.token("read")}
    node = await asyncio.create_subprocess_exec("node", str(NODE_CLI), "pull", cwd=app.folder, env=environment)
    assert await node.wait() == 0
    names = ["livery/en.json", "livery/de.json", "livery/stores.json", "app/keys.py"]
    written = {name: app.read(name) for name in names}
    for name in names:
        (app.folder / name).unlink()

    status, text = await app.run("pull")
    assert (status, "livery/stores.json" in text) == (0, False)  # without a token the fields of stores are not read
    app.write("livery/stores.json", written["livery/stores.json"])
    assert (await app.run("types"))[0] == 0

    assert {name: app.read(name) for name in names} == written
    compile(written["app/keys.py"], "keys.py", "exec")


async def test_the_code_is_compared_with_the_texts(app: App) -> None:
    app.configure(code={"python": "keys.py"}, ignore=["general.legacy_*"])
    for key in ("used", "typed", "tag", "legacy_1", "unused"):
        await app.studio.add_key(key, {"en": "Text", "de": "Text"})
    await app.studio.publish()
    await app.run("pull")
    app.write("a.py", 'keys.general.typed()\nlivery.t("used")\nlivery.t("home.titel")\nlivery.t("home.title")\n')
    app.write("b.html", '\n{% t "tag" %}\n{{ t("home.trips") }}')

    status, text = await app.run("check", "--skip", "missing-language")

    assert status == 1
    assert text.splitlines() == [
        'a.py:3: There is no text "home.titel". Did you mean "home.title"? (unknown-key)',
        'a.py:4: "home.title" needs the parameter "name". (missing-parameter)',
        'b.html:3: "home.trips" needs the parameter "n". (missing-parameter)',
        'No code reads "general.unused". (unused-key)',
        "4 findings in 2 files and 7 texts.",
    ]
    app.write("a.py", 'keys.general.typed(); t("used"); t("home.title", name=1); t(f"home.{x}"); t("unused")\n')
    app.write("b.html", '{% t "tag" %}')
    status, text = await app.run("check")
    assert (status, text) == (0, "0 findings in 2 files and 7 texts. 1 computed names were not checked.\n")


async def test_a_check_of_the_draft_finds_missing_translations(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVERY_TOKEN", await app.token("read"))
    app.configure()
    app.write("a.py", 't("home.title", name=1); t("home.trips", n=1)')

    found = await app.json("check", "--draft")

    assert [(one["kind"], one["key"], one["language"]) for one in found["findings"]] == [
        ("missing-translation", "home.trips", "de")
    ]


async def test_snapshots_of_the_draft_are_named(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVERY_TOKEN", await app.token("read"))
    app.configure()
    app.write("a.py", "")
    hint = 'The snapshots are of the draft. Before you ship the app, publish and run "pull" again.'

    of_draft = [(await app.run(*arguments))[1] for arguments in (["pull", "--draft"], ["check"])]
    of_release = [(await app.run(command))[1] for command in ("pull", "check")]

    assert [hint in text for text in (*of_draft, *of_release)] == [True, True, False, False]


async def test_new_keys_of_the_code_get_into_the_draft(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVERY_TOKEN", await app.token("read", "write"))
    app.configure()
    app.write("a.py", 't("home.title", default="Other"); t("home.new", default="New {x}"); t("home.new", default="?")')

    extracted = await app.json("extract", "--push")

    assert extracted["differing"] == ["home.new"]
    states = {row["key"]: row["state"] for row in extracted["push"]["rows"]}
    assert states == {"title": "conflict", "new": "new"}
    differences = await app.json("diff", "--format", "json_flat", str(_flat(app)))
    assert [(row["key"], row["before"]) for row in differences["rows"]] == [("new", "New {x}")]
    assert {row["key"] for row in differences["onlyInDraft"]} == {"home.title", "home.trips"}


def _flat(app: App) -> Path:
    app.write("en.json", '{"home.new": "Newer {x}"}')
    return Path("en.json")


@pytest.mark.parametrize(
    ("config", "arguments", "reason"),
    [
        (None, ["pull"], "There is no livery.json in this folder."),
        ("[]", ["pull"], "livery.json is no JSON object."),
        ("{", ["pull"], "livery.json is no JSON: "),
        ('{"sever": ""}', ["pull"], 'has an unknown field "sever"'),
        ('{"server": 1}', ["pull"], '"server" in livery.json must be a text.'),
        ('{"sources": "a"}', ["pull"], '"sources" in livery.json must be a list of texts.'),
        ('{"code": {"perl": "a"}}', ["pull", "--server=http://a", "--project=p"], 'but not "perl".'),
        ('{"server": "http://a"}', ["pull"], 'needs "server" and "projectId"'),
        ('{"server": "livery.example.com", "projectId": "p"}', ["pull", "--key=k"], '"https://livery.example.com"'),
        ('{"server": "http://127.0.0.1:9", "projectId": "p"}', ["pull", "--key=k"], "can't be reached"),
        (None, ["init"], 'Give "--server".'),
        (None, ["login", "--server=http://a", "--token=lvt_x"], "would stay in the history of your shell"),
        (None, ["publish", "--timeout=soon"], "it is a number of seconds"),
        (None, ["check", "--skip=typos"], "invalid choice: 'typos'"),
        ("", ["push"], "This needs a project token."),
        ("", ["import"], "Name the files to import."),
        ("", ["export", "--colors", "--store=a"], 'Give "--colors" or "--store", not both.'),
        ("", ["check"], "No file of Python or of a template matches"),
        ("", ["types"], "livery.json names no module for the keys."),
        ("", ["pull", "--key=lvp_wrong"], "The publishable key may have ended"),
    ],
)
async def test_misuse_is_named(app: App, config: str | None, arguments: list[str], reason: str) -> None:
    if config:
        app.write("livery.json", config)
    elif config is not None:
        app.configure()

    status, text = await app.run(*arguments)

    assert (status, reason in text) == (2, True), text


async def test_a_token_without_the_scope_is_named(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVERY_TOKEN", await app.token("read"))
    app.configure()

    status, text = await app.run("publish")

    assert (status, "publishing needs `publish`" in text) == (2, True)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("404 Not Found\r\n\r\nnginx", "answers with the status 404, and not as Livery does."),
        ("302 Found\r\nLocation: https://new.example/\r\n\r\n", "redirects to https://new.example/."),
        ("200 OK\r\n\r\n<html>", "answers no JSON."),
    ],
)
async def test_another_server_at_the_address_is_named(app: App, answer: str, reason: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {answer}".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        status, text = await app.run("pull", f"--server=http://127.0.0.1:{port}", "--project=p", "--key=lvp_k")

    assert (status, reason in text) == (2, True), text
