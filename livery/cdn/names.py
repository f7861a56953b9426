"""The names of a project's objects, and what a pointer has. Pure functions."""

import hashlib
import hmac
import json
from dataclasses import dataclass

from livery.delivery.content import is_well_formed
from livery.delivery.rendering import dump

FORMAT = 1
"""The form of pointers. Readers ignore pointers of a higher number."""
DEFAULT = "_default"
"""The pointer for apps that ask for no language, and for languages that the project does not have. No language tag has this form."""
_RELEASES = "releases"


def folder_of(project_id: str, version: str, generation: int, secret: str) -> str:
    """Returns the folder of a release's contents. Who does not know ``secret`` can't guess it.

    ``generation`` is the number of keys that ended: after a key ends, the contents of the same release are in a different folder.
    """
    text = f"livery cdn\n{project_id}\n{version}\n{generation}"
    mac = hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()[:40]
    return f"{project_id}/{_RELEASES}/{version}-{mac}"


def content_name(folder: str, language: str, digest: str) -> str:
    """Returns the name of the content in a language whose uncompressed bytes have this SHA-256."""
    return f"{folder}/{_file_name(language)}-{digest[:16]}.json"


def pointer_name(project_id: str, address: str, language: str) -> str:
    """Returns the name of the pointer of a language, or of ``DEFAULT``."""
    return f"{project_id}/{address}/{DEFAULT if language == DEFAULT else _file_name(language)}.json"


def is_content(name: str, project_id: str) -> bool:
    """Whether an object of the project is a content. All others are pointers."""
    return name.startswith(f"{project_id}/{_RELEASES}/")


def folder_in(name: str) -> str:
    """Returns the folder of a content."""
    return name.rpartition("/")[0]


def address_in(name: str) -> str:
    """Returns the address of a pointer."""
    return name.split("/")[1]


def _file_name(language: str) -> str:
    """Raises ``ValueError`` for anything but a language tag: a name must not leave its folder."""
    if not is_well_formed(language):
        raise ValueError("not a language tag")
    return language.lower()


@dataclass(frozen=True)
class Pointer:
    """Where the content of a release in one language is. ``digest`` and ``size_bytes`` are those of the uncompressed content."""

    project_id: str
    epoch: str
    release: int
    language: str
    name: str
    digest: str
    size_bytes: int

    def encode(self) -> bytes:
        """Returns the pointer as readers get it. ``content`` is relative to the address of the pointer."""
        return dump(
            {
                "format": FORMAT,
                "projectId": self.project_id,
                "version": f"{self.epoch}.{self.release}",
                "release": self.release,
                "language": self.language,
                "content": "../" + self.name.removeprefix(f"{self.project_id}/"),
                "sha256": self.digest,
                "sizeBytes": self.size_bytes,
            }
        )


def version_in(pointer: bytes) -> tuple[str, int] | None:
    """Returns the epoch and the release that a stored pointer has; ``None`` for anything that is not a pointer."""
    try:
        epoch, _, release = str(json.loads(pointer)["version"]).rpartition(".")
        return (epoch, int(release)) if epoch else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
