"""The rules of a game as a text for people, with pictures, and a guided first game. The web pages and the command line show
both.

A game's `guide.py` has the constant `GUIDE`: the aim of the game, and sections with paragraphs, lists and pictures. A
picture is drawn from a position of the game, cut to the important part and marked, so it always agrees with the rules. A
terminal draws the same position. If the game's texts have a key `KEY.terminal`, a terminal shows it in place of `KEY`.

A game's `lesson.py` has PARAMETERS and STEPS: in each step a new player reads an explanation, or gets a task and carries it
out on the board. The page shows the position of the step, and the result of the player's action by the rules.
`testing/guides.py` reports a step that the rules do not allow.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game, State
from ludoteca.core.messages import Message
from ludoteca.core.scene import Box, Item, Scene, box_of, flat
from ludoteca.core.spec import GameSpec

DONE: Final = "done"
COMES: Final = "comes"
NOTED: Final = "noted"
KINDS: Final = (DONE, COMES, NOTED)
"""The kinds of marks: a played move, its consequence, and a note. Their frames differ in more than their colours."""
BADGE_HEIGHT: Final = 0.36
"""The line height of a mark's text, relative to the shorter side of the marked items."""


class Mark(NamedTuple):
    """A frame that a picture draws around some items."""

    items: tuple[str, ...]
    """The ids of the items in the frame."""
    kind: str = NOTED
    text: Message = ""
    """A number, or one or two words, at the upper right corner of the frame. Empty for none."""


class Picture(NamedTuple):
    """A picture of a position as the player to move sees it, and how to cut and mark it."""

    position: str
    """The position in the game's notation."""
    caption: Message
    """A sentence or two below the picture."""
    around: tuple[str, ...] = ()
    """The ids of the items to which the picture is cut. If empty, the picture shows the whole scene."""
    marks: tuple[Mark, ...] = ()
    plays: str = ""
    """A move in notation, or empty. With a move, the picture shows the position after the move."""
    margin: float = 0.5
    """The space between the named items and the edge, relative to the shorter side of the first of these items."""
    parameters: Mapping[str, Any] = {}
    """Parameters of the game that differ from those of the whole guide."""


class GuidePart(NamedTuple):
    """A paragraph (`told`), a list (`points`), or both, and the picture next to them."""

    told: Message = ""
    points: tuple[Message, ...] = ()
    picture: Picture | None = None
    on_page: bool = False
    """True if it explains how to use the web page. A terminal leaves it out."""


class Section(NamedTuple):
    """A heading of the guide, and the paragraphs, lists and pictures below it."""

    id: str
    """Lower-case letters. Links end in it: `/guide/GAME#id`. Its text `heading.ID` is the heading."""
    parts: tuple[GuidePart, ...]

    @property
    def title(self) -> Message:
        """The message of the heading. The game's texts may have it, or else the texts that all games share."""
        return (f"heading.{self.id}",)


class Guide(NamedTuple):
    """The rules of a game for people, as `guide.py` of the game defines them."""

    aim: Message
    """One or two sentences: how many people play, how long a game takes, and how to win."""
    sections: tuple[Section, ...]
    parameters: Mapping[str, Any] = {}
    """The parameters of the games in the pictures. Others have their defaults."""

    @property
    def parts(self) -> Iterator[GuidePart]:
        """The paragraphs, lists and pictures of all sections, in order."""
        return (part for section in self.sections for part in section.parts)


def guide_of(spec: GameSpec) -> Guide | None:
    """Return the guide of a game, or None if the game has no module `guide`."""
    return spec.module("guide").GUIDE if spec.has("guide") else None


def state_of(spec: GameSpec, guide: Guide, picture: Picture) -> tuple[State, int]:
    """Return the state that a picture shows, and the seat from which it is seen: the player to move, or the spectator after
    the end. If the picture names a move, the state is the one after the move, seen by the player who made it.

    Raises LudotecaError if the position cannot be read or the move is not legal.
    """
    state = Game(spec, {**guide.parameters, **picture.parameters}).state_from_string(picture.position)
    seat = max(SPECTATOR, state.current_player())
    return (state.child(state.string_to_action(picture.plays)) if picture.plays else state), seat


