"""A stamp of each block of the search index, by which a process sees that what it knows of them is still right."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0013"
down_revision: str | None = "0012"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.add_column("search_blocks", sa.Column("stamp", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_search_blocks_stamp", "search_blocks", ["project_id", "stamp"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_search_blocks_stamp", table_name="search_blocks")
    op.drop_column("search_blocks", "stamp")
