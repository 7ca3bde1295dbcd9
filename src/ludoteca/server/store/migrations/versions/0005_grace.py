"""For rooms that are marked for deletion: how much longer the server has to run before they go."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("rooms", sa.Column("grace", sa.Double, nullable=True))
