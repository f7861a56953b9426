"""Reads the locale files of other projects, writes their texts in the same format, and reads them again.

Prints a row of Markdown for each folder: ``python -m scripts.round_trips FOLDER [FOLDER …]``. A folder is a checkout, or a part of it. The exit
status is 1 if a text came back with a different meaning and without a remark, or if a file was not readable.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from livery.formats.checked import plain_meaning
from livery.formats.codes import normal
from livery.formats.model import Format, ProjectTexts, Remark, TextFile, Unreadable
from livery.formats.registry import detect

Texts = dict[str, dict[str, str]]
"""Language, name, message."""

SKIPPED = {"node_modules", ".git", "build", "dist"}
LOCALES = re.compile(
    r"(\.(po|arb|strings|stringsdict|xcstrings|xlf|xliff)|/strings\.xml"
    r"|/(locales?|lang|i18n|translations)/.*\.(json|ya?ml)|/messages[^/]*\.properties)$"
)


@dataclass
class Figures:
    """What was read of a folder in a format, and what came back."""

    files: int = 0
    texts: int = 0
    left_out: int = 0
    remarked: int = 0
    faults: list[str] = field(default_factory=list[str])


def locale_files(folder: Path) -> Iterator[Path]:
    """The files below a folder that look like locale files."""
    for path in sorted(folder.rglob("*")):
        if (
            LOCALES.search(f"/{path.relative_to(folder).as_posix()}")
            and not SKIPPED & set(path.parts)
            and path.is_file()
        ):
            yield path


def by_language(file: TextFile, usual: str) -> Texts:
    """The messages of a file by language."""
    found: Texts = {}
    for text in file.texts:
        found.setdefault(normal(text.language or usual), {})[text.name] = text.message
    return found


def again(form: Format, texts: Texts) -> tuple[Texts, list[Remark]]:
    """What comes back of texts that are written as files of a format, with the remarks about them."""
    languages = list(texts)
    written = form.write(ProjectTexts(languages[0], texts))
    found: Texts = {}
    for number, file in enumerate(written.files):
        usual = languages[number] if len(written.files) == len(languages) else languages[0]
        for language, messages in by_language(form.read(file.data, language=usual), usual).items():
            found.setdefault(language, {}).update(messages)
    return found, written.remarks


def measure(form: Format, path: Path, figures: Figures) -> None:
    """Adds a file to the figures."""
    figures.files += 1
    try:
        file = form.read(path.read_bytes(), language="en")
    except Unreadable as error:
        figures.faults.append(f"{path}: {error}")
        return
    texts = by_language(file, "en")
    figures.texts += sum(map(len, texts.values()))
    figures.left_out += sum(remark.is_lost for remark in file.remarks)
    if not texts:
        return
    found, remarks = again(form, texts)
    remarked = {remark.name for remark in remarks}
    for language, messages in texts.items():
        for name, message in messages.items():
            back = found.get(language, {}).get(name)
            if name in remarked:
                figures.remarked += 1
            elif back is None or plain_meaning(back) != plain_meaning(message):
                figures.faults.append(f"{path}: {name} in {language}: {message!r} came back as {back!r}")


def main(folders: list[str]) -> int:
    """Prints the table. Returns the exit status."""
    is_fine = True
    print("| project | format | files | texts | come back | with a remark | left out on reading |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for folder in map(Path, folders):
        by_format: dict[str, Figures] = {}
        for path in locale_files(folder):
            form = detect(path.name, path.read_bytes())
            if form:
                measure(form, path, by_format.setdefault(form.id, Figures()))
        for name, figures in by_format.items():
            same = figures.texts - figures.remarked - len(figures.faults)
            print(
                f"| {folder.name} | `{name}` | {figures.files:,} | {figures.texts:,} | {same:,} "
                f"| {figures.remarked:,} | {figures.left_out:,} |"
            )
            for fault in figures.faults[:5]:
                print(fault, file=sys.stderr)
            is_fine = is_fine and not figures.faults
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
