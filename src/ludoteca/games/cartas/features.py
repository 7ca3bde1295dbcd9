"""Cartas as numbers for a learner."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludoteca.core.contract import Floats, RawPosition
from ludoteca.games.cartas import rules
from ludoteca.games.cartas.combinations import SUITS, VALUES

PLANES = 3 + rules.PLAYERS + 2


def shape(parameters: Mapping[str, Any]) -> tuple[int, int, int]:
    """The numbers of planes, values and suits of `observation`."""
    return PLANES, VALUES, SUITS


def observation(view: RawPosition, player: int) -> Floats:
    """Planes of float32, a number for each card: the player's hand, the cards played, the combination to answer (0 or 1).

    Then the same number everywhere: the share of its 14 cards that each player holds, the player first, then in turn order;
    the share of four passes in a row; 1 if the player is to move.

    A spectator has no hand, and the players are counted from player 0.
    """
    first = max(player, 0)
    hand = int(view.hands[player]) if player >= 0 else 0
    sets = [_cards(cards) for cards in (hand, int(view.played), int(view.play))]
    sizes = [view.sizes[(first + i) % rules.PLAYERS] / rules.HAND for i in range(rules.PLAYERS)]
    numbers = (*sizes, view.passes / rules.PLAYERS, float(view.mover == player))
    return np.stack([*sets, *(np.full((VALUES, SUITS), number) for number in numbers)]).astype(np.float32)


def _cards(cards: int) -> Floats:
    bits = [cards >> card & 1 for card in range(VALUES * SUITS)]
    return np.array(bits, np.float32).reshape(VALUES, SUITS)
