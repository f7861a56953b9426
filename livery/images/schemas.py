"""What the images domain takes and gives."""

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from livery.core import limits
from livery.core.errors import Invalid, TooLarge, UnsupportedMedia
from livery.core.schemas import Moment, View

EMPTY_KEY = "Image key is required."
INVALID_KEY = "Use letters, numbers, dots, hyphens, underscores. Must start with a letter."
NO_FILE = "Please select an image to upload."
WRONG_TYPE = "Invalid file type. Please upload a JPG, PNG, WEBP image."
KEY = re.compile(rf"[A-Za-z_][A-Za-z0-9_.-]{{0,{limits.KEY_CHARACTERS - 1}}}")


@dataclass(frozen=True)
class ImagePart:
    """An image as apps get it: the hash of its file, its type, its size on the screen and in bytes, and its thumbhash (base64)."""

    hash: str
    content_type: str
    width: int
    height: int
    size_bytes: int
    thumbhash: str

    def as_part(self) -> dict[str, object]:
        """Returns the value kept in the ``images`` part."""
        return {
            "hash": self.hash,
            "contentType": self.content_type,
            "width": self.width,
            "height": self.height,
            "bytes": self.size_bytes,
            "thumbhash": self.thumbhash,
        }


def check_key(key: str) -> str:
    """Returns the trimmed key. Raises ``Invalid``."""
    key = key.strip()
    if not key:
        raise Invalid.field("key", EMPTY_KEY)
    if not KEY.fullmatch(key):
        raise Invalid.field("key", INVALID_KEY)
    return key


def wrong_type() -> UnsupportedMedia:
    """Returns the refusal of a file that is not of the three kinds."""
    return UnsupportedMedia(WRONG_TYPE, code="invalid_image_type", fields={"imageFile": WRONG_TYPE})


def too_large() -> TooLarge:
    """Returns the refusal of a file that is over its limit."""
    message = f"This file is larger than {limits.megabytes(limits.IMAGE_BYTES)}. Please choose a smaller file."
    return TooLarge(message, fields={"imageFile": message})


class ImageRecord(View):
    """An image."""

    id: Annotated[str, Field(validation_alias="id", serialization_alias="_id", examples=["img_k3v5mq7aw2xhb6td"])]
    key: Annotated[str, Field(examples=["logo_primary"])]
    aliases: Annotated[list[str], Field(description="Former keys. Apps that ask for them get this image.")]
    url: Annotated[str, Field(description="Shows the present image, always.")]
    width: int
    height: int
    bytes: int
    content_type: Annotated[str, Field(examples=["image/png"])]
    thumbhash: Annotated[str, Field(description="Base64: what to show while the image loads.")]
    revision: int
    updated_at: Moment


def upload_form(*, is_new: bool) -> dict[str, Any]:
    """Returns how OpenAPI describes the form: the body is read while it comes, so FastAPI can't describe it."""
    revision = {"type": "string", "pattern": "^[0-9]{1,10}$", "description": "Guards against overwriting."}
    properties: dict[str, Any] = {
        "key": {"type": "string", "maxLength": 128, "example": "logo_primary"},
        "imageFile": {
            "type": "string",
            "format": "binary",
            "description": f"JPEG, PNG or WebP, at most {limits.megabytes(limits.IMAGE_BYTES)}.",
        },
        **({} if is_new else {"revision": revision}),
    }
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if is_new:
        schema["required"] = ["key", "imageFile"]
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}
