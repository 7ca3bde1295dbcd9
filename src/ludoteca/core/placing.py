"""Places of items for several games: rows, fans of cards, the headings of a grid, and zones."""

from collections.abc import Iterable
from math import cos, radians, sin

from msgspec.structs import replace

from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Item


def row(middle: float, n: int, apart: float) -> list[float]:
    """Return the coordinates of n things in a row around its middle, `apart` from each other."""
    return [middle + apart * (i - (n - 1) / 2) for i in range(n)]


def fan(x: float, y: float, facing: int, n: int, apart: float, radius: float) -> list[tuple[float, float, int]]:
    """Return the places and the angles of n cards on an arc, rounded, as a player holds them.

    The middle of the arc is (x, y). `facing` is the angle of a card there, in degrees clockwise. The cards are `apart` from
    each other along the arc.
    """
    places, turned = [], radians(facing)
    for angle in row(0, n, apart / radius):
        along, outwards = radius * sin(angle), radius * (1 - cos(angle))
        across = x + along * cos(turned) - outwards * sin(turned)
        down = y + along * sin(turned) + outwards * cos(turned)
        places.append((round(across, 2), round(down, 2), round(facing + angle * 57.3)))
    return places


def headings(line: str, names: Iterable[str], places: Iterable[tuple[float, float]], w: float, h: float) -> list[Item]:
    """Return the names of a grid's rows or columns as items at these places. Their ids are `line` and the name."""
    return [
        Item(line + name, "", x, y, w, h, classes="muted", text=name) for name, (x, y) in zip(names, places, strict=True)
    ]


def hand_zone(player: int, seat: int) -> Message:
    """Return the name of the zone of a player's hand in the scene for `seat`."""
    return ("zone.own",) if player == seat else ("zone.hand", (SEAT, player))


def in_zone(zone: Message, items: Iterable[Item]) -> list[Item]:
    """Return these items as items of a zone."""
    return [replace(item, zone=zone) for item in items]
