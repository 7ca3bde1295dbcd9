"""`jogador`'s beginners against the oracle, its trials against the rules, and its results in a game."""

from random import Random

import pytest

import ludoteca
from ludoteca.core.bits import size
from ludoteca.core.game import State
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.combinations import DECK, above, answers, shape_of
from ludoteca.games.cartas.play import beginner
from ludoteca.games.cartas.text import jogador
from ludoteca.games.cartas.text.jogador import LOSS, Trials
from ludoteca.games.cartas.text.lines import NOTHING
from tests.cartas import oracle
from tests.cartas.test_oracle import some_hand, some_play, to_bits

FOREVER = 600.0


def bits(text: str) -> int:
    return cards.read(text)[0]


def sizes_of(plays: set[oracle.Cards], name: str) -> list[oracle.Cards]:
    return [play for play in plays if (oracle.kind(play) or ("", 0))[0] == name]


def plain_answer(hand: oracle.Cards, last: oracle.Cards) -> oracle.Cards:
    """The lowest answer, looked for among all."""
    plays = oracle.plays(hand, last)
    same = [play for play in plays if oracle.kind(play) == oracle.kind(last)]
    alone = [play for play in same if len(last) == 1 and sum(value == max(play)[0] for value, _ in hand) == 1]
    found = alone or same or sizes_of(plays, "set") or sizes_of(plays, "double")
    return min(found, key=lambda play: (max(play), sorted(play)), default=frozenset())


def plain_lead(hand: oracle.Cards) -> oracle.Cards:
    plays = oracle.plays(hand, None)
    runs = sizes_of(plays, "double") or sizes_of(plays, "sequence")
    if runs:
        return min(runs, key=lambda play: (min(play)[0], -len(play), sorted(play)))
    return min(plays, key=lambda play: (-len(play), sorted(play)))


@pytest.mark.parametrize("seed", range(16))
def test_a_beginner_answers_with_the_lowest_play(seed: int) -> None:
    random = Random(seed)
    hand = some_hand(random, 11, random.choice((1, 10)) if seed % 2 else 1)
    last = some_play(random)
    found = beginner.answer(to_bits(hand), to_bits(last), shape_of(to_bits(last)), above(to_bits(last)))
    assert found == to_bits(plain_answer(hand, last))


@pytest.mark.parametrize("seed", range(12))
def test_a_beginner_leads_sequences_first(seed: int) -> None:
    random = Random(seed)
    hand = some_hand(random, random.randrange(1, 11), 1, random.choice((4, 7, 14)))
    assert beginner.lead(to_bits(hand)) == to_bits(plain_lead(hand))


def beginners_play(hand: int, last: int) -> int:
    return beginner.answer(hand, last, shape_of(last), above(last)) if last else beginner.lead(hand)


def midway(seed: int) -> State:
    """A position that is not over, after random moves."""
    random, state = Random(seed), ludoteca.load("cartas").new_initial_state(seed)
    for _ in range(random.randrange(30)):
        after = state.child(random.choice(state.legal_actions()))
        state = state if after.is_terminal() else after
    return state


def turned(items: list[int], first: int) -> list[int]:
    return items[first:] + items[:first]


@pytest.mark.parametrize("seed", range(4))
def test_trials_begin_where_the_game_is(seed: int) -> None:
    state = midway(seed)
    record, mover = state.raw, state.current_player()
    trials = Trials(int(record.hands[mover]), state.history())
    assert trials.sizes[1:] == turned(record.sizes.tolist(), mover)[1:]
    assert trials.unseen == DECK & ~int(record.hands[mover]) & ~int(record.played)
    assert (trials.to_answer, trials.passes) == (int(record.play), int(record.passes))


@pytest.mark.parametrize("seed", range(4))
def test_trials_end_as_the_game_does_among_beginners(seed: int) -> None:
    state = midway(seed)
    mover = state.current_player()
    hands = turned([int(hand) for hand in state.raw.hands], mover)
    trials = Trials(hands[0], state.history())
    skipped = (hands[0],) if trials.to_answer else (hands[0], 0)
    for play in [play for play in state.legal_actions() if play not in skipped][::7]:
        end = play_on(state.child(play))
        others = sum(end.scores()) - end.scores()[mover]
        assert trials.points_after(play, hands) == end.scores()[mover] - LOSS * others


