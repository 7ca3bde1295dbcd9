"""A learned policy: the probability of each play, as a strong player with the mover's hand would choose. This module is
compiled.

The policy distinguishes plays by shape and highest value. Of plays that differ only in suits, it uses the lowest. Passing is
one more option, unless the player leads. The score of a play is a sum of weights, one from each of GROUPS tables. The
properties of the play and of the situation decide which entry of a table is used. The probabilities are a softmax of the
scores. `ludoteca train cartas` learns the weights (`options`).
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from ludoteca.core.bits import size
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.core.tables import table
from ludoteca.core.value import read_weights
from ludoteca.games.cartas.combinations import (
    DECK,
    FOUR,
    LEADS,
    OTHERS,
    SUITS,
    VALUES,
    above,
    each_of,
    ends_in,
    is_of_kings,
    length_of,
    lowest,
    other_shape,
    shape,
    turns,
)
from ludoteca.games.cartas.play.beginner import cheapest
from ludoteca.games.cartas.rules import HAND, PASS, PLAYERS

UNIT: Final = 64
"""Scores are logits (natural logarithms of odds) in units of 1 / UNIT."""
NEVER: Final = -(1 << 30)
"""A number below every score."""

_LEADS: Final = [(length, each) for length, each, _ in LEADS if length * each <= HAND]
_SHAPES: Final = table([shape(length, each) for length, each in _LEADS])
_NEXT: Final = table(
    [
        next((j for j in range(i + 1, len(_LEADS)) if length == 1 or _LEADS[j][1] != each), len(_LEADS))
        for i, (length, each) in enumerate(_LEADS)
    ]
)
"""The shape to try next, by shape, if a hand has none of the shape. Longer runs are skipped: it has none of them either."""


class Play(NamedTuple):
    """One of the options among which the policy chooses, as `next_play` finds it."""

    cards: int
    """The cards played, as a bit set. It is PASS after the last play."""
    kind: int
    rank: int
    """The number of lower plays of the same shape in the hand."""
    left: int
    """The number of turns that it takes to play the rest of the hand."""
    ends: int
    """The set of the highest values of higher plays of the same shape."""
    number: int
    """The number of the shape among the shapes that may be played, as in `kind_of`."""


class Situation(NamedTuple):
    """The properties of a position that the scores of all plays use."""

    hand: int
    unseen: int
    """The cards in the other hands."""
    masters: int
    """The set of the cards than which at most one unseen card is higher."""
    play: int
    kind: int
    higher: int
    turns: int
    """The number of turns that it takes to play the hand."""
    lead: int
    """1 if the mover leads, else 0."""
    passes: int
    soonest: int
    """How soon the first of the other players may finish, as a class of `_SOON`."""
    owner: int
    """How soon the player who made the play to answer may finish, as a class of `_SOON`."""
    following: int
    """How soon the next player may finish, as a class of `_SOON`."""


_SOON: Final = table([0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5])
"""How soon a player may finish, as a class, by the number of cards in the hand. A smaller class is sooner."""
_SOONS: Final = 6


def situation_of(state: RawPosition) -> Situation:
    """Return the situation of the mover in a position. It uses only facts that the mover knows."""
    mover, sizes = i64(state.mover), state.sizes
    hand, play, passes = i64(state.hands[index(mover)]), i64(state.play), i64(state.passes)
    unseen = DECK ^ i64(state.played) ^ hand
    fewest = i64(HAND)
    for player in range(PLAYERS):
        if player != mover:
            fewest = min(fewest, i64(sizes[index(player)]))
    return Situation(
        hand,
        unseen,
        above(unseen & ~(i64(1) << highest(unseen))),
        play,
        i64(state.kind),
        i64(state.higher),
        turns(hand),
        i64(play == 0),
        passes,
        i64(_SOON[index(fewest)]),
        i64(_SOON[index(sizes[index((mover - 1 - passes) & (PLAYERS - 1))])]),
        i64(_SOON[index(sizes[index((mover + 1) & (PLAYERS - 1))])]),
    )


def highest(cards: int) -> int:
    """Return the highest card of a set, as the number of its bit."""
    return SUITS * VALUES - 1 - size(above(cards))


# The first place of each table, and the places of a play in the tables

_SIZES: Final = (
    2 * 10 * 6,  # lead, turns left, turns saved
    2 * 6 * 14 * 5,  # lead, soonest, highest value, class
    2 * 6 * 8,  # lead, soonest, cards
    6 * 6 * 8,  # soonest, masters kept, turns left
    8 * 2 * 6,  # turns left, cannot be beaten, soonest
    4 * 14 * 2,  # following, highest value, single
    2 * 5 * 6,  # lead, rank, turns saved
    2 * 16 * 5,  # lead, unseen cards above, class
    2 * 6,  # other shape, owner
    15 * 10,  # cards in the rest, turns left
)
_PASSING_SIZES: Final = (
    3 * 6 * 6,  # passes, soonest, owner
    10 * 15,  # turns, cards in the hand
    8,  # answers
    6 * 5,  # most turns saved, class
    14 * 5,  # highest value of the play, class
    6 * 6 * 6,  # owner, soonest, most turns saved
)
_BEGIN: Final = tuple(sum((*_SIZES, *_PASSING_SIZES)[:i]) for i in range(len(_SIZES) + len(_PASSING_SIZES) + 1))
WEIGHTS: Final = _BEGIN[-1]
GROUPS: Final = len(_SIZES)
PASSING_GROUPS: Final = len(_PASSING_SIZES)
B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, P0, P1, P2, P3, P4, P5, _END = _BEGIN


def class_of(kind: int) -> int:
    """Return a class for a shape: 0 for single cards, 1 for pairs, 2 for larger sets, 3 for sequences and 4 for double
    sequences.
    """
    if length_of(kind) == 1:
        return min(each_of(kind), i64(3)) - 1
    return 2 + each_of(kind)


def saved_by(situation: Situation, play: Play) -> int:
    """Return one more than the number of turns by which a play shortens the rest of the hand, from 0 to 5. It is 2 for most
    plays.
    """
    return min(max(situation.turns - play.left + 1, i64(0)), i64(5))


def places(situation: Situation, play: Play) -> tuple[int, int, int, int, int, int, int, int, int, int]:
    """Return the indices of a play's weights, one in each table."""
    cards, kind, rank, left = play.cards, play.kind, play.rank, play.left
    rest = situation.hand ^ cards
    lead, soonest, higher = situation.lead, situation.soonest, above(cards)
    n, top, among = size(cards), highest(cards) >> 2, class_of(kind)
    saved, late = saved_by(situation, play), min(left, i64(7))
    kept = min(size(rest & situation.masters), i64(5))
    beaten = ends_in(situation.unseen, kind, higher) != 0 or (kind < FOUR and is_of_kings(cards))
    over = min(size(situation.unseen & higher), i64(15))
    other = i64(situation.lead == 0 and is_of_kings(situation.play) and not is_of_kings(cards))
    return (
        B0 + (lead * 10 + min(left, i64(9))) * 6 + saved,
        B1 + ((lead * 6 + soonest) * 14 + top) * 5 + among,
        B2 + (lead * 6 + soonest) * 8 + min(n, i64(8)) - 1,
        B3 + (soonest * 6 + kept) * 8 + late,
        B4 + (late * 2 + i64(beaten)) * 6 + soonest,
        B5 + (min(situation.following, i64(3)) * 14 + top) * 2 + i64(n == 1),
        B6 + (lead * 5 + min(rank, i64(4))) * 6 + saved,
        B7 + (lead * 16 + over) * 5 + among,
        B8 + other * 6 + situation.owner,
        B9 + size(rest) * 10 + min(left, i64(9)),
    )


