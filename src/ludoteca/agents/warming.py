"""Everything that is compiled for a game, to be compiled before anybody waits for it."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from ludoteca.agents.agent import new_searcher
from ludoteca.agents.analysis import judging_searcher
from ludoteca.core import hints, playouts
from ludoteca.core.game import Game
from ludoteca.core.native import compile_all, is_kept
from ludoteca.core.spec import GameSpec

USUAL: Final = "usually under a minute, once for every version of the rules"
"""How long compiling takes."""


class Preparation(NamedTuple):
    """One thing to compile, or to read from the cache when it has been compiled before."""

    what: str
    compile: Callable[[], object]


def preparations(spec: GameSpec) -> Iterator[Preparation]:
    """All that play, hints, analysis and the documents' programs use.

    A game whose programs use bindings of their own has a module `warm` with a function `compile_all`.
    """
    game = Game(spec, compiled=True)
    yield Preparation("rules", lambda: game.steps)
    yield Preparation("random games", lambda: game.bind(playouts))
    if spec.has("heuristics"):
        yield Preparation("heuristics", lambda: game.bind(hints, spec.module("heuristics")))
    yield Preparation("search", lambda: new_searcher(game))
    yield Preparation("analysis", lambda: judging_searcher(game))
    if spec.has("warm"):
        yield Preparation("the document's programs", lambda: spec.module("warm").compile_all())


def compile_search(game: Game, watch: Callable[[float], None]) -> bool:
    """Compile what agents search with, for a game with its parameters; `watch` is told the share of functions that is done.

    False when it could not be kept for other processes. Raises ContractError where nothing can be compiled.
    """
    bindings = new_searcher(Game(game.spec, game.parameters)).bindings()
    compile_all(bindings, watch)
    return all(map(is_kept, bindings))
