"""Observations of Conclave, compared with slow readings of the position's text, and symmetries, tried in pairs of games."""

import re
from collections import defaultdict
from random import Random
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.testing.trial import sparse, walk
from tests.conclave.oracle import BROTHERHOODS, DECK, MAGICS, influence

NAMES = dict(zip(MAGICS, ("blue", "ochre", "purple", "red", "orange", "green"), strict=True))


@pytest.mark.parametrize("players", [2, 4])
def test_planes_and_numbers_are_what_the_view_says(players: int) -> None:
    game = ludoteca.load("conclave", players=players)
    layout = game.features.layout
    for state in sparse(walk(game, players), 6):
        for seat in range(SPECTATOR, players):
            seen = state.observation(seat)
            view = game.notation.position_to_string(state.view(seat).raw)
            planes, numbers = expected(view, seat, players)
            assert {*planes} <= {*layout.planes}
            for name, plane in zip(layout.planes, seen.planes, strict=True):
                assert (plane == planes[name]).all(), name
            assert dict(zip(layout.numbers, seen.numbers, strict=True)) == pytest.approx(numbers)


def expected(view: str, seat: int, players: int) -> tuple[Any, dict[str, float]]:
    """Return planes and numbers by name, from the text of a view."""
    board, hands, followers, *piles, to_move = view.split(" ")
    order = [(max(seat, 0) + i) % players for i in range(players)]
    cards = [[] if pile == "-" else pile.split(",") for pile in piles]
    planes = expected_planes(view, board.split("/"), [hands.split("/")[one] for one in order], cards)
    numbers = {"left pile": len(cards[0]) / 19, "right pile": len(cards[1]) / 19}
    mover, _, phase = to_move.partition(":")
    phase = phase.replace("ceded", "send")
    numbers |= {f"{word.rstrip('e')}ing": float(phase == word) for word in ("cede", "send", "draw")}
    full = sum("-" not in hand.split(",") for hand in hands.split("/"))
    numbers["turns left"] = full / players if not any(cards) and mover != "-" else 0
    for i, one in enumerate(order):
        whose = f"+{i}" if i else "own"
        numbers |= {f"to move: {whose}": float(mover == str(one + 1)), f"began: {whose}": float(one == 0)}
        for magic, name in NAMES.items():
            mine = [card for card in followers.split("/")[one].split(",") if card[0] == magic]
            numbers[f"followers {whose}: {name}"] = sum(map(influence, mine)) / 45
    return planes, numbers


def expected_planes(view: str, board: list[str], hands: list[str], piles: list[list[str]]) -> Any:
    planes: Any = defaultdict(lambda: np.zeros((4, 4), np.uint8))
    for group, rows in (("board", board), ("hands", hands)):
        for row, line in enumerate(rows):
            for column, card in enumerate(line.split(",")):
                if card != "-":
                    planes[f"{group}: {NAMES[card[0]]}"][row, column] = 1
                if len(card) == 3:
                    planes[f"{group}: {card[2]}"][row, column] = 1
                    planes[f"{group}: influence"][row, column] = influence(card)
    for card in {*DECK} - {*re.findall("[a-z][1-5][a-z]", view)}:
        face = 5 * BROTHERHOODS.index(card[2]) + influence(card) - 1
        planes[f"unseen: {NAMES[card[0]]}"][divmod(face, 4)] = 1
    for name, pile in zip(("left", "right"), piles, strict=True):
        for place, magic in enumerate(pile[:16]):
            planes[f"{name} pile: {NAMES[magic]}"][divmod(place, 4)] = 1
    return planes


