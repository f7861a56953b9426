"""Days without a time or zone."""

import re
from datetime import date, timedelta

from livery.stores.field_types.port import Unfit
from livery.stores.schemas import FieldType

NOT_DATE = "Enter a date like 2026-05-14."
_SERIAL = re.compile(r"[0-9]{5,7}(?:\.[0-9]+)?")  # four digits are a year
_BEFORE_FIRST = date(1899, 12, 30)  # day 60 of Excel is a day that never was: from then on, this is right
_LAST_SERIAL = 2_958_465  # 9999-12-31
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Date:
    """See ``ValueType``."""

    name: FieldType = "Date"
    is_text = False
    has_markup = False
    is_key = False

    def from_cell(self, text: str) -> object:
        """See ``ValueType``. Excel counts the days."""
        written = text.strip()
        if _SERIAL.fullmatch(written) and 0 < float(written) <= _LAST_SERIAL:
            return (_BEFORE_FIRST + timedelta(days=int(float(written)))).isoformat()
        return written

    def check(self, value: object, project_id: str) -> object:  # see the port
        """See ``ValueType``."""
        if value == "":
            return None
        if not isinstance(value, str) or not _DATE.fullmatch(value):
            raise Unfit(NOT_DATE)
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError as error:
            raise Unfit(NOT_DATE) from error
