"""What the calls of archives give."""

from pydantic import Field

from livery.core.schemas import View


class ArchiveImported(View):
    """What came out of an archive. ``leftOut`` has a sentence for each thing that did not come along."""

    message: str = Field(examples=["Imported 128 texts, 10 colours, 1 Data Store and 4 images."])
    texts: int
    colors: int
    stores: int
    images: int
    releases: int = Field(description="The number of releases that came along. Apps have the last of them at once.")
    left_out: list[str]
