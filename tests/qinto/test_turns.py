"""Whole turns: what single steps lead to is what the rules' page allows, turn by turn, and nothing else.

On the one side all ways to go on, step after step; on the other all turns that the page describes, found by trying every
set of cells of a line with every choice of tiles, every sequence of swaps, every order of trades.
"""

from collections import Counter
from random import Random

import pytest

from ludoteca.core.game import State
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.hidden import give
from ludoteca.games.qinto.names import hand_of, pile_names, read_kind, tiles_of
from tests.qinto.oracle import DECK, HAND, Cell, Grid, all_additions, all_swaps, all_trades, fits, neighbours, swapped
from tests.qinto.positions import at, grid_of

Outcome = tuple[frozenset[tuple[Cell, str]], tuple[str, ...], tuple[str, ...]]
"""The grid, the hand and the tiles put under the pile when a turn may end, before the hand is filled up."""


def outcome(grid: Grid, hand: Counter[str], under: tuple[str, ...] = ()) -> Outcome:
    return frozenset(grid.items()), tuple(sorted(hand.elements())), under


def by_steps(state: State) -> set[Outcome]:
    """Whatever single steps make of the turn of player 1 that begins here."""
    before = len(pile_names(state.raw, 0))
    found, waiting, seen = set[Outcome](), [state], set[bytes]()
    while waiting:
        now = waiting.pop()
        if now.content() not in seen:
            seen.add(now.content())
            hand, under = Counter(hand_of(now.raw, 0)), tuple(pile_names(now.raw, 0)[before:])
            found.add(outcome(tiles_of(now.raw), hand, under))
            waiting += [now.child(action) for action in now.legal_actions() if action != rules.END]
    return found


def by_the_page(grid: Grid, hand: Counter[str]) -> set[Outcome]:
    """Whatever turns the page describes."""
    found = {outcome(grid, hand)}
    for placing in all_additions(grid, hand):
        found.add(outcome(grid | dict(placing), hand - Counter(tile for _, tile in placing)))
    for placing in all_swaps(grid, hand):
        after = swapped(grid, hand, placing)
        assert after
        found.add(outcome(*after))
    return found | {outcome(grid, hand - Counter(tiles), tiles) for tiles in all_trades(hand)}


def turn_of(grid: Grid, hand: list[str], variant: str = "light") -> State:
    """A turn with a hand of any size. Surplus tiles of the five are taken out of the game."""
    others = list((Counter(DECK) - Counter(grid.values()) - Counter(hand)).elements())[: HAND - len(hand)]
    state = at(grid, hand + others, variant)
    for tile in others:
        give(state.raw, 0, read_kind(tile))
        state.raw.in_hand[0] -= 1
    return state


def random_grid(random: Random, size: int, wilds: int) -> tuple[Grid, list[str]]:
    """A valid grid from the cell (0, 0) on, and the other tiles in random order: the `wilds` first ones come first."""
    deck = random.sample(DECK, len(DECK))
    deck.sort(key=lambda tile: "W" not in tile)
    deck = random.sample(deck[:wilds] + random.sample(deck[wilds:], 2 * size), wilds + 2 * size)
    grid: Grid = {(0, 0): deck.pop()}
    while len(grid) < size:
        cell = random.choice([cell for tile in grid for cell in neighbours(tile) if cell not in grid])
        tile = random.choice(deck)
        if fits(grid | {cell: tile}, cell):
            grid[cell] = tile
            deck.remove(tile)
    return grid, random.sample(deck, len(deck))


CASES = [
    pytest.param("1b 1G . 1R 1B\n. 2G . 2R\n. 3G 3b 3R", "1Y 2B WW", id="gaps to fill, connected through old tiles"),
    pytest.param("1b 2b . 3b 4b 5b\n. 2G 2R 2Y", "1b WW WG", id="six in a row are too many"),
    pytest.param("1b 1G 1R 1B 1Y", "1b 2G WW", id="a line of five is full"),
    pytest.param("1b 1b", "2b 2b WW", id="equal tiles side by side"),
    pytest.param("1W WG\nWR 3W", "WW 1G", id="wilds all around"),
    pytest.param("WW WW", "1W 2b WG", id="swaps for both Q!nto tiles"),
    pytest.param("1b WW 2R\n. 1W\n. WG", "2b 5W WB", id="a wild that stands for two things"),
    pytest.param("1b 2R\n. WG\n. 1W 3W", "5W WR", id="swaps along a chain of wilds"),
]


@pytest.mark.parametrize(("picture", "hand"), CASES)
def test_every_turn_can_be_played_in_steps_and_no_other(picture: str, hand: str) -> None:
    tiles = hand.split()
    grid = grid_of(picture)
    assert by_steps(turn_of(grid, tiles)) == by_the_page(grid, Counter(tiles))


@pytest.mark.parametrize("hand", ["5b 5R 2b", "WW 1W 2b"])
def test_the_first_turn(hand: str) -> None:
    """On the empty grid, in any place."""
    tiles = hand.split()
    assert {moved(turn) for turn in by_steps(turn_of({}, tiles))} == {
        moved(turn) for turn in by_the_page({}, Counter(tiles))
    }


def moved(turn: Outcome) -> Outcome:
    """With the grid's upper left corner in the cell (0, 0)."""
    grid = dict(turn[0])
    top, left = (min((cell[i] for cell in grid), default=0) for i in (0, 1))
    return frozenset(((row - top, column - left), tile) for (row, column), tile in grid.items()), *turn[1:]


@pytest.mark.parametrize("seed", range(8))
def test_random_turns(seed: int) -> None:
    random = Random(seed)
    grid, rest = random_grid(random, size=2 + seed % 9, wilds=seed % 6)
    hand = rest[: 1 + seed % 3]
    assert by_steps(turn_of(grid, hand)) == by_the_page(grid, Counter(hand))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_random_turns_of_a_full_hand(seed: int) -> None:
    grid, rest = random_grid(Random(seed), size=1 + 2 * seed, wilds=seed // 2)
    assert by_steps(turn_of(grid, rest[:HAND])) == by_the_page(grid, Counter(rest[:HAND]))


def test_in_classic_and_plus_turns_are_the_same() -> None:
    grid, hand = grid_of("1b WW 2R\n. 1W\n. WG"), ["2b", "5W", "WB"]
    turns = by_steps(turn_of(grid, hand))
    assert by_steps(turn_of(grid, hand, "classic")) == turns
    assert by_steps(turn_of(grid, hand, "plus")) == turns
