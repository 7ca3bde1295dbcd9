"""Compiles the rules, searches and text programs of a game in advance, so that a user does not wait for it during a game."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from ludoteca.agents.agent import new_searcher
from ludoteca.core import hints, playouts
from ludoteca.core.game import Game
from ludoteca.core.native import Modules, compile_all, is_kept
from ludoteca.core.spec import GameSpec, Integer


class Preparation(NamedTuple):
    """A part of a game to compile. `what` is its name for the user. Calling `compile()` compiles it, or reads it from the
    cache of compiled code.
    """

    what: str
    compile: Callable[[], object]


def preparations(spec: GameSpec) -> Iterator[Preparation]:
    """Yield the parts of a game to compile, for play, hints, analysis and the document's text programs.

    If the text programs of a game use other compiled code, the game has a module `warm` with a function `compile_all`, which
    compiles it.
    """
    game = Game(spec, compiled=True)
    yield Preparation("rules", lambda: game.steps)
    yield Preparation("random games", lambda: game.bind(playouts))
    if spec.has("heuristics"):
        yield Preparation("heuristics", lambda: game.bind(hints, spec.module("heuristics")))
    for whose, searched in searched_games(spec).items():
        yield Preparation(f"search{whose}", partial(new_searcher, searched))
    if spec.has("warm"):
        yield Preparation("the document's programs", lambda: spec.module("warm").compile_all())


def searched_games(spec: GameSpec) -> dict[str, Game]:
    """Return a compiled game for each different search that the game needs. The search can depend on the number of players.

    The keys name the numbers of players, such as " for 3 to 5 players". If there is only one search for all numbers, the
    only key is an empty text.
    """
    kinds = [kind for kind in spec.parameters if kind.name == "players" and isinstance(kind, Integer)]
    counts = [number for kind in kinds for number in range(kind.low, kind.high + 1, kind.step)]
    ways: dict[tuple[Modules, ...], list[int]] = {}
    for number in counts:
        game = Game(spec, {"players": number})
        bindings = new_searcher(game).bindings()
        ways.setdefault(tuple(binding.modules for binding in bindings), []).append(number)
    if len(ways) <= 1:
        return {"": Game(spec, compiled=True)}
    games = {}
    for first, *others in ways.values():
        words = f"{first} to {others[-1]} players" if others else "1 player" if first == 1 else f"{first} players"
        games[f" for {words}"] = Game(spec, {"players": first}, compiled=True)
    return games


def compile_search(game: Game, watch: Callable[[float], None]) -> bool:
    """Compile the search of a game with its parameters. `watch` is called again and again with the share of compiled
    functions, from 0 to 1.

    Return True if the code was stored for other processes, and False if it could not be stored. Raises ContractError if the
    game's functions cannot be compiled.
    """
    bindings = new_searcher(Game(game.spec, game.parameters)).bindings()
    compile_all(bindings, watch)
    return all(map(is_kept, bindings))
