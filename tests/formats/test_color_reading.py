"""Files of colours: what is read of each format, and what is left out with a sentence."""

import json

import pytest

from livery.formats.collector import REMARKS
from livery.formats.color_files import COLOR_FORMATS
from livery.formats.color_reading import detect
from livery.formats.color_values import CHANNELS, CLIPPED, NO_COLOR, OTHER_SPACE, TRANSPARENT, NoColor, read_css_color
from livery.formats.model import TextFile, Unreadable

COLORS = {"primary": "#c8371c", "a.b-c_1": "#00ff7f"}


def read(name: str, content: object) -> TextFile:
    data = content if isinstance(content, bytes) else content if isinstance(content, str) else json.dumps(content)
    data = data.encode() if isinstance(data, str) else data
    found = detect(name, data)
    assert found, name
    return found.read(data, name)


def outcome(name: str, content: str | bytes) -> TextFile | str:
    """What a file has, or why it can't be read."""
    try:
        return read(name, content)
    except Unreadable as error:
        return str(error)


def values(file: TextFile) -> dict[str, str]:
    return {text.name: text.message for text in file.texts}


def sentences(file: TextFile) -> dict[str, str]:
    return {remark.name: remark.sentence for remark in file.remarks}


@pytest.mark.parametrize("format_id", COLOR_FORMATS)
def test_what_an_export_writes_is_read_again(format_id: str) -> None:
    found: dict[str, str] = {}
    for file in COLOR_FORMATS[format_id](COLORS):
        found |= values(read(file.path, file.data))

    assert {name.removeprefix("--livery-").removeprefix("--color-"): value for name, value in found.items()} == COLORS


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#F00", "#ff0000"),
        ("#aabbccff", "#aabbcc"),
        ("RebeccaPurple", "#663399"),
        ("rgb(1, 2, 3)", "#010203"),
        ("rgb(10% 20% 30% / 100%)", "#1a334c"),
        ("hsl(200 50% 40%)", "#337799"),
        ("hwb(120 0% 0%)", "#00ff00"),
        ("oklch(0.637 0.237 25.331)", "#fb2c36"),  # red-500 of Tailwind 4
        ("oklch(98.5% 0 none)", "#fafafa"),  # neutral-50 of Tailwind 4
        ("oklab(1 0 0)", "#ffffff"),
        ("lab(50 0 0)", "#777777"),
        ("lch(0 0 0)", "#000000"),
    ],
)
def test_a_colour_of_css_becomes_six_digits(text: str, value: str) -> None:
    assert read_css_color(text) == (value, None)


def test_a_colour_that_changes_on_the_way_has_a_sentence() -> None:
    assert read_css_color("222.2 47.4% 11.2%") == ("#0f172a", CHANNELS)
    assert read_css_color("oklch(0.623 0.214 259.815)") == ("#2b7fff", CLIPPED)  # blue-500 of Tailwind 4


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rgb(0 0 0 / 50%)", TRANSPARENT),
        ("#0008", TRANSPARENT),
        ("transparent", TRANSPARENT),
        ("currentColor", NO_COLOR),
        ("color(display-p3 1 0 0)", OTHER_SPACE),
        ("4px", NO_COLOR),
        ("", NO_COLOR),
        ("color()", NO_COLOR),
        ("rgb(1e999 0 0)x", NO_COLOR),
        ("#" + "f" * 100_000, NO_COLOR),
        ("rgb(" * 10_000, NO_COLOR),
    ],
)
def test_what_is_no_opaque_colour_has_its_reason(text: str, sentence: str) -> None:
    with pytest.raises(NoColor) as caught:
        read_css_color(text)

    assert str(caught.value) == sentence


def test_a_theme_with_modes_and_references_gives_its_plain_values() -> None:
    file = read(
        "app/theme.css",
        """
        @import "tailwindcss";
        @theme inline { --color-brand: oklch(0.637 0.237 25.331); --radius: 4px; --color-link: var(--color-brand, red); }
        @layer base { :root { --glass: rgb(0 0 0 / 50%); --brand: #010203; } .dark { --brand: #fff; --only-dark: #000; } }
        """,
    )

    assert values(file) == {
        "--color-brand": "#fb2c36",
        "--color-link": "#fb2c36",
        "--brand": "#010203",
        "--only-dark": "#000000",
    }
    assert sentences(file) == {
        "--glass": TRANSPARENT,
        "--brand": "The value of another mode, such as dark, is left out.",
        "": "The file has 1 value that is no colour, left out.",
    }
    assert [remark.is_lost for remark in file.remarks] == [True, False, False]
    assert file.texts[0].place == "line 3"


