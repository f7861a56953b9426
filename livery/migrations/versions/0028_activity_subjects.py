"""The subjects of activities and audit entries as named facts, in place of a text that was parsed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from string import Formatter
from typing import Any, cast

import sqlalchemy as sa
from alembic import op
from babel import Locale, UnknownLocaleError
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0028"
down_revision: str | None = "0027"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_SUBJECT = sa.JSON().with_variant(JSONB(), "postgresql")
_AT_ONCE = 2_000

_ITEM = ("{storeName}: {label}", "{storeName}")
_FILL = ("screen {screen} into {language:name}", "all screens into {language:name}")
_KEY = ("{screen}.{key}",)
_FORMS: dict[str, tuple[str, ...]] = {
    "accounts.passkey_added": ("{passkey}",),
    "accounts.passkey_renamed": ("{passkey}",),
    "accounts.passkey_removed": ("{passkey}",),
    "accounts.second_factors_removed": ("{email}",),
    "accounts.identity_connected": ("{issuer}",),
    "accounts.identity_disconnected": ("{issuer}",),
    "ai.key_translated": _KEY,
    "ai.item_translated": _ITEM,
    "ai.translation_started": _FILL,
    "ai.translation_finished": _FILL,
    "ai.translation_failed": _FILL,
    "ai.translation_cancelled": _FILL,
    "billing.tier_activated": ("{tierName}",),
    "billing.tier_renewed": ("{tierName}",),
    "billing.tier_set": ("{tierName}",),
    "billing.plan_expired": ("{tierName}",),
    "billing.credits_granted": ("{credits:,}",),
    "billing.language_limit_set": ("{person} to {languages}",),
    "billing.invoice_made": ("{credits:credits}",),
    "billing.invoice_paid": ("{credits:credits}",),
    "colors.color_added": ("{color}",),
    "colors.color_changed": ("{color} → {newColor}", "{color}"),
    "colors.color_removed": ("{color}",),
    "colors.rolled_back": ("to version {version}",),
    "images.image_added": ("{image}",),
    "images.image_replaced": ("{image}",),
    "images.image_renamed": ("{image} → {newImage}",),
    "images.image_removed": ("{image}",),
    "projects.created": ("{projectName}",),
    "projects.deleted": ("{projectName}",),
    "projects.screen_added": ("{screen}",),
    "projects.screen_removed": ("{screen}",),
    "projects.language_added": ("{language:name}",),
    "projects.language_removed": ("{language:name}",),
    "projects.default_language_changed": ("{language}",),
    "projects.member_invited": ("{email}",),
    "projects.invitation_resent": ("{email}",),
    "projects.invitation_withdrawn": ("{email}",),
    "projects.member_joined": ("{role}",),
    "projects.member_removed": ("{personName}",),
    "projects.role_changed": ("{email}", "{personName}"),
    "projects.transfer_offered": ("{personName}",),
    "projects.transfer_withdrawn": ("{personName}",),
    "projects.transferred": ("{personName}",),
    "projects.audit_exported": ("{format}",),
    "publishing.published": ("{release}",),
    "publishing.restored": ("{restored} as release {release}", "{restored}"),
    "publishing.scheduled": ("{at:time}",),
    "publishing.schedule_cancelled": ("{at:time}",),
    "publishing.schedule_empty": ("{at:time}",),
    "publishing.schedule_failed": ("{reason}",),
    "screens.key_added": _KEY,
    "screens.key_renamed": ("{screen}.{key} → {newKey}",),
    "screens.key_updated": _KEY,
    "screens.key_removed": _KEY,
    "screens.rolled_back": ("{screen} to version {version}",),
    "stores.store_added": ("{storeName}",),
    "stores.store_changed": ("{storeName}",),
    "stores.store_removed": ("{storeName}",),
    "stores.item_added": _ITEM,
    "stores.item_changed": _ITEM,
    "stores.item_removed": _ITEM,
    "stores.item_rolled_back": ("{storeName}: {label} to version {version}", "{storeName} to version {version}"),
    "stores.item_brought_back": (
        "{storeName}: {label} back to version {version}",
        "{storeName} back to version {version}",
    ),
}
"""How the targets of each action were made, the form with most facts first."""

_NUMBER = "[0-9]+"
_PATTERNS = {
    **dict.fromkeys(("screen", "key", "newKey"), "[^. ]+"),
    **dict.fromkeys(("color", "newColor", "image", "newImage", "person"), "[^ ]+"),
    **dict.fromkeys(("version", "release", "restored"), _NUMBER),
    "languages": f"-?{_NUMBER}",
    "credits": "[0-9][0-9,]*",
    "email": r"[^@\s]+@[^@\s]+",
}
_SUPPORTED = (
    "en fr de es it ar ur pt ru zh ja ko hi tr pl nl sv cs el ro hu th he id vi no da fi "
    "bg hr sk sl et lv lt uk sr mk sq bs ca eu gl is ga mt cy fa bn ta te ml kn mr gu pa ms fil sw af am hy az ka kk uz ne km"
).split()
_LONGEST = 300
_CUT = "…"
"""The last character of a target that was longer."""


def upgrade() -> None:
    """Apply. A target that has no form of its action, or more than one meaning, stays as ``text``: it is shown as before."""
    for name in ("activities", "audit_entries"):
        op.add_column(name, sa.Column("subject", _SUBJECT, server_default=sa.text("'{}'"), nullable=False))
        table = _table(name, "target")
        for rows in _portions(table, "target"):
            _put(table, "subject", {number: _parse(action, text) for number, action, text in rows if text})
    op.drop_column("activities", "target")
    op.execute("ALTER TABLE audit_entries RENAME COLUMN target TO search_text")


def downgrade() -> None:
    """Take back. Facts that are not in a target, such as ids, are gone."""
    op.execute("ALTER TABLE audit_entries RENAME COLUMN search_text TO target")
    op.drop_column("audit_entries", "subject")
    op.add_column("activities", sa.Column("target", sa.String(length=300), server_default="", nullable=False))
    table = _table("activities", "target")
    for rows in _portions(table, "subject"):
        _put(table, "target", {number: _spoken(action, subject) for number, action, subject in rows if subject})
    op.drop_column("activities", "subject")


def _table(name: str, text: str) -> sa.TableClause:
    columns = [sa.column("id", sa.BigInteger()), sa.column("action", sa.String())]
    return sa.table(name, *columns, sa.column(text, sa.String()), sa.column("subject", _SUBJECT))


def _portions(table: sa.TableClause, column: str) -> Iterator[Sequence[tuple[int, str, Any]]]:
    """Yields the rows by id, at most 2,000 at a time: memory does not grow with the table."""
    last = 0
    query = sa.select(table.c.id, table.c.action, table.c[column]).order_by(table.c.id).limit(_AT_ONCE)
    while rows := op.get_bind().execute(query.where(table.c.id > last)).all():
        last = rows[-1].id
        yield cast("Sequence[tuple[int, str, Any]]", rows)


def _put(table: sa.TableClause, column: str, values: Mapping[int, object]) -> None:
    if values:
        row = sa.update(table).where(table.c.id == sa.bindparam("number"))
        op.get_bind().execute(
            row.values({column: sa.bindparam("value", type_=table.c[column].type)}),
            [{"number": number, "value": value} for number, value in values.items()],
        )


def _parse(action: str, text: str) -> dict[str, object]:
    """Returns the facts of a target, by name; ``{"text": …}`` unless exactly this target would be made of them."""
    templates = _FORMS.get(action, ())
    is_cut = len(text) == _LONGEST and text.endswith(_CUT)
    is_unclear = text.count(": ") > 1 and any("{label}" in template for template in templates)
    if not is_cut and not is_unclear:
        for form in map(_form, templates):
            match = form.pattern.fullmatch(text)
            facts = (
                {name: _fact(name, form.facts[name], said) for name, said in match.groupdict().items()} if match else {}
            )
            if facts and None not in facts.values() and _spoken(action, facts) == text:
                return dict(sorted(facts.items()))
    return {"text": text}


@dataclass(frozen=True)
class _Form:
    """Words, each followed by a fact and its form, or by nothing. The same as a pattern. The form of each fact, by its name."""

    parts: tuple[tuple[str, str | None, str], ...]
    pattern: re.Pattern[str]
    facts: dict[str, str]


@cache
def _form(template: str) -> _Form:
    parts = tuple((words, name, spec or "") for words, name, spec, _ in Formatter().parse(template))
    pattern = "".join(re.escape(words) + (_pattern_of(name, spec) if name else "") for words, name, spec in parts)
    return _Form(parts, re.compile(pattern, re.DOTALL), {name: spec for _, name, spec in parts if name})


def _pattern_of(name: str, spec: str) -> str:
    return f"(?P<{name}>{_PATTERNS.get(name, '.+')}{' credits?' if spec == 'credits' else ''})"


def _fact(name: str, spec: str, said: str) -> object:
    if spec == "name":
        return _code_of(said)
    if spec == "time":
        return _instant_of(said)
    if name in {"version", "release", "restored", "languages", "credits"}:
        return int(said.partition(" ")[0].replace(",", ""))
    return said


def _instant_of(said: str) -> str | None:
    try:
        moment = datetime.strptime(said, "%d %B %Y, %H:%M UTC").replace(tzinfo=UTC)
    except ValueError:
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def _name_of(code: str) -> str:
    try:
        return str(cast("Any", Locale.parse(code, sep="-")).get_display_name("en"))
    except UnknownLocaleError:
        return code


@cache
def _code_of(name: str) -> str | None:
    """Returns the language of an English name, with the script and the region in its brackets."""
    plain, _, more = name.removesuffix(")").partition(" (")
    words = cast("Any", Locale("en"))
    subtags = {said: tag for tags in (words.scripts, words.territories) for tag, said in tags.items()}
    codes = [code for code in _SUPPORTED if _name_of(code) == plain]
    details = [subtags.get(said) for said in more.split(", ")] if more else []
    return "-".join([codes[0], *map(str, details)]) if codes and None not in details else None


def _spoken(action: str, subject: Mapping[str, Any]) -> str:
    """Returns the target that is made of these facts."""
    if "text" in subject:
        return str(subject["text"])
    for form in map(_form, _FORMS.get(action, ())):
        if form.facts.keys() <= subject.keys():
            text = "".join(words + (_say(subject[name], spec) if name else "") for words, name, spec in form.parts)
            return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + _CUT
    return ""


def _say(value: Any, spec: str) -> str:
    if spec == "name":
        return _name_of(value)
    if spec == "credits":
        return f"{value:,} {'credit' if value == 1 else 'credits'}"
    if spec == "time":
        moment = datetime.fromisoformat(value).astimezone(UTC)
        return f"{moment.day} {moment:%B %Y, %H:%M} UTC"
    return format(value, spec)
