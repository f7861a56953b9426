"""Names that people give to what apps look up by name."""

from livery.core.errors import Invalid

OF_EVERY_OBJECT = frozenset(
    (
        "__proto__ constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf "
        "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__"
    ).split()
)
"""Names that every JavaScript object has: an app that looks them up would find something that nobody stored."""
RESERVED_SCREENS = frozenset(
    {
        "settings", "colors", "publish", "stores", "images", "items", "search", "versions", "rollback", "rephrase", "create", "members",
        "releases", "diff", "content", "screens", "languages", "events", "usage", "secret", "transfer", "keys", "stream", "manifest", "parts",
    }
)  # fmt: skip
"""Static parts of addresses; a test derives them from the routes and compares."""
NAME_OF_A_LANGUAGE_PART = "This name means something else in apps. Please choose a different name."


def check_new_name(name: str, *, field: str = "key") -> None:
    """Raises ``Invalid`` about ``field`` for a name that every JavaScript object has. Names from before this rule stay as they are."""
    if name in OF_EVERY_OBJECT:
        raise Invalid.field(field, NAME_OF_A_LANGUAGE_PART, code="name_of_every_object")
