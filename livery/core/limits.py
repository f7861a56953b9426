"""Every limit that a person, an app or a program can reach: named once, with its unit. Messages and schemas are made from these names.

A comment names the source. ``spec 1`` and ``spec 2`` are the two parts of the specification, ``product`` is product.md, ``api`` is api.md, and a
number is a decision. ``ours`` is a choice without a source. The dashboard gets the numbers by ``published``.

Four kinds of numbers are in other places. The limits of plans are in ``billing.plans``, and what an operator sets is in ``core.settings``. A number
that only tunes a mechanism (a lease, a batch, the size of a cache) stays beside the mechanism. ``images.pixels`` imports nothing of Livery.
"""

from dataclasses import dataclass
from datetime import timedelta

_KB, _MB = 1024, 1024**2

# Requests
BODY_BYTES = 1_000_000  # api: a body of the dashboard's API
BODY_LEVELS = 64  # api: nested lists and objects of a body
PAGE_ENTRIES = 100  # ours: the largest page of a list
LARGEST_NUMBER = 2**31 - 1  # ours: revisions and numbers of releases, as PostgreSQL's integer holds them
LARGEST_ID = 2**62  # ours: counted ids of activities and credits
ID_CHARACTERS = 64  # ours: an id in a body or an address, longer than all ids
IDEMPOTENCY_KEY_CHARACTERS = 190  # ours: with the prefix of its kind it is a reference of the ledger
LEDGER_REFERENCE_CHARACTERS = 200  # ours: the column
TOKEN_CHARACTERS = 100  # ours: the token of a review, which has fewer
LINE_CHARACTERS = 500  # ours: a line that people read, before the rule of its field
HEAD_BYTES = 32 * _KB  # ours: names and values of a request's headers and trailers together
HEAD_FIELDS = 100  # ours: headers and trailers of a request together
TARGET_BYTES = 8 * _KB  # ours: path and query of a request
HEAD_SECONDS = 10.0  # ours: from a connection's first moment, or a later request's first byte, to the end of the head
BODY_SECONDS = 30.0  # ours: how long a body may make no progress while the server reads
UNFINISHED_REQUESTS = 100  # ours: connections of one address whose request is not complete

# What a request may carry before a rule with words of its own looks at it
GIVEN_NAME_CHARACTERS = 300  # a key, a colour, an image, a store
GIVEN_SCREEN_CHARACTERS = 200
GIVEN_SCREENS = 1_000
GIVEN_FIELDS = 1_000
GIVEN_VALUES = 200  # of an item, by the name of the field
GIVEN_LANGUAGES = 100  # of one key, and in a query
GIVEN_SCOPES = 10  # of a project token
GIVEN_STATES = 10  # of the rows of an import
GIVEN_FORMAT_CHARACTERS = 20  # of a file
GIVEN_LANGUAGE_CHARACTERS = 100  # a code or a name
GIVEN_EMAIL_CHARACTERS = 320
GIVEN_CODE_CHARACTERS = 40  # a one-time code, or the name of an action or a transport
GIVEN_MOMENT_CHARACTERS = 40
GIVEN_PROVIDER_CHARACTERS = 32
GIVEN_ROUTE_CHARACTERS = 200  # the template of a page of the dashboard
GIVEN_COLOR_CHARACTERS = 50

