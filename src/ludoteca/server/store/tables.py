"""The newest schema. A change here needs a new file in `migrations/versions`: a test compares the two."""

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    false,
)

METADATA: Final = MetaData(
    naming_convention={"pk": "pk_%(table_name)s", "fk": "fk_%(table_name)s_%(column_0_name)s", "ix": "ix_%(column_0_label)s"}
)

ROOMS: Final = Table(
    "rooms",
    METADATA,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("parameters", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("nonce", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("begun", Boolean, nullable=False, server_default=false()),
    Column("seen", Double, nullable=False, server_default="0"),
    Index(None, "over"),
    Index(None, "seen"),
)

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,  # the events of a room lie together, in their order
)
