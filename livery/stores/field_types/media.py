"""Addresses of files on the web, and images of the project."""

import re
from urllib.parse import urlsplit

from livery.core import limits
from livery.stores.field_types.port import Unfit
from livery.stores.schemas import FieldType

NOT_MEDIA = "Enter a web address (http or https), or choose an image of this project."
_ADDRESS = re.compile(r"https?://[^\s\"'<>\\^`{|}]+")
_IMAGE_KEY = re.compile(rf"[A-Za-z_][A-Za-z0-9_.-]{{0,{limits.KEY_CHARACTERS - 1}}}")


class Media:
    """See ``ValueType``."""

    name: FieldType = "Media"
    is_text = False
    has_markup = False
    is_key = False

    def from_cell(self, text: str) -> object:
        """See ``ValueType``."""
        return text

    def check(self, value: object, project_id: str) -> object:
        """See ``ValueType``."""
        if not isinstance(value, str):
            raise Unfit(NOT_MEDIA)
        address = value.strip()
        if not address:
            return None
        folder, _, key = address.rpartition("/")
        is_image = folder == f"/media/{project_id}" and _IMAGE_KEY.fullmatch(key)
        if len(address) > limits.MEDIA_ADDRESS_CHARACTERS or not (is_image or _is_web_address(address)):
            raise Unfit(NOT_MEDIA)
        return address


def _is_web_address(address: str) -> bool:
    """Whether it is plainly a web address: no user name that could pass for a host, nothing invisible."""
    if not _ADDRESS.fullmatch(address) or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and "@" not in parts.netloc and (parts.port or 1) > 0
    except ValueError:
        return False
