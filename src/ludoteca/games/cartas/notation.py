"""Text for Cartas: plays, and a whole position in one line.

A play is its cards, ascending, in the document's words without blanks (`10♠J♥C♦`), or `PASSO`. A position has four parts:

    A♠5♦/K♣/2♥2♣/10♠ J♥ 1 3

the hands of players 1 to 4, the combination to answer (`-` when anything may be led), the passes in a row, the player to
move (`-` when the game is over); `-` is an empty hand. The cards that are in no hand have been played. In what a seat sees
the other hands are numbers of cards, and a fifth part has the cards that have been played.
"""

from typing import Final

from ludoteca.core.bits import size
from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.core.messages import SEAT, Message
from ludoteca.games.cartas import cards, rules
from ludoteca.games.cartas.cards import PASSO, WORDS
from ludoteca.games.cartas.combinations import (
    DECK,
    each_of,
    is_answered_by_fours,
    length_of,
    pairs_that_answer,
    shape,
    shape_of,
)

NOTHING: Final = "-"
PLAIN: Final = dict(zip(cards.SUITS, cards.LETTERS, strict=True))
"""What may stand for signs that an encoding lacks: it is read as well."""


# Plays


def action_to_string(state: RawPosition, action: int) -> str:
    """`10♠J♥C♦`, or `PASSO`."""
    return PASSO if action == rules.PASS else short(action)


def string_to_action(state: RawPosition, text: str) -> int:
    """The action that some cards are, in any order, as pictures, in words, or with the suits' letters e, c, o, p.

    Raises NotationError when something else stands there, or nothing.
    """
    if text.strip().upper() == PASSO:
        return rules.PASS
    try:
        action, _ = cards.read(cards.typed(text))
    except NotationError as error:
        raise NotationError(f"{text!r} is no play: {error}, such as 10♠, 10e or 🂪, or {PASSO}") from None
    if not action:
        raise NotationError(f"{text!r} is no play: expected cards, such as 10♠, 10e or 🂪, or {PASSO}")
    return action


def refusal(state: RawPosition, action: int) -> Message:
    """Why an action is not legal here."""
    if not 0 < action <= DECK:
        return ("refused.action", action)
    hand, play = int(state.hands[state.mover]), int(state.play)
    if action & ~hand:
        return ("refused.hand", short(action & ~hand), (SEAT, int(state.mover)))
    if not shape_of(action):
        return ("refused.combination", short(action))
    return _no_answer(action, play)


def _no_answer(action: int, play: int) -> Message:
    found, wanted = shape_of(action), shape_of(play)
    if found == wanted:
        return ("refused.higher", short(action), short(1 << cards.highest(play)))
    kings = pairs_that_answer(play)
    if not kings:
        return ("refused.kind", kind_of(found), kind_of(wanted))
    key = "refused.one-king" if is_answered_by_fours(play) else "refused.kings"
    return (key, kind_of(found), kind_of(wanted), kind_of(shape(kings, 2)))


def kind_of(shape: int) -> Message:
    """What combinations of a shape are called, with their size."""
    length, each = length_of(shape), each_of(shape)
    if length == 1:
        return ("kind.set", each)
    return ("kind.double" if each == 2 else "kind.sequence", length)


def short(some: int) -> str:
    """Cards in the document's words, without blanks."""
    return cards.write(some, WORDS, "").replace(" ", "")


def player_name(player: int) -> str:
    """“Jogador 1” is player 0."""
    return f"player {player + 1}"


# Positions


def position_to_string(state: RawPosition) -> str:
    """The position in one line."""
    hands = [_hand(state, player) for player in range(rules.PLAYERS)]
    mover = NOTHING if rules.is_terminal(state) else str(state.mover + 1)
    hidden = [f"{short(int(state.played)) or NOTHING}"] if is_view(state) else []
    return " ".join(["/".join(hands), short(int(state.play)) or NOTHING, str(state.passes), mover, *hidden])


def is_view(state: RawPosition) -> bool:
    """True when there are cards that one does not see."""
    seen = int(state.played)
    for player in range(rules.PLAYERS):
        seen |= int(state.hands[player])
    return seen != DECK


def _hand(state: RawPosition, player: int) -> str:
    hand, cards = int(state.hands[player]), int(state.sizes[player])
    return short(hand) or (str(cards) if cards else NOTHING)


def string_to_position(state: RawPosition, text: str) -> None:
    """Change the prepared position into that of the text. Raises NotationError: which part is wrong, and why."""
    parts = text.split()
    if len(parts) != 4:
        views = ": with a fifth part it is what a seat sees, not a whole position" if len(parts) == 5 else ""
        raise NotationError(
            f"the position has {len(parts)} parts, expected 4: hands, combination to answer, passes, player to move{views}"
        )
    _read_hands(state, parts[0].split("/"))
    _read_play(state, parts[1])
    _read_passes(state, parts[2])
    _read_mover(state, parts[3])


def _read_hands(state: RawPosition, hands: list[str]) -> None:
    if len(hands) != rules.PLAYERS:
        raise NotationError(f"the position has {len(hands)} hands, expected {rules.PLAYERS}")
    held = 0
    for player, text in enumerate(hands):
        hand = _cards(text, f"the hand of {player_name(player)}")
        if held & hand:
            raise NotationError(f"{short(held & hand)} is in two hands")
        if size(hand) > rules.HAND:
            raise NotationError(f"{player_name(player)} has {size(hand)} cards, expected {rules.HAND} at most")
        held |= hand
        state.hands[player] = hand
        state.sizes[player] = size(hand)
    state.played = DECK ^ held


def _read_play(state: RawPosition, text: str) -> None:
    play = _cards(text, "the combination to answer")
    if play & ~int(state.played):
        raise NotationError(f"{short(play & ~int(state.played))} is in a hand, and in the combination to answer")
    if play and not shape_of(play):
        raise NotationError(f"{text} is to be answered, and is no combination")
    rules.set_play(state, play)


def _read_passes(state: RawPosition, text: str) -> None:
    most = rules.PLAYERS - 2 if state.play else rules.PLAYERS
    if not (text.isascii() and text.isdigit() and len(text) == 1 and int(text) <= most):
        raise NotationError(f"the passes in a row: read {text[:20]!r}, expected a number from 0 to {most}")
    state.passes = int(text)


def _read_mover(state: RawPosition, text: str) -> None:
    empty = [player for player in range(rules.PLAYERS) if not state.sizes[player]]
    if len(empty) > 1:
        raise NotationError(f"{' and '.join(map(player_name, empty))} have no cards: the game ends with the first")
    over = bool(empty) or state.passes == rules.PLAYERS
    if over != (text == NOTHING):
        raise NotationError(f"the player to move is {text[:20]!r}: the game is {'over: expected -' if over else 'not over'}")
    if not over and text not in ("1", "2", "3", "4"):
        raise NotationError(f"the player to move: read {text[:20]!r}, expected a number from 1 to {rules.PLAYERS}")
    _check_end(state, empty)
    state.mover = TERMINAL if over else int(text) - 1


def _check_end(state: RawPosition, empty: list[int]) -> None:
    """Who plays his last cards leaves them on the table, and nobody has passed since."""
    if empty and (state.passes or not state.play):
        raise NotationError(f"{player_name(empty[0])} has no cards: expected the last play, and 0 passes since")


def _cards(text: str, what: str) -> int:
    if text == NOTHING:
        return 0
    try:
        return cards.read(text)[0]
    except NotationError as error:
        raise NotationError(f"{what}: {error}, or {NOTHING}") from None
