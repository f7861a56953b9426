"""Makes ninety small changes to the code, each alone, and records which changes the tests see.

``choose`` drew the list ``mutants.json`` once, with a fixed seed, before the tests were rebuilt. ``list`` prints the list. ``run`` tests
each mutant in a copy of this checkout and goes on where an earlier run ended. ``table`` compares the files that ``run`` writes.
"""

import argparse
import hashlib
import json
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from mutant_tests import ROOT, Tree, Verdict, package_of
from mutation_edits import Edit, python_edits, typescript_edits

LIST = Path(__file__).with_name("mutants.json")
SEED = 15
PYTHON_MUTANTS = 60
LEAST_OF_A_PACKAGE = 2
TYPESCRIPT_MUTANTS = {"web/app": 2, "web/lib": 5, "web/ui": 3, "cli": 4, "client": 8, "react": 2, "i18next": 3}
FEATURES = 10
"""So many features of the dashboard get one mutant each."""

EXCLUDED = {
    "accounts-88f795": "a server that listens on a port always knows the peer's address",
    "ai-85313c": "the next function makes 0 of each cost below 0",
    "analytics-f79e29": "without a target nothing is ever noted, so both halves say the same",
    "core-95f930": "the file is closed right after, which writes as well; only a power cut in between shows it",
    "images-be1bfb": "of a list with one entry, the first is the last",
    "images-f559e9": "a process that ends one picture sooner shows nobody anything",
    "web-lib-d46dcf": "no server answers 299",
}
"""Mutants that behave like the original, each with the reason. ``choose`` draws the next mutant in place of each."""


@dataclass(frozen=True)
class Mutant:
    """An edit by what stays the same when the file changes elsewhere."""

    id: str
    package: str
    file: str
    line: str
    operator: str
    occurrence: int
    change: str

    def find(self) -> Edit | None:
        """Returns the edit in the code as it is now; ``None`` if its line is gone."""
        if not (ROOT / self.file).exists():
            return None
        edits = (
            python_edits(ROOT, self.file)
            if self.file.endswith(".py")
            else typescript_edits(ROOT, [self.file])[self.file]
        )
        wanted = (self.line, self.operator, self.occurrence)
        return next((edit for edit in edits if (edit.line, edit.operator, edit.occurrence) == wanted), None)


@dataclass
class Record:
    """What ``run`` writes. ``sound`` names tests that fail on a mutant and pass without it."""

    commit: str = ""
    results: dict[str, Verdict] = field(default_factory=dict[str, Verdict])
    sound: list[str] = field(default_factory=list[str])
    unsound: list[str] = field(default_factory=list[str])


def named(package: str, edit: Edit) -> Mutant:
    """The mutant that makes this edit."""
    place = f"{edit.file}|{edit.line}|{edit.operator}|{edit.occurrence}"
    number = hashlib.sha256(place.encode()).hexdigest()[:6]
    change = edit.describe((ROOT / edit.file).read_bytes())
    name = f"{package.replace('/', '-')}-{number}"
    return Mutant(name, package, edit.file, edit.line, edit.operator, edit.occurrence, change)


def draw(package: str, edits: dict[str, list[Edit]], wanted: int) -> list[Mutant]:
    """``wanted`` mutants of a package, of all kinds, spread over its files, each on a line of its own."""
    chance = random.Random(f"{SEED} {package}")
    by_operator: dict[str, list[Edit]] = {}
    for edit in (edit for file in sorted(edits) for edit in edits[file]):
        by_operator.setdefault(edit.operator, []).append(edit)
    files = sum(1 for found in edits.values() if found)
    drawn: list[Mutant] = []
    per_file: Counter[str] = Counter()
    lines: set[tuple[str, str]] = set()
    operators: Counter[str] = Counter()
    while sum(mutant.id not in EXCLUDED for mutant in drawn) < wanted and by_operator:
        rarest = min(operators[operator] for operator in by_operator)
        operator = chance.choice(sorted(name for name in by_operator if operators[name] == rarest))
        edit = by_operator[operator].pop(chance.randrange(len(by_operator[operator])))
        if not by_operator[operator]:
            del by_operator[operator]
        mutant = named(package, edit)
        if per_file[edit.file] > len(drawn) // files or (edit.file, edit.line) in lines:
            continue
        drawn.append(mutant)
        per_file[edit.file] += 1
        operators[operator] += 1
        lines.add((edit.file, edit.line))
    return [mutant for mutant in drawn if mutant.id not in EXCLUDED]