def passing_places(situation: Situation, answers: int, most: int) -> tuple[int, int, int, int, int, int]:
    """Return the indices of the weights for passing, one in each table for passing.

    `answers` is the number of plays with which the mover could answer, and `most` the highest `saved_by` of these plays.
    """
    among = class_of(situation.kind)
    return (
        P0 + (situation.passes * 6 + situation.soonest) * 6 + situation.owner,
        P1 + min(situation.turns, i64(9)) * 15 + size(situation.hand),
        P2 + min(answers, i64(7)),
        P3 + most * 5 + among,
        P4 + (highest(situation.play) >> 2) * 5 + among,
        P5 + (situation.owner * 6 + situation.soonest) * 6 + most,
    )


# The plays, one after another


def first_play(situation: Situation) -> Play:
    """Return the first play among which the policy chooses: the lowest of the first shape."""
    none = i64(0)
    return next_play(situation, Play(none, none, none, none, none, i64(-1)))


def next_play(situation: Situation, before: Play) -> Play:
    """Return the play that follows `before`. Plays are ordered by shape, and then by height. After the last play, return a
    play without cards.
    """
    hand, kind, ends, rank, number = situation.hand, before.kind, before.ends, before.rank + 1, before.number
    if ends == 0:
        number, rank = number + 1, i64(0)
        while number < numbers(situation):
            kind = kind_of(situation, number)
            ends = ends_in(hand, kind, higher_of(situation, number))
            if ends != 0:
                break
            number = i64(_NEXT[index(number)])
        if ends == 0:
            return Play(i64(PASS), kind, rank, situation.turns, ends, number)
    cards = cheapest(hand, kind, lowest(ends), higher_of(situation, number))
    return Play(cards, kind, rank, turns(hand ^ cards), ends & (ends - 1), number)