# People
EMAIL_CHARACTERS = 254  # RFC 5321
PERSON_NAME_CHARACTERS = 100  # ours
PASSWORD_LEAST_CHARACTERS = 8  # spec 1, section 9; 0006
PASSWORD_CHARACTERS = 128  # product
BEARER_CHARACTERS = 200  # ours: a session token or a key, which are shorter
SESSION_LIFE = timedelta(days=30)  # product: from the last use
VERIFY_LINK_LIFE = timedelta(hours=24)  # product
WITHDRAW_LINK_LIFE = timedelta(days=30)  # ours: "this was not me"
RESET_LINK_LIFE = timedelta(hours=1)  # product
END_KEYS_LINK_LIFE = timedelta(days=7)  # ours
API_KEYS = 10  # ours: keys of a person that work
PASSKEYS = 20  # ours
PASSKEY_NAME_CHARACTERS = 50  # ours
RECOVERY_CODES = 10  # ours
STEP_LIFE = timedelta(minutes=5)  # 0030: the second step of a login or a change
STEP_ATTEMPTS = 5  # 0030
PROOF_LIFE = timedelta(minutes=10)  # 0030: how long a second factor or a login counts as just shown
TOTP_SETUP_LIFE = timedelta(minutes=30)  # ours: from the picture to the first code
DEVICE_LIFE = timedelta(days=180)  # 0026
DEVICE_TOKEN_CHARACTERS = 1_000  # ours
TICKET_CHARACTERS = 400  # ours
PASSKEY_ID_CHARACTERS = 1_400  # WebAuthn: 1,023 bytes, as base64url
PASSKEY_DATA_CHARACTERS = 8_000  # ours: a signature and what it signs
PASSKEY_ATTESTATION_CHARACTERS = 64_000  # ours
PASSKEY_HANDLE_CHARACTERS = 200  # WebAuthn: 64 bytes
PASSKEY_TRANSPORTS = 20  # ours
SSO_ATTEMPT_LIFE = timedelta(minutes=10)  # 0031
SSO_CODE_LIFE = timedelta(seconds=60)  # ours
SSO_CODE_CHARACTERS = 200  # ours
SSO_PROVIDER_CODE_CHARACTERS = 4_000  # ours: the code with which the provider answers
SSO_TOKEN_CHARACTERS = 32_000  # ours: an ID token
SSO_SUBJECT_CHARACTERS = 255  # OpenID Connect Core, section 2
SSO_NAME_CHARACTERS = 40  # ours: it is the text of a button

# Projects
PROJECT_NAME_CHARACTERS = 100  # ours
PROJECT_DESCRIPTION_CHARACTERS = 2_000  # ours
SCREEN_NAME_CHARACTERS = 64  # ours
PUBLISHABLE_KEYS = 10  # ours: keys of a project that work
PROJECT_TOKENS = 20  # ours: tokens of a project that work
TOKEN_NAME_CHARACTERS = 60  # ours: of a project token
TOKEN_DAYS = 365  # ours: the longest life of a project token with an end
INVITATION_LIFE = timedelta(days=14)  # product
INVITATIONS_PER_DAY = 20  # ours: mails of a project
USAGE_HISTORY_DAYS = 30  # product

