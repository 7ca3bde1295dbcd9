"""Conclave as numbers for a learner: one row of numbers from 0 to 1, the players in turn order from the one who sees."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludoteca.core.contract import Floats, RawPosition
from ludoteca.games.conclave import deck, rules, sets
from ludoteca.games.conclave.hidden import is_back

KINDS = deck.MAGICS + deck.BROTHERHOODS + deck.INFLUENCES
"""The numbers for one place of a card: magic, brotherhood, influence; a back has its magic only."""
PILE = 19
PHASES = 3


def shape(parameters: Mapping[str, Any]) -> tuple[int]:
    """The length of `observation`."""
    players = int(parameters["players"])
    places = sets.CELLS + players * rules.HAND
    return (places * KINDS + (players + 1) * deck.CARDS + 2 * PILE * deck.MAGICS + players + PHASES + 1,)


def observation(view: RawPosition, player: int) -> Floats:
    """All that the view holds, float32: board, hands, followers, unseen cards, backs of the piles, mover, phase, turns left.

    For a spectator the players are counted from the first.
    """
    players = int(view.players)
    order = [(max(player, 0) + i) % players for i in range(players)]
    hands = view.hands[: rules.HAND * players].reshape(players, rules.HAND)
    followers = view.followers[: 8 * players].reshape(players, 8)
    backs = np.zeros((2, PILE, deck.MAGICS), np.float32)  # each pile from its top down
    for pile, top, bottom in zip(backs, view.top.tolist(), view.bottom.tolist(), strict=True):
        pile[np.arange(bottom - top), view.deck[top:bottom] >> 4] = 1
    parts = [
        _places(view.board),
        _places(hands[order].ravel()),
        _faces(followers[order, : deck.MAGICS].ravel()),
        _faces(view.unseen),
        backs.ravel(),
        np.array([view.mover == other for other in order], np.float32),
        np.eye(PHASES, dtype=np.float32)[int(view.phase)],
        np.array([view.turns_left / players], np.float32),
    ]
    return np.concatenate(parts).astype(np.float32)


def _places(cards: Any) -> Floats:
    out = np.zeros((len(cards), KINDS), np.float32)
    for row, card in zip(out, cards.tolist(), strict=True):
        if card != deck.NOTHING:
            row[card >> 4] = 1
            if not is_back(card):
                brotherhood, influence = divmod(card & 15, deck.INFLUENCES)
                row[deck.MAGICS + brotherhood] = 1
                row[deck.MAGICS + deck.BROTHERHOODS + influence] = 1
    return out.ravel()


def _faces(piles: Any) -> Floats:
    """Fifteen numbers for each pile: 1 for each face in it."""
    out: Floats = (piles.astype(np.int64)[:, None] >> np.arange(sets.FACES) & 1).astype(np.float32).ravel()
    return out
