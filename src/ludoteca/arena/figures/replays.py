"""Packs a finished game into a small text for a web page: every position as every seat saw it, and the moves in words.

Consecutive scenes hardly differ. So each different item is written once, and a scene consists of the numbers of its items.
Compression removes the repetition in these numbers.
"""

import base64
import zlib
from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec

from ludoteca.arena.figures.ratings import game_of
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import Game
from ludoteca.core.record import Record
from ludoteca.core.scene import Item, Scene, Scenes, flat

_PLACES: Final = 4
"""Decimal places of coordinates, in a game's own unit."""
_DEFAULTS: Final = [field.default for field in msgspec.structs.fields(Item)]


def eyes_of(game: Game) -> list[int]:
    """Return the viewers from whose seats a game can be shown: the spectator (-1), and also all players if the game has
    hidden information. The list is empty for a game that cannot be drawn.
    """
    if not game.spec.has("scene"):
        return []
    return [SPECTATOR] if game.spec.perfect_information else [SPECTATOR, *range(game.num_players())]


def packed(record: Record, errors: Sequence[str] = ()) -> str:
    """Return a finished game as a text for `page/report.js`: a JSON object, compressed with zlib, in base 64.

    - `moves` has for each action the player, the notation, and the move in words as its player saw it.
    - `items` has each different item of the drawings, and `settings` each different width, height, standings and task.
    - `scenes` has for each position and each viewer (`eyes_of`) the index in `settings`, followed by the indices in `items`.
    - `positions` has the positions in notation, for a game that cannot be drawn.
    - `errors` has the text that the program of each seat wrote to stderr, as given.

    Raises LudotecaError if the rules refuse an action of the record.
    """
    content = zlib.compress(msgspec.json.encode({**_replay(record), "errors": errors}), 9)
    return base64.b64encode(content).decode()


def _replay(record: Record) -> dict[str, Any]:
    game = game_of(record)
    eyes, state = eyes_of(game), game.state_at(record.start)
    items: dict[Item, int] = {}
    settings: dict[tuple[Any, ...], int] = {}

    def numbered(drawn: Scene) -> list[int]:
        scene = flat(drawn)
        setting = (_short(scene.width), _short(scene.height), scene.standings, scene.task)
        return [settings.setdefault(setting, len(settings)), *(items.setdefault(item, len(items)) for item in scene.items)]

    moves, scenes, positions = list[tuple[int, str, Any]](), list[list[list[int]]](), list[str]()
    before = state
    for text in (*record.actions, None):
        scenes.append([numbered(state.scene(player, before)) for player in eyes])
        positions += [] if eyes else [str(state)]
        if text is not None:
            action = state.string_to_action(text)
            player = state.current_player()
            words = cast(Scenes, game.spec.module("scene")).describe(state.view(player).raw, player, action) if eyes else ""
            moves.append((player, text, words))  # as the player saw the move
            before, state = state, state.child(action)
    return {
        "moves": moves,
        "items": [_trimmed(item) for item in items],
        "settings": list(settings),
        "scenes": scenes,
        "positions": positions,
    }


def _trimmed(item: Item) -> list[Any]:
    """Return the item's fields in their order. Fields at the end that have their default values are left out."""
    fields = [_short(value) if isinstance(value, float) else value for value in msgspec.structs.astuple(item)]
    while fields[-1] == _DEFAULTS[len(fields) - 1]:
        fields.pop()
    return fields


def _short(value: float) -> float:
    """Return the number rounded to _PLACES decimal places, as an integer if it is whole."""
    near = round(value, _PLACES)
    return int(near) if near == int(near) else near
