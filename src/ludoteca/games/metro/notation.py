"""Metro as text: moves, tiles, and a whole position in one line.

A move is `3 2 R1` (x, y and the rotation of the tile to be placed) or `decline`. An oriented tile is its number and its
rotation: `7R2` is the document's tile `#7` turned by `R2`. A tile that may be turned is only its number: `7`. A position has
four parts:

    7R0,6R0,2/1,*,*,1/1,*,*,4R1/4 1 9 3fd2..        (a board of 4 x 4, to keep the example short)

- the rows of the board: oriented tiles, numbers of free spaces in a row, and `*` for a space of the centre
- the player to move, from 1, or `-` if the game is over
- the tile in each player's hand, or `-`. `4R0+7R1` means that 4R0 was declined and 7R1 must be placed
- the tiles to come: the stack, the next tile first, or `-` if it is empty. If tiles are drawn without end, it is the state
  of the random number generator in hexadecimal

In a view, which hides the tiles to come, the last part is `endless`, or how many of each tile are left (`3x7R1,2x9`). A game
cannot be continued from such a text.
"""

import re
from collections import Counter
from functools import reduce
from itertools import chain, groupby
from typing import Final

from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import ContractError, NotationError
from ludoteca.core.messages import Message
from ludoteca.core.reading import DASH, check_end, read_list, read_mover, read_parts
from ludoteca.core.words import counted
from ludoteca.games.metro import board, rules, tiles
from ludoteca.games.metro.board import FACE, action_of, rotation_of, space_of

CENTRE: Final = "*"
DECLINE: Final = "decline"
ENDLESS: Final = "endless"
_DIGITS: Final = 16


# Tiles


def face_name(face: int) -> str:
    """Return the name of an oriented tile: its number, `R` and its rotation, such as `7R2`. It is `-` for no tile."""
    if face == tiles.NONE:
        return DASH
    tile, times = tiles.FACES[int(face) - 1]
    return f"{tile}R{times}"


def kind_name(kind: int) -> str:
    """Return the name of a kind: `7` for tile 7 if it may be turned, `7R2` for tile 7 if it must be placed in rotation 2,
    `-` for no tile.

    >>> [kind_name(kind) for kind in (0, 1, 3, 31)]
    ['-', '1R0', '2R1', '7']
    """
    return str(tiles.tile_id(int(kind))) if kind > tiles.ORIENTED else face_name(kind)


def read_face(text: str, where: str) -> int:
    """Return the oriented tile with a name, such as `7R2`. `where` begins the error message, such as "tile 3".

    Raises NotationError if there is no such tile, or if it has no such rotation: a symmetric tile has only one or two.
    """
    if text not in _FACES:
        raise NotationError(f"{where} is {text[:20]!r}: expected a tile and its rotation, such as 7R2, {_KNOWN}")
    return _FACES[text]


def read_kind(state: RawPosition, text: str, where: str) -> int:
    """Return the kind of tile with a name: `7` if players may turn tiles in this game, otherwise `7R2`. `where` begins the
    error message, such as "tile 3".

    Raises NotationError if the name has the form for the other sort of game, or if there is no such tile.
    """
    if not state.turned:
        return read_face(text, where)
    if text not in _TURNABLE:
        raise NotationError(f"{where} is {text[:20]!r}: expected a tile that may be turned, 1 to {tiles.IDS}")
    return _TURNABLE[text]


_FACES: Final = {face_name(face): face for face in range(1, tiles.ORIENTED + 1)}
_TURNABLE: Final = {str(tile): tiles.turnable(tile) for tile in range(1, tiles.IDS + 1)}
_KNOWN: Final = "1 6 9 10 with R0, 4 8 with R0 or R1, the others with R0 to R3"


# Moves


