"""What calls to the servers of others share: strict JSON."""

from decimal import Decimal

import pytest

from livery.core.http_client import parse_object

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "raw", ["", "{", "[]", "1", "null", '{"a": NaN}', '{"a": -Infinity}', f'{{"a": {DEEP}}}', b'{"a": "\xff"}']
)
def test_what_is_no_object_of_json_is_refused(raw: bytes | str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each fault has a message of its own
        parse_object(raw)


def test_fractions_keep_their_digits() -> None:
    assert parse_object(b'{"sum": 0.10, "count": 3}', parse_float=Decimal) == {"sum": Decimal("0.10"), "count": 3}
