"""Activities as versions before subjects stored them: an action and a target. Each has the subject that migration 0028 makes of it."""

from typing import Any

_LONG = "x" * 299

WITHOUT_TARGET = (
    "accounts.registered accounts.verified accounts.name_changed accounts.password_changed accounts.api_key_rotated accounts.api_key_ended "
    "accounts.logged_in accounts.login_failed accounts.logged_out accounts.session_ended accounts.password_refused accounts.password_reset "
    "accounts.sign_up_withdrawn accounts.closed accounts.totp_added accounts.totp_removed accounts.recovery_codes_made "
    "accounts.recovery_code_used accounts.second_factor_asked accounts.second_factor_refused accounts.sso_logged_in projects.updated "
    "projects.invitation_declined projects.member_left projects.transfer_declined projects.publishable_key_rotated "
    "projects.publishable_key_ended projects.secret_rotated publishing.preview_link_made"
).split()

PARSED: list[tuple[str, str, dict[str, Any]]] = [
    ("accounts.passkey_added", "Mara's phone", {"passkey": "Mara's phone"}),
    ("accounts.passkey_renamed", "Tablet", {"passkey": "Tablet"}),
    ("accounts.passkey_removed", "Tablet", {"passkey": "Tablet"}),
    ("accounts.second_factors_removed", "mara@example.com", {"email": "mara@example.com"}),
    ("accounts.identity_connected", "https://id.example.com", {"issuer": "https://id.example.com"}),
    ("accounts.identity_disconnected", "https://id.example.com", {"issuer": "https://id.example.com"}),
    ("ai.key_translated", "home.title", {"screen": "home", "key": "title"}),
    ("ai.item_translated", "Places: Kyoto", {"storeName": "Places", "label": "Kyoto"}),
    ("ai.translation_started", "screen home into German", {"screen": "home", "language": "de"}),
    ("ai.translation_finished", "all screens into Portuguese (Brazil)", {"language": "pt-BR"}),
    ("ai.translation_failed", "all screens into English (Cocos (Keeling) Islands)", {"language": "en-CC"}),
    (
        "ai.translation_cancelled",
        "screen home into Chinese (Traditional, Hong Kong SAR China)",
        {"screen": "home", "language": "zh-Hant-HK"},
    ),
    ("billing.tier_activated", "Pro Tier", {"tierName": "Pro Tier"}),
    ("billing.tier_renewed", "Pro Tier", {"tierName": "Pro Tier"}),
    ("billing.credits_granted", "1,200", {"credits": 1200}),
    ("billing.tier_set", "Starter Tier", {"tierName": "Starter Tier"}),
    ("billing.plan_expired", "Growth Tier", {"tierName": "Growth Tier"}),
    ("billing.language_limit_set", "usr_k3v5mq7aw2xhb6td to -1", {"person": "usr_k3v5mq7aw2xhb6td", "languages": -1}),
    ("billing.invoice_made", "1,200 credits", {"credits": 1200}),
    ("billing.invoice_paid", "1 credit", {"credits": 1}),
    ("colors.color_added", "ink_50", {"color": "ink_50"}),
    ("colors.color_changed", "ink", {"color": "ink"}),
    ("colors.color_changed", "ink.50 → night-1", {"color": "ink.50", "newColor": "night-1"}),
    ("colors.color_removed", "ink", {"color": "ink"}),
    ("colors.rolled_back", "to version 3", {"version": 3}),
    ("images.image_added", "hero.png", {"image": "hero.png"}),
    ("images.image_replaced", "hero", {"image": "hero"}),
    ("images.image_renamed", "hero → top", {"image": "hero", "newImage": "top"}),
    ("images.image_removed", "top", {"image": "top"}),
    ("projects.created", "Aurora: Travel to version 2", {"projectName": "Aurora: Travel to version 2"}),
    ("projects.deleted", "Aurora", {"projectName": "Aurora"}),
    ("projects.screen_added", "home", {"screen": "home"}),
    ("projects.screen_removed", "home", {"screen": "home"}),
    ("projects.language_added", "German", {"language": "de"}),
    ("projects.language_removed", "Norwegian", {"language": "no"}),
    ("projects.default_language_changed", "pt-BR", {"language": "pt-BR"}),
    ("projects.member_invited", "noor@example.org", {"email": "noor@example.org"}),
    ("projects.invitation_resent", "noor@example.org", {"email": "noor@example.org"}),
    ("projects.invitation_withdrawn", "noor@example.org", {"email": "noor@example.org"}),
    ("projects.member_joined", "editor", {"role": "editor"}),
    ("projects.member_removed", "Noor Said", {"personName": "Noor Said"}),
    ("projects.role_changed", "Noor Said", {"personName": "Noor Said"}),
    ("projects.role_changed", "noor@example.org", {"email": "noor@example.org"}),
    ("projects.transfer_offered", "Noor", {"personName": "Noor"}),
    ("projects.transfer_withdrawn", "Noor", {"personName": "Noor"}),
    ("projects.transferred", "Noor", {"personName": "Noor"}),
    ("projects.audit_exported", "CSV", {"format": "CSV"}),
    ("publishing.published", "7", {"release": 7}),
    ("publishing.restored", "3", {"restored": 3}),
    ("publishing.restored", "3 as release 7", {"restored": 3, "release": 7}),
    ("publishing.scheduled", "1 December 2026, 12:00 UTC", {"at": "2026-12-01T12:00:00.000Z"}),
    ("publishing.schedule_cancelled", "31 May 2027, 00:05 UTC", {"at": "2027-05-31T00:05:00.000Z"}),
    ("publishing.schedule_empty", "1 December 2026, 12:00 UTC", {"at": "2026-12-01T12:00:00.000Z"}),
    ("publishing.schedule_failed", "The project had no plan.", {"reason": "The project had no plan."}),
    ("screens.key_added", "home.title", {"screen": "home", "key": "title"}),
    ("screens.key_renamed", "home.title → headline", {"screen": "home", "key": "title", "newKey": "headline"}),
    ("screens.key_updated", "home.title", {"screen": "home", "key": "title"}),
    ("screens.key_removed", "home.title", {"screen": "home", "key": "title"}),
    ("screens.rolled_back", "home to version 12", {"screen": "home", "version": 12}),
    ("stores.store_added", "Places: old", {"storeName": "Places: old"}),
    ("stores.store_changed", "Places", {"storeName": "Places"}),
    ("stores.store_removed", "Places", {"storeName": "Places"}),
    ("stores.item_added", "Places", {"storeName": "Places"}),
    ("stores.item_changed", "Places: Kyoto", {"storeName": "Places", "label": "Kyoto"}),
    ("stores.item_removed", "Places: Kyoto", {"storeName": "Places", "label": "Kyoto"}),
    ("stores.item_rolled_back", "Places to version 2", {"storeName": "Places", "version": 2}),
    (
        "stores.item_rolled_back",
        "Places: Trip to version 2 to version 3",
        {"storeName": "Places", "label": "Trip to version 2", "version": 3},
    ),
    (
        "stores.item_brought_back",
        "Places: Kyoto back to version 4",
        {"storeName": "Places", "label": "Kyoto", "version": 4},
    ),
]

