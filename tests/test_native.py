"""Bindings: what is compiled, under which names, and that nobody runs another's machine code. Each in fresh processes."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import duel.first
import duel.rules
import mutants
from ludoteca.core import native, playouts, registry, steps
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game

TOYS = Path(__file__).parent / "toys"
PLAY = """
import sys
from importlib import import_module
from ludoteca.core import playouts
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng

name, policy, mode = sys.argv[1:4]
package = import_module(name)
game = Game(package.GAME, compiled=mode == "compiled")
states, rng = game.new_records(), new_rng(7)
chooser = import_module(f"{name}.{policy}") if policy != "-" else None
play_games = game.bind(playouts, chooser).play_games
points = []
for _ in range(30):
    play_games(game.prepared, states, rng, 1)
    points.append("".join(str(point) for point in states[0].points))
print(" ".join(points))
"""


def played(cache: Path, path: Path, name: str, policy: str = "-", mode: str = "compiled") -> str:
    """The points of 30 playouts of a toy game, played by a fresh process."""
    environment = os.environ | {"LUDOTECA_CACHE": str(cache), "PYTHONPATH": os.pathsep.join([str(path), str(TOYS)])}
    command = [sys.executable, "-W", "error", "-c", PLAY, name, policy, mode]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300).stdout


@pytest.mark.slow
def test_two_games_with_equal_records_and_bytecode_run_their_own_code(tmp_path: Path) -> None:
    mutants.write(tmp_path, "duel_low", old="BEST = 1\n", new="BEST = -1\n")
    cache = tmp_path / "cache"
    high = [played(cache, tmp_path, "duel") for _ in range(2)]
    low = [played(cache, tmp_path, "duel_low") for _ in range(2)]
    assert high == [played(cache, tmp_path, "duel", mode="interpreted")] * 2
    assert low == [played(cache, tmp_path, "duel_low", mode="interpreted")] * 2
    assert low != high


@pytest.mark.slow
def test_two_policies_of_one_game_run_their_own_code(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for policy in ("first", "last", "first", "last"):
        assert played(cache, tmp_path, "duel", policy) == played(cache, tmp_path, "duel", policy, "interpreted")
    assert len({played(cache, tmp_path, "duel", policy) for policy in ("first", "last", "-")}) == 3


@pytest.mark.slow
def test_a_changed_constant_is_compiled_anew(tmp_path: Path) -> None:
    package, cache = mutants.write(tmp_path, "duel_live"), tmp_path / "cache"
    before = played(cache, tmp_path, "duel_live")
    rules = package / "rules.py"
    changed = rules.read_text(encoding="utf-8").replace("BEST = 1\n", "BEST = -1\n")
    rules.write_text(changed, encoding="utf-8")
    after = played(cache, tmp_path, "duel_live")
    assert after == played(cache, tmp_path, "duel_live", mode="interpreted") != before


@pytest.mark.slow
def test_processes_that_start_cold_together_all_play_right(tmp_path: Path) -> None:
    right = played(tmp_path / "cache", tmp_path, "duel", mode="interpreted")
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: played(tmp_path / "cache", tmp_path, "duel"), range(4)))
    assert results == [right] * 4
    assert len(list((tmp_path / "cache").glob("duel.rules+*/"))) == 1


def test_every_compiled_copy_is_named_after_its_binding() -> None:
    name = native.binding_name(duel.rules, playouts, duel.first)
    assert name == "duel.rules+ludoteca.core.playouts+duel.first"
    binding = native.bind(duel.rules, playouts, duel.first, compiled=False)
    assert binding.play_games.__qualname__.startswith(f"{name}.")
    inner = binding.play_games.__globals__["playout_action"]
    assert inner.__qualname__.startswith(f"{name}.")
    assert inner is not duel.first.playout_action


def test_a_generic_module_that_defines_a_name_of_the_contract_is_refused() -> None:
    with pytest.raises(ContractError, match=r"duel\.rules defines .*apply.*: in a generic module that is the rules' name"):
        native.bind(duel.rules, duel.rules, compiled=False)


def test_a_policy_without_its_function_is_refused() -> None:
    with pytest.raises(
        ContractError, match=r"ludoteca\.core\.steps is bound as a policy and has no function playout_action"
    ):
        native.bind(duel.rules, playouts, steps, compiled=False)


def test_a_binding_says_what_it_is_and_what_it_has() -> None:
    binding = native.bind(duel.rules, playouts, compiled=False)
    assert repr(binding) == "<Binding duel.rules+ludoteca.core.playouts interpreted>"
    with pytest.raises(AttributeError, match="has no function search; it has play_games"):
        _ = binding.search


def test_a_compiled_function_takes_other_integers_without_compiling_again() -> None:
    game = Game(registry.find("okupacio"), {"board": "4x4"}, compiled=True)
    state = game.new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    import numpy as np

    handed_over_by_learners: Any = np.int16(state.legal_actions()[0])
    state.apply_action(handed_over_by_learners)
    dispatcher: Any = game.steps.try_to_play
    assert len(dispatcher.signatures) == 1


def test_numbas_settings_are_left_as_they_were() -> None:
    from numba.core import config

    settings = vars(config)
    before = settings["CACHE_DIR"]
    Game(registry.find("okupacio"), compiled=True).new_initial_state(1)
    assert settings["CACHE_DIR"] == before
