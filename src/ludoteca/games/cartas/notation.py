"""Jogo de Cartas as text: plays, and a whole position in one line.

A play is its cards in ascending order, in the document's words without blanks (`10♠J♥C♦`), or `PASSO`, which passes. A
position has four parts:

    A♠5♦/K♣/2♥2♣/10♠ J♥ 1 3

1. The hands of players 1 to 4. `-` is an empty hand. 2. The combination to answer, or `-` if the player to move may lead any
combination. 3. The number of passes in a row. 4. The player to move, or `-` after the end of the game.

All other cards have been played. In the view of a player the other hands are numbers of cards, and a fifth part has the
cards that have been played.
"""

from typing import Final

from ludoteca.core.bits import size
from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.core.messages import Message
from ludoteca.core.reading import DASH, read_list, read_mover, read_number, read_parts
from ludoteca.core.words import quoted
from ludoteca.games.cartas import cards, rules
from ludoteca.games.cartas.cards import PASSO, WORDS
from ludoteca.games.cartas.combinations import (
    DECK,
    each_of,
    length_of,
    other_shape,
    shape_of,
)

PLAIN: Final = dict(zip(cards.SUITS, cards.LETTERS, strict=True))
"""The letter that replaces each suit on a terminal whose encoding lacks the signs. Such letters are also read."""
PASSES: Final = (PASSO, "PASS", "PASO", "PAS")
"""The words with which a player passes: the document's, and those on the page in other languages."""


# Plays


def action_to_string(state: RawPosition, action: int) -> str:
    """Return a play as text, such as `10♠J♥C♦`, or `PASSO` if the player passes."""
    return PASSO if action == rules.PASS else short(action)


def string_to_action(state: RawPosition, text: str) -> int:
    """Return the action that plays the cards of a text, or PASS for a word such as `PASSO`. The cards may be in any order,
    as pictures, in words, or with the letters e, c, o and p for suits.

    Raises NotationError for any other text, and for a text without cards.

    >>> from ludoteca import load
    >>> state = load("cartas").new_initial_state(seed=1)
    >>> state.action_to_string(string_to_action(state.raw, "10♦"))
    '10♦'
    >>> state.action_to_string(string_to_action(state.raw, "A♦A♠"))
    'A♠A♦'
    >>> string_to_action(state.raw, "PASSO")
    0
    """
    if text.strip().upper() in PASSES:
        return rules.PASS
    try:
        action, _ = cards.read(cards.typed(text))
    except cards.NoCardError as error:
        message: Message = ("unread.card", quoted(text), quoted(error.read), error.character, PASSO)
        raise NotationError(message, __package__) from None
    except cards.TwiceError as error:
        raise NotationError(("unread.twice", quoted(text), error.card, error.character), __package__) from None
    if not action:
        raise NotationError(("unread.nothing", quoted(text), PASSO), __package__)
    return action


def refusal(state: RawPosition, action: int) -> Message:
    """Return the message that says why an illegal action is refused in this position."""
    if not 0 < action <= DECK:
        return ("refused.action", action)
    hand = int(state.hands[state.mover])
    if action & ~hand:
        return ("refused.hand", short(action & ~hand))
    return no_answer(action, int(state.play))


def no_answer(action: int, play: int) -> Message:
    """Return the reason why these cards of a hand may not be played after `play`, the cards of the last combination. If
    `play` is 0, the player leads.
    """
    found, wanted = shape_of(action), shape_of(play)
    if not found:
        return ("refused.combination", short(action))
    if found == wanted:
        return ("refused.higher", short(action), short(1 << cards.highest(play)))
    fours, doubles = other_shape(play, 0), other_shape(play, 1)
    if not doubles:
        return ("refused.kind", kind_of(found), kind_of(wanted))
    return ("refused.one-king" if fours else "refused.kings", kind_of(found), kind_of(wanted), kind_of(doubles))


def kind_of(shape: int) -> Message:
    """Return the name of the combinations of a shape, such as "double sequence of 3", as a message."""
    length, each = length_of(shape), each_of(shape)
    if length == 1:
        return ("kind.set", each)
    return ("kind.double" if each == 2 else "kind.sequence", length)


def short(some: int) -> str:
    """Return cards in the document's words, without blanks."""
    return cards.write(some, WORDS, "").replace(" ", "")


def player_name(player: int) -> str:
    """Return the name of a player in error messages. Player 0 is the document's “jogador 1”."""
    return f"player {player + 1}"


# Positions


def position_to_string(state: RawPosition) -> str:
    """Return the position in one line."""
    hands = [int(hand) for hand in state.hands]
    known = sum(hands) | int(state.played)
    parts = [
        "/".join(short(hand) or (str(held) if held else DASH) for hand, held in zip(hands, state.sizes, strict=True)),
        short(int(state.play)) or DASH,
        str(state.passes),
        DASH if rules.is_terminal(state) else str(state.mover + 1),
    ]
    if known != DECK:
        parts.append(short(int(state.played)) or DASH)
    return " ".join(parts)


def string_to_position(state: RawPosition, text: str) -> None:
    """Fill a prepared position with the position that the text describes.

    Raises NotationError, which says which part is wrong and why, if the text is no complete position of this game.
    """
    if len(text.split()) == 5:
        raise NotationError("the position has a fifth part: it is the view of a seat, not a whole position")
    hands, play, passes, mover = read_parts(text, "hands", "combination to answer", "passes", "player to move")
    _read_hands(state, read_list(hands, "/", rules.PLAYERS, "hand"))
    to_answer = _read_cards(play, "the combination to answer")
    if to_answer & ~int(state.played):
        raise NotationError(f"{short(to_answer & ~int(state.played))} is in a hand, and in the combination to answer")
    if to_answer and not shape_of(to_answer):
        raise NotationError(f"{play} is to be answered, and is no combination")
    rules.set_play(state, to_answer)
    state.passes = read_number(passes, "the passes in a row", rules.PLAYERS - 2 if to_answer else rules.PLAYERS)
    empty = [player_name(player) for player, held in enumerate(state.sizes) if held == 0]
    if len(empty) > 1:
        raise NotationError(f"{' and '.join(empty)} have no cards: the game ends with the first")
    over = bool(empty) or state.passes == rules.PLAYERS
    state.mover = read_mover(mover, over, {str(player + 1): player for player in range(rules.PLAYERS)})
    if empty and (state.passes or not to_answer):  # the game ends with the play of the last cards
        raise NotationError(f"{empty[0]} has no cards: expected the last play, and 0 passes since")


def _read_hands(state: RawPosition, hands: list[str]) -> None:
    held = 0
    for player, text in enumerate(hands):
        hand = _read_cards(text, f"the hand of {player_name(player)}")
        if held & hand:
            raise NotationError(f"{short(held & hand)} is in two hands")
        if size(hand) > rules.HAND:
            raise NotationError(f"{player_name(player)} has {size(hand)} cards, expected {rules.HAND} at most")
        held |= hand
        state.hands[player] = hand
        state.sizes[player] = size(hand)
    state.played = DECK ^ held


def _read_cards(text: str, what: str) -> int:
    if text == DASH:
        return 0
    try:
        return cards.read(text)[0]
    except NotationError as error:
        raise NotationError(f"{what}: {error}, or {DASH}") from None
