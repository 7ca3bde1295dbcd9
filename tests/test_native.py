"""Bindings: the compiled functions, their names, and separate machine code. Each test uses new processes."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import duel.rules
import mutants
import policies.first
from ludoteca.core import codecache, native, playouts, registry, steps
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from tests import forks, playing


def played(cache: Path, path: Path, *bindings: str) -> str:
    """Return a line for each binding, a toy game or `game:policy`: the points of 30 playouts in a separate process."""
    result = forks.completed(playing.play, str(path), *bindings, LUDOTECA_CACHE=str(cache))
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow
def test_games_with_equal_records_and_policies_of_one_game_run_their_own_code(tmp_path: Path) -> None:
    mutants.write(tmp_path, "duel_low", old="BEST: Final = 1\n", new="BEST: Final = -1\n")
    bindings = ["duel", "duel_low", "duel:first", "duel:last"]
    right = played(tmp_path / "cache", tmp_path, *bindings)
    assert len(set(right.splitlines())) == len(bindings)
    backwards = played(tmp_path / "cache", tmp_path, *reversed(bindings))  # from the cache, in another order
    assert backwards.splitlines() == right.splitlines()[::-1]


def test_functions_that_were_compiled_elsewhere_take_the_place_of_all_others() -> None:
    result = forks.completed(playing.use_a_library)
    assert result.stdout == "7 True\nduel.rules+ludoteca.core.playouts is in no library that was loaded\n"


@pytest.mark.slow
def test_functions_of_others_may_work_with_scipy() -> None:
    pytest.importorskip("scipy", reason="SciPy is missing: pip install scipy")
    result = forks.completed(playing.work_with_scipy)
    assert (result.stdout, result.stderr) == ("3.0\n", "")


@pytest.mark.slow
def test_what_rules_reach_anywhere_is_compiled_anew_when_it_changes_and_comments_are_not(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    package = mutants.write(tmp_path, "duel_live", old="BEST * card > BEST * led", new="beats(card, led)")
    rules, inner, outer = package / "rules.py", package / "sub" / "order.py", tmp_path / "helperlib.py"
    inner.parent.mkdir()
    inner.write_text('BEST = 1\n\ndef times(card):\n    """Says."""\n    return BEST * card\n')
    outer.write_text("from duel_live.sub.order import times\n\ndef beats(card, led):\n    return times(card) > times(led)\n")
    rules.write_text(f"from helperlib import beats\n{rules.read_text(encoding='utf-8')}", encoding="utf-8")
    played(cache, tmp_path, "duel_live")
    for file in (rules, inner, outer):
        text = file.read_text(encoding="utf-8").replace("\n    return", "\n    # why\n    return")
        text = text.replace('    """', '    """ And ')
        file.write_text(f"# a comment\n\n{text}", encoding="utf-8")
    played(cache, tmp_path, "duel_live")
    assert len(list(cache.glob("*.code"))) == 1
    seen = set()
    for file, old, new in ((inner, "BEST = 1", "BEST = -1"), (outer, ") > ", ") <= ")):
        file.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
        seen.add(played(cache, tmp_path, "duel_live"))
    assert len(seen) == 2
    assert len(list(cache.glob("*.code"))) == 3


@pytest.mark.soak
def test_compiling_may_be_interrupted_at_any_moment_and_begun_again(tmp_path: Path) -> None:
    result = forks.completed(playing.bind_and_interrupt, LUDOTECA_CACHE=str(tmp_path / "cache"))
    assert (result.returncode, result.stderr) == (0, "")
    assert int(result.stdout) >= 5
    assert played(tmp_path / "cache", tmp_path, "duel")


@pytest.mark.slow
def test_code_that_cannot_be_read_or_kept_costs_one_line_and_no_result(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    right = played(cache, tmp_path, "duel")
    (code,) = cache.glob("*.code")
    code.write_bytes(b"")
    damaged = forks.completed(playing.play_and_warn, "duel", LUDOTECA_CACHE=str(cache))
    assert (damaged.returncode, damaged.stdout) == (0, right)
    assert damaged.stderr.count("NativeCacheWarning: the compiled code in") == 1
    assert played(cache, tmp_path, "duel") == right
    lost = forks.completed(playing.play_and_warn, "duel", LUDOTECA_CACHE=str(code))
    assert (lost.returncode, lost.stdout) == (0, right)
    assert lost.stderr.count("UnkeptCodeWarning: compiled code cannot be kept in") == 1


def test_every_compiled_copy_is_named_after_its_binding() -> None:
    name = native.Modules(duel.rules, playouts, policies.first).name
    assert name == "duel.rules+ludoteca.core.playouts+policies.first"
    binding = native.bind(native.Modules(duel.rules, playouts, policies.first), compiled=False)
    assert binding.play_games.__qualname__.startswith(f"{name}.")
    inner = binding.play_games.__globals__["playout_action"]
    assert inner.__qualname__.startswith(f"{name}.")
    assert inner is not policies.first.playout_action


@pytest.mark.slow
def test_bindings_of_a_game_share_what_reads_no_name_of_the_contract() -> None:
    game = Game(duel.GAME, compiled=True)
    play = [game.bind(playouts, policy).play_games for policy in (None, policies.first)]
    read = [vars(function)["__wrapped__"].__globals__ for function in play]
    assert len({id(names["apply"]) for names in read}) == 1
    assert len({id(names["playout_action"]) for names in read}) == 2
    assert vars(game.steps.apply_in)["__wrapped__"].__globals__["apply"] is read[0]["apply"]


def test_a_generic_module_that_defines_a_name_of_the_contract_is_refused() -> None:
    with pytest.raises(ContractError, match=r"duel\.rules defines .*apply.*: in a generic module that is the rules' name"):
        native.bind(native.Modules(duel.rules, duel.rules), compiled=False)


def test_a_policy_without_its_function_is_refused() -> None:
    with pytest.raises(ContractError, match=r"ludoteca\.core\.steps is bound as policy and has no function playout_action"):
        native.bind(native.Modules(duel.rules, playouts, steps), compiled=False)


def test_a_compiled_function_takes_other_integers_without_compiling_again() -> None:
    game = Game(registry.find("okupacio"), {"board": "4x4"}, compiled=True)
    state = game.new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    import numpy as np

    handed_over_by_learners: Any = np.int16(state.legal_actions()[0])
    state.apply_action(handed_over_by_learners)
    dispatcher: Any = game.steps.apply_in
    assert len(dispatcher.signatures) == 1


@pytest.mark.slow
def test_threads_that_bind_at_once_share_one_binding_and_leave_numbas_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba.core import config

    monkeypatch.setenv(codecache.ENVIRONMENT, str(tmp_path))
    before = dict(vars(config))
    games = [
        Game(spec, compiled=True) for spec in (mutants.load(tmp_path, "rules.py", "", "") for _ in range(2)) for _ in "12"
    ]
    with ThreadPoolExecutor(len(games)) as pool:
        bindings = list(pool.map(lambda game: game.bind(playouts), games))
    assert bindings[0] is bindings[1]
    assert bindings[2] is bindings[3]
    assert bindings[0] is not bindings[2]
    assert dict(vars(config)) == before
    assert len(list(tmp_path.glob("*.code"))) == 2
