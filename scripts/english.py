"""Finds sentences that break the rules of our English, in comments, docstrings and documents.

    python -m scripts.english            all of them
    python -m scripts.english FILE ...   those in these files

A program can see three of the rules. No sentence has a word for which the glossary has a better one. No sentence begins with what it is about
("Of the draft …"). No sentence has more than 25 words.
"""

import argparse
import ast
import inspect
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 25
"""Words of a sentence."""
SUFFIXES = {".py", ".md", ".ts", ".tsx"}
LEFT_OUT = re.compile(
    r"^docs/decisions/00([0-2]\d|3[0-4])|(^|/)(node_modules|dist|fixtures|vectors|static)/|\.gen\.ts$|^docs/spec-(coverage|requirements)\.md$|^LICENSE"
)

BETTER: Mapping[str, str] = {
    r"anew": "again",
    r"otherwise": "different, or else",
    r"meanwhile": "at the same time",
    r"deeds?": "act, operation",
    r"papers": "documents",
    r"another one": "a different … (name the noun)",
    r"(goes|go|went|gone) out": "is published",
    r"none of (which|whom|them)": "no … (name the noun)",
    r"those that": "the … that (name the noun)",
    r"tells? of": "describes",
}
"""Words, and what to write in their place."""
_WORDS = [
    (re.compile(rf"\b{words}\b", re.IGNORECASE), f'"{better}" in place of "{{}}"') for words, better in BETTER.items()
]
_FRONTED = re.compile(r"^Of (the|a|an|each|its|their|what|whom|those|these|all|such)\b")


@dataclass(frozen=True)
class Fault:
    """A sentence that breaks a rule, the line on which its paragraph begins, and what to do."""

    line: int
    advice: str
    sentence: str


def faults_in(text: str, line: int = 1) -> Iterator[Fault]:
    """Returns the faults of a text. A paragraph ends at an empty line, at a list item and at a row of a table."""
    for first, paragraph in _paragraphs(text, line):
        for sentence in re.split(r"(?<=[.!?])[\"')*]*\s+(?=[A-Z\"(`])", paragraph):
            yield from (Fault(first, advice, sentence) for advice in _advice(sentence))


def _advice(sentence: str) -> Iterator[str]:
    plain = re.sub(r"``?[^`]*``?", "x", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence))
    for pattern, advice in _WORDS:
        if found := pattern.search(plain):
            yield advice.format(found.group())
    if _FRONTED.match(plain):
        yield "begin with the subject"
    if (count := len(re.findall(r"[\w'-]+", plain))) > LONGEST:
        yield f"{count} words: at most {LONGEST} in a sentence"


def _paragraphs(text: str, line: int) -> Iterator[tuple[int, str]]:
    found: list[str] = []
    first, is_code = line, False
    for number, raw in enumerate(text.splitlines(), line):
        row = raw.strip()
        if row.startswith("```"):
            is_code = not is_code
        begins = (
            not row or is_code or row.startswith(("```", "|", "#", "- ", "* ", "@", ">")) or re.match(r"\d+\. ", row)
        )
        if begins and found:
            yield first, " ".join(found)
            found = []
        if not row or is_code or row.startswith(("```", "|", "#", "@")):
            continue
        if not found:
            first = number
        found.append(re.sub(r"^([-*>]|\d+\.) ", "", row))
    if found:
        yield first, " ".join(found)


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """Returns the texts of a file that people read, each with its first line: a document, or comments and docstrings."""
    source = path.read_text()
    if path.suffix == ".md":
        yield 1, _prose(source)
    elif path.suffix == ".py":
        yield from _python_texts(source)
    else:
        yield from _script_texts(source)


def _prose(text: str) -> str:
    """Returns a text without comments and indented code; each line keeps its number."""
    blank = r"<!--.*?-->|(?<=\n\n)(?: {4}[^\n]*\n?)+"
    return re.sub(blank, lambda found: "\n" * found.group().count("\n"), text, flags=re.DOTALL)


def _python_texts(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, _prose(inspect.cleandoc(node.value.value))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not re.match(r"#( noqa| type:| pyright:|!)", token.string):
            yield token.start[0], token.string.lstrip("# ")


def _script_texts(source: str) -> Iterator[tuple[int, str]]:
    for found in re.finditer(r"(?<![\"'`\w*/])/\*\*?(.*?)\*/|(?<![:\"'`\w])//(?!/) ?([^\n]*)", source, re.DOTALL):
        text = found.group(1) if found.group(1) is not None else found.group(2)
        yield source.count("\n", 0, found.start()) + 1, re.sub(r"^\s*\* ?", "", text, flags=re.MULTILINE)


def faults_of(path: Path) -> list[Fault]:
    """Returns the faults of a file."""
    return [fault for line, text in texts_of(path) for fault in faults_in(text, line)]


def files() -> list[str]:
    """Returns the files that have texts, by their path from the root."""
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    return [
        name
        for name in tracked
        if Path(name).suffix in SUFFIXES and not LEFT_OUT.search(name) and (ROOT / name).is_file()
    ]


def faults(names: Sequence[str]) -> list[str]:
    """Returns the faults in files, for people."""
    return [
        f"{name}:{fault.line}: {fault.advice}\n    {fault.sentence[:160]}"
        for name in names
        for fault in faults_of(ROOT / name)
    ]


def main() -> int:
    """Returns 1 if there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    found = faults(parser.parse_args().files or files())
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
