"""The bill of materials names what the lock files pin, and advisories are compared as OSV's schema defines."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts/sbom.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    return json.loads(run().stdout)


def test_the_bill_names_each_pinned_package_of_the_server_and_each_of_the_dashboard(bill: dict[str, Any]) -> None:
    purls = {component["purl"] for component in bill["components"]}
    pinned = {
        line.split("==")[0].split("[")[0]
        for line in (ROOT / "requirements/runtime.txt").read_text().splitlines()
        if "==" in line and not line.startswith((" ", "#"))
    }
    named = {purl.split("/")[1].split("@")[0] for purl in purls if purl.startswith("pkg:pypi/")}
    assert named == {name.lower().replace("_", "-").replace(".", "-") for name in pinned}
    for package in json.loads((ROOT / "web/package.json").read_text())["dependencies"]:
        if not package.startswith("@livery/"):
            assert any(purl.startswith(f"pkg:npm/{package.replace('@', '%40')}@") for purl in purls), package
    assert not any(purl.startswith("pkg:npm/vitest@") for purl in purls)


def affected(ecosystem: str, name: str, *events: dict[str, str], **more: Any) -> dict[str, Any]:
    """An advisory about a package, with one range."""
    kind = "SEMVER" if ecosystem == "npm" else "ECOSYSTEM"
    ranges = [{"type": kind, "events": list(events)}] if events else []
    return {
        "id": "TEST-1",
        "summary": "A hole",
        "affected": [{"package": {"ecosystem": ecosystem, "name": name}, "ranges": ranges, **more}],
    }


def test_an_advisory_is_found_if_its_range_or_its_list_has_the_version(bill: dict[str, Any], tmp_path: Path) -> None:
    versions = {component["name"]: component["version"] for component in bill["components"]}
    fastapi, react = versions["fastapi"], versions["react"]
    cases = [
        (affected("PyPI", "FastAPI", {"introduced": "0"}), True),
        (affected("PyPI", "fastapi", {"introduced": "0"}, {"fixed": fastapi}), False),
        (affected("PyPI", "fastapi", {"introduced": "0"}, {"last_affected": fastapi}), True),
        (affected("PyPI", "fastapi", {"introduced": "0"}, {"fixed": "0.1"}, {"introduced": fastapi}), True),
        (affected("PyPI", "fastapi", {"introduced": "999"}), False),
        (affected("PyPI", "fastapi", versions=[fastapi]), True),
        ({**affected("PyPI", "fastapi", versions=[fastapi]), "withdrawn": "2026-01-01T00:00:00Z"}, False),
        (affected("npm", "fastapi", {"introduced": "0"}), False),
        (affected("npm", "react", {"introduced": "0"}, {"fixed": f"{react}-rc.1"}), False),
        (affected("npm", "react", {"introduced": f"{react}-rc.1"}, {"fixed": "999.0.0"}), True),
        (affected("npm", "react", {"introduced": "0"}, {"fixed": "999.0.0-alpha.10"}), True),
        (affected("npm", "react", {"introduced": "0"}, {"last_affected": "1.2.3"}), False),
    ]
    for number, (advisory, is_found) in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "one.json").write_text(json.dumps(advisory))
        result = run("--advisories", str(folder))
        assert (result.returncode == 1) == is_found, (number, result.stdout)
        assert ("TEST-1 A hole" in result.stdout) == is_found


def test_a_folder_without_advisories_is_no_success(tmp_path: Path) -> None:
    assert run("--advisories", str(tmp_path)).returncode == 1
