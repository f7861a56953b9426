"""A PostgreSQL server for tests: in a temporary folder, on a socket in it, without durability, ended with the ``with`` block."""

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from scripts.packages import Unavailable, install

OLDEST = 15
START_SECONDS = 60
STOP_SECONDS = 20
ROOM_BYTES = 3 * 2**30
REMEDY = "PostgreSQL 15 or newer (initdb, postgres) is absent (Debian: apt-get install postgresql; macOS: brew install postgresql)."
FOLDERS = ("usr/local/bin", "opt/homebrew/opt/postgresql*/bin", "usr/bin")
# Tests kill servers of ours, never PostgreSQL or the machine: what it wrote need not survive.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "30min",
    "shared_buffers": "128MB",
    "max_connections": "300",
    "autovacuum_naptime": "1min",
    "autovacuum_max_workers": "1",
    "jit": "off",
}


def _find_programs() -> Path | None:
    root = Path("/")
    versions = sorted(root.glob("usr/lib/postgresql/*/bin"), key=lambda path: path.parent.name.zfill(4), reverse=True)
    for folder in [*versions, *(path for pattern in FOLDERS for path in sorted(root.glob(pattern)))]:
        if all(os.access(folder / name, os.X_OK) for name in ("postgres", "initdb")):
            return folder
    return None


def programs() -> Path:
    """The folder of PostgreSQL's programs, installed where this may be done. Raises `Unavailable`."""
    folder = _find_programs()
    if not folder:
        no_server = Path("/etc/postgresql-common/createcluster.d/no-main-cluster.conf")
        install("postgresql-common", remedy=REMEDY)
        no_server.parent.mkdir(parents=True, exist_ok=True)
        no_server.write_text("create_main_cluster = false\n")  # the package would start a server of its own
        install("postgresql", remedy=REMEDY)
        folder = _find_programs()
    if not folder:
        raise Unavailable(REMEDY)
    version = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    if int((re.findall(r"\d+", version) or ["0"])[0]) < OLDEST:
        raise Unavailable(f"{REMEDY} This is {version.strip()}.")
    return folder


def _login() -> pwd.struct_passwd | None:
    """Whose process the server is: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _temporary_folder() -> Path:
    """In memory where there is room."""
    memory = Path("/dev/shm")
    has_room = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= ROOM_BYTES
    return Path(tempfile.mkdtemp(prefix="livery-pg-", dir=memory if has_room else None))


def _command(program: Path, login: pwd.struct_passwd | None) -> list[str | Path]:
    if not login:
        return [program]
    return ["setpriv", f"--reuid={login.pw_uid}", f"--regid={login.pw_gid}", "--clear-groups", program]


def _initialize(folder: Path, bin_folder: Path, login: pwd.struct_passwd | None) -> None:
    options = [
        "-U",
        "livery",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
        "--locale-provider=icu",
        "--icu-locale=en-US",
    ]
    command = [
        *_command(bin_folder / "initdb", login),
        "-D",
        folder / "data",
        *options,
        "--no-sync",
        "--no-instructions",
    ]
    done = subprocess.run(
        command, cwd="/", capture_output=True, text=True, check=False
    )  # / : the login may not read this folder
    if done.returncode:
        raise Unavailable(f"initdb failed: {(done.stderr or done.stdout).strip()[-500:]}")


def _wait_until_it_answers(server: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    pid_file = folder / "data" / "postmaster.pid"
    while time.monotonic() < deadline and server.poll() is None:
        if pid_file.exists() and pid_file.read_text().rstrip().endswith("ready"):
            return
        time.sleep(0.1)
    raise Unavailable(f"PostgreSQL did not start: {(folder / 'server.log').read_text(errors='replace').strip()[-500:]}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.send_signal(signal.SIGQUIT)  # immediate shutdown: every backend ends at once
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@contextmanager
def running_server() -> Generator[str]:
    """Runs a server and yields its address for SQLAlchemy. Raises `Unavailable` where there can be no server."""
    bin_folder = programs()
    login = _login()
    folder = _temporary_folder()
    try:
        if login:
            os.chown(folder, login.pw_uid, login.pw_gid)
        _initialize(folder, bin_folder, login)
        settings = SETTINGS | {"unix_socket_directories": str(folder)}
        command = [*_command(bin_folder / "postgres", login), "-D", folder / "data"]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with (folder / "server.log").open("wb") as log:
            # A session of its own: the terminal's Ctrl-C would end it before the tests.
            server = subprocess.Popen(
                command, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        try:
            _wait_until_it_answers(server, folder)
            yield f"postgresql+psycopg://livery@/postgres?host={folder}"
        finally:
            _stop(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