def action_to_string(state: RawPosition, action: int) -> str:
    """Return an action as text: `3 2 R1`, or `decline` if the player does not place the drawn tile.

    >>> from ludoteca import load
    >>> state = load("metro", players=2).new_initial_state(seed=1)
    >>> [action_to_string(state.raw, action) for action in state.legal_actions()[:4]]
    ['2 1 R2', '3 1 R2', '4 1 R2', '5 1 R2']
    """
    if action == board.DECLINE:
        return DECLINE
    x, y = board.place_of(int(state.side), space_of(action))
    return f"{x} {y} R{rotation_of(action)}"


def string_to_action(state: RawPosition, text: str) -> int:
    """Return the action that a move such as `3 2 R1` or `decline` describes. The rotation applies to the tile that is to be
    placed now.

    Raises NotationError if the text has another form, or names no space of this board or no rotation of the tile.
    """
    words = re.sub(r"[,()]", " ", text).split()
    if words == [DECLINE]:
        return board.DECLINE
    if len(words) != 3:
        raise NotationError(("unread.move", repr(text[:40]), DECLINE), __package__)
    times = re.fullmatch("[Rr]?([0-3])", words[2])
    if not times:
        raise NotationError(("unread.rotation", repr(words[2][:20])), __package__)
    space, face = read_space(state, words[0], words[1]), tiles.FACE_OF[state.tile, int(times[1])]
    if face == tiles.NONE:
        if state.tile == tiles.NONE:
            raise NotationError(("unread.no_tile", times[1]), __package__)
        possible: list[Message] = [f"R{each}" for each in tiles.rotations(int(state.tile))]
        rotations = reduce(lambda some, other: ("unread.or", some, other), possible)
        raise NotationError(("unread.turned", times[1], tiles.tile_id(int(state.tile)), rotations), __package__)
    return action_of(space, int(face))


def read_space(state: RawPosition, *words: str) -> int:
    """Return the number of the space at x and y, given as two texts. Raises NotationError if the place is in the centre,
    which takes no tile, or outside the board.
    """
    side = int(state.side)
    x, y = (int(word) if re.fullmatch("[0-9]{1,9}", word) else -1 for word in words)
    if board.is_outside(side, (x, y)):
        raise NotationError(("unread.space", repr(" ".join(words)[:40]), side), __package__)
    if board.is_centre(side, (x, y)):
        raise NotationError(("refused.centre", f"{x} {y}"), __package__)
    return board.space_at(side, (x, y))


# Refusals


def refusal(state: RawPosition, action: int) -> Message:
    """Return the message that says why an illegal action is refused in this position."""
    if action == board.DECLINE:
        if state.players == 1:
            return ("refused.decline_alone",)
        if state.stacked == 0:
            return ("refused.decline_last",)
        return "refused.decline_again", kind_name(state.hands[state.mover]), kind_name(state.tile)
    side, space, face = int(state.side), space_of(action), action & FACE
    if not 0 <= space < board.number_of_spaces(side) or not 1 <= face <= tiles.ORIENTED:
        return "refused.outside", action, action_of(board.number_of_spaces(side) - 1, tiles.ORIENTED)
    if face not in tiles.FACE_OF[state.tile]:
        return "refused.other_tile", face_name(face), kind_name(state.tile)
    why = why_not_placed(state, board.place_of(side, space), face)
    if why is None:
        raise ContractError(f"the rules refuse action {action} for no reason that is known")
    return why


def why_not_placed(
    state: RawPosition, place: board.Place, face: int, at: str = "{} {}", named: str = "{}R{}"
) -> Message | None:
    """Return the reason why an oriented tile cannot be placed at a place, or None if it can. The tile need not be the one to
    be placed now.

    Paths of length 1 are not allowed. `at` and `named` are format strings for places and tiles in the reason.
    """
    if why := why_no_space(state, place, at):
        return why
    where, space = at.format(*place), board.space_at(int(state.side), place)
    if state.faces[space] != tiles.NONE:
        return "refused.taken", where, named.format(*tiles.FACES[state.faces[space] - 1])
    if not rules.is_on(state.frontier, space):
        return "refused.alone", where
    if board.leads_straight_out(face, board.border(int(state.side), place)):
        return "refused.too_short", named.format(*tiles.FACES[face - 1]), where
    return None


