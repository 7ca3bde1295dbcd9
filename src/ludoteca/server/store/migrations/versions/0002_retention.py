"""For deleting by age: whether a game has begun, and when a room was last looked at.

Of older rooms that is not known: their time begins with the update.
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

HAS_MOVED = {
    "sqlite": """instr(data, CAST('{"k":"moved"' AS BLOB)) = 1""",
    "postgresql": """position(CAST('{"k":"moved"' AS bytea) IN data) = 1""",
}


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column("rooms", sa.Column("begun", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("rooms", sa.Column("seen", sa.Double, nullable=False, server_default="0"))
    op.create_index("ix_rooms_seen", "rooms", ["seen"])
    connection.execute(sa.text("UPDATE rooms SET seen = :now"), {"now": time.time()})
    has_moved = HAS_MOVED[connection.dialect.name]
    moved = sa.text(f"EXISTS (SELECT 1 FROM events WHERE events.room = rooms.id AND {has_moved})")  # noqa: S608  # a constant
    connection.execute(sa.update(sa.table("rooms", sa.column("begun", sa.Boolean))).where(moved).values(begun=True))
