"""Learned values: what sums of weights mean, playouts cut short by them, the files of weights, and games without any."""

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import ludoteca
import mutants
from duel import GAME as DUEL
from duel import value as duel_value
from duel.rules import HAND
from kuhn import GAME as KUHN
from kuhn import value as kuhn_value
from ludoteca.agents.agent import new_agent
from ludoteca.core import registry
from ludoteca.core.contract import Floats, Integers
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.core.value import LearnedValue, load_value, read_value, weights_file, write_value
from ludoteca.search import leaf, valuing
from ludoteca.search.leaf import Evaluator
from ludoteca.search.searcher import Budget, Searcher, Settings
from ludoteca.testing import BrokenLawError, Effort
from ludoteca.testing.valuing import values_are_sound
from tests.search import hopeful, unfair

SHARED = Game(DUEL)
CARD = {"command": "by hand", "date": "2026-11-22", "games": 1, "strength": "none"}
START = "6 0 3,12 0,0 2,2 0,0 0 -1 0,0 0 0"
"""0 and 1 against 2 and 3 of six cards, the first player to move."""
LEVEL = duel_value.AHEAD + HAND


def learned(game: Game, module: ModuleType, weights: Floats) -> Evaluator:
    return Evaluator(weights, np.zeros(module.ACTIVE, np.int64), np.zeros(game.num_players(), np.int64))


def ones(module: ModuleType, **weights: float) -> Floats:
    """Weights of zero, except for these: `_3=0.5` is the weight of feature 3."""
    out: Floats = np.zeros(module.FEATURES, np.float32)
    for name, weight in weights.items():
        out[int(name.removeprefix("_"))] = weight
    return out


def expected(state: State, module: ModuleType, weights: Floats) -> list[int]:
    out: Integers = np.zeros(state.game.num_players(), np.int64)
    kernel = state.game.bind(valuing, value=module)
    kernel.expect(state.position.array, learned(state.game, module, weights), out)
    found: list[int] = out.tolist()
    return found


# what sums mean


def test_between_two_a_sum_is_the_logarithm_of_the_odds_of_the_mover() -> None:
    state = SHARED.state_from_string(START)
    assert expected(state, duel_value, ones(duel_value)) == [1260, 1260]
    three_to_one = expected(state, duel_value, ones(duel_value, **{f"_{LEVEL}": np.log(3)}))
    assert three_to_one == pytest.approx([1890, 630], abs=1)
    state.apply_action(0)
    assert expected(state, duel_value, ones(duel_value, _16=np.log(4))) == pytest.approx([504, 2016], abs=2)
    assert expected(state, duel_value, ones(duel_value, _2=40.0)) == [0, 2520]


def test_for_points_a_sum_is_what_is_still_to_come() -> None:
    state = Game(KUHN).state_from_string("31 11 0 0")
    assert expected(state, kuhn_value, ones(kuhn_value, _2=1.0, _0=-0.5, _3=0.25)) == [1.25 * 2520, -0.5 * 2520]


def test_between_more_chances_are_in_proportion_and_who_cannot_win_has_none() -> None:
    state = ludoteca.load("okupacio", players=3, board="4x4").new_initial_state(1)
    assert expected(state, unfair, ones(unfair)) == [1260, 1260, 0]
    assert expected(state, unfair, ones(unfair, _0=np.log(3), _2=9.0)) == pytest.approx([1890, 630, 0], abs=1)


# playouts cut short


@pytest.mark.parametrize(("cut", "moves"), [(0, 0), (3, 3), (4, 4), (leaf.TO_THE_END, 4)])
def test_a_playout_is_cut_after_so_many_actions(cut: int, moves: int) -> None:
    state = SHARED.state_from_string(START)
    out: Integers = np.zeros(2, np.int64)
    always = learned(SHARED, duel_value, np.full(duel_value.FEATURES, 9, np.float32))  # the mover is almost sure to win
    kernel = SHARED.bind(leaf, value=duel_value)
    assert kernel.play_out(state.position.raw, new_rng(1), cut, always, out) == moves
    if moves == 4:
        assert state.is_terminal()
        assert out.tolist() == [round(2520 * value) for value in state.returns()]
    else:
        assert out[state.current_player()] == 2520


def test_a_search_believes_the_value_when_it_cuts_and_only_then() -> None:
    state = SHARED.state_from_string(START).information_state(0)
    value = LearnedValue(duel_value, ones(duel_value), {})
    cut, whole = (Searcher(SHARED, None, Settings(cut=cut), value=value).search(state, Budget(3)) for cut in (0, None))
    plain = Searcher(SHARED, None, Settings()).search(state, Budget(3))
    assert cut.values == (0.5, 0.5)
    assert whole.choices == plain.choices
    assert whole.values == plain.values != cut.values