def why_no_space(state: RawPosition, place: board.Place, at: str) -> Message | None:
    """Return the reason why no tile can ever be placed at a place, or None if it is a space. `at` is the format string for
    the place in the reason.
    """
    side, where = int(state.side), at.format(*place)
    if board.is_outside(side, place):
        return "refused.off_board", where, side
    return ("refused.centre", where) if board.is_centre(side, place) else None


# Positions


def position_to_string(state: RawPosition) -> str:
    """Return a position or a view in one line."""
    side = int(state.side)
    names = [[CENTRE] * side for _ in range(side)]
    for (x, y), face in zip(board.spaces(side), state.faces.tolist(), strict=False):
        names[y - 1][x - 1] = face_name(face)
    rows = []
    for row in names:
        runs = ((name, list(run)) for name, run in groupby(row))
        rows.append(",".join(str(len(run)) if name == DASH else ",".join(run) for name, run in runs))
    mover = DASH if rules.is_terminal(state) else str(state.mover + 1)
    hands = "/".join(hand_of(state, player) for player in range(state.players))
    n = int(state.stacked)
    if state.endless:
        to_come = f"{int(state.generator):0{_DIGITS}x}" if state.generator else ENDLESS
    elif n == 0:
        to_come = DASH
    elif state.stack[0] == tiles.NONE:
        to_come = ",".join(f"{number}x{kind_name(kind)}" for kind, number in enumerate(state.left.tolist()) if number)
    else:
        to_come = ",".join(kind_name(kind) for kind in reversed(state.stack[:n].tolist()))
    return f"{'/'.join(rows)} {mover} {hands} {to_come}"


def hand_of(state: RawPosition, player: int) -> str:
    """Return the tiles of a player as text, such as `7R1`, or `4R0+7R1` if 4R0 was declined and 7R1 must be placed. It is
    `-` for none.
    """
    held = kind_name(state.hands[player])
    if player != holder(state) or state.tile == tiles.NONE:
        return held
    return kind_name(state.tile) if held == DASH else f"{held}+{kind_name(state.tile)}"


def holder(state: RawPosition) -> int:
    """Return the player to whom the tile to be placed belongs: the player to move, or player 0 if the game is over."""
    return max(int(state.mover), 0)


def string_to_position(state: RawPosition, text: str) -> None:
    """Fill a prepared position, which has an empty board, with the position that the text describes.

    Raises NotationError, which says which part is wrong and why, if the text is no complete position of this game.
    """
    rows, mover, hands, to_come = read_parts(text, "rows", "player to move", "hands", "tiles to come")
    whole = state.stack.tolist()
    _read_rows(state, read_list(rows, "/", int(state.side), "row"))
    kinds = [
        [] if hand == DASH else [read_kind(state, name, f"a tile of player {player}") for name in hand.split("+")]
        for player, hand in enumerate(read_list(hands, "/", int(state.players), "hand"), 1)
    ]
    if state.endless:
        if to_come == ENDLESS:
            raise NotationError(f"{ENDLESS!r} is what a view tells of the tiles to come: expected the generator")
        if not re.fullmatch(f"[0-9a-f]{{{_DIGITS}}}", to_come) or not int(to_come, 16):
            raise NotationError(f"the generator is {to_come[:40]!r}: expected {_DIGITS} digits of 0 to f, not all 0")
        state.generator = int(to_come, 16)
    else:
        _read_stack(state, to_come, whole, kinds)
    _read_mover(state, mover, kinds)


