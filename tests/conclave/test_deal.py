"""The deals: the document's generator and shuffle, the fair deal, and new deals of the cards that a seat does not see."""

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import NotationError, ParameterError
from ludoteca.core.game import State
from ludoteca.core.record import Record
from ludoteca.core.rng import draw, new_rng
from ludoteca.games.conclave import GAME
from ludoteca.testing import check_deals, uniformity
from tests.conclave.oracle import DECK, Oracle, shuffled
from tests.conclave.test_oracle import written


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [0, 35152, 2**20, 2**31, 2**32 - 1, 10**30])
def test_the_documents_deal(seed: int, players: int) -> None:
    state = ludoteca.load("conclave", players=players, deal=f"document:{seed}").new_initial_state(9)
    assert str(state) == written(Oracle.deal(players, shuffled(seed)), "send")


def test_only_twenty_bits_of_a_seed_matter() -> None:
    assert shuffled(123) == shuffled(123 + 2**20) != shuffled(123 + 2**19)


def test_a_drawn_seed_is_one_of_the_generator() -> None:
    state = ludoteca.load("conclave", deal="document").new_initial_state(77)
    assert str(state) == written(Oracle.deal(2, shuffled(draw(new_rng(77), 1 << 32))), "send")


def test_a_record_keeps_the_seed() -> None:
    state = ludoteca.load("conclave", deal=f"document:{2**32 + 5}").new_initial_state()
    record = Record.from_json(state.serialize())
    assert record.parameters == {"players": 2, "deal": "document:5"}
    assert str(ludoteca.load("conclave", **record.parameters).replay(record)) == str(state)


@pytest.mark.parametrize("deal", ["", "Fair", "document:-1", "document:٣", "7"])
def test_what_is_no_deal_is_refused(deal: str) -> None:
    with pytest.raises((NotationError, ParameterError), match="expected fair, document or document:SEED"):
        ludoteca.load("conclave", deal=deal)


@pytest.mark.slow
def test_the_fair_deal_puts_every_card_everywhere_equally_often() -> None:
    game, counts = ludoteca.load("conclave", players=4, compiled=True), [Counter[int]() for _ in range(3)]
    for seed in range(2700):
        record = game.new_initial_state(seed).raw
        counts[0][int(record.hands[0])] += 1  # the last card that is drawn
        counts[1][int(record.deck[0])] += 1  # the first
        counts[2][int(record.deck[0]) * 96 + int(record.deck[1]) if record.deck[0] < 5 and record.deck[1] < 5 else -1] += 1
    assert all(uniformity(count, 90) < 5 for count in counts[:2])
    pairs = Counter({pair: n for pair, n in counts[2].items() if pair >= 0})
    assert sum(pairs.values()) == pytest.approx(2700 * 20 / 90 / 89, abs=20)


# Dealing again


def named(known: str, hidden: str) -> State:
    """Return a position of two players with all cards except the `hidden` ones. Cards outside `known` follow player 1."""
    taken = {*known.replace("/", " ").replace(",", " ").split(), *hidden.split()}
    rest = ",".join(card for card in DECK if card not in taken)
    return ludoteca.load("conclave", compiled=True).state_from_string(known.replace("REST", rest))


def deals(state: State, seat: int) -> list[State]:
    """Return every deal that fits the seat's view, from its text. A back is a card without a name there."""
    parts = state.observation_string(seat).split(" ")
    text = " ".join(parts)
    names = text.replace("/", ",").replace(" ", ",").split(",")
    backs = [name for name in names if name in list("boprtv")]
    hidden = [card for card in DECK if card not in names]
    ways = [list(permutations([card for card in hidden if card[0] == magic], backs.count(magic))) for magic in "boprtv"]
    return [
        state.game.state_from_string(filled(text, "".join(f"{c} " for way in choice for c in way)))
        for choice in product(*ways)
    ]


def filled(text: str, cards: str) -> str:
    """Return the view with names for its backs, in order for each magic."""
    stock = {magic: [card for card in cards.split() if card[0] == magic] for magic in "boprtv"}
    parts = [
        "/".join(
            ",".join(stock[name].pop(0) if name in stock else name for name in row.split(",")) for row in part.split("/")
        )
        for part in text.split(" ")[:5]
    ]
    return " ".join([*parts, text.split(" ")[5]])


ALMOST_OVER = "b1c,b2c,b3c,b4c/o1c,-,-,o2c/o3c,-,-,o4c/r1c,r2c,r3c,r4c b1s,o1s,p1s,t1s/b2s,b3s,o2s,v1s REST/- b4s o3s 1:send"


@pytest.mark.parametrize(("seat", "number"), [(0, 288), (1, 288), pytest.param(SPECTATOR, 1152, marks=pytest.mark.soak)])
def test_redeal_gives_every_deal_that_fits_equally_often(seat: int, number: int) -> None:
    """Player 1 sees backs of three of four blue, two of three ochre and one of two green cards: 24 x 6 x 2 deals."""
    state = named(ALMOST_OVER, "b5s o4s v2s" if seat >= 0 else "o4s v2s")
    if seat == 1:
        state = named(
            ALMOST_OVER.replace("b1s,o1s,p1s,t1s/b2s,b3s,o2s,v1s", "b2s,b3s,o2s,v1s/b1s,o1s,p1s,t1s"), "b5s o4s v2s"
        )
    every = deals(state, seat)
    assert len(every) == number
    check_deals(every, seat, draws=4 * number + 2000)


@pytest.mark.parametrize(("players", "known"), [(2, "v"), (3, "prtv")])
def test_redeal_near_the_end_of_a_real_game(players: int, known: str) -> None:
    state, random = ludoteca.load("conclave", players=players, compiled=True).new_initial_state(players), Random(1)
    while state.raw.turns_left != 1:
        state.apply_action(random.choice(state.legal_actions()))
    seat = state.current_player()
    state = state.game.state_from_string(follow(str(state), known))
    every = deals(state, seat)
    assert 40 < len(every) < 3000
    check_deals(every, seat, draws=2000 + 2 * len(every))


def follow(text: str, known: str) -> str:
    """Make all removed cards of some magics followers of player 1, so that the deals can be listed."""
    parts = text.split()
    named = text.replace("/", ",").replace(" ", ",").split(",")
    removed = [card for card in DECK if card not in named and card[0] in known]
    first, slash, others = parts[2].partition("/")
    return " ".join([*parts[:2], ",".join([*first.split(","), *removed]).removeprefix("-,") + slash + others, *parts[3:]])


def test_a_view_shows_backs_and_no_seed() -> None:
    state = ludoteca.load("conclave", deal="document:35152").new_initial_state()
    _, hands, _, left, right, _ = state.observation_string(1).split()
    assert hands == "p,p,r,r/r5s,t2g,r1s,b2c"
    assert left.startswith("o,t,t,t,v")
    assert right.startswith("o,b,r,b,v")
    assert state.view(1).raw.dealing == 0
    assert GAME.name == "conclave"


def test_what_nobody_has_seen_is_unseen() -> None:
    view = named(ALMOST_OVER, "b5s o4s v2s").view(0).raw
    unseen = [[face for face in range(15) if pile >> face & 1] for pile in view.unseen.tolist()]
    assert unseen == [[11, 12, 13, 14], [11, 12, 13], [], [], [], [10, 11]]
