"""The templates of mails and pages. Jinja is loaded with the first template: it takes 0.02 s of a start."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def templates_of(package: str) -> "Environment":
    """Returns the templates in the folder ``templates`` of a package. HTML is escaped, and a name without a value raises ``UndefinedError``."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
