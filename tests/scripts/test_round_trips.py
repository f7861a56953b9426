"""The script that measures round trips counts what came back, and finds a file that can't be read."""

from pathlib import Path

import pytest

from scripts.round_trips import main


def test_a_table_has_a_row_for_each_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "locale/de").mkdir(parents=True)
    (tmp_path / "locale/de/django.po").write_text('msgid "a"\nmsgstr "%(name)s"\n\nmsgid "b"\nmsgstr ""\n')
    (tmp_path / "locale/de.json").write_text('{"a": "A", "b": {"c": "C"}}')
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/de.po").write_text("?")

    assert main([str(tmp_path)]) == 0

    name = tmp_path.name
    assert sorted(capsys.readouterr().out.splitlines()[2:]) == [
        f"| {name} | `json` | 1 | 2 | 2 | 0 | 0 |",
        f"| {name} | `po` | 1 | 1 | 1 | 0 | 1 |",
    ]


def test_a_file_that_can_not_be_read_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.arb").write_text("{")

    assert main([str(tmp_path)]) == 1
    assert "app.arb: The file is not valid JSON." in capsys.readouterr().err
