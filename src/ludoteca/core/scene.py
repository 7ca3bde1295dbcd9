"""Scenes: a player's view of a game as items with places. Painters draw them without knowledge of the game.

A game's `scene.py` makes scenes from concealed positions (`Scenes` is the contract). Its `sprites.svg` has the symbols, and
its `style.css` has their colours. Each game chooses its unit of length. x goes right, y goes down, and an item's place is
its centre. Later items are above earlier ones.

A terminal draws the board with a game's `screen.py` (`Screens`), and `cli/screen.py` draws the rest for all games. The
functions at the end compute places that several games use: rows, fans of cards, the headings of a grid, and zones.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec
from msgspec.structs import replace

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import SEAT, Message

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text


class Item(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A drawn thing. An item with the same id in the next scene is the same thing, which may have moved."""

    id: str
    """Unique in a scene. It reveals only the player's knowledge. Hidden things are named by their place."""
    sprite: str
    """The id of a symbol in the game's `sprites.svg`. Empty for a text alone."""
    x: float
    y: float
    w: float = 1
    h: float = 1
    angle: int = 0
    """Degrees, clockwise."""
    classes: str = ""
    """CSS classes, separated by blanks: `player-0` ... `player-9` are the colours of players. `marked` adds two.

    An item of the class `field` has its place in the field of the scene. A `grip` can be dragged. A `turn` is a grip that
    also shows how a thing is turned. A `drop` is a target for all touched things, in addition to the next thing to touch.
    Things of the class `dealt` are in the hands of others. At the start of a game, the page deals them and each `grip`."""
    label: Message = ""
    """The words for a screen reader. Empty for decoration."""
    text: Message = ""
    """A number, a letter or a word that is drawn on the item."""
    start: str = ""
    """The id of the item from which a new item comes, such as the pile of a drawn card."""
    zone: Message = ""
    """The name of the item's group for a screen reader, such as "Your hand". The items of a zone are consecutive."""


