"""The names that a tier and a project had when credits were spent on them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0023"
down_revision: str | None = "0022"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_TIERS = {19: "Starter Tier", 69: "Growth Tier", 179: "Pro Tier"}
"""By what a month cost until now."""


def upgrade() -> None:
    """Apply. Older entries get the name that the project has now, and the tier whose price they paid."""
    op.add_column("ledger_entries", sa.Column("tier_name", sa.String(length=64), nullable=True))
    op.add_column("ledger_entries", sa.Column("project_name", sa.String(length=100), nullable=True))
    op.execute(
        "UPDATE ledger_entries SET project_name = (SELECT name FROM projects WHERE projects.id = ledger_entries.project_id)"
    )
    op.execute("UPDATE ledger_entries SET tier_name = 'Free Starter Month' WHERE kind = 'free_month'")
    for price, name in _TIERS.items():
        op.execute(
            sa.text(
                "UPDATE ledger_entries SET tier_name = :name WHERE kind = 'activation' AND -amount = :price * months"
            ).bindparams(name=name, price=price)
        )


def downgrade() -> None:
    """Take back."""
    op.drop_column("ledger_entries", "project_name")
    op.drop_column("ledger_entries", "tier_name")