def test_in_trials_kings_are_beaten() -> None:
    """The next player has four lower cards, and one to go."""
    hands = [bits(text) for text in ("A♠ K♣", "5♠ 5♥ 5♦ 5♣ 9♠", "A♥ 2♥", "A♦ 2♦")]
    assert Trials(hands[0], []).points_after(bits("K♣"), hands) == -LOSS * (1 + 2 + 2)
    assert Trials(hands[0], []).points_after(bits("K♣"), [*hands[:1], hands[1] ^ bits("5♣"), *hands[2:]]) == 4 + 2 + 2


def play_on(state: State) -> State:
    """To the end, by beginners."""
    while not state.is_terminal():
        state.apply_action(beginners_play(int(state.raw.hands[state.raw.mover]), int(state.raw.play)))
    return state


@pytest.mark.parametrize("seed", range(2))
def test_deals_fit_what_is_known(seed: int) -> None:
    trials = Trials(int((state := midway(seed)).raw.hands[state.current_player()]), state.history())
    hands = trials.deal(Random(seed))
    assert [size(hand) for hand in hands[1:]] == trials.sizes[1:]
    assert sum(hands[1:]) == trials.unseen


@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_there_is_always_time_for_a_legal_play(seconds: float) -> None:
    for seed in range(4):
        state = midway(seed)
        hand = int(state.raw.hands[state.current_player()])
        assert jogador.choose(hand, state.history(), seconds) in state.legal_actions()


def test_without_time_pressure_the_same_position_has_the_same_answer() -> None:
    state = midway(3)
    hand = int(state.raw.hands[state.current_player()])
    assert len({jogador.choose(hand, state.history(), FOREVER, 8) for _ in range(2)}) == 1


@pytest.mark.parametrize(
    ("hand", "plays", "expected"),
    [
        ("A♠ A♥", [], "A♠ A♥"),
        ("2♠ 5♥ 5♦", ["PASSO", "3♠ 3♥"], "5♥ 5♦"),
        ("3♠ 3♥ 3♦ 3♣ 5♠", ["K♣", "PASSO", "PASSO"], "3♠ 3♥ 3♦ 3♣"),
    ],
)
def test_a_hand_that_can_be_finished_at_once_is(hand: str, plays: list[str], expected: str) -> None:
    told = [0 if text == "PASSO" else bits(text) for text in plays]
    assert jogador.choose(bits(hand), told, FOREVER, 60) == bits(expected)


def test_nothing_answers_what_is_no_combination() -> None:
    assert jogador.choose(bits("5♠ 9♠"), [NOTHING], FOREVER, 1) == 0


@pytest.mark.parametrize("others", [["A♠"] * 15, ["A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ C♠ Q♠ K♠", "PASSO"] * 2])
def test_plays_that_fit_no_deal_are_answered_all_the_same(others: list[str]) -> None:
    told = [0 if text == "PASSO" else bits(text) for text in others]
    hand = DECK ^ bits("K♣ K♦")
    last = next((play for play in reversed(told[-3:]) if play), 0)
    found = jogador.choose(hand, told, 0.05)
    assert found == 0 or (found & ~hand == 0 and answers(found, last))


@pytest.mark.soak
def test_it_takes_two_fifths_of_the_points_from_beginners() -> None:
    results = [play_at_a_table(seed, seat) for seed in range(500, 516) for seat in range(4)]
    own, everybody = (sum(points) for points in zip(*results, strict=True))
    assert own >= 0.4 * everybody


def play_at_a_table(seed: int, seat: int) -> tuple[int, int]:
    """Its points, and those of all."""
    state = ludoteca.load("cartas").new_initial_state(seed)
    while not state.is_terminal():
        hand = int(state.raw.hands[state.raw.mover])
        if state.current_player() == seat:
            state.apply_action(jogador.choose(hand, state.history(), FOREVER, 30))
        else:
            state.apply_action(beginners_play(hand, int(state.raw.play)))
    return state.scores()[seat], sum(state.scores())