@pytest.mark.parametrize("players", [2, 4])
def test_the_number_of_an_action_can_be_read_off_its_text(players: int) -> None:
    texts = set()
    for state in walk(ludoteca.load("conclave", players=players), players):
        numbers = {}
        for action in state.legal_actions():
            text = state.action_to_string(action)
            if sending := re.fullmatch("(.):(.)(.)", text):
                place, row, column = map(int, sending.groups())
                number = 16 * place + 4 * row + column
            elif text in ("keep", "e", "d"):
                number = 64 + ("keep", "e", "d").index(text)
            else:
                after = (int(text[2]) - 1 - state.current_player()) % players
                number = 67 + 6 * (after - 1) + MAGICS.index(text[0])
            assert state.encode_action(action) == number
            assert state.decode_action(number) == action
            numbers[number] = text
        assert np.flatnonzero(state.action_mask()).tolist() == sorted(numbers)
        texts |= {re.sub("[0-9]", "", text) for text in numbers.values()}
    assert {":", "keep", "e", "d", "b>"} <= texts


def test_the_example_of_the_page() -> None:
    state = ludoteca.load("conclave", deal="document:35152").new_initial_state()
    seen = dict(zip(state.game.features.layout.planes, state.observation(1).planes, strict=True))
    assert seen["hands: red"][0].tolist() == [1, 0, 1, 0]  # r5s, t2g, r1s, b2c
    assert seen["hands: s"][0].tolist() == [1, 0, 1, 0]
    assert seen["hands: influence"][0].tolist() == [5, 2, 1, 2]
    assert seen["hands: purple"][1].tolist() == [1, 1, 0, 0]  # p, p, r, r: the other hand shows only backs
    assert not seen["hands: influence"][1].any()


# Symmetries


@pytest.mark.parametrize("players", [2, 4])
def test_a_changed_game_is_the_same_game(players: int) -> None:
    game, random = ludoteca.load("conclave", compiled=True, players=players), Random(players)
    symmetries = ludoteca.symmetries(game)
    assert len(symmetries) == 720 * 6 * 24 * 2
    for number in (719, 720 * 5, 720 * 6 * 23, 720 * 6 * 24):  # each kind of change alone, then any
        play_both(game, symmetries[number], random)
    play_both(game, symmetries.random(random), random)


def play_both(game: Any, symmetry: Any, random: Random) -> None:
    """A random game and its image under a symmetry have the same observations, masks and results, under the symmetry."""
    one = game.new_initial_state(random.getrandbits(64))
    two = game.state_from_string(changed(str(one), symmetry.name))
    goes_to = np.argsort(symmetry.actions)
    while True:
        assert one.current_player() == two.current_player()
        assert (symmetry.actions_of(one.action_mask()) == two.action_mask()).all()
        for seat in range(SPECTATOR, game.num_players()):
            mine, theirs = one.observation(seat), two.observation(seat)
            assert (symmetry.planes_of(mine.planes) == theirs.planes).all()
            assert (symmetry.numbers_of(mine.numbers) == theirs.numbers).all()
        if one.is_terminal():
            break
        number = random.choice(np.flatnonzero(one.action_mask()).tolist())
        one.apply_action(one.decode_action(number))
        two.apply_action(two.decode_action(int(goes_to[number])))
    assert (one.returns(), one.scores()) == (two.returns(), two.scores())


def changed(position: str, name: str) -> str:
    """Return the image of a position under a symmetry, by the symmetry's name."""
    names = dict(change.split(" as ") for change in re.split(" and |, ", name))
    letters = {letter: next(a for a, b in NAMES.items() if b == names.get(full, full)) for letter, full in NAMES.items()}
    letters |= {letter: names.get(letter, letter) for letter in BROTHERHOODS}
    board, hands, followers, left, right, to_move = position.split(" ")
    places = [int(names.get(f"place {place}", f"place {place}")[-1]) for place in range(4)]
    hands = "/".join(",".join(hand.split(",")[places.index(place)] for place in range(4)) for hand in hands.split("/"))
    if "the left pile" in names:
        left, right = right, left
    cards = " ".join((board, hands, followers, left, right))
    return re.sub("[a-z]", lambda found: letters[found[0]], cards) + " " + to_move
