"""Finds sentences that break the rules of our English, in comments, docstrings, documents, mails and the texts that people see.

    python -m scripts.english            in all files
    python -m scripts.english FILE ...   in these files

A program can see three of the rules. No sentence has a word for which the glossary has a better word. No sentence begins with what it is about
("Of the draft …"). No sentence has more than 25 words.
"""

import argparse
import ast
import inspect
import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 25
"""Words of a sentence."""
SUFFIXES = {".py", ".md", ".ts", ".tsx", ".txt"}
SHOWN = re.compile(r"^(livery/(?!migrations/).*\.py|web/src/(?!testing/).*(?<!\.test)\.tsx?)$")
"""Files whose strings people see."""
TEST_FILE = re.compile(r"(^|/)test_\w+\.py$|\.(test|spec)\.tsx?$")
TEST_NAMES = {
    ".py": re.compile(r"^\s*(?:async )?def test_(\w+)\(", re.MULTILINE),
    ".ts": re.compile(r"\b(?:test|it|describe)(?:\.each\([^)]*\))?\(\s*\"((?:[^\"\\]|\\.)*)\""),
}
SUBJECT_LIMIT = 72
"""Characters of the subject of a commit."""
FEWEST = 4
"""Words of a string that is a text."""
LEFT_OUT = re.compile(
    r"^requirements/|^docs/decisions/00([0-2]\d|3[0-4])|(^|/)(node_modules|dist|fixtures|vectors|static)/|\.gen\.ts$|^docs/spec-(coverage|requirements)\.md$|^LICENSE"
)

_COUNTED = "".join(
    f"(?<!\\b{word} )" for word in ("than", "exactly", "most", "least", "just", "by", "to", "or", "into")
)
_FOLLOWED = "that which who whose is are was were has have had in with from at on as can may does did again too here there alone after before else"
_PRONOUN = rf"{_COUNTED}one(?= ({_FOLLOWED.replace(' ', '|')})\b|[.,;:?!)]|$)"
"""The word "one" in place of a noun, not as a number."""

BETTER: Mapping[str, str] = {
    r"anew": "again",
    r"otherwise": "different, or else",
    r"meanwhile": "at the same time",
    r"deeds?": "act, operation",
    r"papers": "documents",
    r"another one": "a different … (name the noun)",
    r"(goes|go|went|gone) out": "is published",
    r"none of (which|whom|them)": "no … (name the noun)",
    r"(that|which) (is|are) none": "that is not valid, or not a … (name the noun)",
    r"those that": "the … that (name the noun)",
    r"tells?( of)?|told": "shows, reports, describes, asks",
    r"says?|said": "shows, writes, reports, means",
    r"(?<!await )(waits?|waited)(?! (for|until|at most|\d|and see))": "is unpublished, is queued, pauses",
    r"(stands|stood)(?! for)": "is, is shown, is written",
    r"(?<!')none(?!')": "no … (name the noun)",
    r"ones": "the … (name the noun)",
    _PRONOUN: "the … (name the noun)",
}
"""Words, and what to write in their place."""
QUOTED = {
    "Get started by creating one!",
    "Please cancel it before scheduling a new one.",
    "Please choose a replacement image or keep the existing one.",
}
"""Sentences that the specification quotes."""


def _compiled(words: Mapping[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile(rf"\b(?:{word})\b", re.IGNORECASE), f'"{better}" in place of "{{}}"')
        for word, better in words.items()
    ]


_WORDS = _compiled(BETTER)
_NO_TEXT = re.compile(r"=>|import \{|^[a-z ]+$|^dict\[")
"""Code, or a list of codes."""
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
            if sentence not in QUOTED:
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
    elif path.suffix == ".txt":
        yield 1, re.sub(r"\{\{.*?\}\}", "x", re.sub(r"\{%.*?%\}", "\n\n", source).replace(":  ", "\n\n"))
    elif path.suffix == ".py":
        yield from _python_texts(source)
    else:
        yield from _script_texts(source)


def _prose(text: str) -> str:
    """Returns a text without comments and indented code; each line keeps its number."""
    blank = r"<!--.*?-->|(?<=\n\n)(?: {4}[^\n]*\n?)+"
    return re.sub(blank, lambda found: "\n" * found.group().count("\n"), text, flags=re.DOTALL)


