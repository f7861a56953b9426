"""First tables."""

import secrets
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "account_letters",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_letters")),
    )
    with op.batch_alter_table("account_letters", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_account_letters_created_at"), ["created_at"], unique=False)

    op.create_table(
        "activities",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=True),
        sa.Column("actor_id", sa.String(length=32), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("target", sa.String(length=300), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_activities")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("activities", schema=None) as batch_op:
        batch_op.create_index("ix_activities_project_id_id", ["project_id", "id"], unique=False)

    op.create_table(
        "credit_balances",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0", name=op.f("ck_credit_balances_not_negative")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_credit_balances")),
    )
    op.create_table(
        "instance_values",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(length=256), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_instance_values")),
    )
    op.create_table(
        "ledger_entries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("balance_after", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("reference", sa.String(length=200), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=True),
        sa.Column("months", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('grant', 'purchase', 'activation', 'free_month')", name=op.f("ck_ledger_entries_kind")
        ),
        sa.CheckConstraint("balance_after >= 0", name=op.f("ck_ledger_entries_not_negative")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_entries")),
        sa.UniqueConstraint("user_id", "reference", name="uq_ledger_entries_user_id_reference"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("ledger_entries", schema=None) as batch_op:
        batch_op.create_index(
            "uq_ledger_entries_free_month_of_project",
            ["project_id"],
            unique=True,
            sqlite_where=sa.text("kind = 'free_month'"),
            postgresql_where=sa.text("kind = 'free_month'"),
        )

    op.create_table(
        "outbox",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("sealed_context", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(length=300), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_state_due_at", ["state", "due_at"], unique=False)

    op.create_table(
        "usage_days",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("api_calls", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("api_calls >= 0 AND bytes >= 0", name=op.f("ck_usage_days_not_negative")),
        sa.PrimaryKeyConstraint("project_id", "day", name=op.f("pk_usage_days")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("password_hash", sa.String(length=255), nullable=False),
        sa.Column("verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("key_digest", sa.String(length=64), nullable=False),
        sa.Column("sealed_key", sa.String(length=255), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_api_keys_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("key_digest", name=op.f("uq_api_keys_key_digest")),
    )
    with op.batch_alter_table("api_keys", schema=None) as batch_op:
        batch_op.create_index("ix_api_keys_user_id_created_at", ["user_id", "created_at"], unique=False)

    op.create_table(
        "mail_tokens",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("token_digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_mail_tokens_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_tokens")),
        sa.UniqueConstraint("token_digest", name=op.f("uq_mail_tokens_token_digest")),
        sa.UniqueConstraint("user_id", "kind", name=op.f("uq_mail_tokens_user_id_kind")),
    )
    op.create_table(
        "projects",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("default_language", sa.String(length=35), nullable=False),
        sa.Column("active_tier", sa.String(length=32), nullable=False),
        sa.Column("tier_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("release_number", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_projects_owner_id"), ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_projects_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("token_digest", sa.String(length=64), nullable=False),
        sa.Column("user_agent", sa.String(length=300), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token_digest", name=op.f("uq_sessions_token_digest")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_user_id"), ["user_id"], unique=False)

    op.create_table(
        "color_versions",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("release_number", sa.Integer(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.CheckConstraint("kind IN ('release', 'draft')", name=op.f("ck_color_versions_kind")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_color_versions_created_by"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_color_versions_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "number", name=op.f("pk_color_versions")),
        sa.UniqueConstraint("id", name=op.f("uq_color_versions_id")),
    )
    op.create_table(
        "colors",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=False),
        sa.Column("value", sa.String(length=7), nullable=False),
        sa.Column("nickname", sa.String(length=100), nullable=False),
        sa.Column("published_value", sa.String(length=7), nullable=False),
        sa.Column("published_nickname", sa.String(length=100), nullable=False),
        sa.Column("is_changed", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_by", sa.String(length=32), nullable=True),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_colors_project_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["updated_by"], ["users.id"], name=op.f("fk_colors_updated_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("project_id", "key", name=op.f("pk_colors")),
    )
    op.create_table(
        "part_bodies",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_part_bodies_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "hash", name=op.f("pk_part_bodies")),
    )
    op.create_table(
        "project_keys",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('publishable', 'secret')", name=op.f("ck_project_keys_kind")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_keys_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project_keys")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_project_keys_key_hash")),
    )
    with op.batch_alter_table("project_keys", schema=None) as batch_op:
        batch_op.create_index("ix_project_keys_project_id_kind", ["project_id", "kind"], unique=False)

    op.create_table(
        "project_languages",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("code", sa.String(length=35), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_languages_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "code", name=op.f("pk_project_languages")),
    )
    op.create_table(
        "project_members",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role IN ('admin', 'editor', 'viewer')", name=op.f("ck_project_members_role")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_members_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_project_members_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "user_id", name=op.f("pk_project_members")),
    )
    with op.batch_alter_table("project_members", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_project_members_user_id"), ["user_id"], unique=False)

    op.create_table(
        "project_screens",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_screens_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "name", name=op.f("pk_project_screens")),
    )
    op.create_table(
        "releases",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name=op.f("fk_releases_created_by"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_releases_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "number", name=op.f("pk_releases")),
    )
    op.create_table(
        "screen_versions",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("release_number", sa.Integer(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.CheckConstraint("kind IN ('release', 'draft')", name=op.f("ck_screen_versions_kind")),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_screen_versions_created_by"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_screen_versions_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "screen", "number", name=op.f("pk_screen_versions")),
        sa.UniqueConstraint("id", name=op.f("uq_screen_versions_id")),
    )
    op.create_table(
        "release_parts",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("part", sa.String(length=160), nullable=False),
        sa.Column("since_release", sa.Integer(), nullable=False),
        sa.Column("until_release", sa.Integer(), nullable=True),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id", "hash"],
            ["part_bodies.project_id", "part_bodies.hash"],
            name=op.f("fk_release_parts_project_id_hash"),
        ),
        sa.ForeignKeyConstraint(
            ["project_id", "since_release"],
            ["releases.project_id", "releases.number"],
            name=op.f("fk_release_parts_project_id_since_release"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "part", "since_release", name=op.f("pk_release_parts")),
    )
    with op.batch_alter_table("release_parts", schema=None) as batch_op:
        batch_op.create_index("ix_release_parts_since", ["project_id", "since_release"], unique=False)
        batch_op.create_index("ix_release_parts_until", ["project_id", "until_release"], unique=False)

    op.create_table(
        "text_keys",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("is_changed", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_by", sa.String(length=32), nullable=True),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id", "screen"],
            ["project_screens.project_id", "project_screens.name"],
            name=op.f("fk_text_keys_project_id_screen"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["updated_by"], ["users.id"], name=op.f("fk_text_keys_updated_by"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("project_id", "id", name=op.f("pk_text_keys")),
        sa.UniqueConstraint("project_id", "screen", "name", name=op.f("uq_text_keys_project_id_screen_name")),
    )
    with op.batch_alter_table("text_keys", schema=None) as batch_op:
        batch_op.create_index(
            "ix_text_keys_changed",
            ["project_id", "screen"],
            unique=False,
            sqlite_where=sa.text("is_changed = 1"),
            postgresql_where=sa.text("is_changed"),
        )

    op.create_table(
        "text_values",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("screen", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("published_value", sa.Text(), nullable=False),
        sa.Column("is_changed", sa.Boolean(), nullable=False),
        sa.Column("author", sa.String(length=8), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_by", sa.String(length=32), nullable=True),
        sa.CheckConstraint("author IN ('person', 'ai')", name=op.f("ck_text_values_author")),
        sa.ForeignKeyConstraint(
            ["project_id", "key_id"],
            ["text_keys.project_id", "text_keys.id"],
            name=op.f("fk_text_values_project_id_key_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["updated_by"], ["users.id"], name=op.f("fk_text_values_updated_by"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("project_id", "screen", "language", "key_id", name=op.f("pk_text_values")),
    )
    with op.batch_alter_table("text_values", schema=None) as batch_op:
        batch_op.create_index("ix_text_values_key", ["project_id", "key_id"], unique=False)
    epoch = f"e{secrets.token_hex(3)}"
    op.execute(sa.text("INSERT INTO instance_values (name, value) VALUES ('epoch', :epoch)").bindparams(epoch=epoch))


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("text_values", schema=None) as batch_op:
        batch_op.drop_index("ix_text_values_key")

    op.drop_table("text_values")
    with op.batch_alter_table("text_keys", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_text_keys_changed", sqlite_where=sa.text("is_changed = 1"), postgresql_where=sa.text("is_changed")
        )

    op.drop_table("text_keys")
    with op.batch_alter_table("release_parts", schema=None) as batch_op:
        batch_op.drop_index("ix_release_parts_until")
        batch_op.drop_index("ix_release_parts_since")

    op.drop_table("release_parts")
    op.drop_table("screen_versions")
    op.drop_table("releases")
    op.drop_table("project_screens")
    with op.batch_alter_table("project_members", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_project_members_user_id"))

    op.drop_table("project_members")
    op.drop_table("project_languages")
    with op.batch_alter_table("project_keys", schema=None) as batch_op:
        batch_op.drop_index("ix_project_keys_project_id_kind")

    op.drop_table("project_keys")
    op.drop_table("part_bodies")
    op.drop_table("colors")
    op.drop_table("color_versions")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sessions_user_id"))

    op.drop_table("sessions")
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_projects_owner_id"))

    op.drop_table("projects")
    op.drop_table("mail_tokens")
    with op.batch_alter_table("api_keys", schema=None) as batch_op:
        batch_op.drop_index("ix_api_keys_user_id_created_at")

    op.drop_table("api_keys")
    op.drop_table("users")
    op.drop_table("usage_days")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_state_due_at")

    op.drop_table("outbox")
    with op.batch_alter_table("ledger_entries", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_ledger_entries_free_month_of_project",
            sqlite_where=sa.text("kind = 'free_month'"),
            postgresql_where=sa.text("kind = 'free_month'"),
        )

    op.drop_table("ledger_entries")
    op.drop_table("instance_values")
    op.drop_table("credit_balances")
    with op.batch_alter_table("activities", schema=None) as batch_op:
        batch_op.drop_index("ix_activities_project_id_id")

    op.drop_table("activities")
    with op.batch_alter_table("account_letters", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_account_letters_created_at"))

    op.drop_table("account_letters")