UNPARSED = [
    ("stores.item_changed", "Recipes: Pasta: the best"),
    ("stores.item_rolled_back", "Recipes: Pasta: the best to version 3"),
    ("stores.item_changed", f"Places: {_LONG}"[:299] + "…"),
    ("projects.created", f"{_LONG}…"),
    ("projects.language_added", "Klingon"),
    ("projects.language_added", "German (Nowhere)"),
    ("projects.language_added", "German (United States)"),
    ("ai.translation_started", "some screens into German"),
    ("publishing.published", "007"),
    ("publishing.published", "seven"),
    ("publishing.scheduled", "31 February 2026, 12:00 UTC"),
    ("publishing.scheduled", "01 December 2026, 12:00 UTC"),
    ("billing.credits_granted", "1200"),
    ("billing.invoice_paid", "1 credits"),
    ("screens.key_updated", "title"),
    ("screens.key_renamed", "home.title"),
    ("accounts.verified", "what nobody expects {here}"),
    ("stores.field_moved", "price"),
]
"""Targets with more than one meaning, cut targets, and texts that no version of today writes."""

OLD_ACTIVITIES: list[tuple[str, str, dict[str, Any]]] = [
    *((action, "", {}) for action in WITHOUT_TARGET),
    *PARSED,
    *((action, target, {"text": target}) for action, target in UNPARSED),
]
