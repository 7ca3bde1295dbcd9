"""High cards first, and open if they are likely to take the trick."""

from ludoteca.core.contract import Integers, RawPosition, Words, i64
from ludoteca.core.rng import draw

from .rules import CONCEDE, DECK, random_action


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    for i in range(count):
        card = actions[i] % DECK
        out[i] = card if actions[i] < DECK else DECK - card
        if actions[i] == CONCEDE:
            out[i] = -1


def playout_action(state: RawPosition, rng: Words) -> int:
    action = random_action(state, rng)
    return action % DECK if draw(rng, i64(2)) == 0 else action
