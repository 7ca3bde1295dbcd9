"""The default values and bounds of matches. The command line reads options with them before it loads NumPy."""

from typing import Final

DEALS: Final = 20
"""The number of deals."""
MOST_MOVES: Final = 100
"""The greatest number of random moves at the start of a deal."""
MOST_PAGE_GAMES: Final = 1000
"""The greatest number of games for which a page of results is made by default."""
LINES: Final = "lines"
"""The protocol of `docs/bots.md`: one process that lives through the game."""
