"""Writes a mail from its templates. Links start with the public address of the settings, never with an address from a request."""

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, cast

from livery.core import limits
from livery.core.templates import templates_of
from livery.email.links import path_of_reader
from livery.email.schemas import Letter

if TYPE_CHECKING:
    from jinja2 import Template

SUBJECT_VALUE_LENGTH = 60
_LIMITS = {
    "verify_hours": str(limits.VERIFY_LINK_LIFE // timedelta(hours=1)),
    "invitation_days": str(limits.INVITATION_LIFE.days),
}
_LINK = re.compile(r"\S*://\S*|www\.\S+|[^@]*[^\W_]\.(?:[a-z]{2,}|[A-Z]{2,})(?:[/:?#]\S*)?")
"""A word that mail programs turn into a link. Names such as J.Smith, and addresses of mail, are left alone."""
_END = ",;!?.)]\"'"


def write_letter(
    *, mail_id: str, recipient: str, kind: str, context: str, base_url: str, created_at: datetime
) -> Letter:
    """Writes the mail with its subject, text and HTML. ``context`` is the JSON that was enqueued; its values ``path`` and ``*_path`` become links."""
    given = cast("dict[str, str]", json.loads(context))
    links = {
        name.removesuffix("path") + "link": base_url + path_of_reader(value, recipient)
        for name, value in given.items()
        if name.endswith("path")
    }
    values = {**given, **links, **_LIMITS, "recipient": recipient, "base_url": base_url}
    templates = templates_of("livery.email")
    text = templates.get_template(f"{kind}.txt")
    subject = _block(text, "subject", {name: _plain(value) for name, value in values.items()})
    return Letter(
        id=mail_id,
        recipient=recipient,
        kind=kind,
        subject=" ".join(subject.split()),
        text=text.render(values),
        html=templates.get_template(f"{kind}.html").render({**values, "subject": subject}),
        created_at=created_at,
    )


def _plain(value: str) -> str:
    """A value for a subject. Names are chosen by strangers: what looks like a link is left out, and what is long is cut."""
    words: list[str] = []
    for word in value.split():
        core = word.rstrip(_END)
        words.append("…" + word[len(core) :] if _LINK.fullmatch(core) else word)
    text = " ".join(words)
    return text if len(text) <= SUBJECT_VALUE_LENGTH else text[: SUBJECT_VALUE_LENGTH - 1].rstrip() + "…"


def _block(template: "Template", name: str, values: Mapping[str, str]) -> str:
    return "".join(template.blocks[name](template.new_context(dict(values))))
