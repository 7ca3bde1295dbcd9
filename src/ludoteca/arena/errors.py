"""What goes wrong with a match or a tournament, told in one line."""

from ludoteca.core.errors import LudotecaError


class ArenaError(LudotecaError):
    """A match or a tournament that cannot begin or go on; what was stored is not lost."""
