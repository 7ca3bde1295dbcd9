"""Rooms, their events, and the servers that have them: the first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("parameters", sa.JSON, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("nonce", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("begun", sa.Boolean, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("grace", sa.Double, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_rooms"),
    )
    op.create_index("ix_rooms_over", "rooms", ["over"])
    op.create_index("ix_rooms_seen", "rooms", ["seen"])
    op.create_table(
        "events",
        sa.Column("room", sa.String, nullable=False),
        sa.Column("n", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("room", "n", name="pk_events"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_events_room"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "leases",
        sa.Column("room", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("listing", sa.JSON, nullable=True),
        sa.PrimaryKeyConstraint("room", name="pk_leases"),
    )