# files of weights


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A copy of Duel that has weights."""
    game = Game(mutants.load(tmp_path))
    path = weights_file(game)
    assert path
    write_value(path, (np.arange(duel_value.FEATURES) / 8).astype(np.float32), CARD)
    return game


def file_of(game: Game) -> Path:
    path = weights_file(game)
    assert path
    return path


def test_weights_are_read_with_their_card(game: Game) -> None:
    value = load_value(game)
    assert value
    assert value.weights.dtype == np.float32
    assert value.weights.tolist() == [i / 8 for i in range(duel_value.FEATURES)]
    assert value.card == CARD
    values_are_sound(game.spec, Effort(games=3))


def test_a_damaged_file_is_told_by_its_name_or_does_no_harm(game: Game) -> None:
    """Each byte is changed once, and the file is cut at each place. The reader returns the written data or nothing."""
    path = file_of(game)
    content, value = path.read_bytes(), load_value(game)
    assert value
    damaged = [content[:i] + bytes([content[i] ^ 0xFF]) + content[i + 1 :] for i in range(len(content))]
    harmless = 0
    for bad in (*damaged, *(content[:i] for i in range(0, len(content), 20))):
        path.write_bytes(bad)
        with suppress(ContractError):
            read = load_value(game)
            assert read
            assert (read.weights.tolist(), read.card) == (value.weights.tolist(), value.card)
            harmless += 1
    assert harmless < len(damaged) // 2
    path.write_bytes(damaged[0])
    with pytest.raises(ContractError, match=re.escape(f"{path} is no file of weights")):
        load_value(game)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"weights": np.zeros(7, np.float16), "card": np.array("{}")}, "holds weights (7,), expected (30,)"),
        ({"weights": np.zeros(30, np.float16)}, "is no file of weights: KeyError"),
        ({"weights": np.zeros(30, np.float16), "card": np.array("made by")}, "is no file of weights: JSONDecodeError"),
    ],
)
def test_what_does_not_fit_is_told_by_name_to_who_plays(game: Game, content: dict[str, Any], says: str) -> None:
    np.savez(file_of(game), **content)
    with pytest.raises(ContractError, match=re.escape(f"{file_of(game)} {says}")):
        new_agent("7", game)
    with pytest.raises(BrokenLawError, match=re.escape(says)):
        values_are_sound(game.spec, Effort(games=1))


@pytest.mark.parametrize(
    ("weights", "card", "says"),
    [
        (np.full(30, np.nan), CARD, "not finite"),
        (np.zeros(30), {**CARD, "command": ""}, "lacks command"),
    ],
)
def test_the_law_looks_at_weights_and_cards(game: Game, weights: Floats, card: dict[str, Any], says: str) -> None:
    write_value(file_of(game), weights.astype(np.float32), card)
    with pytest.raises(BrokenLawError, match=re.escape(says)):
        values_are_sound(game.spec, Effort(games=1))


def test_too_many_weights_are_not_written(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).random(1 << 20, np.float32)
    with pytest.raises(ContractError, match="are the most"):
        write_value(tmp_path / "large.npz", noise, CARD)
    assert not list(tmp_path.iterdir())


def test_features_share_weights(tmp_path: Path) -> None:
    module = ModuleType("shared")
    vars(module).update(FEATURES=4, ACTIVE=1, sharing=lambda: np.array([1, 0, 1, 0]))
    write_value(tmp_path / "two.npz", np.array([0.5, 2], np.float32), CARD)
    assert read_value(module, tmp_path / "two.npz").weights.tolist() == [2, 0.5, 2, 0.5]


# the player who cannot win


class WithValue(GameSpec):
    """A game with its own value, which its title names."""

    def has(self, name: str) -> bool:
        return name == "value" or super().has(name)

    def module(self, name: str) -> ModuleType:
        return {"unfair": unfair, "hopeful": hopeful}[self.title] if name == "value" else super().module(name)


@pytest.mark.parametrize(
    ("value", "says"), [("unfair", "[2] won, but had no active features"), ("hopeful", "gave up, but have")]
)
def test_the_law_knows_who_cannot_win(value: str, says: str) -> None:
    spec = WithValue(**vars(replace(registry.find("okupacio"), title=value)))
    with pytest.raises(BrokenLawError, match=re.escape(says)):
        values_are_sound(spec, Effort(games=80))
