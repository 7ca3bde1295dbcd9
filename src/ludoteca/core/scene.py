"""Scenes: a player's view of a game as a list of items with coordinates. The browser, and `core.svg` for pictures, draw
these items without knowledge of the game.

A game's `scene.py` makes scenes from concealed positions, in which everything is zero that the player does not know.
`Scenes` describes its functions. The game's `sprites.svg` has its drawn symbols, and its `style.css` has their colours. Each
game chooses its unit of length. x goes right, y goes down, and an item's coordinates are those of its centre. Later items
are drawn above earlier ones.

In a terminal, a game's `screen.py` (`Screens`) draws the board, and `cli/screen.py` draws everything else for all games. The
functions at the end of this module compute coordinates that several games use: rows, fans of cards, and the headings of a
grid.
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
    """One drawn item, such as a card, a piece or a number. If the next scene has an item with the same id, it is the same
    one, and the page moves it from the old coordinates to the new ones.
    """

    id: str
    """Unique in a scene. It must not reveal hidden facts to the player, so a hidden card is named after its place."""
    sprite: str
    """The id of a symbol in the game's `sprites.svg`. Empty if the item is only a text."""
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
    """The words that a screen reader reads. Empty for an item that is only decoration."""
    text: Message = ""
    """A number, a letter or a word that is drawn on the item."""
    start: str = ""
    """The id of the item from which a new item moves to its place, such as the pile from which a card is drawn."""
    zone: Message = ""
    """The name of a group of items for a screen reader, such as "Your hand". The items of a group follow each other."""


