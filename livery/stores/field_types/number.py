"""Numbers that apps can read exactly."""

import math
import re

from livery.stores.field_types.port import Unfit
from livery.stores.schemas import FieldType

_EXACT = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""
_WRITTEN = re.compile(r"-?[0-9]{1,20}(?:([.,])[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?")
_THOUSANDS = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{3})+")
NOT_NUMBER = "Enter a number."
TOO_LARGE = f"Enter a number that apps can read exactly: a whole number has at most {len(str(_EXACT)) - 1} digits."


class Number:
    """See ``ValueType``."""

    name: FieldType = "Number"
    is_text = False
    has_markup = False
    is_key = True

    def from_cell(self, text: str) -> object:
        """See ``ValueType``. A comma may stand before the fraction. ``1,234`` is refused: it is a different number in each country."""
        written = text.strip()
        if not _WRITTEN.fullmatch(written) or _THOUSANDS.fullmatch(written):
            return text
        return int(written) if written.lstrip("-").isdecimal() else float(written.replace(",", "."))

    def check(self, value: object, project_id: str) -> object:  # see the port
        """See ``ValueType``. A number without a fraction is stored as a whole number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unfit(NOT_NUMBER)
        if isinstance(value, int):
            if abs(value) > _EXACT:
                raise Unfit(TOO_LARGE)
            return value
        if not math.isfinite(value):
            raise Unfit(NOT_NUMBER)
        return int(value) if value.is_integer() and abs(value) <= _EXACT else value
