"""Acts in words: codes and subjects become sentences and targets here and nowhere else, each time that they are shown."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from string import Formatter
from typing import Any, cast

from livery.activity.audit_values import fit_text
from livery.activity.subjects import Subject
from livery.core.spoken import spoken_count, spoken_language, spoken_time

SENTENCES = {
    "accounts.registered": "Signed up",
    "accounts.verified": "Verified the email address",
    "accounts.name_changed": "Changed the account's name",
    "accounts.password_changed": "Changed the password",
    "accounts.api_key_rotated": "Made a new API key",
    "accounts.api_key_ended": "Ended an API key",
    "accounts.logged_in": "Logged in",
    "accounts.login_failed": "Somebody failed to log in",
    "accounts.logged_out": "Logged out",
    "accounts.session_ended": "Ended a session",
    "accounts.password_refused": "Gave a wrong password",
    "accounts.password_reset": "Set a new password by a mailed link",
    "accounts.sign_up_withdrawn": "Removed a sign-up",
    "accounts.closed": "Deleted the account",
    "accounts.totp_added": "Set up an authenticator app",
    "accounts.totp_removed": "Removed the authenticator app",
    "accounts.passkey_added": "Added passkey [{passkey}]",
    "accounts.passkey_renamed": "Renamed a passkey to [{passkey}]",
    "accounts.passkey_removed": "Removed passkey [{passkey}]",
    "accounts.recovery_codes_made": "Made new recovery codes",
    "accounts.recovery_code_used": "Used a recovery code",
    "accounts.second_factor_asked": "Somebody gave the right password and was asked for the second factor",
    "accounts.second_factor_refused": "Somebody gave a wrong second factor",
    "accounts.second_factors_removed": "Two-factor sign-in of [{email}] removed by the operator",
    "accounts.identity_connected": "Connected single sign-on: [{issuer}]",
    "accounts.identity_disconnected": "Disconnected single sign-on: [{issuer}]",
    "accounts.sso_logged_in": "Logged in with single sign-on",
    "ai.key_translated": "Translated [{screen}.{key}] with AI",
    "ai.item_translated": "Translated an item of [{storeName}: {label}|{storeName}] with AI",
    "ai.translation_started": "Started AI translation of [screen {screen} into {language:name}|all screens into {language:name}]",
    "ai.translation_finished": "Finished AI translation of [screen {screen} into {language:name}|all screens into {language:name}]",
    "ai.translation_failed": "AI translation of [screen {screen} into {language:name}|all screens into {language:name}] stopped",
    "ai.translation_cancelled": "Cancelled AI translation of [screen {screen} into {language:name}|all screens into {language:name}]",
    "billing.tier_activated": "Activated [{tierName}]",
    "billing.tier_renewed": "Renewed [{tierName}]",
    "billing.credits_granted": "Received [{credits:,}] credits",
    "billing.tier_set": "[{tierName}] set by the operator",
    "billing.plan_expired": "Plan expired: [{tierName}]",
    "billing.language_limit_set": "Set the language limit of [{person} to {languages}]",
    "billing.invoice_made": "Opened an invoice for [{credits:credits}]",
    "billing.invoice_paid": "Paid for [{credits:credits}]",
    "colors.color_added": "Added colour [{color}]",
    "colors.color_changed": "Changed colour [{color} → {newColor}|{color}]",
    "colors.color_removed": "Removed colour [{color}]",
    "colors.rolled_back": "Rolled back the colours [to version {version}]",
    "images.image_added": "Uploaded image [{image}]",
    "images.image_replaced": "Replaced image [{image}]",
    "images.image_renamed": "Renamed image [{image} → {newImage}]",
    "images.image_removed": "Deleted image [{image}]",
    "archives.imported": "Imported an archive with [{texts:texts}]",
    "imports.applied": "Imported [{texts:texts}|{colors:colors}|{items:items}|{changes:changes}] from files",
    "imports.undone": "Took [{texts:texts}|{changes:changes}] of an import back",
    "projects.created": "Created project [{projectName}]",
    "projects.updated": "Changed the settings",
    "projects.deleted": "Deleted project [{projectName}]",
    "projects.screen_added": "Added screen [{screen}]",
    "projects.screen_removed": "Removed screen [{screen}]",
    "projects.language_added": "Added language [{language:name}]",
    "projects.language_removed": "Removed language [{language:name}]",
    "projects.default_language_changed": "Made [{language}] the default language",
    "projects.member_invited": "Invited [{email}]",
    "projects.invitation_resent": "Sent the invitation of [{email}] again",
    "projects.invitation_declined": "Declined the invitation",
    "projects.invitation_withdrawn": "Withdrew the invitation of [{email}]",
    "projects.member_joined": "Joined as [{role}]",
    "projects.member_left": "Left the team",
    "projects.member_removed": "Removed member [{personName}]",
    "projects.role_changed": "Changed the role of [{personName}|{email}]",
    "projects.transfer_offered": "Offered ownership to [{personName}]",
    "projects.transfer_withdrawn": "Withdrew the offer of ownership to [{personName}]",
    "projects.transfer_declined": "Declined ownership",
    "projects.transferred": "Took over ownership from [{personName}]",
    "projects.publishable_key_rotated": "Made a new publishable key",
    "projects.publishable_key_ended": "Ended a publishable key",
    "projects.secret_rotated": "Made a new project secret",
    "projects.token_made": "Made the project token [{token}]",
    "projects.token_ended": "Ended the project token [{token}]",
    "projects.audit_exported": "Exported the audit log as [{format}]",
    "publishing.discarded": "Discarded [{changes:changes}] of the draft",
    "publishing.discard_undone": "Brought discarded changes back",
    "publishing.preview_link_made": "Made a preview link of the draft",
    "publishing.published": "Published release [{release}]",
    "publishing.restored": "Restored release [{restored} as release {release}|{restored}]",
    "publishing.scheduled": "Scheduled a publish for [{at:time}]",
    "publishing.schedule_cancelled": "Cancelled the publish scheduled for [{at:time}]",
    "publishing.schedule_empty": "Had nothing new for the publish scheduled for [{at:time}]",
    "publishing.schedule_failed": "Scheduled publish failed: [{reason}]",
    "screens.key_added": "Added key [{screen}.{key}]",
    "screens.key_renamed": "Renamed key [{screen}.{key} → {newKey}]",
    "screens.key_updated": "Changed text [{screen}.{key}]",
    "screens.key_removed": "Removed key [{screen}.{key}]",
    "screens.rolled_back": "Rolled back [{screen} to version {version}]",
    "stores.store_added": "Added data store [{storeName}]",
    "stores.store_changed": "Changed data store [{storeName}]",
    "stores.store_removed": "Removed data store [{storeName}]",
    "stores.item_added": "Added an item to [{storeName}: {label}|{storeName}]",
    "stores.item_changed": "Changed an item of [{storeName}: {label}|{storeName}]",
    "stores.item_removed": "Removed an item of [{storeName}: {label}|{storeName}]",
    "stores.item_rolled_back": "Rolled back item [{storeName}: {label} to version {version}|{storeName} to version {version}]",
    "stores.item_brought_back": "Brought the draft of item [{storeName}: {label} back to version {version}|{storeName} back to version {version}]",
}
"""The action codes, each with the sentence that a feed shows. A test holds every ``record`` call against this table.

