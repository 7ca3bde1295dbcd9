"""The rules for who has never played, with positions that show them; the paragraphs are in `messages`."""

from collections.abc import Sequence
from typing import Any, Final

from ludoteca.core.messages import Message

_DEAL: Final = (
    "A♠2♥3♣4♠5♥6♦7♣8♠9♥10♦J♣C♠Q♥K♦/A♥2♦3♠4♥5♦6♣7♠8♥9♦10♣J♠C♥Q♦K♣/A♦2♣3♥4♦5♣6♠7♥8♦9♣10♠J♥C♦Q♣K♠/A♣2♠3♦4♣5♠6♥7♦8♣9♠10♥J♦C♣Q♠K♥"
)
_HANDS: Final = "A♠2♥3♣4♠8♣Q♥K♦/2♦3♠4♥9♦10♣Q♦/3♥4♦5♣6♠8♠C♦Q♣/A♣3♦4♣9♠10♥C♣"
_SHOWN: Final = (
    f"{_DEAL} - 0 1",
    "",
    "",
    f"{_HANDS} 7♠7♦7♣ 0 1",
    f"{_HANDS} 9♥10♠J♥C♥ 0 2",
    f"{_HANDS} 5♠5♥6♥6♦7♥7♣ 0 3",
    f"{_HANDS} 8♦ 0 1",
    f"{_HANDS} 8♦ 1 2",
    f"{_HANDS} - 3 1",
    f"{_HANDS} K♥ 0 4",
    f"{_HANDS} K♠K♥ 0 1",
    "-/A♠2♥/A♥/K♦ 5♠ 0 -",
    f"{_HANDS} - 4 -",
)
"""A position for each paragraph but the last, or none."""

GUIDE: Final[Sequence[tuple[Message, str]]] = (
    *(((f"guide.{i}",), position) for i, position in enumerate(_SHOWN, 1)),
    (("guide.touch",), ""),
)
GUIDE_PARAMETERS: Final[dict[str, Any]] = {}
