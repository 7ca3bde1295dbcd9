"""The sides of the boards, in spaces. The description of the game needs them without NumPy."""

from typing import Final

BOARD_SIDES: Final = range(4, 13, 2)
MAX_SIDE: Final = 12
PUBLISHED_SIDE: Final = 8