# Content
LANGUAGE_CODE_CHARACTERS = 35  # RFC 5646, section 4.4.1
KEY_CHARACTERS = 128  # ours: a key, a colour, an image
TEXT_CHARACTERS = 20_000  # api: a text in one language, or a text of an item
LANGUAGE_BYTES = 10 * _MB  # ours: the texts of a language, which apps load as a whole
STORE_PART_BYTES = 10 * _MB  # ours: items of a store that apps load at once, in all languages
MESSAGE_LEVELS = 16  # sdks/spec/messages.md: choices within choices
MESSAGE_FORMS = 60  # ours: forms of a text that are compared, or translated by AI
COLORS = 2_000  # ours: of a project
NICKNAME_CHARACTERS = 100  # ours: of a colour
STORE_NAME_CHARACTERS = 100  # ours
STORE_IDENTIFIER_CHARACTERS = 64  # ours
STORE_FIELDS = 50  # 0016
STORE_ITEMS = 10_000  # 0014
FIELD_NAME_CHARACTERS = 64  # ours
ITEM_CHARACTERS = 500_000  # ours: the JSON of an item
MEDIA_ADDRESS_CHARACTERS = 2_000  # ours
IMAGE_BYTES = 10 * _MB  # spec 2, section 9
IMAGE_FORM_BYTES = IMAGE_BYTES + 64 * _KB  # api: "10 MB + form"
IMPORT_FILE_BYTES = 10_000_000  # ours: a file of texts
IMPORT_FILES = 200  # ours: files of an import
IMPORT_TEXTS = 50_000  # ours: texts of an import
FILE_NAME_CHARACTERS = 300  # ours: the path of a file of texts
NAMESPACE_CHARACTERS = 100  # ours: of i18next
GIVEN_ROWS = 50_000  # rows of a plan, by number
ARCHIVE_BYTES = 1_000_000_000  # ours: an archive of a project
ARCHIVE_JSON_BYTES = 40 * _MB  # ours: its texts, colours and items together, without compression
ARCHIVE_HISTORY_BYTES = 40 * _MB  # ours: its releases and what they had, without compression
ARCHIVE_RELEASES = 100  # ours: the newest releases that an import brings in
ARCHIVE_DIRECTORY_BYTES = 2 * _MB  # ours: the list of its files
IMPORT_KEPT = timedelta(days=7)  # ours: an import can be undone for so long
IMAGE_FORM_VALUE_BYTES = 1_000  # ours: a plain field of the form
IMAGE_ALIASES = 20  # ours: former keys that answer
IMAGE_LIST_BYTES = 2 * _MB  # ours: the list of all images, which apps load as a whole

# Publishing
CHANGE_REFERENCES = 5_000  # ours: references in one call
CHANGE_REFERENCE_CHARACTERS = 200  # ours
LISTED_CHANGES = 200  # ours: changes of a section that are listed at first
WHOLE_SECTIONS = 100  # ours: sections that one call lists wholly
SCHEDULE_AHEAD = timedelta(days=366)  # ours
PREVIEW_LINK_LIFE = timedelta(hours=1)  # 0018
PREVIEW_LINKS = 50  # ours: links of a project that work
PREVIEW_READERS_OF_A_PROJECT = 50  # ours
PREVIEW_READERS_OF_A_PROCESS = 500  # ours
APP_ADDRESS_CHARACTERS = 2_000  # ours

# Finding
SEARCH_RESULTS = 50  # api
SEARCH_CHARACTERS = 200  # ours
AUDIT_SEARCH_CHARACTERS = 200  # ours
AUDIT_VALUES_CHARACTERS = 2_000  # 0029: the JSON of one side of an entry
AUDIT_TARGET_CHARACTERS = 300  # ours

# AI
AI_TEXT_CHARACTERS = 5_000  # product
AI_FAILURES = 1_000  # ours: failures of a job that are listed

# Credits
CREDITS_AT_ONCE = 100_000  # ours: a purchase
CREDITS_OF_A_GRANT = 1_000_000  # ours: by an operator
LANGUAGES_OF_A_PERSON = 1_000  # ours: by an operator
CALLBACK_BYTES = 64 * _KB  # ours: the notification of a payment provider

# Streams and delivery
STREAMS_OF_A_PERSON = 20  # ours: open dashboards
STREAMS_OF_A_PROCESS = 5_000  # ours: open dashboards
INLINE_PATCH_BYTES = 16 * _KB  # api: an app fetches a larger patch
STORE_PAGE_ITEMS = 1_000  # api: whole parts of a store that one answer has


@dataclass(frozen=True)
class Rate:
    """At most ``times`` within each span of time, counted under this name for each caller, such as an account."""

    name: str
    times: int
    within: timedelta
    caller: str
    """What it counts by, in words."""


@dataclass(frozen=True)
class Refill:
    """At most ``burst`` at once; what was used comes back at ``per_second``."""

    per_second: float
    burst: float


_MINUTE, _QUARTER, _HOUR, _DAY = timedelta(minutes=1), timedelta(minutes=15), timedelta(hours=1), timedelta(hours=24)