def _read_rows(state: RawPosition, rows: list[str]) -> None:
    side = int(state.side)
    for y, row in enumerate(rows, 1):
        names: list[str] = []
        for name in row.split(","):
            is_free = re.fullmatch("[1-9][0-9]?", name) and int(name) <= side
            names += [DASH] * int(name) if is_free else [name]
        if len(names) != side:
            raise NotationError(f"row {y} has {counted(len(names), 'space')}: this game's board has {side} columns")
        for x, name in enumerate(names, 1):
            where = f"{x} {y}"
            if (name == CENTRE) != board.is_centre(side, (x, y)):
                what = "free" if name == DASH else repr(name[:20])
                raise NotationError(f"{where} is {what}: expected {CENTRE} in the centre, and there only")
            if name not in (CENTRE, DASH):
                face = read_face(name, where)
                if state.players == 1 and board.leads_straight_out(face, board.border(side, (x, y))):
                    raise NotationError(f"{where} is {name}: there it makes a path of length 1")
                rules.place(state, board.space_at(side, (x, y)), face)
    _check_connected(state)


def _check_connected(state: RawPosition) -> None:
    """Raise NotationError unless each tile is on the edge of the board or joined to the edge by adjacent tiles."""
    side = int(state.side)
    laid = {place for space, place in enumerate(board.spaces(side)) if state.faces[space] != tiles.NONE}
    reached = [place for place in laid if board.border(side, place)]
    laid -= set(reached)
    for place in reached:
        around = {board.beyond(place, across) for across in range(tiles.SIDES)} & laid
        laid -= around
        reached += around
    if laid:
        x, y = min(laid)
        raise NotationError(f"the tile on {x} {y} is neither on the edge of the board nor joined to it by other tiles")


def _read_stack(state: RawPosition, text: str, whole: list[int], hands: list[list[int]]) -> None:
    """Read the tiles to come. `whole` are the kinds of the full stack, and `hands` the kinds in the players' hands.

    Raises NotationError unless the tiles on the board, in hands and in the stack together are those of the full stack.
    """
    if "x" in text:
        raise NotationError(f"{text[:40]!r} is what a view tells of the stack: expected its tiles in order")
    names = [] if text == DASH else text.split(",")
    if len(names) > tiles.STACK:
        raise NotationError(f"the stack has {len(names)} tiles: there are {tiles.STACK} in all")
    kinds = [read_kind(state, name, f"tile {number} of the stack") for number, name in enumerate(names, 1)]
    state.stacked = len(kinds)
    state.stack[:] = tiles.NONE
    state.stack[: len(kinds)] = kinds[::-1]
    laid = [face for face in state.faces.tolist() if face != tiles.NONE]
    if state.turned:
        laid = [tiles.turnable(tiles.tile_id(face)) for face in laid]
    missing = Counter(whole)
    missing.subtract((*laid, *chain(*hands), *kinds))
    for kind, number in missing.items():
        if number:
            there, expected = whole.count(kind) - number, whole.count(kind)
            raise NotationError(
                f"tile {kind_name(kind)} is on the board, in hands and in the stack {there} times: expected {expected}"
            )


def _read_mover(state: RawPosition, mover: str, kinds: list[list[int]]) -> None:
    """Put the tiles in the hands and begin the turn of the mover. `kinds` has the tiles of each player, the declined one
    first.

    Raises NotationError if a hand has too few or too many tiles, or if the game must be over and the text says otherwise, or
    the reverse.
    """
    over = mover == DASH
    player = max(read_mover(mover, over, {str(player + 1): player for player in range(state.players)}), 0)
    for other, hand in enumerate(kinds):
        most = 2 if other == player and state.players > 1 else 1
        if len(hand) > most:
            raise NotationError(f"player {other + 1} has {len(hand)} tiles: expected {most} at most")
        if not hand and state.stacked > 0:
            raise NotationError(f"player {other + 1} has no tile, though the stack has {state.stacked}")
        state.hands[other] = hand[0] if hand else tiles.NONE
    if not over and not kinds[player]:
        raise NotationError(f"player {player + 1} is to move, and has no tile")
    rules.begin_turn(state, player)
    if len(kinds[player]) == 2:
        rules.decline(state, kinds[player][1])
    check_end(mover, rules.is_terminal(state))
