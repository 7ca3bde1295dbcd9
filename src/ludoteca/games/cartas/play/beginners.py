"""Heuristics for a search without the learned policy: beginners play in the playouts, and the search also chooses the
opponents' actions, by their results. The learned policy is compared with these heuristics when it is trained.
"""

from ludoteca.core.contract import RawPosition, Words, i64, index
from ludoteca.games.cartas.play.beginner import answer, lead
from ludoteca.games.cartas.play.heuristics import EXPAND_AT as EXPAND_AT
from ludoteca.games.cartas.play.heuristics import EXPLORE as EXPLORE
from ludoteca.games.cartas.play.heuristics import WIDEN as WIDEN
from ludoteca.games.cartas.play.heuristics import action_values as action_values


def playout_action(state: RawPosition, rng: Words) -> int:
    """Return the play that a beginner would make (`beginner`)."""
    hand = i64(state.hands[index(state.mover)])
    if state.play == 0:
        return lead(hand)
    return answer(hand, i64(state.play), i64(state.kind), i64(state.higher))