# A guesser is stopped by the first; the second stops a guesser who tries many accounts; the third slows down a guesser who
# comes from many networks. Nobody locks an owner out with them: a known device has a limit of its own (0026).
LOGINS_PER_ACCOUNT_AND_NETWORK = Rate("login-pair", 10, _QUARTER, "account and network")
LOGINS_PER_NETWORK = Rate("login-network", 100, _QUARTER, "network")
LOGINS_PER_ACCOUNT = Rate("login-account", 100, _HOUR, "account")
SLOW_LOGINS_PER_ACCOUNT = Rate("login-account-slow", 2, _MINUTE, "account, after that")
LOGINS_PER_DEVICE = Rate("login-device", 10, _QUARTER, "known device")
# Six digits can be guessed: these are slower than passwords, and count by account, wherever the guesses come from (0030).
CODES_PER_ACCOUNT = Rate("code-account", 10, _QUARTER, "account")
CODES_PER_ACCOUNT_AND_DAY = Rate("code-account-day", 50, _DAY, "account")
CODES_PER_DEVICE = Rate("code-device", 10, _QUARTER, "known device or session")
CODES_PER_DEVICE_AND_DAY = Rate("code-device-day", 50, _DAY, "known device or session")
# A recovery code can't be guessed: its limit must not be used up by somebody who guesses codes of an app.
RECOVERY_CODES_PER_NETWORK = Rate("recovery-network", 30, _QUARTER, "client address")
PASSKEYS_PER_NETWORK = Rate("passkey-network", 300, _QUARTER, "client address")
PASSWORDS_PER_PERSON = Rate("password-person", 10, _QUARTER, "person")
MAILS_PER_RECIPIENT = Rate("mail-recipient", 3, _HOUR, "recipient")
MAILS_PER_NETWORK = Rate("mail-address", 20, _HOUR, "client address")
AI_CALLS_PER_PERSON = Rate("ai-person", 30, _MINUTE, "person")
INVOICES_PER_PERSON = Rate("invoice-person", 30, _HOUR, "person")
# Mails that one person has us send to another have windows of their own: they must not use up the other's reset mails.
LETTERS_PER_SENDER = Rate("letter-sender", 30, _HOUR, "sender")
LETTERS_PER_RECIPIENT = Rate("letter-recipient", 5, _HOUR, "recipient")
SSO_PER_NETWORK = Rate("sso-network", 60, _MINUTE, "client address")
LINKS_PER_NETWORK = Rate("link-network", 60, _MINUTE, "client address")

READS_PER_NETWORK = Refill(per_second=50.0, burst=500.0)
MEDIA_READS_PER_NETWORK = Refill(per_second=200.0, burst=2_000.0)
"""Four times the former: a request that is answered without a body costs little. Bodies count as reads."""
KEY_LOOKUPS_PER_NETWORK = Refill(per_second=20.0, burst=200.0)
"""Keys that one address may have looked up: an app has one key, a build machine a few."""
CONNECTS_PER_PROCESS = Refill(per_second=1_500.0, burst=5_000.0)
"""After a restart, 10,000 apps are let in within four seconds. A connect takes 0.2 ms of CPU, so at this rate connects take a third of a core."""


def published() -> dict[str, int]:
    """Returns the limits that are numbers, by name. A span of time is in seconds, and its name ends in ``_SECONDS``."""
    found: dict[str, int] = {}
    for name, value in globals().items():
        if name.startswith("_") or not name.isupper():
            continue
        if isinstance(value, timedelta):
            found[f"{name}_SECONDS"] = int(value.total_seconds())
        elif isinstance(value, int | float):
            found[name] = int(value)
    return found


def megabytes(size: int) -> str:
    """Returns ``10 MB``, in steps of 1024, as the storage of a project is counted."""
    return f"{size // _MB} MB"


def kilobytes(size: int) -> str:
    """Returns ``64 KB``, in steps of 1024."""
    return f"{size // _KB} KB"