class Choice(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A legal action, and the items that the player touches, in any order, to play it.

    No two choices of a position have the same set of touched items. A choice without touches is shown as a button.
    """

    action: int
    touches: tuple[str, ...]
    label: Message = ""
    """The text on the button. It is required if the choice has no touches."""


class Standing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The facts about one player, such as points and cards, that the page shows with the player's name."""

    player: int
    facts: tuple[tuple[Message, Message], ...]
    """Pairs of a heading and a value. All players have the same headings."""
    sprite: str = ""
    """The id of a symbol that is shown next to the player's name."""
    out: bool = False
    """True for a player who is out of the game."""


class Scene(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A position as one seat sees it, ready to be drawn."""

    width: float
    height: float
    items: tuple[Item, ...]
    """In the order in which they are drawn: the last is on top."""
    standings: tuple[Standing, ...]
    task: Message
    """The task of the player to move in words, or the result of the game."""
    field: tuple[float, float] | None = None
    """The top and the height of a window as wide as the scene, over items of the class `field`, such as a grid that grows.

    The origin of their coordinates is anywhere, because the page slides the window over them. A wide page also shows those
    on both sides of the scene. A picture shows all of them (`flat`)."""


class Preview(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The effect of a choice, which the page shows before the player confirms the choice."""

    items: tuple[Item, ...]
    """The items that the choice would add, drawn above the scene. Their ids differ from those of the scene's items."""
    marked: tuple[str, ...]
    """The ids of items that the choice would affect, such as pieces that would be captured. They are marked."""
    told: Message
    """The effect of the choice in words."""


class Placed(msgspec.Struct, frozen=True, omit_defaults=True):
    """The items of a scene that a played action has put on the board, so that they can be marked as the last move."""

    items: tuple[str, ...] = ()
    """The ids of the items to mark as the last move, such as the piece that was placed."""
    starts: Mapping[str, str] = {}
    """The ids of the items from which new items come, by the ids of the new items, if the view alone does not show it.

    Ids that are not in the scene have no effect."""


class Scenes(Protocol):
    """The functions of a game's `scene.py`. They receive concealed positions, so that they cannot reveal hidden facts to the
    player.
    """

    @staticmethod
    def draw(view: RawPosition, player: int) -> Scene:
        """Return the scene of a view. `player` is the seat to which the view belongs, or -1 for a spectator."""

    @staticmethod
    def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
        """Return the items of `draw(after, player)` that an action has put on the board.

        `before` and `after` are the views of `player` before and after the action. `action` is the action as `player` saw it
        (`Rules.seen_action`).
        """

    @staticmethod
    def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
        """Return one choice for each action in `legal`, which are the legal actions of `player`, the player to move. The
        touches of a choice are ids of items of `draw(view, player)`.
        """

    @staticmethod
    def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
        """Return the action, not legal here, that the player probably means by touching these items. The page then shows why
        the rules refuse it. Return -1 if the items suggest no action.
        """

    @staticmethod
    def describe(view: RawPosition, player: int, action: int) -> Message:
        """Return an action in words without a subject, such as "takes a b", for the list of moves and for screen readers.

        `view` is the view of `player` before the action, and `action` is the action as `player` saw it. Any player may have
        played it.
        """

    @staticmethod
    def tell(before: RawPosition, after: RawPosition, player: int, action: int) -> Message:
        """Return a played action in words, including a fact that it has revealed to `player`, such as a drawn card.

        `before` and `after` are the views of `player` before and after the action. This function is optional: without it,
        `describe` is used.
        """

    @staticmethod
    def reveal(state: RawPosition, view: RawPosition) -> None:
        """Copy facts that become public at the end of the game, such as the cards of all hands, from the complete position
        to a seat's view. `draw` then shows them.

        This function is optional: without it, the end of the game reveals nothing more.
        """

    @staticmethod
    def preview(view: RawPosition, player: int, action: int) -> Preview:
        """Return the certain effects of a legal action of `player`, the player to move. They can depend only on the view.

        A game whose actions have no effect except on the touched items needs neither this function nor `meanwhile`.
        """

    @staticmethod
    def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
        """Return items that the page shows for a moment, above all others, while an action is animated, such as the points
        that it scored.

        `before` and `after` are a seat's views. `scene` is the scene of the later view. `action` is any player's action as
        that seat saw it. The ids and labels of the returned items are not used.
        """

    @staticmethod
    def unit(view: RawPosition) -> str:
        """Return the unit of the scores: a key of the game's texts that has forms for one, few and many
        (`messages.form_of`). This function is optional: without it, the unit is `point`.
        """

    @staticmethod
    def begin_turn(view: RawPosition, player: int) -> None:
        """Change a player's view, while others move, to the view that the player will have at the beginning of the next
        turn. So the page can let the player choose in advance.

        Leave everything unchanged that is not certain. If the player has no further turn, the changed view must be one in
        which the game is over (TERMINAL). This function is optional: without it, players cannot choose in advance.
        """

    SENDS_AT_ONCE: bool
    """False if one choice has more touches than another, such as cards that are played alone or together. Then touches
    never play an action, and a button does. If it is missing, the last touch of a choice plays it."""


def told(scenes: Scenes, before: RawPosition, after: RawPosition, player: int, action: int) -> Message:
    """Return a played action in words, including cards and tiles that it revealed to `player`: by the game's function `tell`
    if it has one, else by `describe`. The parameters are those of `Scenes.tell`.
    """
    tell = getattr(scenes, "tell", None)
    return tell(before, after, player, action) if tell else scenes.describe(before, player, action)


def marked(scene: Scene, moves: Sequence[tuple[int, Placed]]) -> Scene:
    """Return the scene with its last moves marked.

    `moves` has a pair for each move to mark, the newest first: the player, and the items that the move has put on the board.
    Each of these items gets the CSS classes `last` and `by-N`, for player N, and its `start` if the move has one for it.
    """
    marks = {name: f" last by-{player}" for player, placed in reversed(moves) for name in placed.items}
    starts = {name: start for _, placed in moves for name, start in placed.starts.items()}
    items = (
        replace(item, classes=(item.classes + marks.get(item.id, "")).strip(), start=starts.get(item.id, item.start))
        for item in scene.items
    )
    return replace(scene, items=tuple(items))


Box: TypeAlias = tuple[float, float, float, float]
"""The left, top, right and bottom edge of a rectangle."""


def box_of(items: Iterable[Item]) -> Box:
    """Return the smallest rectangle around the given items. The angles of the items must be multiples of 90 degrees."""
    sized = [(item.x, item.y, *((item.h, item.w) if item.angle % 180 == 90 else (item.w, item.h))) for item in items]
    return (
        min(x - w / 2 for x, _, w, _ in sized),
        min(y - h / 2 for _, y, _, h in sized),
        max(x + w / 2 for x, _, w, _ in sized),
        max(y + h / 2 for _, y, _, h in sized),
    )


def flat(scene: Scene) -> Scene:
    """Return the scene for a picture, which cannot scroll: the items of the class `field` are put in the middle of the
    scene's window, and made smaller if they do not fit (`Scene.field`). A scene without such a window is returned as it is.
    """
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
"""A function that translates a message of the game (`core.messages`) into the user's language."""


class Screens(Protocol):
    """The functions of a game's `screen.py`, which draw the board in a terminal. They receive concealed positions, so that
    they cannot reveal hidden facts to the player.
    """

    @staticmethod
    def draw(view: RawPosition, marked: Collection[str], say: Say) -> "RenderableType":
        """Return the board with everything on it and around it. It must be readable without colours.

        `marked` has the ids of the scene's items that the last move has put on the board (`Placed.items`). `say` translates
        messages. The board does not include the players' facts and the task, because these are shown for all games in the
        same way.
        """

    @staticmethod
    def small(view: RawPosition, marked: Collection[str], say: Say) -> "tuple[RenderableType, RenderableType]":
        """Return a smaller board, and separately the things around it. This function is optional.

        It is used if the terminal has no room for the board of `draw`. The terminal places the two parts and the facts of
        the players. If the small board has other signs than the usual one, the game's text `screen.small` explains them.
        """

    @staticmethod
    def sign(view: RawPosition, player: int) -> "Text":
        """Return the sign that marks a player's things on the board, to show it with the player's name. Return an empty text
        if there is none.
        """


def row(middle: float, n: int, apart: float) -> list[float]:
    """Return the coordinates of n things in a row, in ascending order. `middle` is the middle of the row, and `apart` is the
    distance between neighbours.
    """
    return [middle + apart * (i - (n - 1) / 2) for i in range(n)]


def fan(x: float, y: float, facing: int, n: int, apart: float, radius: float) -> list[tuple[float, float, int]]:
    """Return x, y and the angle in degrees of n cards on an arc, as a player holds them. All numbers are rounded.

    (x, y) is the middle of the arc, and `facing` is the angle of a card there, in degrees clockwise. `apart` is the distance
    between cards along the arc, and `radius` the radius of the arc.
    """
    places, turned = [], radians(facing)
    for angle in row(0, n, apart / radius):
        along, outwards = radius * sin(angle), radius * (1 - cos(angle))
        across = x + along * cos(turned) - outwards * sin(turned)
        down = y + along * sin(turned) + outwards * cos(turned)
        places.append((round(across, 2), round(down, 2), round(facing + angle * 57.3)))
    return places


def headings(line: str, names: Iterable[str], places: Iterable[tuple[float, float]], w: float, h: float) -> list[Item]:
    """Return the names of a grid's rows or columns as items with a text.

    `places` are the coordinates of the names, in the same order, and `w` and `h` are the width and height of an item. The id
    of an item is `line` followed by the name.
    """
    return [
        Item(line + name, "", x, y, w, h, classes="muted", text=name) for name, (x, y) in zip(names, places, strict=True)
    ]


def hand_zone(player: int, seat: int) -> Message:
    """Return the name of the group of items in the hand of `player`, in the scene for `seat`: "Your hand" for the same
    player, or a name with that of the player.
    """
    return ("zone.own",) if player == seat else ("zone.hand", (SEAT, player))


def in_zone(zone: Message, items: Iterable[Item]) -> list[Item]:
    """Return copies of the items that belong to the group `zone` (`Item.zone`)."""
    return [replace(item, zone=zone) for item in items]
