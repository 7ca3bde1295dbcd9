"""Scenes: what a seat sees of a game, as items with places. Painters draw them, and know no game.

A game's `scene.py` makes scenes from concealed positions (`Scenes` is the contract in words), its `sprites.svg` holds the
symbols, its `style.css` their colours. Lengths are in units of the game's choice; x goes right, y down, and an item's
place is its centre. An item that comes later lies above.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from itertools import chain
from typing import Any, Final, Protocol, TypeAlias, TypeVar, overload

import msgspec

from ludoteca.core.contract import RawPosition
from ludoteca.core.messages import Message

VIEWS: Final = 64
"""The views for which it is kept what was made of them (`once_a_view`)."""

Made = TypeVar("Made")
Making: TypeAlias = Callable[[RawPosition], Made]


class Item(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something that is drawn. An item that has the same id in the next scene is the same thing, which has moved."""

    id: str
    """It is unique in a scene. It tells no more than the seat may know: what is hidden is named by its place."""
    sprite: str
    """The id of a symbol in the game's `sprites.svg`; empty for a text alone."""
    x: float
    y: float
    w: float = 1
    h: float = 1
    angle: int = 0
    """Degrees, clockwise."""
    classes: str = ""
    """CSS classes, separated by blanks: `player-0` ... `player-9` colour it like a player, `last` marks the last move.

    What a person takes and drags is a `grip`, or a `turn` where it also says how a thing is turned. Where all that is
    touched may be let go, besides on what is touched next, is a `drop`.
    """
    label: Message = ""
    """The words of a screen reader; empty for decoration."""
    text: Message = ""
    """A number, a letter or a word that is drawn upon it."""
    start: str = ""
    """The id of the item from which it comes when it is new, such as the pile of a card that is drawn."""


class Items(Sequence[Item]):
    """Items, from the lowest to the highest, in parts. What a game keeps from scene to scene is not compared again.

    They are not put into one row, as hardly anybody wants all of them: most that a server draws is only compared.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[tuple[Item, ...]]) -> None:
        self.parts = tuple(parts)

    def replaced(self, new: Mapping[tuple[int, int], Item]) -> "Items":
        """The same with other items: by the number of the part, and the place in it."""
        changed: dict[int, list[Item]] = {}
        for (part, place), item in new.items():
            if self.parts[part][place] is not item:
                changed.setdefault(part, list(self.parts[part]))[place] = item
        if not changed:
            return self
        parts = list(self.parts)
        for part, items in changed.items():
            parts[part] = tuple(items)
        return Items(parts)

    def __iter__(self) -> Iterator[Item]:
        return chain.from_iterable(self.parts)

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        return tuple(self)[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def in_one_row(items: Any) -> tuple[Item, ...]:
    """The items as msgspec can write them, for its `enc_hook`. Raises TypeError for anything else."""
    if isinstance(items, Items):
        return tuple(items)
    raise TypeError(f"a value of type {type(items).__name__} cannot be written as JSON")


class Choice(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A legal action, and the items that are touched, in any order, to play it.

    No two choices have the same set of touches. A choice without touches is a button.
    """

    action: int
    touches: tuple[str, ...]
    label: Message = ""
    """The text on the button; needed where there are no touches."""


class Standing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A player's line in the table of players."""

    player: int
    facts: tuple[tuple[Message, Message], ...]
    """Pairs of a heading and a value, with the same headings for all players."""
    sprite: str = ""
    """The player's sign beside the name."""
    out: bool = False
    """True for a player who does not play any more."""


class Scene(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that is drawn for a seat in a position."""

    width: float
    height: float
    items: Sequence[Item]
    standings: tuple[Standing, ...]
    task: Message
    """What the player to move has to do now, or how the game ended."""


class Preview(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a choice would do, shown before it is played."""

    items: tuple[Item, ...]
    """What would come, drawn above the scene. Their ids are not those of the scene's items."""
    marked: tuple[str, ...]
    """The ids of the scene's items that would fall, follow or count."""
    told: Message
    """What would happen, in words."""


class Scenes(Protocol):
    """A game's `scene.py`. It is given concealed positions, and tells nothing that is not in them."""

    @staticmethod
    def draw(view: RawPosition, player: int, highlighted: Sequence[int]) -> Scene:
        """The scene for `player` (-1: a spectator). `highlighted` are the last actions played, as that seat saw them."""

    @staticmethod
    def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
        """One choice for each legal action of the player, who is to move. Touches are items of `draw`."""

    @staticmethod
    def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
        """The illegal action that these touched items stand for, so that it can be refused with its reason; -1 for none."""

    @staticmethod
    def describe(view: RawPosition, player: int, action: int) -> Message:
        """What the mover does, for the log and for screen readers, without its subject: "takes a b".

        `view` is what `player` saw before, and `action` is as that player saw it.
        """

    @staticmethod
    def reveal(state: RawPosition, view: RawPosition) -> None:
        """Put into a seat's view what is no secret any more when the game is over; a game that lacks it keeps all to itself.

        `draw` shows it then, to each seat and to spectators.
        """

    @staticmethod
    def unit(view: RawPosition) -> str:
        """What the scores count, as the key of a text that `form_of` completes; a game that lacks it counts `point`."""

    SENDS_AT_ONCE: bool
    """False where one choice has more touches than another, as cards that are played alone or together: then no touch plays
    anything, and a button does. Where it is missing, the touch that makes a choice whole sends it."""


class _Known:
    """A view, which equals all of which the same is known."""

    __slots__ = ("known", "view")

    def __init__(self, view: RawPosition, known: bytes) -> None:
        self.view = view
        self.known = known

    def __hash__(self) -> int:
        return hash(self.known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self.known == other.known


def once_for(known_of: Callable[[RawPosition], bytes]) -> Callable[[Making[Made]], Making[Made]]:
    """Have what follows from a part of a view be made once for all who see that part alike."""

    def once(make: Making[Made]) -> Making[Made]:
        last: tuple[bytes, Made] | None = None

        @lru_cache(maxsize=VIEWS)
        def kept(known: _Known) -> Made:
            return make(known.view)

        @wraps(make)
        def made(view: RawPosition) -> Made:
            nonlocal last
            known, found = known_of(view), last
            if found is None or found[0] != known:  # to compare is a tenth of the work of looking it up
                found = last = known, kept(_Known(view, known))
            return found[1]

        return made

    return once


def once_a_view(make: Making[Made]) -> Making[Made]:
    """Have what follows from a view alone be made once for all who share the view: all seats, where nothing is hidden."""
    return once_for(lambda view: view.tobytes())(make)


class Previews(Protocol):
    """A game's `preview.py`, for one whose actions do more than they say; a game may have none."""

    @staticmethod
    def preview(view: RawPosition, player: int, action: int) -> Preview:
        """What a legal action of the player, who is to move, would do, as far as it follows from what the player sees."""

    @staticmethod
    def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
        """What is shown for a moment, above all else, while an action of anybody is done, such as the points that it brings.

        `before` and `after` are a seat's views, `scene` shows the one after, and the action is as that seat saw it; a game
        that lacks it shows nothing. Ids and labels are of no use.
        """


class Plans(Protocol):
    """A game's `plan.py`, for one in which a seat may choose what it plays while others move; a game may have none."""

    @staticmethod
    def begin_turn(view: RawPosition, player: int) -> None:
        """Make of the player's view what the player would see if the turn were the player's now, as far as that is certain.

        The player is not to move. Where there would be no such turn, nobody is to move afterwards (TERMINAL).
        """