def python_packages() -> dict[str, list[str]]:
    """The Python files of each package, without tables, migrations and empty files."""
    packages: dict[str, list[str]] = {}
    for path in sorted((ROOT / "livery").rglob("*.py")):
        file = str(path.relative_to(ROOT))
        if path.name not in {"models.py", "__init__.py"} and not file.startswith("livery/migrations/"):
            packages.setdefault(package_of(file), []).append(file)
    return packages


def shares(sizes: dict[str, int], total: int, least: int) -> dict[str, int]:
    """``total`` split by size, at least ``least`` for each; the largest remainders get what rounding leaves."""
    free = total - least * len(sizes)
    exact = {name: free * size / sum(sizes.values()) for name, size in sizes.items()}
    share = {name: least + int(part) for name, part in exact.items()}
    by_remainder = sorted(exact, key=lambda name: int(exact[name]) - exact[name])
    for name in by_remainder[: total - sum(share.values())]:
        share[name] += 1
    return share


def draw_python() -> Iterator[Mutant]:
    """The mutants of the server."""
    packages = python_packages()
    sizes = {name: sum((ROOT / file).stat().st_size for file in files) for name, files in packages.items()}
    for name, wanted in shares(sizes, PYTHON_MUTANTS, LEAST_OF_A_PACKAGE).items():
        yield from draw(name, {file: python_edits(ROOT, file) for file in packages[name]}, wanted)


def draw_typescript() -> Iterator[Mutant]:
    """The mutants of the dashboard and of the SDKs."""
    packages: dict[str, list[str]] = {}
    for source in ("web/src", *(f"sdks/typescript/{name}/src" for name in ("cli", "client", "react", "i18next"))):
        for path in sorted((ROOT / source).rglob("*.ts*")):
            file = str(path.relative_to(ROOT))
            if not any(word in file for word in (".test.", ".gen.", ".d.ts", "/testing/", "/main.tsx")):
                packages.setdefault(package_of(file), []).append(file)
    features = {name: sum((ROOT / file).stat().st_size for file in files) for name, files in packages.items()}
    features = {name: size for name, size in features.items() if name.startswith("web/features/")}
    chance = random.Random(f"{SEED} features")
    by_weight = sorted(features, key=lambda name: chance.random() ** (1 / features[name]), reverse=True)
    wanted = TYPESCRIPT_MUTANTS | dict.fromkeys(by_weight[:FEATURES], 1)
    edits = typescript_edits(ROOT, [file for name in wanted for file in packages[name]])
    for name in sorted(wanted):
        yield from draw(name, {file: edits[file] for file in packages[name]}, wanted[name])


def read_list() -> list[Mutant]:
    """The list as it was drawn."""
    return [Mutant(**values) for values in json.loads(LIST.read_text())]


def read_record(path: Path) -> Record:
    """Reads the record that ``run`` wrote. Without such a file the record is empty."""
    if not path.exists():
        return Record()
    values: dict[str, Any] = json.loads(path.read_text())
    results = {name: Verdict(**verdict) for name, verdict in values.pop("results").items()}
    return Record(results=results, **values)


def write_record(record: Record, path: Path) -> None:
    """Writes the file as a whole or not at all."""
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(asdict(record), indent=2, ensure_ascii=False) + "\n")
    partial.replace(path)


def doubt_kills(record: Record, tree: Tree) -> None:
    """Runs the tests that killed without a mutant: what a test killed that fails here as well is forgotten, to be run again."""
    doubted = sorted(
        {verdict.test for verdict in record.results.values() if verdict.test} - {*record.sound, *record.unsound}
    )
    failing = tree.failing(doubted)
    record.sound = sorted({*record.sound, *doubted} - failing)
    record.unsound = sorted({*record.unsound, *failing})
    record.results = {name: verdict for name, verdict in record.results.items() if verdict.test not in failing}


