"""Files of items: lists of JSON, and tables with a row for each item."""

import json

import pytest

from livery.core import limits
from livery.formats.item_files import ITEM_FORMATS, Items
from livery.formats.item_reading import FORMATS, detect
from livery.formats.model import TextFile, Unreadable

ITEMS = Items(
    store="trips",
    fields=["title", "price", "open"],
    translatable=frozenset({"title"}),
    languages=["en", "de"],
    items=[
        {"_id": "itm_1", "title": {"en": "=Lofoten", "de": "Die\nLofoten"}, "price": 129.5, "open": True},
        {"_id": "itm_2", "title": {"en": "'quoted'"}},
    ],
)


def read(name: str, data: str | bytes) -> TextFile:
    found = detect(name)
    assert found, name
    return found.read(data.encode() if isinstance(data, str) else data)


def values(file: TextFile) -> list[dict[str, object]]:
    return [json.loads(text.message) for text in file.texts]


@pytest.mark.parametrize("format_id", ["csv", "xlsx"])
def test_a_table_that_an_export_writes_is_read_again(format_id: str) -> None:
    written = ITEM_FORMATS[format_id](ITEMS)

    file = read(written.path, written.data)

    assert values(file) == [
        {"_id": "itm_1", "title[en]": "=Lofoten", "title[de]": "Die\nLofoten", "price": "129.5", "open": "true"},
        {"_id": "itm_2", "title[en]": "'quoted'", "title[de]": None, "price": None, "open": None},
    ]
    assert [(text.name, text.place) for text in file.texts] == [("itm_1", "row 2"), ("itm_2", "row 3")]


def test_a_list_of_json_is_read_as_it_is() -> None:
    written = ITEM_FORMATS["json"](ITEMS)

    assert values(read(written.path, written.data)) == list(ITEMS.items)
    assert values(read("a.json", '{"items": [{"a": 1}], "more": 2}')) == [{"a": 1}]


def test_what_can_not_be_kept_has_a_sentence() -> None:
    file = read("a.json", json.dumps([1, {"a": "x" * 600_000}, {"a": "\0"}, {"a": "\ud800"}, {"a": "ok"}]))

    assert values(file) == [{"a": "ok"}]
    assert [(remark.place, remark.is_lost) for remark in file.remarks] == [(f"item {n}", True) for n in range(1, 5)]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", "{}"),
        ("a.json", '"text"'),
        ("a.json", "[]"),
        ("a.json", "[" * 100_000),
        ("a.json", "[1"),
        ("a.json", json.dumps([{}] * (limits.STORE_ITEMS + 1))),
        ("a.csv", ""),
        ("a.csv", "title,price\n"),
        ("a.csv", "title,title\na,b\n"),
        ("a.csv", "," * 400 + "\n"),
        ("a.csv", "a\n" * (limits.STORE_ITEMS + 3)),
        ("a.csv", 'a\n"x'),
        ("a.xlsx", b"PK"),
    ],
)
def test_a_file_without_items_is_unreadable_with_a_sentence(name: str, data: str | bytes) -> None:
    with pytest.raises(Unreadable) as caught:
        read(name, data)

    assert str(caught.value).endswith(".")


def test_cells_without_a_title_are_left_out_with_a_remark() -> None:
    file = read("a.csv", "title,\na,b\n")

    assert values(file) == [{"title": "a"}]
    assert [remark.sentence for remark in file.remarks] == [
        "The row has cells in a column without a title. They are left out."
    ]


def test_each_format_has_its_own_name() -> None:
    assert [one.id for one in FORMATS] == ["items_json", "items_csv", "items_xlsx"]
    assert detect("a.yml") is None