class Choice(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A legal action, and the items to touch, in any order, to play it.

    No two choices have the same set of touches. A choice without touches is a button.
    """

    action: int
    touches: tuple[str, ...]
    label: Message = ""
    """The text on the button. Required if there are no touches."""


class Standing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The facts on a player's plate."""

    player: int
    facts: tuple[tuple[Message, Message], ...]
    """Pairs of a heading and a value. All players have the same headings."""
    sprite: str = ""
    """The player's sign next to the name."""
    out: bool = False
    """True for a player who is out of the game."""


class Scene(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The drawing of a position for a seat."""

    width: float
    height: float
    items: tuple[Item, ...]
    """From the lowest to the highest."""
    standings: tuple[Standing, ...]
    task: Message
    """The task of the player to move, or the result of the game."""
    field: tuple[float, float] | None = None
    """The top and the height of a window as wide as the scene, over items of the class `field`, such as a grid that grows.

    The origin of their coordinates is anywhere, because the page slides the window over them. A wide page also shows those
    on both sides of the scene. A picture shows all of them (`flat`)."""


class Preview(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The effect of a choice, shown before it is played."""

    items: tuple[Item, ...]
    """The new items, drawn above the scene. Their ids differ from those of the scene's items."""
    marked: tuple[str, ...]
    """The ids of the scene's items that would fall, follow or count."""
    told: Message
    """The effect in words."""


class Placed(msgspec.Struct, frozen=True, omit_defaults=True):
    """The items of a scene that a played action has put on the board."""

    items: tuple[str, ...] = ()
    """The ids of the items to mark as the last move, such as the piece that was placed."""
    starts: Mapping[str, str] = {}
    """The ids of the items from which new items come, by the ids of the new items, if the view alone does not show it.

    Ids that are not in the scene have no effect."""


class Scenes(Protocol):
    """The contract of a game's `scene.py`. It receives concealed positions, and reveals nothing else."""

    @staticmethod
    def draw(view: RawPosition, player: int) -> Scene:
        """Return the scene for `player` (-1: a spectator)."""

    @staticmethod
    def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
        """Return the items of `draw(after, player)` that a played action has put on the board.

        `before` and `after` are views of `player`, and `action` is the action as that player saw it.
        """

    @staticmethod
    def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
        """Return a choice for each legal action of `player`, the player to move. Touches are items of `draw`."""

    @staticmethod
    def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
        """Return the illegal action that these touched items mean, or -1 for none. It is then refused with a reason."""

    @staticmethod
    def describe(view: RawPosition, player: int, action: int) -> Message:
        """Return the mover's action in words without a subject, for the log and for screen readers: "takes a b".

        `view` is the view of `player` before the action, and `action` is the action as that player saw it.
        """

    @staticmethod
    def tell(before: RawPosition, after: RawPosition, player: int, action: int) -> Message:
        """Return an action that has been played in words, if it has revealed something to `player`, such as a card.

        `before` and `after` are views of `player`. Games without this function use `describe`.
        """

    @staticmethod
    def reveal(state: RawPosition, view: RawPosition) -> None:
        """Copy facts that are public once the game is over to a seat's view. Games without this function reveal nothing.

        `draw` then shows them to each player and to spectators.
        """

    @staticmethod
    def preview(view: RawPosition, player: int, action: int) -> Preview:
        """Return the certain effects of a legal action of `player`, the player to move. The view determines them.

        A game whose actions have no further effects needs neither this function nor `meanwhile`.
        """

    @staticmethod
    def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
        """Return the items to show for a moment above all others during an action of any player, such as its points.

        `before` and `after` are a seat's views. `scene` shows the later view, and the action is as that seat saw it. Ids and
        labels are not used.
        """

    @staticmethod
    def unit(view: RawPosition) -> str:
        """Return the unit of the scores: the key of a text for `form_of`. Games without this function use `point`."""

    @staticmethod
    def begin_turn(view: RawPosition, player: int) -> None:
        """Change a player's view to the view at that player's next turn, so that the player can choose while others move.

        The player is not to move. Leave out changes that are not certain. If there would be no such turn, no player is to
        move afterwards (TERMINAL). Games without this function offer no choices in advance.
        """

    SENDS_AT_ONCE: bool
    """False if one choice has more touches than another, such as cards that are played alone or together. Then touches
    never play an action, and a button does. If it is missing, the last touch of a choice plays it."""


def told(scenes: Scenes, before: RawPosition, after: RawPosition, player: int, action: int) -> Message:
    """Return a played action in words, with the cards and tiles that it revealed to the player."""
    tell = getattr(scenes, "tell", None)
    return tell(before, after, player, action) if tell else scenes.describe(before, player, action)


def marked(scene: Scene, moves: Sequence[tuple[int, Placed]]) -> Scene:
    """Return the scene with marks on the items that moves have put on the board, and with the starts of these items.

    Each move, from the newest, is a player and the items. A mark is the class `last`, and `by-N` for player N.
    """
    marks = {name: f" last by-{player}" for player, placed in reversed(moves) for name in placed.items}
    starts = {name: start for _, placed in moves for name, start in placed.starts.items()}
    items = (
        replace(item, classes=(item.classes + marks.get(item.id, "")).strip(), start=starts.get(item.id, item.start))
        for item in scene.items
    )
    return replace(scene, items=tuple(items))


Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def box_of(items: Iterable[Item]) -> Box:
    """Return the box around items. Their angles are multiples of 90 degrees."""
    sized = [(item.x, item.y, *((item.h, item.w) if item.angle % 180 == 90 else (item.w, item.h))) for item in items]
    return (
        min(x - w / 2 for x, _, w, _ in sized),
        min(y - h / 2 for _, y, _, h in sized),
        max(x + w / 2 for x, _, w, _ in sized),
        max(y + h / 2 for _, y, _, h in sized),
    )


def flat(scene: Scene) -> Scene:
    """Return the scene without a field: its items are in the middle of its window, smaller if they do not fit."""
    inside = {item.id: item for item in scene.items if "field" in item.classes.split()}
    if not scene.field or not inside:
        return scene
    (top, height), (west, north, east, south) = scene.field, box_of(inside.values())
    scale = min(1.0, scene.width / (east - west), height / (south - north))
    x, y = scene.width / 2 - scale * (west + east) / 2, top + height / 2 - scale * (north + south) / 2

    def placed(item: Item) -> Item:
        return replace(item, x=x + scale * item.x, y=y + scale * item.y, w=scale * item.w, h=scale * item.h)

    return replace(scene, items=tuple(placed(item) if item.id in inside else item for item in scene.items), field=None)


Say: TypeAlias = Callable[[Message], str]
"""A function that translates a message of the game's catalogue into the user's language."""


class Screens(Protocol):
    """The contract of a game's `screen.py`. It receives concealed positions, and shows nothing else."""

    @staticmethod
    def draw(view: RawPosition, marked: Collection[str], say: Say) -> "RenderableType":
        """Return the board with all things on it and around it, readable without colours.

        `marked` are the ids of the scene's items to mark (`Placed.items`). Standings and task come from the scene.
        """

    @staticmethod
    def small(view: RawPosition, marked: Collection[str], say: Say) -> "tuple[RenderableType, RenderableType]":
        """Return a smaller board, and the things around it. Optional.

        A terminal without room for the board of `draw` shows this one. It arranges board, things and standings itself.
        The text `screen.small` of the catalogue explains the signs of the small board if they are others.
        """

    @staticmethod
    def sign(view: RawPosition, player: int) -> "Text":
        """Return the sign of the player's things on the board, for the standings. Empty for none."""


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
