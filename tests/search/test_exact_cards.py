"""Exact play with cards: open hands of which two matter, and wins that are sure whatever the others hold."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice
from random import Random

from ludoteca.core.bits import size
from ludoteca.core.game import Game, State, load
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng
from ludoteca.games.cartas.combinations import DECK, answers, groups, shape_of, windows
from ludoteca.games.cartas.notation import short
from ludoteca.search.exact import Solver
from ludoteca.search.findings import Budget, Findings

PLENTY = Budget(simulations=10**9)
PASS = 0


@cache
def game(compiled: bool = True) -> Game:
    return load("cartas", compiled=compiled)


@cache
def solver() -> Solver:
    return Solver(game(), 1 << 14)


def members(some: int) -> list[int]:
    return [1 << card for card in range(56) if some >> card & 1]


def may_play(hand: int, play: int) -> list[int]:
    """Everything in a hand that answers a play, or may be led: every set of its cards is tried."""
    sets = [sum(some) for n in range(1, size(hand) + 1) for some in combinations(members(hand), n)]
    return [some for some in sets if (answers(some, play) if play else shape_of(some))]


# Open hands


def open_endings(seed: int) -> Iterator[State]:
    """Two players hold some cards each, and one of them leads or answers. The others hold a low card each."""
    random = Random(seed)
    while True:
        mover, other, *seats = random.sample(range(4), 4)
        high = random.sample(range(12, 56), 8)
        hands = dict(zip(seats, ([card] for card in random.sample(range(12), 2)), strict=True))
        hands |= {mover: high[:3], other: high[3 : random.randrange(5, 8)]}
        text = "/".join(short(sum(1 << card for card in hands[seat])) for seat in range(4))
        turn = random.choice([f"- 3 {mover + 1}", f"{short(1 << high[7])} {(mover - 1 - other) % 4} {mover + 1}"])
        yield game().state_from_string(f"{text} {turn}")


def of_two(seed: int, n: int) -> list[State]:
    """Those where two hands at most matter, as the solver has it."""
    return list(islice((state for state in open_endings(seed) if found(state)), n))


def found(state: State) -> Findings | None:
    return solver().solve_position(state.position, PLENTY)


@cache
def brute(state: State, hero: int) -> list[float]:
    """The returns if each player wants most points, then least for the others, and the hero never spoils the game."""
    if state.is_terminal():
        return state.returns()
    player = state.current_player()
    actions = state.position.candidates().tolist() if player == hero else state.legal_actions()
    ends = [brute(state.child(action), hero) for action in actions]
    return max(ends, key=lambda pay: (pay[player], pay[player] - sum(pay)))


def choosers(state: State) -> set[int]:
    """The players who have a choice."""
    if state.is_terminal():
        return set()
    legal = state.legal_actions()
    own = {state.current_player()} if len(legal) > 1 else set()
    return own.union(*(choosers(state.child(action)) for action in legal))


def test_open_endings_of_two_are_worth_what_brute_force_says() -> None:
    values = set()
    for state in of_two(1, 25):
        solved, hero = found(state), state.current_player()
        assert solved is not None
        assert list(solved.values) == brute(state, hero), state
        for choice in solved.choices:
            assert choice.solved
            assert list(choice.values) == brute(state.child(choice.action), hero), state
        values.add(tuple(value > 0 for value in solved.values))
    assert len(values) >= 4


def test_a_player_who_loses_an_ending_plays_on() -> None:
    """Player 1 leads, and player 2 beats each of the two cards and wins with the last one."""
    state = game().state_from_string("3♠4♠/5♠6♠7♠/A♠/A♥ - 3 1")
    solved = found(state)
    assert solved is not None
    assert solved.values[0] == 0
    assert PASS not in {choice.action for choice in solved.choices}


def test_no_more_than_two_have_anything_to_choose() -> None:
    for state in of_two(2, 20):
        assert len(choosers(state)) <= 2, state


def test_three_hands_that_matter_are_too_many() -> None:
    state = game().state_from_string("5♠K♠/6♠Q♠/7♠C♠/A♠ 2♠ 0 1")
    assert found(state) is None


# The player's hand


def positions(seed: int) -> Iterator[State]:
    """Positions with a choice, from games in which players play if they can, so that short hands are common."""
    random = Random(seed)
    while True:
        state = game().new_initial_state(random.getrandbits(32))
        while not state.is_terminal():
            plays = state.legal_actions()[1:]
            if plays and size(int(state.raw.hands[state.current_player()])) <= 8:
                yield state.clone()
            state.apply_action(max(plays, key=lambda play: (size(play), -play)) if plays else PASS)


def is_beatable(play: int, unseen: int, size: int) -> bool:
    """Could a hand of that size out of the cards not seen answer?"""
    return any(group[0] * group[1] <= size and any(windows(unseen, group)) for group in groups(play))


def is_sure(hand: int, play: int, unseen: int, sizes: list[int]) -> bool:
    """Return True if all can be played, and no player can ever answer."""
    plays = may_play(hand, play)
    if hand in plays:
        return True
    safe = [some for some in plays if not any(is_beatable(some, unseen, size) for size in sizes)]
    return any(is_sure(hand ^ some, 0, unseen, sizes) for some in safe)


def own(state: State) -> Findings | None:
    return solver().solve(state.information_state(state.current_player()), PLENTY)


def test_every_sure_win_is_found_and_nothing_else() -> None:
    longest = 0
    for state in islice(positions(4), 250):
        player = state.current_player()
        hand = int(state.raw.hands[player])
        sizes = [int(size) for other, size in enumerate(state.raw.sizes) if other != player]
        unseen = DECK ^ int(state.raw.played) ^ hand
        solved = own(state)
        assert (solved is not None) == is_sure(hand, int(state.raw.play), unseen, sizes), state
        if solved:
            assert list(solved.values) == [sum(sizes) * (seat == player) for seat in range(4)]
            longest = max(longest, len(solved.line))
    assert longest >= 9, "no win of three plays among them"


def test_a_sure_win_is_one_in_every_deal() -> None:
    rng = new_rng(7)
    wins = [(state, solved) for state in islice(positions(6), 200) if (solved := own(state))]
    assert len(wins) > 20
    for state, solved in wins:
        for _ in range(5):
            deal = state.resample_from_infostate(state.current_player(), rng)
            for action in solved.line:
                if deal.current_player() != solved.player:
                    assert deal.legal_actions() == [PASS]
                deal.apply_action(action)
            assert deal.returns() == list(solved.values)


def test_it_finds_the_same_interpreted() -> None:
    fast, slow = Solver(game(), 1 << 10), Solver(game(compiled=False), 1 << 10)
    wins = [state.view(state.current_player()) for state in islice(positions(5), 100) if own(state)]
    for position in [*wins[:4], *(state.position for state in of_two(5, 1))]:
        one, two = (one.solve_position(Position(one.game, position.array), PLENTY) for one in (fast, slow))
        assert one is not None
        assert two is not None
        assert one._replace(seconds=0) == two._replace(seconds=0)
