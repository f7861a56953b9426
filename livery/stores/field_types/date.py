"""Days without a time or zone."""

import re
from datetime import date

from livery.stores.field_types.port import Unfit
from livery.stores.schemas import FieldType

NOT_DATE = "Enter a date like 2026-05-14."
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Date:
    """See ``ValueType``."""

    name: FieldType = "Date"
    is_text = False
    has_markup = False

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
