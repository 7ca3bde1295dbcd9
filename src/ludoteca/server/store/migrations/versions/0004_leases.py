"""For several servers on one database: which of them has a room, and with which epoch an event was stored."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("events", sa.Column("epoch", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "leases",
        sa.Column("room", sa.String, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("listing", sa.JSON, nullable=True),
        sa.PrimaryKeyConstraint("room", name="pk_leases"),
    )
