"""Writes the software bill of materials: every package that a running Livery or an app with its SDKs contains, from the lock files.

    python scripts/sbom.py [FILE]                    # CycloneDX 1.6 as JSON; without FILE to the terminal
    python scripts/sbom.py --advisories FOLDER       # compares it with advisories

FOLDER has OSV's advisories as JSON files or as the ``all.zip`` of an ecosystem (https://google.github.io/osv.dev/data/). Nothing is
fetched. The second form prints each advisory that concerns a package, and ends with 1 if it found an advisory.
"""

import argparse
import base64
import json
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
_PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^]]*\])?==([^ \\;]+)")
_SEMVER = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")
Json = Mapping[str, Any]


@dataclass(frozen=True, order=True)
class Package:
    """One version of a package. ``ecosystem`` is OSV's name: ``PyPI`` or ``npm``."""

    ecosystem: str
    name: str
    version: str
    hashes: tuple[tuple[str, str], ...] = ()
    license: str = ""

    @property
    def purl(self) -> str:
        """Its package URL (https://github.com/package-url/purl-spec)."""
        kind = {"PyPI": "pypi", "npm": "npm"}[self.ecosystem]
        return f"pkg:{kind}/{self.name.replace('@', '%40')}@{self.version}"


def python_packages(text: str) -> Iterator[Package]:
    """The pinned packages of a requirements file."""
    for block in re.split(r"\n(?=\S)", text):
        if match := _PINNED.match(block):
            hashes = tuple(("SHA-256", digest) for digest in re.findall(r"--hash=sha256:([0-9a-f]{64})", block))
            yield Package("PyPI", re.sub(r"[-_.]+", "-", match[1]).lower(), match[2], hashes)


def npm_packages(lock: Json) -> Iterator[Package]:
    """The packages of a lock file that are not for development alone."""
    for path, entry in lock["packages"].items():
        name = path.rpartition("node_modules/")[2]
        if "node_modules/" not in path or entry.get("link") or entry.get("dev") or entry.get("devOptional"):
            continue
        kind, _, digest = entry.get("integrity", "").partition("-")
        hashes = ((kind.upper().replace("SHA", "SHA-"), base64.b64decode(digest).hex()),) if digest else ()
        yield Package("npm", entry.get("name", name), entry["version"], hashes, entry.get("license", ""))


def all_packages() -> list[Package]:
    """Every package of this checkout's lock files, each once."""
    python = python_packages((ROOT / "requirements/runtime.txt").read_text())
    npm = npm_packages(json.loads((ROOT / "package-lock.json").read_text()))
    return sorted(dict.fromkeys([*python, *npm]))


def bill(packages: list[Package], version: str) -> dict[str, Any]:
    """The CycloneDX document."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "livery", "name": "livery", "version": version}},
        "components": [
            {
                "type": "library",
                "bom-ref": package.purl,
                "name": package.name,
                "version": package.version,
                "purl": package.purl,
                **({"licenses": [{"expression": package.license}]} if package.license else {}),
                # A Python package has a hash for each of its files, so no hash is the hash of the package.
                **(
                    {"hashes": [{"alg": alg, "content": content} for alg, content in package.hashes]}
                    if package.ecosystem == "npm"
                    else {}
                ),
            }
            for package in packages
        ],
    }


def advisories(folder: Path) -> Iterator[Json]:
    """Every advisory in the JSON files and archives of a folder."""
    for path in sorted(folder.rglob("*.json")):
        yield json.loads(path.read_text())
    for path in sorted(folder.rglob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(".json"):
                    yield json.loads(archive.read(name))


def concerns(advisory: Json, package: Package) -> bool:
    """Whether the advisory names this version (https://ossf.github.io/osv-schema/#evaluation)."""
    if "withdrawn" in advisory:
        return False
    for affected in advisory.get("affected", ()):
        named = affected.get("package", {})
        if (named.get("ecosystem"), _canonical(named)) != (package.ecosystem, package.name):
            continue
        if package.version in affected.get("versions", ()):
            return True
        if any(_is_within(item["events"], package) for item in affected.get("ranges", ()) if item["type"] != "GIT"):
            return True
    return False


def _canonical(named: Json) -> str:
    name = str(named.get("name", ""))
    return re.sub(r"[-_.]+", "-", name).lower() if named.get("ecosystem") == "PyPI" else name


def _is_within(events: list[Json], package: Package) -> bool:
    own = _order(package.ecosystem, package.version)
    is_affected = False
    for kind, version in sorted(
        ((kind, version) for event in events for kind, version in event.items() if kind != "limit"),
        key=lambda pair: _order(package.ecosystem, pair[1]),
    ):
        place = _order(package.ecosystem, version)
        if kind == "introduced" and own >= place:
            is_affected = True
        elif (kind == "fixed" and own >= place) or (kind == "last_affected" and own > place):
            is_affected = False
    return is_affected


def _order(ecosystem: str, version: str) -> Any:
    """What sorts versions of one ecosystem. Versions that can't be read come first, with ``0``."""
    if ecosystem == "PyPI":
        try:
            return Version(version)
        except InvalidVersion:
            return Version("0.dev0")
    if (match := _SEMVER.fullmatch(version)) is None:
        return ((0, 0, 0), 0, ())
    identifiers = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in (match[4] or "").split("."))
    return (tuple(int(part) for part in match.groups()[:3]), 0 if match[4] else 1, identifiers if match[4] else ())


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--advisories", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    packages = all_packages()
    if arguments.advisories is None:
        version = re.search(r'__version__ = "([^"]+)"', (ROOT / "livery/__init__.py").read_text())
        text = json.dumps(bill(packages, version[1] if version else ""), indent=1) + "\n"
        if arguments.file:
            arguments.file.write_text(text)
        else:
            sys.stdout.write(text)
        return 0
    by_name: dict[tuple[str, str], list[Package]] = {}
    for package in packages:
        by_name.setdefault((package.ecosystem, package.name), []).append(package)
    count, found = 0, 0
    for advisory in advisories(arguments.advisories):
        count += 1
        named = [affected.get("package", {}) for affected in advisory.get("affected", ())]
        names = {(str(package.get("ecosystem")), _canonical(package)) for package in named}
        for package in (package for name in sorted(names) for package in by_name.get(name, ())):
            if concerns(advisory, package):
                found += 1
                print(f"{package.name} {package.version}: {advisory['id']} {advisory.get('summary', '')}")
    print(f"{len(packages)} packages, {count} advisories, {found} found.")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
