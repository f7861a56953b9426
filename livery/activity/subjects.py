"""The subject of an act: what it was done to, as named facts. ``sentences`` puts them into words when an activity is shown."""

from typing import TypedDict, cast

from livery.activity.audit_values import fit_text


class Subject(TypedDict, total=False):
    """A small flat object. Names of stores, items, people, projects and plans are those of the moment of the act.

    ``key``, ``color`` and ``image`` are names before the act; ``newKey``, ``newColor`` and ``newImage`` are set by a rename. ``language`` is a
    code, ``at`` a moment in RFC 3339, ``languages`` a limit. ``restored`` is the release that a restore brought back, ``release`` the release
    that an act made. ``text`` is the whole target of an activity from before subjects that could not be parsed.
    """

    screen: str
    key: str
    newKey: str
    color: str
    newColor: str
    image: str
    newImage: str
    store: str
    storeName: str
    item: str
    label: str
    version: int
    release: int
    restored: int
    language: str
    at: str
    reason: str
    person: str
    personName: str
    email: str
    role: str
    passkey: str
    token: str
    issuer: str
    projectName: str
    tier: str
    tierName: str
    credits: int
    languages: int
    changes: int
    texts: int
    colors: int
    items: int
    format: str
    text: str


def fit_subject(subject: Subject) -> Subject:
    """Returns the subject as the tables keep it: by name, without keys of ours and empty facts, each text cut to 300 characters.

    Equal subjects become equal JSON.
    """
    facts = {name: fit_text(fact) if isinstance(fact, str) else fact for name, fact in sorted(subject.items())}
    return cast("Subject", {name: fact for name, fact in facts.items() if fact != ""})
