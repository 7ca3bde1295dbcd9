"""Who starts: “cada jogador retira uma carta do baralho”, and the highest suit begins. For the text program.

In the rules player 0 begins: who that is was found before. “The tiles drawn go back.”
"""

from collections.abc import Sequence

from ludoteca.core.contract import Words
from ludoteca.core.rng import draw
from ludoteca.games.qinto.tiles import OPEN, ordered_deck, shape_of


def draw_for_start(players: int, rng: Words) -> list[dict[int, int]]:
    """What the players draw, round after round: kinds by player. The last round has one highest suit (the lowest shape)."""
    rounds: list[dict[int, int]] = []
    tied: Sequence[int] = range(players)
    while len(tied) > 1:
        drawn = dict(zip(tied, _tiles_with_suit(rng), strict=False))
        rounds.append(drawn)
        highest = min(map(shape_of, drawn.values()))
        tied = [player for player, kind in drawn.items() if shape_of(kind) == highest]
    return rounds


def starter(rounds: list[dict[int, int]]) -> int:
    """Who has the highest suit in the last round."""
    last = rounds[-1]
    return min(last, key=lambda player: shape_of(last[player]))


def _tiles_with_suit(rng: Words) -> list[int]:
    """A shuffled deck; “a colour wild or a Q!nto tile has no suit and is drawn again”."""
    deck = ordered_deck()
    for i in range(len(deck) - 1, 0, -1):
        j = draw(rng, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return [kind for kind in deck if shape_of(kind) != OPEN]
