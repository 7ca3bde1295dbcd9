"""Compile the rules, searches and programs of a game before a user needs them."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from ludoteca.agents.agent import new_searcher
from ludoteca.core import hints, playouts
from ludoteca.core.game import Game
from ludoteca.core.native import Modules, compile_all, is_kept
from ludoteca.core.spec import GameSpec, Integer


class Preparation(NamedTuple):
    """A part to compile, or to read from the cache if it has been compiled before."""

    what: str
    compile: Callable[[], object]


def preparations(spec: GameSpec) -> Iterator[Preparation]:
    """Yield the parts for play, hints, analysis and the documents' programs.

    If the programs of a game use other bindings, the game has a module `warm` with a function `compile_all`.
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
    """Return a compiled game for each way in which a game is searched. The way can depend on the number of players.

    The keys name these numbers of players. If there is only one way, the key is an empty text.
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
    """Compile the search of a game with its parameters. `watch` receives the share of compiled functions.

    Return False if the code could not be stored for other processes. Raises ContractError if nothing can be compiled.
    """
    bindings = new_searcher(Game(game.spec, game.parameters)).bindings()
    compile_all(bindings, watch)
    return all(map(is_kept, bindings))