def numbers(situation: Situation) -> int:
    """Return the number of shapes that may be played now. Some may be missing in the hand."""
    if situation.lead == 1:
        return len(_SHAPES)
    return i64(1 + OTHERS) if is_of_kings(situation.play) else i64(1)


def kind_of(situation: Situation, number: int) -> int:
    """Return shape number `number` among the shapes that may be played now. If there is no such shape, return a shape that
    no hand contains.
    """
    if situation.lead == 1:
        return i64(_SHAPES[index(number)])
    if number == 0:
        return situation.kind
    other = other_shape(situation.play, number - 1)
    return other if other != 0 else shape(i64(VALUES), i64(SUITS))


def higher_of(situation: Situation, number: int) -> int:
    """Return the set of the cards that may be the highest card of a play of shape number `number`."""
    return i64(DECK) if number > 0 or situation.lead == 1 else situation.higher


# Choosing

_FILE: Final = Path(__file__).with_name("weights") / "policy.npz"


def _scores() -> Any:
    """Return the learned weights, multiplied by UNIT and rounded. Raises ContractError if the file has another number of
    weights.
    """
    return table(np.rint(UNIT * read_weights(_FILE, WEIGHTS)[0].astype(np.float64)), np.int16)


SCORES: Final = _scores()
"""The learned weights of all tables, multiplied by UNIT and rounded."""
_CHANCES: Final = 1024
_LUCK: Final = table(np.round(-UNIT * np.log(-np.log((np.arange(_CHANCES) + 0.5) / _CHANCES))), np.int16)
"""Gumbel's distribution. If a random number from it is added to each score, the highest sum is a draw from the softmax."""


def choose(state: RawPosition, rng: Words) -> int:
    """Return a random play of the mover, or PASS, with the probabilities of the policy. A play of the whole hand wins, so it
    is always chosen.
    """
    if cannot_answer(state):
        return i64(PASS)
    situation = situation_of(state)
    hand, best, most, count, saved = situation.hand, i64(PASS), i64(NEVER), i64(0), i64(0)
    play = first_play(situation)
    while play.cards != PASS:
        if play.cards == hand:
            return play.cards
        score = score_of(situation, play) + i64(_LUCK[index(draw(rng, i64(_CHANCES)))])
        if score > most:
            best, most = play.cards, score
        saved = max(saved, saved_by(situation, play))
        count += 1
        play = next_play(situation, play)
    if count == 0 or situation.lead == 1:
        return best
    passing = score_of_passing(situation, count, saved) + i64(_LUCK[index(draw(rng, i64(_CHANCES)))])
    return best if most >= passing else i64(PASS)


def cannot_answer(state: RawPosition) -> bool:
    """Return True if passing is the mover's only legal action. This is so in most positions of a game."""
    hand, play = i64(state.hands[index(state.mover)]), i64(state.play)
    if play == 0 or ends_in(hand, i64(state.kind), i64(state.higher)) != 0:
        return False
    if not is_of_kings(play):
        return True
    for number in range(OTHERS):
        other = other_shape(play, number)
        if other != 0 and ends_in(hand, other, i64(DECK)) != 0:
            return False
    return True


def score_of(situation: Situation, play: Play) -> int:
    """Return the score of a play."""
    return total(places(situation, play))


def score_of_passing(situation: Situation, answers: int, saved: int) -> int:
    """Return the score of passing. `answers` is the number of plays with which the mover could answer, and `saved` the
    highest `saved_by` of these plays.
    """
    return total(passing_places(situation, answers, saved))


def total(some: tuple[int, ...]) -> int:
    """Return the sum of the weights at these indices."""
    score = i64(0)
    for place in some:
        score += i64(SCORES[index(place)])
    return score


# Learning


def list_plays(state: RawPosition, out: Integers, places_out: Integers) -> int:
    """Write the plays among which the policy chooses to `out`, and the GROUPS indices of weights of each to `places_out`.
    Return the number of plays.

    Unless the player leads, the indices of the weights for passing follow in `places_out`.
    """
    situation = situation_of(state)
    count, saved, at = i64(0), i64(0), i64(0)
    play = first_play(situation)
    while play.cards != PASS:
        for place in places(situation, play):
            places_out[at] = place
            at += 1
        out[count] = play.cards
        count += 1
        saved = max(saved, saved_by(situation, play))
        play = next_play(situation, play)
    if situation.lead == 0:
        for place in passing_places(situation, count, saved):
            places_out[at] = place
            at += 1
    return count
