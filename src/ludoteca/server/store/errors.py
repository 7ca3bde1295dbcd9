"""What goes wrong with storage."""

from ludoteca.core.errors import LudotecaError


class StoreError(LudotecaError):
    """Something could not be stored or read: a full disk, a locked or damaged database, one that is no longer there."""


class TakenError(StoreError):
    """Another server has the database."""
