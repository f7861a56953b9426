"""No hostile file is kept as it came, breaks the server, or makes it grow."""

import asyncio
import gc
import os
import signal
import sys
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from livery.core.context import Context
from livery.core.errors import Invalid
from livery.images import pixels
from livery.images.darkroom import Darkroom
from tests.factories.projects import Desk
from tests.images.hostile_files import MARK, SCRIPT, Hostile, corpus, exif
from tests.images.pictures import decoded, photo, picture
from tests.support.clients import open_client
from tests.support.server_process import ForkedServer, open_demo

WRITTEN_BY_US = {
    *(
        "jfif",
        "jfif_version",
        "jfif_unit",
        "jfif_density",
        "transparency",
        "loop",
        "background",
        "timestamp",
        "duration",
    ),
}
TRIES = 3
"""A machine that is busy with other things may take longer over a large picture than is allowed, but hardly each time."""
GROWTH_LIMIT_BYTES = 50 * 1024 * 1024


def problems_of(hostile: Hostile, answer: httpx2.Response, shown: bytes | None) -> str | None:
    """What is wrong with the answer, and with the file that came of it."""
    if answer.status_code >= 500:
        return f"{answer.status_code}: {answer.text[:200]}"
    if shown is not None:
        return "was taken" if hostile.fate == "refused" else _left_over(hostile, shown)
    if hostile.fate == "neutralised":
        return f"was refused: {answer.status_code} {answer.text[:200]}"
    body = answer.json()
    if answer.status_code not in {415, 422} or set(body) != {"message", "code", "fields"}:
        return f"{answer.status_code} {answer.text[:200]}"
    is_other_kind = answer.status_code == 415
    if is_other_kind and body["message"] != "Invalid file type. Please upload a JPG, PNG, WEBP image.":
        return body["message"]
    return None


def is_out_of_time(hostile: Hostile, answer: httpx2.Response) -> bool:
    """Whether a sound file was given up. What takes too much memory does so each time, what takes long does not."""
    return hostile.fate == "neutralised" and answer.status_code == 422 and answer.json()["code"] == "image_too_large"


def _left_over(hostile: Hostile, shown: bytes) -> str | None:
    """What of a file came out again that is no pixel."""
    image = decoded(shown)
    is_pixels = "palette" in hostile.name  # a palette is the colours of pixels, whatever it reads like
    if not is_pixels and (MARK in shown or SCRIPT in shown):
        return "brought something along"
    if set(image.info) - WRITTEN_BY_US:
        return f"has metadata {set(image.info)}"
    return "still moves" if getattr(image, "n_frames", 1) != 1 else None


def resident_bytes(pid: int) -> int:
    """What a process holds in memory at most, since it was last asked."""
    status = Path(f"/proc/{pid}/status").read_text()
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return int(peak.split()[1]) * 1024


def test_the_corpus_is_refused_or_neutralised_and_the_server_does_not_grow(tmp_path: Path) -> None:
    hostiles = corpus()
    wrong: list[str] = []
    fates = {"taken": 0, "refused": 0}
    is_linux = sys.platform == "linux"

    with (
        closing(ForkedServer(tmp_path / "data")) as server,
        open_client(server.base_url) as client,
    ):
        demo = open_demo(client)
        path = f"/api/images/{demo.project_id}"

        def send(name: str, hostile: Hostile) -> httpx2.Response:
            form = {"key": (None, name), "imageFile": (hostile.file_name, hostile.data, hostile.kind)}
            return client.post(path, headers=demo.headers, files=form)

        assert send("first", Hostile("sound", picture(), "neutralised")).status_code == 201
        before = resident_bytes(server.pid) if is_linux else 0
        before = resident_bytes(server.pid) if is_linux else 0
        for number, hostile in enumerate(hostiles):
            answer = send(f"key_{number}", hostile)
            for _ in range(TRIES - 1):
                if is_out_of_time(hostile, answer):
                    answer = send(f"key_{number}", hostile)
            shown = client.get(answer.json()["url"]).content if answer.status_code == 201 else None
            fates["refused" if shown is None else "taken"] += 1
            if problem := problems_of(hostile, answer, shown):
                wrong.append(f"{hostile.name}: {problem}")
        growth = resident_bytes(server.pid) - before if is_linux else 0
        assert client.get("/healthz").status_code == 200

    assert wrong == []
    assert len(hostiles) >= 60
    assert min(fates.values()) >= 20, "one fate alone proves little"
    assert growth < GROWTH_LIMIT_BYTES, f"the server grew by {growth / 2**20:.0f} MB"


async def test_a_photo_is_shown_upright_and_without_the_data_of_its_camera(desk: Desk) -> None:
    data = photo(60, 40, exif=exif(6))

    answer = await desk.upload("/images/{id}", {"key": "photo"}, data)
    shown = await desk.client.get(answer.json()["url"])

    assert (answer.json()["width"], answer.json()["height"]) == (40, 60)
    assert decoded(shown.content).size == (40, 60)
    assert not decoded(shown.content).getexif()


