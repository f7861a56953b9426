"""What a mail is, before and after it is written."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

MailKind = Literal[
    "verify",
    "already_registered",
    "reset",
    "password_changed",
    "second_factor_changed",
    "account_closed",
    "identity_connected",
    "credits_arrived",
    "invitation",
    "transfer_offered",
    "quota_80",
    "quota_100",
    "plan_ending",
    "plan_expired",
    "schedule_failed",
    "schedule_late",
]
"""Each has a pair of templates: ``templates/<kind>.html`` and ``templates/<kind>.txt``."""


@dataclass(frozen=True)
class Letter:
    """A written mail."""

    id: str
    recipient: str
    kind: str
    subject: str
    text: str
    html: str
    created_at: datetime
