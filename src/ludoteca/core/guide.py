"""The rules of a game for people: an aim, sections with short texts and lists, and pictures of positions.

A game's `guide.py` has `GUIDE`. Its pictures are the game's own scenes, cut to the important part (`picture_of`) and marked.
They are drawn from positions, so they always agree with the rules. Terminals draw the same positions and use the text
`KEY.terminal` in place of the text `KEY` if the catalogue has it.

A game's `lesson.py` is a guided first game: `PARAMETERS`, and `STEPS` in which a new player gets a task and carries it out.
Pages show each step's position, let the player answer, and show the result. The rules compute all of this, so a step that
is not possible is an error (`testing/guides.py`).
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
"""A played move, its consequence, and a note. Their frames differ in more than their colours."""
BADGE_HEIGHT: Final = 0.36
"""The line height of a mark's text, relative to the shorter side of the marked items."""


class Mark(NamedTuple):
    """A frame around items of a picture."""

    items: tuple[str, ...]
    """The ids of the items in the frame."""
    kind: str = NOTED
    text: Message = ""
    """A number, or a word or two, at the upper right corner of the frame."""


class Picture(NamedTuple):
    """A position as the player to move sees it."""

    position: str
    """In the game's notation."""
    caption: Message
    """A sentence or two below the picture."""
    around: tuple[str, ...] = ()
    """The ids of the items to which the picture is cut. If empty, the picture shows the whole scene."""
    marks: tuple[Mark, ...] = ()
    plays: str = ""
    """A move in notation. The picture then shows the position after it."""
    margin: float = 0.5
    """The margin around the items, relative to the shorter side of the first item."""
    parameters: Mapping[str, Any] = {}
    """The parameters that differ from those of the guide."""


class GuidePart(NamedTuple):
    """A paragraph or a list, or both, and the picture next to them."""

    told: Message = ""
    points: tuple[Message, ...] = ()
    picture: Picture | None = None
    on_page: bool = False
    """True if it explains how to play with the page. Terminals leave it out."""


class Section(NamedTuple):
    """The content under a heading."""

    id: str
    """Lower-case letters for links: `/guide/GAME#id`. `core.messages` has the headings that all games share."""
    parts: tuple[GuidePart, ...]

    @property
    def title(self) -> Message:
        """The heading: the game's own text, or the text that all games share."""
        return (f"heading.{self.id}",)


class Guide(NamedTuple):
    """The rules of a game."""

    aim: Message
    """One or two sentences: how many players, how long, and how to win."""
    sections: tuple[Section, ...]
    parameters: Mapping[str, Any] = {}
    """The parameters of the game in the pictures."""

    @property
    def parts(self) -> Iterator[GuidePart]:
        """The parts of all sections, in order."""
        return (part for section in self.sections for part in section.parts)


def guide_of(spec: GameSpec) -> Guide | None:
    """Return the game's guide, or None if it has none."""
    return spec.module("guide").GUIDE if spec.has("guide") else None


def state_of(spec: GameSpec, guide: Guide, picture: Picture) -> tuple[State, int]:
    """Return the position of a picture, and the seat that sees it. If the picture shows a move, it has been played.

    Raises LudotecaError if the position cannot be read or the move cannot be played.
    """
    state = Game(spec, {**guide.parameters, **picture.parameters}).state_from_string(picture.position)
    seat = max(SPECTATOR, state.current_player())
    return (state.child(state.string_to_action(picture.plays)) if picture.plays else state), seat


def picture_of(scene: Scene, picture: Picture) -> Scene:
    """Return the scene cut to the picture's items, with its marks as items above all others.

    Raises ContractError if the scene lacks an item that the picture names.
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
    """Return a description of a picture for screen readers: the labels of the marked items, in the order of the marks."""
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
    """Return True if the first box is completely inside the second, because half a letter is not readable."""
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
    """A step of a lesson."""

    told: Message
    """The explanation."""
    position: str
    """The position in the game's notation, seen by the player to move."""
    asked: Message = ""
    """The task. Empty if the player only reads."""
    answers: tuple[str, ...] = ()
    """The moves in notation that solve the task. If empty, any legal action solves it."""
    then: Message = ""
    """The text after a right answer."""
    otherwise: Message = ""
    """The text after another legal action. Empty for the usual text of pages."""
    unfit: Message = ""
    """The text after touches that are not a legal action. Empty for the reason of the rules."""
    parameters: Mapping[str, Any] = {}
    """The parameters that differ from PARAMETERS."""
    marked: bool = True
    """True if the answers are marked on the board. False if the player has to find one."""