async def test_over_10_mb_is_413_however_it_comes(desk: Desk) -> None:
    large = picture() + b"\0" * (10 * 1024 * 1024)

    said = await desk.upload("/images/{id}", {"key": "large"}, large)

    async def in_pieces():
        yield b'--x\r\nContent-Disposition: form-data; name="imageFile"; filename="a"\r\n\r\n' + picture()
        for _ in range(400):
            yield b"\0" * 65_536

    headers = {**desk.person.headers, "Content-Type": "multipart/form-data; boundary=x"}
    unsaid = await desk.client.post(f"/api/images/{desk.project_id}", headers=headers, content=in_pieces())

    for answer in (said, unsaid):
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert list(answer.json()["fields"]) == ["imageFile"]


FORM = "multipart/form-data; boundary=x"
KEY_PART = b'--x\r\nContent-Disposition: form-data; name="key"\r\n\r\n'
END = b"\r\n--x--\r\n"

BROKEN_FORMS: dict[str, tuple[bytes, str, int]] = {
    "no form": (b"{}", "application/json", 415),
    "no boundary": (b"--x--\r\n", "multipart/form-data", 415),
    "no end": (KEY_PART + b"logo", FORM, 400),
    "no parts": (b"", FORM, 400),
    "no name": (b"--x\r\nContent-Disposition: form-data\r\n\r\na" + END, FORM, 400),
    "noise": (bytes(range(256)) * 50, FORM, 400),
    "an unknown field": (KEY_PART.replace(b"key", b"_id") + b"a" + END, FORM, 422),
    "a field twice": (KEY_PART + b"a\r\n" + KEY_PART + b"a" + END, FORM, 422),
    "a long key": (KEY_PART + b"a" * 5_000 + END, FORM, 422),
    "no text": (KEY_PART + b"\xff\xfe" + END, FORM, 422),
    "a header without end": (b"--x\r\nA: " + b"b" * 20_000, FORM, 400),
    "a thousand headers": (b"--x\r\n" + b"A: b\r\n" * 1_000 + b"\r\n" + END, FORM, 400),
}


@pytest.mark.parametrize("name", BROKEN_FORMS)
async def test_a_broken_form_is_refused(desk: Desk, name: str) -> None:
    data, kind, status = BROKEN_FORMS[name]

    answer = await desk.client.post(
        f"/api/images/{desk.project_id}", headers={**desk.person.headers, "Content-Type": kind}, content=data
    )

    assert answer.status_code == status, answer.text
    assert {"message", "code"} <= answer.json().keys() <= {"message", "code", "fields"}
    assert (await desk.get("/images/{id}")).json() == []


async def test_a_form_with_an_encoding_is_415(desk: Desk) -> None:
    headers = {**desk.person.headers, "Content-Type": "multipart/form-data; boundary=x", "Content-Encoding": "gzip"}

    answer = await desk.client.post(f"/api/images/{desk.project_id}", headers=headers, content=b"x")

    assert answer.status_code == 415


async def test_nothing_of_an_upload_stays_on_the_disk(desk: Desk, context: Context) -> None:
    await desk.upload("/images/{id}", {"key": "logo"}, picture())
    await desk.upload("/images/{id}", {"key": "bad"}, picture()[:60])

    assert list((context.settings.data_dir / "uploads").iterdir()) == []


async def test_a_child_that_hangs_or_dies_is_replaced(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(photo(3000, 2000))
    hasty, patient = Darkroom(1, seconds=0.001), Darkroom(1)
    try:
        with pytest.raises(Invalid):
            await hasty.take_in(source, tmp_path / "a")
        assert hasty.process_ids == []

        await patient.take_in(source, tmp_path / "b")
        [pid] = patient.process_ids
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # dead, and the darkroom does not know it yet
        again = await patient.take_in(source, tmp_path / "c")
        assert (again.width, again.height) == (3000, 2000)
        assert patient.process_ids != [pid]
        gc.collect()  # an exception that nobody read would be reported now, and fail the test
        await asyncio.sleep(0)
    finally:
        await hasty.close()
        await patient.close()


async def test_a_child_is_held_to_its_time() -> None:
    program = Path(pixels.__file__)
    code = f"import runpy; p = runpy.run_path({str(program)!r}); p['_limit_time'](0.2)\nwhile True: pass"

    child = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    async with asyncio.timeout(60):
        assert await child.wait() == -signal.SIGPROF


async def test_a_child_is_held_to_its_memory(tmp_path: Path) -> None:
    program = Path(pixels.__file__)
    code = (
        f"import runpy; p = runpy.run_path({str(program)!r}); p['set_limits'](); p['_limit_memory'](512 << 20); "
        "b = bytearray(600 << 20)"
    )

    child = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stderr=asyncio.subprocess.PIPE)
    _, errors = await child.communicate()

    assert b"MemoryError" in errors