def _python_texts(source: str) -> Iterator[tuple[int, str]]:
    for node in _statements(ast.parse(source).body):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, _prose(inspect.cleandoc(node.value.value))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not re.match(r"#( noqa| type:| pyright:|!)", token.string):
            yield token.start[0], token.string.lstrip("# ")


def _statements(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Returns these statements and those in their blocks, without the expressions: a tenth of the nodes of ``ast.walk``."""
    for node in nodes:
        yield node
        for block in ("body", "handlers", "orelse", "finalbody", "cases"):
            yield from _statements(getattr(node, block, ()))


def _script_texts(source: str) -> Iterator[tuple[int, str]]:
    for found in re.finditer(r"(?<![\"'`\w*/])/\*\*?(.*?)\*/|(?<![:\"'`\w])//(?!/) ?([^\n]*)", source, re.DOTALL):
        text = found.group(1) if found.group(1) is not None else found.group(2)
        yield source.count("\n", 0, found.start()) + 1, re.sub(r"^\s*\* ?", "", text, flags=re.MULTILINE)


def names_of_tests(path: Path) -> Iterator[tuple[int, str]]:
    """Returns the names of the tests in a file, as sentences, each with its line."""
    source = path.read_text()
    for found in TEST_NAMES[path.suffix[:3]].finditer(source):
        yield source.count("\n", 0, found.start()) + 1, found[1].replace("_", " ")


def shown_texts(names: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """Returns the texts in the code of these files that people see: file, line, text. A value in a text is an ``x``."""
    scripts = [name for name in names if SHOWN.match(name) and not name.endswith(".py")]
    command = ["node", "scripts/shown-texts.mjs", *scripts]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = [(name, line, text) for name, texts in json.loads(printed).items() for line, text in texts]
    for name in names:
        if SHOWN.match(name) and name.endswith(".py"):
            found += [(name, line, text) for line, text in _python_strings((ROOT / name).read_text())]
    yield from (one for one in found if len(one[2].split()) >= FEWEST and not _NO_TEXT.search(one[2]))


def _python_strings(source: str) -> Iterator[tuple[int, str]]:
    tree = ast.parse(source)
    known: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            known.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            known.update(map(id, node.values))
            parts = [str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values]
            yield node.lineno, "".join(parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in known:
            yield node.lineno, node.value


def subject_faults(subject: str) -> list[str]:
    """Returns what is wrong with the subject of a commit: its form, its areas, its length or its words."""
    form = re.fullmatch(r"([a-z0-9-]+(?:, [a-z0-9-]+)*): [A-Z].*\.", subject)
    if form is None:
        return ["write it as: area: Imperative sentence."]
    found = [f"{area} is no folder" for area in form[1].split(", ") if area not in _folders()]
    if len(subject) > SUBJECT_LIMIT:
        found.append(f"{len(subject)} characters: at most {SUBJECT_LIMIT}")
    return found + list(_advice(subject.partition(": ")[2]))


@cache
def _folders() -> frozenset[str]:
    return frozenset(part for name in _tracked() for part in Path(name).parts[:-1])


def files() -> list[str]:
    """Returns the files that have texts, by their path from the root."""
    return [
        name
        for name in _tracked()
        if Path(name).suffix in SUFFIXES and not LEFT_OUT.search(name) and (ROOT / name).is_file()
    ]


@cache
def _tracked() -> list[str]:
    return _git("ls-files", "--cached", "--others", "--exclude-standard")


def last_subjects(count: int) -> list[str]:
    """Returns the subjects of the last commits, the newest first."""
    return _git("log", f"-{count}", "--no-merges", "--format=%s")


def _git(*arguments: str) -> list[str]:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def faults(names: Sequence[str]) -> list[str]:
    """Returns the faults in files, for people."""
    texts = [(name, line, text) for name in names for line, text in texts_of(ROOT / name)]
    texts += [
        (name, line, text) for name in names if TEST_FILE.search(name) for line, text in names_of_tests(ROOT / name)
    ]
    found = [(name, fault) for name, line, text in [*texts, *shown_texts(names)] for fault in faults_in(text, line)]
    return [f"{name}:{fault.line}: {fault.advice}\n    {fault.sentence[:160]}" for name, fault in found]


def main() -> int:
    """Returns 1 if there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    found = faults(parser.parse_args().files or files())
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
