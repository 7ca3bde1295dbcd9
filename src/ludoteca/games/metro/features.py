"""Metro as numbers for a learner: planes as large as the board, the players in turn order from the observer on."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from ludoteca.core.contract import Floats, RawPosition
from ludoteca.games.metro.board import WORDS, is_centre, owners, spaces, spaces_in, trains
from ludoteca.games.metro.notation import holder
from ludoteca.games.metro.paths import paths_of
from ludoteca.games.metro.rules import places
from ludoteca.games.metro.tiles import NONE, ORIENTED, ROTATION_OF, SIDES, STACK, oriented, tile_id

COMMON: Final = (
    *(f"tile {face}" for face in range(1, ORIENTED + 1)),
    "centre",
    *(f"the tile may go here with R{times}" for times in range(SIDES)),
    *(f"{face} left in the stack, of 60" for face in range(1, ORIENTED + 1)),
)
EACH: Final = (
    *(f"own train enters across side {side}" for side in "WSEN"),
    "own tracks here, of 4, on open paths",
    "own tracks here, of 4, on closed paths",
    "is to move",
    "points, in hundreds",
    *(f"holds {face}" for face in range(1, ORIENTED + 1)),
)
"""The planes of the board, then those of each player. A tile that may be turned counts as its R0."""


def shape(parameters: Mapping[str, Any]) -> tuple[int, int, int]:
    """Planes, rows, columns of `observation`."""
    side = int(parameters["side"])
    return len(COMMON) + len(EACH) * int(parameters["players"]), side, side


def observation(view: RawPosition, player: int) -> Floats:
    """Planes from 0 up, float32, see COMMON and EACH. A spectator sees the players from the first on."""
    side, players = int(view.side), int(view.players)
    planes = list(_common(view, side))
    for offset in range(players):
        planes += _of_player(view, side, (max(player, 0) + offset) % players)
    return np.stack(planes).astype(np.float32)


def _common(view: RawPosition, side: int) -> Iterator[Floats]:
    """The planes of the board."""
    faces = _plane(side, {place: float(face) for place, face in zip(spaces(side), view.faces.tolist(), strict=False)})
    yield from (faces == face for face in range(1, ORIENTED + 1))
    yield _plane(side, {(x, y): 1.0 for x in range(1, side + 1) for y in range(1, side + 1) if is_centre(side, (x, y))})
    for times in range(SIDES):
        possible = spaces_in(int(places(view, word, times)) for word in range(WORDS))
        yield _plane(side, {spaces(side)[space]: 1.0 for space in possible})
    left = [0.0] * (ORIENTED + 1)
    for kind, number in enumerate(view.left.tolist()):
        left[_face_held(kind)] += number / STACK
    yield from (_constant(side, number) for number in left[1:])


def _of_player(view: RawPosition, side: int, player: int) -> Iterator[Floats]:
    """The planes of one player."""
    owned = owners(side, int(view.players))
    for across in range(SIDES):
        own = (train for train, owner in zip(trains(side), owned, strict=True) if owner == player and train.side == across)
        yield _plane(side, {train.inside: 1.0 for train in own})
    paths = [path for path in paths_of(view) if owned[path.number - 1] == player]
    for closed in (False, True):
        tracks: dict[tuple[int, int], float] = {}
        for step in (step for path in paths if path.closed is closed for step in path.steps):
            tracks[step.place] = tracks.get(step.place, 0) + 1 / SIDES
        yield _plane(side, tracks)
    yield _constant(side, float(view.mover == player))
    yield _constant(side, float(view.points[player]) / 100)
    held = {_face_held(int(view.hands[player])), _face_held(int(view.tile)) if player == holder(view) else NONE}
    yield from (_constant(side, float(face in held)) for face in range(1, ORIENTED + 1))


def _face_held(kind: int) -> int:
    """The oriented tile as which a kind in hand is shown."""
    return NONE if kind == NONE else oriented(tile_id(kind), int(ROTATION_OF[kind]))


def _plane(side: int, values: Mapping[tuple[int, int], float]) -> Floats:
    """The plane with these values at places of the board, 0 elsewhere."""
    plane = np.zeros((side, side), np.float32)
    for (x, y), value in values.items():
        plane[y - 1, x - 1] = value
    return plane


def _constant(side: int, value: float) -> Floats:
    return np.full((side, side), value, np.float32)
