"""What each player may know: facts followed through whole games, and dealing again compared with every deal there is."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import Game, State
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng
from ludoteca.games.qinto import hidden, rim, rules, tiles
from ludoteca.testing import uniformity
from tests.qinto.deals import Deal, Knowledge, Place, Trace, deal_of, fitting_deals, hand, piles

GAMES = [("light", 4), ("classic", 3)]
MOST_HIDDEN = 7


def lively(state: State, random: Random) -> int:
    """An action that soon leads to few hidden tiles, and then to secrets about them: swaps and trades before all else."""
    by_sort: dict[str, list[int]] = {"swap": [], "trade": [], "add": [], "end": [rules.END]}
    for action in state.legal_actions()[:-1]:
        sort = "trade" if action >= rules.TRADE else "swap" if state.raw.grid[action % rim.CELLS] else "add"
        by_sort[sort].append(action)
    late = int(state.raw.in_hand.sum() + state.raw.piled.sum()) < 12
    weights = {"swap": 8, "trade": 2, "add": 2, "end": 2} if late else {"swap": 6, "trade": 1, "add": 20, "end": 3}
    sorts = [sort for sort, actions in by_sort.items() if actions]
    return random.choice(by_sort[random.choices(sorts, [weights[sort] for sort in sorts])[0]])


def walk(game: Game, seed: int) -> Iterator[tuple[State, Knowledge]]:
    """One lively game, after each action."""
    state, random = game.new_initial_state(seed), Random(seed)
    knowledge = Knowledge(state)
    while not state.is_terminal():
        action = lively(state, random)
        knowledge.see(state, action)
        state.apply_action(action)
        yield state, knowledge


def regions(state: State) -> list[tuple[int, set[Place]]]:
    """The traces of a record, as the twin would have them."""
    record, light = state.raw, state.game.parameters["variant"] == "light"
    found = []
    for number, region in enumerate(record.traces.tolist()):
        hands = [player for player in range(hidden.MAX_PLAYERS) if region >> player & 1]
        pile = hands[0] if light and hands else 0
        places = {("pile", pile, place) for place in range(60) if region >> hidden.PLACES_AT + place & 1}
        if region:
            found.append((min(26 + number, 34), places | {("hand", player, 0) for player in hands}))
    return found


@pytest.mark.parametrize(("variant", "players"), GAMES)
def test_facts_are_followed_as_the_twin_follows_them(variant: str, players: int) -> None:
    game = ludoteca.load("qinto", variant=variant, players=players, compiled=True)
    seen = Counter[int]()
    for seed in range(3):
        for state, knowledge in walk(game, seed):
            if state.is_terminal():
                continue
            theirs = [(trace.kind, knowledge.region(trace)) for trace in knowledge.traces]
            assert sorted(map(str, regions(state))) == sorted(map(str, theirs))
            for player in range(players):
                places = state.raw.known[player].item()
                assert {place for place in range(60) if places >> place & 1} == knowledge.known(player)
            seen[len(theirs)] += 1
    assert max(seen) >= 3


@pytest.mark.parametrize(
    ("variant", "players", "seat"),
    [("light", 2, SPECTATOR), ("light", 3, 1), ("classic", 2, 1)],
)
def test_redeal_is_uniform_over_all_deals_near_the_end_of_real_games(variant: str, players: int, seat: int) -> None:
    game = ludoteca.load("qinto", variant=variant, players=players, rounds=2, compiled=True)
    tried = 0
    for seed in range(60):
        for state, knowledge in walk(game, seed):
            n = len([kind for kind in state.view(seat).raw.unseen if kind])
            if 3 < n <= MOST_HIDDEN and knowledge.traces and len(state.history()) % 4 == 0 and not state.is_terminal():
                tried += len(check(state, knowledge, seat)) > 1
        if tried >= 2:
            return
    assert tried, "no position to try"


def check(state: State, knowledge: Knowledge, seat: int) -> Counter[Deal]:
    """Redeal gives only deals that fit, each with a chance in proportion to its number of ways."""
    deals, players = fitting_deals(state, knowledge, seat), state.game.num_players()
    view, rng, random = state.view(seat), new_rng(5), Random(5)
    dealt = Counter[bytes]()
    for _ in range(2000 + 6 * deals.total()):
        dealt[view.redeal(seat, rng).tobytes()] += 1
    counts = Counter[tuple[Deal, int]]()
    for content, times in dealt.items():
        deal = deal_of(Position.from_bytes(state.game, content).raw, players)
        assert deal in deals, f"{deal} does not fit {state!r}"
        ways = deals[deal]
        counts.update({(deal, 0): times} if ways == 1 else ((deal, random.randrange(ways)) for _ in range(times)))
    assert uniformity(counts, deals.total()) < 5
    return deals


# Cases made by hand. They read only the kinds of the tiles on the grid, so the grid has all other tiles.


def late(variant: str, hands: list[list[int]], lying: list[list[int]]) -> tuple[State, Knowledge]:
    """A position with these hands and piles (from the bottom up)."""
    game = ludoteca.load("qinto", variant=variant, players=len(hands), compiled=True)
    state = game.new_initial_state(1)
    record = state.raw
    for field in ("held", "paired", "in_hand", "piled", "piles"):
        record[field] = 0
    for player, kinds in enumerate(hands):
        record.in_hand[player] = len(kinds)
        for kind in kinds:
            hidden.take(record, player, kind)
    for number, kinds in enumerate(lying):
        record.piled[number] = len(kinds)
        record.piles[number * int(record.share) : number * int(record.share) + len(kinds)] = kinds
    rest = Counter(tiles.ordered_deck()) - Counter(kind for part in hands + lying for kind in part)
    record.grid[: rest.total()] = sorted(rest.elements())
    record.on_grid[:] = [sum(1 << kind for kind in rest if rest[kind] >= n) for n in (1, 2)]
    return state, Knowledge(state)


def swap(state: State, knowledge: Knowledge, player: int, given: int, taken: int) -> None:
    """A player swaps a tile of their hand for a wild on the grid."""
    knowledge.leave(player, given)
    knowledge.traces.append(Trace(taken, {player}))
    hidden.give(state.raw, player, given)
    hidden.take(state.raw, player, taken)
    hidden.follow_swap(state.raw, player, given, taken)
    grid = Counter(state.raw.grid[state.raw.grid > 0].tolist()) - Counter([taken]) + Counter([given])
    state.raw.grid[:] = 0
    state.raw.grid[: grid.total()] = sorted(grid.elements())
    state.raw.on_grid[:] = [sum(1 << kind for kind in grid if grid[kind] >= n) for n in (1, 2)]


def put(state: State, knowledge: Knowledge, player: int, kinds: list[int]) -> None:
    """A player puts tiles under their pile."""
    state.raw.mover, state.raw.phase = player, rules.CHOOSING
    for kind in kinds:
        knowledge.see(state, rules.TRADE + kind)
        rules.apply(state.raw, rules.TRADE + kind)


def trade(state: State, knowledge: Knowledge, player: int, kinds: list[int]) -> None:
    """A player puts tiles under their pile and refills."""
    put(state, knowledge, player, kinds)
    knowledge.see(state, rules.END)
    rules.apply(state.raw, rules.END)


SHAPE, COLOUR, ANY = 26, 31, 34


def test_a_taken_wild_is_in_that_hand() -> None:
    state, knowledge = late("light", [[1, 2], [3, 4, 5]], [[6], [7]])
    swap(state, knowledge, 1, 3, SHAPE)
    deals = check(state, knowledge, 0)
    assert all(SHAPE in deal[1] for deal in deals)
    assert deals.total() == 3 * 24  # three places in that hand, and four tiles anywhere else


def test_after_a_trade_it_is_in_that_hand_or_where_tiles_were_put_since() -> None:
    state, knowledge = late("light", [[1, 2], [3, 4, 5, 6, 7]], [[], [8, 9]])
    swap(state, knowledge, 1, 3, SHAPE)
    trade(state, knowledge, 1, [SHAPE, 4])
    assert piles(state.raw, 2)[1] == [4, SHAPE]
    assert state.raw.traces[0] == 0b11_0010
    assert all(SHAPE in (*deal[1], *deal[3]) for deal in check(state, knowledge, 0))
    trade(state, knowledge, 1, [5])  # SHAPE is drawn
    assert state.raw.traces[0] == 0b11_0010
    assert SHAPE in hand(state.raw, 1)
    check(state, knowledge, 0)
    assert check(state, knowledge, 1).total() == 2  # to its owner nothing is uncertain but who has what else


def test_two_wilds_of_one_hand_taken_before_and_after_a_trade() -> None:
    state, knowledge = late("light", [[1, 2], [3, 4, 5, 6, 7]], [[], [8]])
    swap(state, knowledge, 1, 3, SHAPE)
    trade(state, knowledge, 1, [4])
    swap(state, knowledge, 1, 5, COLOUR)
    assert state.raw.traces[[0, 5]].tolist() == [0b1_0010, 0b10]
    check(state, knowledge, 0)


def test_in_classic_another_player_may_draw_it() -> None:
    state, knowledge = late("classic", [[1, 2], [3, 4, 5, 6, 7], [9, 10]], [[8]])
    swap(state, knowledge, 1, 3, SHAPE)
    trade(state, knowledge, 1, [SHAPE])
    assert state.raw.traces[0] == 0b1_0010
    trade(state, knowledge, 0, [1])
    assert state.raw.traces[0] == 0b0011
    assert SHAPE in hand(state.raw, 0)
    assert all(SHAPE in deal[0] for deal in check(state, knowledge, 1))  # it is not in the player's own hand
    assert len(check(state, knowledge, 0)) > 1


def test_one_q_nto_tile_that_was_taken_and_one_that_nobody_has_seen() -> None:
    state, knowledge = late("light", [[1, 2], [3, 4, 5]], [[ANY], [7]])
    swap(state, knowledge, 1, 3, ANY)
    for seat in (SPECTATOR, 0, 1):
        check(state, knowledge, seat)
    knowledge.leave(1, ANY)
    hidden.follow_laid(state.raw, 1, ANY)  # whichever it is
    assert not state.raw.traces.any()
    check(state, knowledge, 0)


def test_two_q_nto_tiles_of_one_hand_one_of_them_maybe_traded() -> None:
    state, knowledge = late("light", [[1, 2], [3, 4, 5]], [[8], [7]])
    swap(state, knowledge, 1, 3, ANY)
    trade(state, knowledge, 1, [4])
    swap(state, knowledge, 1, 5, ANY)
    narrow, wide = 0b10, state.raw.traces[8]
    assert state.raw.traces[[8, 9]].tolist() == [wide, narrow]
    check(state, knowledge, 0)
    check(state, knowledge, 1)
    knowledge.leave(1, ANY)
    hidden.follow_laid(state.raw, 1, ANY)
    assert state.raw.traces[[8, 9]].tolist() == [
        wide,
        0,
    ]  # what remains may be either: the narrow region is in the wide one


def test_two_q_nto_tiles_in_regions_that_cross() -> None:
    """Player 0 put a tile under the common pile, and player 1 may have drawn it. Player 2 took the other one and drew."""
    state, knowledge = late("classic", [[1, 2], [3], [4]], [[8]])
    swap(state, knowledge, 0, 1, ANY)
    swap(state, knowledge, 2, 4, ANY)
    trade(state, knowledge, 2, [ANY])
    trade(state, knowledge, 0, [2])
    trade(state, knowledge, 1, [])
    one, other = state.raw.traces[[8, 9]].tolist()
    assert one & ~other
    assert other & ~one
    for seat in (SPECTATOR, 0, 1, 2):
        check(state, knowledge, seat)


def test_three_wilds_in_regions_that_cross() -> None:
    """The last player draws two of them from the common pile."""
    state, knowledge = late("classic", [[1, 2], [3, 5], [4]], [[8]])
    swap(state, knowledge, 0, 1, SHAPE)
    put(state, knowledge, 0, [SHAPE])
    swap(state, knowledge, 1, 3, COLOUR)
    put(state, knowledge, 1, [5])
    swap(state, knowledge, 2, 4, ANY)
    trade(state, knowledge, 2, [ANY])
    assert state.raw.traces[[0, 5, 8]].tolist() == [0b101, 0b110, 0b100]
    for seat in (SPECTATOR, 0, 1, 2):
        check(state, knowledge, seat)
