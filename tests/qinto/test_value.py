"""The features of the learned value of Q!nto, against the rules' page."""

from collections import Counter
from itertools import combinations, product
from random import Random
from typing import Final

import numpy as np
import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.core.value import load_value
from ludoteca.games.qinto.legal import ADDING, CHOOSING, SWAPPING, TRADE, TRADING
from ludoteca.games.qinto.names import hand_of, tiles_of
from ludoteca.games.qinto.play import value
from ludoteca.games.qinto.rim import CELLS
from tests.qinto import oracle

GAMES: Final = [("light", 2), ("light", 4), ("plus", 3)]


def named(state: State, player: int) -> dict[str, int]:
    """Return the active features by the part of the value. Each part has exactly one."""
    out = np.zeros(value.ACTIVE, np.int64)
    found = out[: value.active_features(state.position.raw, player, out)].tolist()
    starts = {
        "standing": 0,
        "seat": value._SEAT,
        "turn": value._TURN,
        "wilds": value._HANDS,
        "set": value._HANDS + value._WILDS,
        "other's wilds": value._HANDS + value._WILDS + value._SETS,
        "other's set": value._HANDS + 2 * value._WILDS + value._SETS,
        "swaps": value._SWAP,
        "": value.FEATURES,
    }
    parts: dict[str, int] = {}
    for (name, start), end in zip(list(starts.items())[:-1], list(starts.values())[1:], strict=True):
        of_this = [feature - start for feature in found if start <= feature < end]
        assert len(of_this) <= 1
        parts |= dict.fromkeys([name] * len(of_this), sum(of_this))
    assert len(parts) == len(found)
    return parts


def expected(state: State, player: int) -> dict[str, int]:
    """Return the same features, computed slowly from the names of tiles."""
    players = state.game.num_players()
    left, points = [tiles_left(state, seat) for seat in range(players)], state.scores()
    others = [seat for seat in range(players) if seat != player]
    if state.game.parameters["variant"] == "light":
        standing = left[player] * 31 + min(left[seat] for seat in others)
    else:
        unlaid = 60 - len(tiles_of(state.position.raw))
        ahead = points[player] - max(points[seat] for seat in others)
        standing = (max(-40, min(40, ahead)) + 40) * 16 + min(15, unlaid // 4)
    parts = {
        "standing": standing,
        "seat": (player - state.current_player()) % players,
        "turn": turn(state) if player == state.current_player() else 0,
        "swaps": min(5, swaps(state, player)),
        "wilds": wilds(state, player, left[player]),
        "set": largest_set(state, player),
    }
    if players == 2:
        parts |= {"other's wilds": wilds(state, others[0], left[others[0]]), "other's set": largest_set(state, others[0])}
    return parts


def tiles_left(state: State, seat: int) -> int:
    raw = state.position.raw
    return int(raw.in_hand[seat]) + int(raw.piled[seat if state.game.parameters["variant"] == "light" else 0])


def turn(state: State) -> int:
    """Return the state of the turn, with the number of kinds that fit at the better end of its line."""
    raw = state.position.raw
    if raw.phase != ADDING:
        return {CHOOSING: 0, SWAPPING: 1, TRADING: 2}[int(raw.phase)]
    ends = Counter(action % CELLS for action in state.legal_actions() if action < TRADE)
    return 3 + (int(raw.again) * 5 + int(raw.laid) - 1) * 5 + min(4, max(ends.values(), default=0))


def swaps(state: State, player: int) -> int:
    grid, hand = tiles_of(state.position.raw), set(hand_of(state.position.raw, player))
    wild = [cell for cell in grid if "W" in grid[cell]]
    return sum(any(tile != grid[cell] and oracle.fits({**grid, cell: tile}, cell) for tile in hand) for cell in wild)


def wilds(state: State, player: int, left: int) -> int:
    count = sum("W" in tile for tile in hand_of(state.position.raw, player))
    return count * 4 + (left > 3) + (left > 6) + (left > 12)


def largest_set(state: State, player: int) -> int:
    hand = sorted(set(hand_of(state.position.raw, player)))
    sets = (some for n in range(2, len(hand) + 1) for some in combinations(hand, n) if oracle.is_line(some))
    return max(map(len, sets), default=min(1, len(hand)))


@pytest.mark.parametrize(("variant", "players"), GAMES)
def test_features_are_what_the_page_says(variant: str, players: int) -> None:
    game, rng, random = ludoteca.load("qinto", variant=variant, players=players), new_rng(1), Random(1)
    state = game.new_initial_state(1)
    while not state.is_terminal():
        if random.random() < 0.15:
            for player in range(players):
                found, wanted = named(state, player), expected(state, player)
                if state.position.raw.phase == SWAPPING:  # a wild that a swap of this turn brought cannot be swapped
                    assert found.pop("swaps") <= wanted.pop("swaps")
                assert found == wanted
        state.apply_action(state.random_action(rng))


def test_every_variant_has_its_weights() -> None:
    for variant, players in product(("light", "classic", "plus"), (2, 3, 4)):
        assert load_value(ludoteca.load("qinto", variant=variant, players=players)), f"{variant}, {players} players"
