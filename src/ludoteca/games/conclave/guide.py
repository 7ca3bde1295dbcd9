"""The rules for who has never played, with positions that show them; the paragraphs are in `messages`."""

from collections.abc import Sequence
from typing import Any, Final

from ludoteca.core.messages import Message

_BOARD: Final = "b1s,p4c,v2c,o2g/r4s,-,v4c,o3g/t2g,-,-,p3g/r2c,b3g,t1s,-"
_BEA: Final = "p1c,o1s,t3c,v1g"
_CARLA: Final = "b2c,r3g,o4s,p5c"
_PILES: Final = "b4s,t5g,o5c,r1c,v3s,p2c b5s,p2s,r5g,t2c,b5c,v1c"
_START: Final = f"{_BOARD} v5s,b5g,r1s,t4c/{_BEA}/{_CARLA} -/-/- {_PILES} 1:send"
_CESSION: Final = f"{_BOARD} v5s,b5g,r1s,t4c/{_BEA}/{_CARLA} b4c,o3s,o1c/r4c,o5g/v3g,b4g {_PILES} 1:cede"
_SENT: Final = (
    f"b1s,p4c,v2c,o2g/-,v5s,-,o3g/t2g,-,-,p3g/r2c,b3g,t1s,- -,b5g,r1s,t4c/{_BEA}/{_CARLA} r4s,v4c/-/- {_PILES} 1:draw"
)
_CRISIS: Final = (
    "p4c,r4s,v2g,o3g/b1g,o2s,-,p3c/t2g,v4c,r2s,p2g/r2c,b3g,b2g,t4s "
    f"t1c,b5g,r1s,v5s/{_BEA}/{_CARLA} -/r4c/b4g {_PILES} 1:send"
)
_LAST: Final = f"{_BOARD} -,b5g,r1s,t4c/{_BEA}/{_CARLA} b4c,o3s,o1c,r4c/b4s,t5g,o5c/b4g,p2s - - 2:send"
_END: Final = (
    "-,p4c,v2c,-/r4s,-,v4c,o3g/t2g,-,-,p3g/-,b3g,t1s,- -,-,-,-/-,-,-,-/-,-,-,- "
    "b4c,o3s,p2c,r3g,v1g/b1s,o5g,p5c,p1c,r5g,t4c,v5s/b5g,t3c,t1c - - -"
)
_SHOWN: Final = ("", _START, _START, "", _CESSION, _START, _SENT, _CRISIS, _SENT, _LAST, _END, "")
"""A position for each paragraph but the last, or none."""

GUIDE: Final[Sequence[tuple[Message, str]]] = (
    *(((f"guide.{i}",), position) for i, position in enumerate(_SHOWN, 1)),
    (("guide.touch",), ""),
)
GUIDE_PARAMETERS: Final[dict[str, Any]] = {"players": 3}
