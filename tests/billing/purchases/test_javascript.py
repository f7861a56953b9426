"""What NOWPayments signs is what JavaScript prints; the judge is JavaScript itself."""

import json
import random
import subprocess

import pytest

from livery.billing.providers.javascript import number, parse, sorted_text

NODE = """
const sortObject = (obj) => Object.keys(obj).sort().reduce((result, key) => {
  result[key] = obj[key] && typeof obj[key] === "object" ? sortObject(obj[key]) : obj[key];
  return result;
}, {});
const sortKept = (value) => {
  if (Array.isArray(value)) return value.map(sortKept);
  if (!value || typeof value !== "object") return value;
  return Object.keys(value).sort().reduce((result, key) => { result[key] = sortKept(value[key]); return result; }, {});
};
const lines = require("fs").readFileSync(0, "utf8").split("\\n");
console.log(JSON.stringify(lines.map((line) => {
  const value = JSON.parse(line);
  return [JSON.stringify(sortObject(value)), JSON.stringify(sortKept(value))];
})));
"""

NUMBERS = [
    "0", "-0", "0.0", "-0.0", "1", "10", "1.0", "10.00", "-1.50", "0.1", "0.30000000000000004", "1e3", "1E3", "1e+3", "1.5e-5", "0.000001",
    "0.0000001", "1e-6", "1e-7", "1.25e-7", "123456789012345680000", "1e20", "1e21", "1.5e21", "999999999999999999999", "1e300", "5e-324",
    "1.7976931348623157e308", "9007199254740993", "123456789012345678901234567890", "0.09853637216235617", "57.25", "178.9005",
    "100000000000000000000000", "4.35", "0.1e-6", "12345.678e2", "100.0e-2", "2.5e-10", "1e22", "1.1e22",
]  # fmt: skip


def in_javascript(texts: list[str]) -> list[list[str]]:
    """Returns each text with its keys sorted, by the documented function and by the function that leaves lists alone."""
    result = subprocess.run(
        ["node", "-e", NODE], input="\n".join(texts), capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(result.stdout)


def random_text(dice: random.Random, depth: int = 0) -> str:
    """A JSON text with the oddities that matter: numbers as they are written, keys of all sorts, lists, deep objects."""
    kind = dice.choice("nnnsskblo" if depth < 4 else "nnsskb")
    match kind:
        case "n":
            digits = str(dice.randrange(10 ** dice.randrange(1, 25)))
            fraction = f".{dice.randrange(10 ** dice.randrange(1, 20)):0{dice.randrange(1, 20)}}"
            exponent = f"e{dice.randrange(-30, 30)}"
            written = digits + dice.choice(["", fraction]) + dice.choice(["", "", exponent])
            return dice.choice(["", "-"]) + dice.choice([written, *NUMBERS]).lstrip("-")
        case "s" | "k":
            letters = 'aé"\\/\u2028\u0001\u007f\n\t😀\ufffd日<&'
            return json.dumps("".join(dice.choices(letters, k=dice.randrange(8))), ensure_ascii=dice.random() < 0.5)
        case "b":
            return dice.choice(["true", "false", "null"])
        case "l":
            return "[" + ",".join(random_text(dice, depth + 1) for _ in range(dice.randrange(4))) + "]"
        case _:
            return random_object(dice, depth + 1)


def random_object(dice: random.Random, depth: int = 0) -> str:
    names = [
        "a",
        "B",
        "b",
        "é",
        "10",
        "9",
        "01",
        "-1",
        "4294967294",
        "4294967295",
        "😀",
        "\ufffd",
        "toString",
        "",
        "fee",
        "__proto__",
    ]
    keys = dice.sample(names, dice.randrange(1, 6))
    return "{" + ",".join(f"{json.dumps(key)}:{random_text(dice, depth)}" for key in keys) + "}"


def test_any_object_is_printed_as_javascript_prints_it() -> None:
    dice = random.Random(20261121)
    texts = [random_object(dice) for _ in range(3_000)]

    expected = in_javascript(texts)

    for text, (indexed, kept) in zip(texts, expected, strict=True):
        assert sorted_text(parse(text.encode()), has_indexed_lists=True) == indexed, text
        assert sorted_text(parse(text.encode())) == kept, text


def test_numbers_are_printed_as_javascript_prints_them() -> None:
    expected = in_javascript([f'{{"n":{written}}}' for written in NUMBERS])

    assert [f'{{"n":{number(written)}}}' for written in NUMBERS] == [indexed for indexed, _ in expected]


@pytest.mark.parametrize("raw", [b"NaN", b'{"a": Infinity}', b"{", b"\xff", b""])
def test_invalid_json_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse(raw)
