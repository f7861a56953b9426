"""The parser of messages, by the cases that the SDKs are held to as well; and texts made to be slow."""

import json
import re
import sys
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from livery.core.messages import Argument, Choice, Malformed, Node, Number, Text, parse, read, segments_of

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[2] / "sdks" / "spec" / "messages.json").read_text()
)


def described(node: Node) -> object:
    """Returns a node in the form of the file. An argument's source is left out where it is the plain source."""
    match node:
        case Text():
            return node.source
        case Number():
            return {"number": True}
        case Argument():
            source = "" if node.source == f"{{{node.name}}}" else node.source
            given = {"argument": node.name, "type": node.type, "style": node.style, "source": source}
            return {name: value for name, value in given.items() if value}
        case Choice():
            branches = {selector: [described(inner) for inner in nodes] for selector, nodes in node.branches}
            return (
                {node.kind: node.name} | ({"offset": int(node.offset)} if node.offset else {}) | {"branches": branches}
            )


def test_messages_are_read_as_the_sdks_read_them() -> None:
    found = [{"text": case["text"], "parts": [*map(described, parse(case["text"]))]} for case in VECTORS["messages"]]

    assert found == VECTORS["messages"]
    for case in VECTORS["messages"]:
        assert "".join(node.source for node in parse(case["text"])) == case["text"]


def test_a_malformed_message_is_text() -> None:
    for case in VECTORS["malformed"]:
        with pytest.raises(Malformed) as error:
            parse(case["text"])
        assert str(error.value) == case["problem"]
        assert read(case["text"]) == (Text(case["text"]),)


def test_names_have_the_letters_and_numbers_of_every_script() -> None:
    letters = [letter for letter in map(chr, range(sys.maxunicode + 1)) if not 0xD800 <= ord(letter) <= 0xDFFF]

    matched = {letter for letter in letters if re.fullmatch(r"\w", letter)}

    assert matched == {letter for letter in letters if unicodedata.category(letter)[0] in "LN" or letter == "_"}


@pytest.mark.parametrize(
    "text",
    [
        "{" * 20_000,
        "{" * 10_000 + "}" * 10_000,
        "{{" + " " * 19_000 + "}x}",
        "{ " * 10_000,
        "<a " * 6_000,
        "<a" * 10_000,
        "%" * 20_000,
        "{n, plural, other {" * 1_000,
        "{a}<b " * 3_000,
        "{n, plural, other {}}" * 900,
        "%" + "0" * 20_000,
        "%" + "1" * 20_000,
        "{n, plural, offset:" + "9" * 5_000 + " other {x}}",
        "{n, plural, " + " ".join(f"=%{number} {{}}" for number in range(2_000)),
    ],
)
def test_a_text_made_to_be_slow_is_not(text: str) -> None:
    begin = time.process_time()

    assert "".join(segment.source for segment in segments_of(read(text))) == text
    assert time.process_time() - begin < 1
