"""The features of the learned value of a position: the influence of followers in each magic, in hands and on the board.

The features use neither the order of the deck nor the removed cards, because a search only deals these at random. The
weights are shared by all magics. A feature is an entry of one of these tables:

    PAIRS   for each magic, the player's influence and that of the strongest opponent
    LEADS   for each magic, the difference of the two: the lead
    OWN     for each magic in the player's hand, the lead and the influence in the hand
    THEIRS  for each magic in the opponents' hands, the lead and the influence in their hands
    BOARD   for each magic on the board, the lead, the influence there, and the opponents who send before the player
    TURN    once, the opponents who send before the player, and the seat, which breaks ties

There are separate weights for each stage of the game (STAGES). PAIRS and BOARD distinguish only coarse stages (PARTS).
"""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.core.tables import table
from ludoteca.games.conclave.deck import BACK, INFLUENCES, MAGICS, NOTHING
from ludoteca.games.conclave.play.heuristics import cards_left, influence_in, strongest_opponent
from ludoteca.games.conclave.rules import DRAWING, HAND, MAX_PLAYERS, of_magic, sum_on
from ludoteca.games.conclave.sets import ALL_CELLS

STAGES: Final = 14
"""The number of stages: one for each turn left in the last round, and before it one for every four cards in the piles."""
PARTS: Final = 7
"""The number of coarse stages."""
STRONG: Final = 32
"""The number of values of influence in the table PAIRS. The highest value stands for all higher influence, too."""
AHEAD: Final = 10
"""The largest lead. Larger ones count as AHEAD or -AHEAD."""
LEADS_IN_ALL: Final = 2 * AHEAD + 1
MANY: Final = 16
"""The number of values of influence in hands and on the board. The highest value stands for all higher influence, too."""

PAIRS: Final = 0
LEADS: Final = PAIRS + PARTS * STRONG * STRONG
OWN: Final = LEADS + STAGES * LEADS_IN_ALL
THEIRS: Final = OWN + STAGES * LEADS_IN_ALL * MANY
BOARD: Final = THEIRS + STAGES * LEADS_IN_ALL * MANY
TURN: Final = BOARD + PARTS * LEADS_IN_ALL * MANY * MAX_PLAYERS
FEATURES: Final = TURN + STAGES * MAX_PLAYERS * MAX_PLAYERS
ACTIVE: Final = 5 * MAGICS + 1

_PART: Final = table([0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
"""The coarse stage of each stage."""
_INFLUENCE: Final = table([face % INFLUENCES + 1 for face in range(BACK)])
_BYTE: Final = 255


def weights(parameters: Mapping[str, Any]) -> str:
    """Return the name of the file of weights for these parameters. There is one for each number of players."""
    return f"{parameters['players']}p"


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    """Write the active features of a position from a player's point of view: at most five for each magic, and one for the
    turn. Return their number.
    """
    stage, soon = _stage(state), _turns_to_wait(state, player)
    part = i64(_PART[index(stage)])
    influence = i64(state.influence)
    own_cards, their_cards = _cards_in_hand(state, player), i64(0)
    for other in range(state.players):
        if other != player:
            their_cards += _cards_in_hand(state, i64(other))
    count = i64(0)
    for magic in range(MAGICS):
        own, others = influence_in(state, player, magic), strongest_opponent(state, player, magic)
        lead = AHEAD + max(i64(-AHEAD), min(i64(AHEAD), own - others))
        place = stage * LEADS_IN_ALL + lead
        out[index(count)] = PAIRS + (part * STRONG + min(own, i64(STRONG - 1))) * STRONG + min(others, i64(STRONG - 1))
        out[index(count + 1)] = LEADS + place
        count += 2
        held = (own_cards >> (8 * magic)) & _BYTE
        if held > 0:
            out[index(count)] = OWN + MANY * place + min(held, i64(MANY - 1))
            count += 1
        held = (their_cards >> (8 * magic)) & _BYTE
        if held > 0:
            out[index(count)] = THEIRS + MANY * place + min(held, i64(MANY - 1))
            count += 1
        there = min(sum_on(influence, of_magic(state, i64(magic)) & ALL_CELLS), i64(MANY - 1))
        if there > 0:
            out[index(count)] = BOARD + ((part * LEADS_IN_ALL + lead) * MANY + there) * MAX_PLAYERS + soon
            count += 1
    out[index(count)] = TURN + (stage * MAX_PLAYERS + soon) * MAX_PLAYERS + player
    return count + 1


def _stage(state: RawPosition) -> int:
    """Return the stage of the game: 0 to 3 for 1 to 4 turns left in the last round, and 4 or more before the last round, by
    the number of cards in the piles.
    """
    if state.turns_left > 0:
        return i64(state.turns_left) - 1
    return 4 + (cards_left(state) >> 2)


def _turns_to_wait(state: RawPosition, player: int) -> int:
    """Return the number of opponents who send a card before the player does."""
    turns = player - i64(state.mover)
    turns = turns if turns >= 0 else turns + i64(state.players)
    if state.phase == DRAWING:  # the mover has sent already
        turns = turns - 1 if turns > 0 else i64(state.players) - 1
    return turns


def _cards_in_hand(state: RawPosition, player: int) -> int:
    """Return the influence of the cards of each magic in a hand. The sum for magic i is in the eight bits from 8 * i on."""
    hands, cards = state.hands, i64(0)
    for at in range(HAND * player, HAND * player + HAND):
        card = i64(hands[index(at)])
        if card != NOTHING:
            cards += i64(_INFLUENCE[index(card & BACK)]) << (8 * (card >> 4))
    return cards
