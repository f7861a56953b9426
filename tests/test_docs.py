"""What the documents describe is what the code has: settings, and the shape of the decisions."""

import re
from pathlib import Path
from typing import get_args

from packaging.version import Version

from livery import __version__
from livery.core.settings import Settings
from livery.projects.permissions import PERMISSIONS
from livery.stores.field_types.rich_text import clean_html
from livery.stores.schemas import FieldType

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SETTINGS_ROW = re.compile(r"^\| `LIVERY_([A-Z_]+)` \| (.*?) \|", re.MULTILINE)


def documented_settings() -> dict[str, str]:
    return {name.lower(): default for name, default in SETTINGS_ROW.findall((DOCS / "settings.md").read_text())}


def test_every_setting_is_documented_and_every_documented_setting_exists() -> None:
    assert documented_settings().keys() == Settings.model_fields.keys()


def test_the_documented_defaults_are_the_real_defaults() -> None:
    documented = documented_settings()

    for name, field in Settings.model_fields.items():
        default = field.default.get_secret_value() if hasattr(field.default, "get_secret_value") else field.default
        shown = {"True": "`true`", "False": "`false`", "": "empty"}.get(str(default), f"`{default}`")
        assert documented[name] == shown, name


def test_the_changelog_has_the_commit_of_each_version_and_this_is_a_later_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text()
    versions = re.findall(r"^## \[(\d[^\]]*)\]", changelog, re.MULTILINE)
    released = re.findall(r"^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d\n\nCommit `[0-9a-f]{40}`\.$", changelog, re.MULTILINE)

    assert released
    assert released == versions
    assert Version(__version__) > max(map(Version, released))


def test_every_decision_is_numbered_in_order_and_names_its_check() -> None:
    decisions = sorted(path for path in (DOCS / "decisions").glob("*.md") if path.name != "template.md")

    assert [path.name[:5] for path in decisions] == [f"{number:04}-" for number in range(1, len(decisions) + 1)]
    for path in [*decisions, DOCS / "decisions" / "template.md"]:
        text = path.read_text()
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences", "The check"], (
            path.name
        )
        assert re.search(r"^Status: (accepted|superseded by \d{4}), \d{4}-\d{2}-\d{2}$", text, re.MULTILINE), path.name
        assert len(text.split()) < 700, f"{path.name} is longer than a page"


def test_the_guide_of_roles_has_the_rights_of_each_role() -> None:
    lines = [line for line in (DOCS / "guides/roles.md").read_text().splitlines() if line.startswith("| ")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    beginnings = ["read all", "edit", "publish", "manage members", "assign", "read the audit log", "delete the project"]
    rights = ["read", "edit", "publish", "manage", "assign_credits", "audit", "own"]

    assert [row[0].startswith(first) for row, first in zip(rows, beginnings, strict=True)] == 7 * [True]
    shown = {
        role: {right for right, row in zip(rights, rows, strict=True) if row[column] == "yes"}
        for column, role in enumerate(head[1:], 1)
    }
    assert shown == {role: {right.value for right in found} for role, found in PERMISSIONS.items()}


def test_the_page_of_values_names_every_type_of_field_and_the_tags_that_stay() -> None:
    page = (DOCS / "values.md").read_text()
    rich = page[page.index("## Rich text") : page.index("Only links")]

    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set(get_args(FieldType))
    for tag in re.findall(r"`([a-z0-9]+)`", rich):
        assert f"<{tag}" in clean_html(f"<{tag}>x</{tag}>"), tag
