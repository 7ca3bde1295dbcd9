"""What `ludoteca warm` compiles is enough for agents and analyses, with all parameters of a game."""

from contextlib import suppress
from random import Random

import pytest

from ludoteca.agents.agent import new_searcher
from ludoteca.agents.warming import searched_games
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game
from ludoteca.core.native import Modules
from ludoteca.core.spec import GameSpec

TRIED = 15


def bound(game: Game) -> set[Modules]:
    bindings = new_searcher(game).bindings()
    return {binding.modules for binding in bindings}


@pytest.mark.parametrize("spec", registry.registered_games(), ids=lambda spec: spec.name)
def test_every_search_is_prepared(spec: GameSpec) -> None:
    prepared = set().union(*(bound(Game(spec, game.parameters)) for game in searched_games(spec).values()))
    random, tried = Random(0), 0
    while tried < TRIED:
        with suppress(ParameterError):  # a combination that there cannot be
            game = Game(spec, {kind.name: kind.sample(random) for kind in spec.parameters})
            tried += 1
            assert bound(game) <= prepared, game


def test_ways_to_search_are_told_apart_by_players() -> None:
    assert [*searched_games(registry.find("okupacio"))] == [" for 2 players", " for 3 to 10 players"]
    assert [*searched_games(registry.find("metro"))] == [" for 1 player", " for 2 to 6 players"]
    assert [*searched_games(registry.find("cartas"))] == [""]
    assert [*searched_games(registry.find("qinto"))] == [""], "all numbers of players are searched in one way"