def test_design_tokens_have_groups_types_and_aliases() -> None:
    file = read(
        "design/brand.json",
        {
            "brand": {
                "$type": "color",
                "primary": {"$value": {"colorSpace": "srgb", "components": [1, 0, 0.5], "hex": "#ff0080"}},
                "hover": {"$value": "{brand.primary}"},
                "glass": {"$value": {"colorSpace": "srgb", "components": [0, 0, 0], "alpha": 0.5}},
                "sky": {"$value": {"colorSpace": "oklch", "components": [0.623, 0.214, 259.815]}},
            },
            "old": {"value": "#abc", "type": "color"},
            "space": {"$type": "dimension", "small": {"$value": "4px"}},
        },
    )

    assert values(file) == {
        "brand.primary": "#ff0080",
        "brand.hover": "#ff0080",
        "brand.sky": "#2b7fff",
        "old": "#aabbcc",
    }
    assert sentences(file)["brand.glass"] == TRANSPARENT


def test_resources_of_android_follow_references() -> None:
    lines = [
        '<color name="a">#FF112233</color>',
        '<color name="b">@color/a</color>',
        '<color name="c">#80112233</color>',
    ]
    resources = "<resources>" + "\n".join(lines) + "</resources>"

    file = read("app/src/main/res/values/colors.xml", resources)

    assert values(file) == {"a": "#112233", "b": "#112233"}
    assert sentences(file) == {"c": TRANSPARENT}
    with pytest.raises(Unreadable, match="night"):
        read("app/src/main/res/values-night/colors.xml", resources)


def test_a_colour_set_of_xcode_has_the_name_of_its_folder() -> None:
    dark = {"appearances": [{"appearance": "luminosity", "value": "dark"}]}
    color = {"color-space": "srgb", "components": {"red": "0.500", "green": "128", "blue": "0xFF", "alpha": "1.000"}}
    name = "App/Assets.xcassets/Brand.colorset/Contents.json"

    file = read(name, {"colors": [{"color": color, "idiom": "universal"}, {"color": color, **dark}]})

    assert values(file) == {"Brand": "#8080ff"}
    assert sentences(file) == {"Brand": "The value of another appearance, such as dark, is left out."}
    assert read("App/Assets.xcassets/Contents.json", {"info": {"author": "xcode"}}).texts == []


def test_files_of_texts_are_no_files_of_colours() -> None:
    texts = {
        "en.json": b'{"filter": {"type": "color", "value": "Value of the colour"}}',
        "strings.xml": b'<resources><string name="a">x</string><color name="b">#fff</color></resources>',
        "a.csv": b"key,en\na,x\n",
    }

    assert [detect(name, data) for name, data in texts.items()] == [None, None, None]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.css", "a{" * 100_000),
        ("a.css", ":root{--a:" + "(" * 100_000),
        ("a.css", ":root{" + "".join(f"--a{n}:var(--a{n + 1});" for n in range(20_000)) + "}"),
        ("a.css", ":root{--a:var(--b);--b:var(--a)}"),
        ("a.css", ":root{" + "".join(f"--a{n}:rgb(0 0 0/0);" for n in range(20_000)) + "}"),
        ("a.css", b"\xff\xfe\x00"),
        ("a.tokens.json", '{"a":' * 900 + "1" + "}" * 900),
        ("a.tokens.json", '{"a":' * 100_000),
        ("a.tokens.json", '{"a":{"$value":"{b}","$type":"color"},"b":{"$value":"{a}"}}'),
        ("a.tokens.json", '{"a":{"$type":"color","$value":{"components":[1,2,NaN]}}}'),
        ("a.tokens.json", "[" + "9" * 100_000 + "]"),
        ("colors.xml", "<a>" * 100_000),
        ("colors.xml", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><resources/>'),
        ("A.colorset/Contents.json", '{"colors":[{"color":{"components":{"red":"9e999","green":[],"blue":null}}}]}'),
        ("A.colorset/Contents.json", '{"colors":[1,[],{"color":7}]}'),
    ],
)
def test_a_hostile_file_is_unreadable_or_has_remarks(name: str, data: str | bytes) -> None:
    found = outcome(name, data)

    if isinstance(found, str):
        assert found.endswith(".")
        assert len(found) < 400
    else:
        assert found.remarks
        assert len(found.remarks) <= REMARKS + 2