The target is in brackets; ``|`` divides its forms, and the first whose facts are all there is shown. ``{at:time}`` and the like are in
``_SPOKEN``.
"""

REPEATABLE = frozenset(
    {"screens.key_updated", "colors.color_changed", "projects.updated", "stores.store_changed", "stores.item_changed"}
)
"""Edits that one person makes many times in a minute: their newest row stands for all."""

_TARGET = re.compile(r"\[(.+)\]")
_SPOKEN: dict[str, Callable[[Any], str]] = {
    "time": lambda at: spoken_time(datetime.fromisoformat(at)),
    "name": spoken_language,
    "credits": partial(spoken_count, noun="credit"),
    "changes": partial(spoken_count, noun="change"),
    "texts": partial(spoken_count, noun="text"),
    "colors": partial(spoken_count, noun="colour"),
    "items": partial(spoken_count, noun="item"),
}


def sentence_of(action: str, subject: Subject) -> str:
    """Returns the act for people to read. A code that this version does not know (a newer version wrote it) is shown in words."""
    target = target_of(action, subject)
    sentence = SENTENCES.get(action)
    if sentence is None:
        words = action.partition(".")[2] or action
        return f"{words.replace('_', ' ').capitalize()} {target}".strip()
    return _TARGET.sub(lambda _: target, sentence).strip()


def target_of(action: str, subject: Subject) -> str:
    """Returns what the act was done to, for people to read, in at most 300 characters; empty where a fact is missing."""
    if "text" in subject:
        return subject["text"]
    facts = cast("Mapping[str, object]", subject)
    return next((fit_text(form.fill(facts)) for form in _forms(action) if form.facts <= facts.keys()), "")


@dataclass(frozen=True)
class _Form:
    """One way to name a target: words, each followed by a fact and how it is shown, or by nothing."""

    parts: tuple[tuple[str, str | None, str], ...]
    facts: frozenset[str]

    @classmethod
    def of(cls, template: str) -> "_Form":
        parts = tuple((words, name, spec or "") for words, name, spec, _ in Formatter().parse(template))
        return cls(parts, frozenset(name for _, name, _ in parts if name))

    def fill(self, facts: Mapping[str, object]) -> str:
        """Returns the target. A fact is never taken for a template."""
        return "".join(words + (_say(facts[name], spec) if name else "") for words, name, spec in self.parts)


def _say(fact: object, spec: str) -> str:
    spoken = _SPOKEN.get(spec)
    return spoken(fact) if spoken else format(fact, spec)


@cache
def _forms(action: str) -> tuple[_Form, ...]:
    target = _TARGET.search(SENTENCES.get(action, ""))
    return tuple(map(_Form.of, target[1].split("|"))) if target else ()
