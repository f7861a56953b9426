"""What the calls of SDKs give."""

from pydantic import Field

from livery.core.schemas import View


class SdkPackages(View):
    """The package files of this server by the last part of the package's name. Their addresses begin with ``/sdk/``."""

    files: dict[str, str] = Field(examples=[{"client": "livery-client-0.1.0-a6dd8a38f84e.tgz"}])