def choose() -> None:
    """Draws the list again."""
    mutants = [*draw_python(), *draw_typescript()]
    LIST.write_text(json.dumps([asdict(mutant) for mutant in mutants], indent=2, ensure_ascii=False) + "\n")
    show(mutants)


def show(mutants: list[Mutant]) -> None:
    """Prints one line per mutant."""
    for mutant in mutants:
        print(f"{mutant.id:<32} {mutant.file}: {mutant.operator}: {mutant.change}")


def run(mutants: list[Mutant], path: Path, jobs: int, *, is_wide: bool) -> None:
    """Tests each mutant that ``path`` has no result for, and writes the file after each."""
    record = read_record(path)
    head = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    record.commit = subprocess.run(head, capture_output=True, text=True, check=True).stdout.strip()
    writing = threading.Lock()
    trees: SimpleQueue[Tree] = SimpleQueue()

    def test(mutant: Mutant) -> None:
        tree = trees.get()
        try:
            edit = mutant.find()
            verdict = tree.judge(edit, record.unsound, is_wide=is_wide) if edit else Verdict("gone")
        finally:
            trees.put(tree)
        with writing:
            record.results[mutant.id] = verdict
            write_record(record, path)
        print(f"{verdict.status:<9} {mutant.id:<32} {verdict.seconds:6.0f} s  {verdict.test}", flush=True)

    all_trees = [Tree() for _ in range(jobs)]
    pool = ThreadPoolExecutor(jobs)
    try:
        for tree in all_trees:
            trees.put(tree)
        while waiting := [mutant for mutant in mutants if mutant.id not in record.results]:
            for _ in pool.map(test, waiting):
                pass
            doubt_kills(record, all_trees[0])
            write_record(record, path)
    finally:
        for tree in all_trees:
            tree.close()
        pool.shutdown(cancel_futures=True)


def table(paths: list[Path]) -> None:
    """Prints a markdown table: per package how many mutants each run killed, and which survive."""
    records = [read_record(path) for path in paths]
    packages: dict[str, list[Mutant]] = {}
    for mutant in read_list():
        packages.setdefault("/".join(mutant.package.split("/")[:2]), []).append(mutant)
    names = [path.stem for path in paths]
    heads = ["package", "mutants", *(f"{word} {name}" for name in names for word in ("killed:", "alive:"))]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    rows = [*sorted(packages.items()), ("all", [mutant for found in packages.values() for mutant in found])]
    for package, mutants in rows:
        cells = [package, str(len(mutants))]
        for record in records:
            verdicts = {mutant.id: record.results.get(mutant.id, Verdict("not run")) for mutant in mutants}
            killed = sum(verdict.status == "killed" for verdict in verdicts.values())
            alive = [
                name if it.status == "survived" else f"{name} ({it.status})"
                for name, it in verdicts.items()
                if it.status != "killed"
            ]
            cells += [str(killed), str(len(alive)) if package == "all" else ", ".join(alive)]
        print(f"| {' | '.join(cells)} |")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("choose", help="draw the list again")
    commands.add_parser("list", help="print the list")
    running = commands.add_parser("run", help="test the mutants")
    running.add_argument("--only", nargs="+", metavar="ID", help="only these")
    running.add_argument("--jobs", type=int, default=1, help="so many at once")
    running.add_argument("--out", type=Path, default=ROOT / ".cache" / "mutants.json", metavar="FILE.json")
    running.add_argument(
        "--wide", action="store_true", help="after the tests of its package, a mutant meets all others"
    )
    comparing = commands.add_parser("table", help="print what was killed")
    comparing.add_argument("files", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    match options.command:
        case "choose":
            choose()
        case "list":
            show(read_list())
        case "run":
            mutants = read_list()
            if unknown := set(options.only or []) - {mutant.id for mutant in mutants}:
                sys.exit(f"no such mutant: {', '.join(sorted(unknown))}")
            chosen = [mutant for mutant in mutants if mutant.id in (options.only or {mutant.id})]
            run(chosen, options.out, options.jobs, is_wide=options.wide)
        case _:
            table(options.files)


if __name__ == "__main__":
    main()
