"""For addresses that are kept out."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "blocks",
        sa.Column("address", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=True),
        sa.PrimaryKeyConstraint("address", name="pk_blocks"),
    )