def picture_of(scene: Scene, picture: Picture) -> Scene:
    """Return the part of a scene that a picture shows, as a scene. The marks become items above all others.

    Raises ContractError if the scene has no item with an id that the picture names.
    """
    scene = flat(scene)
    left, top, right, bottom = 0.0, 0.0, scene.width, scene.height
    if picture.around:
        west, north, east, south = _box(scene, picture.around)
        first = _box(scene, picture.around[:1])
        room = picture.margin * min(first[2] - first[0], first[3] - first[1])
        left, top = max(left, west - room), max(top, north - room)
        right, bottom = min(right, east + room), min(bottom, south + room)
    view = left, top, right, bottom
    boxes = [(item, box_of([item])) for item in scene.items]
    seen = [item for item, box in boxes if _overlap(box, view) and (item.sprite or _within(box, view))]
    marked = [item for number, mark in enumerate(picture.marks) for item in _mark(scene, number, mark)]
    moved = (_moved(item, -left, -top) for item in (*seen, *marked))
    return Scene(right - left, bottom - top, tuple(moved), (), scene.task)


def words_of(scene: Scene, picture: Picture) -> Message:
    """Return a description of a picture for screen readers: the labels of the marked items, in the order of the marks.
    Without labels it is the task of the player to move.
    """
    told = {item.id: item.label for item in scene.items if item.label}
    words = [told[name] for mark in picture.marks for name in mark.items if name in told]
    return ("guide.shows", ("@list", *dict.fromkeys(words))) if words else scene.task


def _box(scene: Scene, names: Sequence[str]) -> Box:
    items = {item.id: item for item in scene.items}
    lacking = sorted(set(names) - items.keys())
    if lacking:
        raise ContractError(f"no such items in the scene: {', '.join(lacking)}")
    return box_of([items[name] for name in names])


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _within(one: Box, other: Box) -> bool:
    """Return True if the first rectangle is completely inside the second. A text is drawn only if it is, because half a
    letter is not readable.
    """
    return other[0] <= one[0] and other[1] <= one[1] and one[2] <= other[2] and one[3] <= other[3]


def _mark(scene: Scene, number: int, mark: Mark) -> Iterator[Item]:
    left, top, right, bottom = _box(scene, mark.items)
    x, y, w, h = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
    yield Item(f"mark-{number}", "", x, y, w, h, classes=f"mark {mark.kind}")
    if mark.text != "":
        size = BADGE_HEIGHT * min(w, h)
        yield Item(f"badge-{number}", "", right - size, top + size / 2, size, 2 * size, classes="badge", text=mark.text)


def _moved(item: Item, x: float, y: float) -> Item:
    return Item(
        item.id, item.sprite, item.x + x, item.y + y, item.w, item.h, item.angle, item.classes, item.label, item.text
    )


class LessonStep(NamedTuple):
    """One step of a game's guided first game: an explanation, and in most steps a task that the player solves on
    the board.
    """

    told: Message
    """The explanation that is shown with the position."""
    position: str
    """The position in the game's notation, seen by the player to move."""
    asked: Message = ""
    """The task. Empty if the player only reads."""
    answers: tuple[str, ...] = ()
    """The moves in notation that solve the task. If there are none, every legal action solves it."""
    then: Message = ""
    """The text after a move that solves the task."""
    otherwise: Message = ""
    """The text after a legal action that does not solve the task. If empty, the page shows a general text."""
    unfit: Message = ""
    """The text after touches that are no legal action. If empty, the page shows the reason from the rules."""
    parameters: Mapping[str, Any] = {}
    """Parameters of the game that differ from those in PARAMETERS of the module."""
    marked: bool = True
    """True if the page marks the answers on the board. False if the player has to find one without help."""
