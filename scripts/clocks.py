"""Runs a command at a shifted time: `scripts/clocks.py (python|node) '2027-01-31 23:55' Pacific/Auckland COMMAND ...`.

Node runs under libfaketime. Python does not. Under libfaketime 0.9.10, Python 3.11 can't sleep with a real monotonic clock,
and its sleeps don't end with a shifted monotonic clock. A Python process gets a shifted `livery.core.clock` instead, the only
place where the server reads its own clock, and a shifted clock of the database. Child processes inherit either. The time
passes as usual.

The rows are times of day x kinds of day x zones, chosen so that each pair of values meets in one row at least.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from scripts.packages import Unavailable, install

YEAR = 2027
ORDINARY = date(YEAR, 6, 9)
LAST_OF_MONTH = date(YEAR, 1, 31)  # the next month is shorter
TIMES = ("00:05", "12:00", "23:55")
DAYS = ("ordinary", "last of month", "forward", "back")
ZONES = ("UTC", "Pacific/Auckland", "America/Los_Angeles")
ZONE_OF_CHANGE = {"UTC": "America/Los_Angeles"}  # UTC has no clock change: the server at that of its users
LIBRARIES = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1")


@dataclass(frozen=True)
class Row:
    """One run: a time of day on a kind of day in a zone."""

    time: str
    day: str
    zone: str

    @property
    def moment(self) -> str:
        """The local date and time."""
        return f"{date_of(self.day, self.zone)} {self.time}"


def clock_change(zone: str, *, is_forward: bool) -> date:
    """The day of the year `YEAR` on which the zone's clocks go forward, or back."""
    for number in range(365):
        day = date(YEAR, 1, 1) + timedelta(number)
        today, tomorrow = (_offset(zone, one) for one in (day, day + timedelta(1)))
        if today != tomorrow and (tomorrow > today) == is_forward:
            return day
    raise LookupError(zone)


def _offset(zone: str, day: date) -> timedelta:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).utcoffset() or timedelta()


def date_of(day: str, zone: str) -> date:
    """The date of a kind of day in a zone."""
    if day in ("forward", "back"):
        return clock_change(ZONE_OF_CHANGE.get(zone, zone), is_forward=day == "forward")
    return ORDINARY if day == "ordinary" else LAST_OF_MONTH


def pairwise_rows() -> list[Row]:
    """A Latin square: 12 of the 36 rows, in which each pair of a time, a day and a zone occurs."""
    return [
        Row(time, day, ZONES[(number + shift) % len(ZONES)])
        for number, time in enumerate(TIMES)
        for shift, day in enumerate(DAYS)
    ]


WEB_ROWS = pairwise_rows()
WHOLE_WEB_ROWS = [WEB_ROWS[place] for place in (0, 5, 10, 3)]
"""Rows in which each time of day, each kind of day and each zone occurs."""
# The server counts in UTC: each time of day, each zone and each kind of day once. The plain run is that of the ordinary day.
SERVER_ROWS = [Row(*values) for values in zip(TIMES, DAYS[1:], ZONES, strict=True)]


def shift_seconds(moment: str, zone: str) -> int:
    """How far the moment is from now."""
    return round(datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)).timestamp() - time.time())  # noqa: TID251  # the machine's clock is what is shifted


def faketime_library() -> Path:
    """libfaketime, installed where this may be done. Raises `Unavailable`."""
    for is_installed in (False, True):
        for pattern in LIBRARIES:
            for path in Path("/").glob(pattern.removeprefix("/")):
                return path
        if not is_installed:
            install("faketime", remedy="libfaketime is absent (Debian: apt-get install faketime).")
    raise Unavailable("the package faketime brought no libfaketime.so.1")


def environment(kind: str, moment: str, zone: str) -> dict[str, str]:
    """The variables under which a command and its children run at the moment."""
    shift = shift_seconds(moment, zone)
    if kind == "python":
        folder = Path(__file__).parent / "shifted_clock"
        return {"TZ": zone, "PYTHONPATH": str(folder), "SHIFTED_CLOCK_SECONDS": str(shift)}
    return {
        "TZ": zone,
        "LD_PRELOAD": str(faketime_library()),
        "FAKETIME": f"{shift:+d}s",  # a shift is the same for every child process; an absolute time would begin again in each
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def run(command: list[str], variables: dict[str, str]) -> int:
    """Runs the command; returns its exit status. Removes the shared memory that libfaketime leaves behind a killed process."""
    with subprocess.Popen(command, env=os.environ | variables) as process:
        status = process.wait()
    for name in ("faketime_shm_", "sem.faketime_sem_"):
        Path(f"/dev/shm/{name}{process.pid}").unlink(missing_ok=True)
    return status


def main() -> int:
    """Reads the command line and runs the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("python", "node"))
    parser.add_argument("moment")
    parser.add_argument("zone")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    print(f"{options.moment} in {options.zone}: {' '.join(options.command)}", flush=True)
    return run(options.command, environment(options.kind, options.moment, options.zone))


if __name__ == "__main__":
    sys.exit(main())
