"""Conclave as text: cards, actions, and a whole position in one line.

A card is its magic, its influence and its brotherhood, as in the document: `p5g`. A card face down is its magic: `p`. An
action is `b>2` (cede the followers of magic b to player 2), `keep` (cede nothing), `0:13` (send the card at place 0 of the
hand to row 1, column 3), `e` or `d` (draw from the left or the right pile). A position has six parts:

    p2s,o2g,v2c,p2c/p5g,-,-,t3s/v3g,-,-,b1s/r2s,v4g,t1s,r3s t4s,b5g,r1s,v5s/p1c,p3s,o1g,t4g b1c,b1g/- b,t,o p,p 1:send

1. The rows of the board (`-` for an empty cell).
2. The hands, player by player.
3. The followers, player by player.
4. The left pile from the top down.
5. The right pile from the top down.
6. The player to move with the phase of the turn (`cede`, `send` or `draw`), or `-` at the end of the game. `ceded` means
   `send` for a player who has ceded followers in this turn and has no more that could be ceded.

The cards that are missing in the text are removed from the game. A view is written in the same way, with backs for hidden
cards.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.errors import NotationError
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.reading import DASH, read_list, read_parts
from ludoteca.core.words import quoted
from ludoteca.games.conclave import deck, rules, sets

MAGICS: Final = "boprtv"
BROTHERHOODS: Final = "cgs"
PILES: Final = "ed"
"""The letters of the left and the right pile: “'e' = pila esquerra, i 'd' = pila dreta”."""
KEEP: Final = "keep"
PHASES: Final = ("cede", "send", "draw")
CEDED: Final = "ceded"
"""The word for the phase SENDING if the player has ceded in this turn and the rest of the text does not show it."""
MAGIC_NAMES: Final = ("blue", "ochre", "purple", "red", "orange", "green")


# Cards


@cache
def card_name(card: int) -> str:
    """Return the name of a card: `p5g`, `p` for a back, or `-` for no card.

    >>> [card_name(card) for card in (0, 1, 16, 17)]
    ['b1c', 'b2c', 'o1c', 'o2c']
    """
    if card == deck.NOTHING:
        return DASH
    magic, face = divmod(int(card), 16)
    if face == deck.BACK:
        return MAGICS[magic]
    brotherhood, influence = divmod(face, deck.INFLUENCES)
    return f"{MAGICS[magic]}{influence + 1}{BROTHERHOODS[brotherhood]}"


def read_card(text: str) -> int:
    """Return the card with this name, or NOTHING for `-`.

    Raises NotationError if no card has this name. The back of a card (`p`) is refused too, because it does not tell which
    card it is.
    """
    if text == DASH:
        return deck.NOTHING
    if text in _NUMBERS:
        return _NUMBERS[text]
    if len(text) == 1 and text in MAGICS:
        raise NotationError(f"{text} is the back of a card: a position must name the card")
    raise NotationError(
        f"{text[:20]!r} is no card: expected a magic of {MAGICS}, 1 to 5 and a brotherhood of {BROTHERHOODS}"
    )


def followers_of(state: RawPosition, player: int) -> list[int]:
    """Return a player's followers in the document's order: “màgia; si coincideix, influència; si també coincideix,
    germandat”.
    """
    piles = state.followers[8 * player : 8 * player + deck.MAGICS].tolist()
    return [16 * magic + face for magic, pile in enumerate(piles) for face in BY_INFLUENCE if pile >> face & 1]


def influence_of(state: RawPosition, player: int) -> list[int]:
    """Return the total influence of a player's followers of each magic, in the order of the magics."""
    return [int(deck.sum_of(pile)) for pile in state.followers[8 * player : 8 * player + deck.MAGICS].tolist()]


def pile_of(state: RawPosition, pile: int) -> list[int]:
    """Return the cards of a pile from the top down."""
    cards: list[int] = state.deck[int(state.top[pile]) : int(state.bottom[pile])].tolist()
    return cards


def hand_of(state: RawPosition, player: int) -> list[int]:
    """Return the cards at the four places of a player's hand, NOTHING for an empty place."""
    cards: list[int] = state.hands[rules.HAND * player : rules.HAND * (player + 1)].tolist()
    return cards


_NUMBERS: Final = {card_name(card): card for card in deck.ordered_deck()}
BY_INFLUENCE: Final = sorted(range(sets.FACES), key=lambda face: (face % deck.INFLUENCES, face))


# Actions


def action_to_string(state: RawPosition, action: int) -> str:
    """Return the text of an action: `0:11` (send the card at place 0 of the hand to row 1, column 1), `b>2` (cede the
    followers of magic b to player 2), `keep` (cede nothing), `e` or `d` (draw from the left or right pile).

    >>> from ludoteca import load
    >>> state = load("conclave").new_initial_state(seed=1)
    >>> [action_to_string(state.raw, action) for action in state.legal_actions()[:4]]
    ['0:11', '0:12', '0:21', '0:22']
    """
    if action < rules.CEDE:
        place, cell = divmod(action, sets.CELLS)
        return f"{place}:{cell_name(cell)}"
    if action < rules.KEEP:
        player, magic = divmod(action - rules.CEDE, 8)
        return f"{(MAGICS + '??')[magic]}>{player + 1}"
    return KEEP if action == rules.KEEP else PILES[action - rules.DRAW]


def string_to_action(state: RawPosition, text: str) -> int:
    """Return the action with this text, which may contain blanks. Raises NotationError if the text is no action of this
    game.
    """
    word = re.sub(r"\s", "", text)
    if word == KEEP:
        return rules.KEEP
    if len(word) == 1 and word in PILES:
        return rules.DRAW + PILES.index(word)
    if sending := re.fullmatch("([0-9]):?([0-9]),?([0-9])", word):
        place, row, column = map(int, sending.groups())
        if place >= rules.HAND:
            raise NotationError(("unread.place", place, rules.HAND - 1), __package__)
        if row >= sets.SIDE or column >= sets.SIDE:
            raise NotationError(("unread.cell", f"{row}{column}", sets.SIDE - 1), __package__)
        return sets.CELLS * place + sets.SIDE * row + column
    if cession := re.fullmatch("([a-z])>?([0-9])", word):
        magic, number = cession[1], int(cession[2])
        if magic not in MAGICS:
            raise NotationError(("unread.magic", quoted(magic), MAGICS), __package__)
        if not 1 <= number <= state.players:
            raise NotationError(("unread.player", number, int(state.players)), __package__)
        return rules.CEDE + 8 * (number - 1) + MAGICS.index(magic)
    raise NotationError(("unread.action", repr(text[:40]), KEEP), __package__)


def phase_of(action: int) -> int:
    """Return the phase of a turn in which a player takes this action."""
    return rules.SENDING if action < rules.CEDE else rules.CEDING if action <= rules.KEEP else rules.DRAWING


def refusal(state: RawPosition, action: int) -> Message:
    """Return the message that says why an illegal action is refused in this position."""
    if not 0 <= action < rules.ACTIONS:
        return ("refused.action", action)
    phase = phase_of(action)
    if phase != state.phase:
        return (_UNTIMELY[state.phase],)
    if phase == rules.SENDING:
        return ("refused.taken", cell_name(action % sets.CELLS))
    player, magic = divmod(action - rules.CEDE, 8)
    if magic >= deck.MAGICS or player >= state.players:
        return ("refused.nobody", magic, player + 1)
    if player == state.mover:
        return ("refused.oneself",)
    if not state.followers[8 * int(state.mover) + magic]:
        return ("refused.none", MAGICS[magic])
    return ("refused.some", (SEAT, player), MAGICS[magic])


def cell_name(cell: int) -> str:
    """Return the row and the column of a cell, such as `13`."""
    return f"{cell // sets.SIDE}{cell % sets.SIDE}"


_UNTIMELY: Final = ("refused.cede", "refused.send", "refused.draw")
"""The message that refuses an action of another phase, by the phase of the position."""


# Positions


def position_to_string(state: RawPosition) -> str:
    """Return the position in one line."""
    players = range(state.players)
    board = state.board.tolist()
    rows = (board[at : at + sets.SIDE] for at in range(0, sets.CELLS, sets.SIDE))
    return " ".join(
        [
            "/".join(map(_cards, rows)),
            "/".join(_cards(hand_of(state, player)) for player in players),
            "/".join(_cards(followers_of(state, player)) for player in players),
            _cards(pile_of(state, rules.LEFT)),
            _cards(pile_of(state, rules.RIGHT)),
            DASH if rules.is_terminal(state) else f"{state.mover + 1}:{_phase_name(state)}",
        ]
    )


def _phase_name(state: RawPosition) -> str:
    """Return the word for the phase of the turn.

    If a player who sends still has followers that could be ceded, the player must have decided not to cede more, so `send`
    is enough.
    """
    return CEDED if state.ceded and not rules.cessions(state, int(state.mover)) else PHASES[state.phase]


def _cards(cards: Iterable[int]) -> str:
    return ",".join(map(card_name, cards)) or DASH


def string_to_position(state: RawPosition, text: str) -> None:
    """Fill a prepared position with the position that the text describes.

    Raises NotationError, which says which part is wrong and why, if the text is no complete position of this game.
    """
    parts = read_parts(text, "board", "hands", "followers", "left pile", "right pile", "mover")
    seen = set()
    for name in re.split("[/,]", "/".join(parts[:5])):
        if read_card(name) != deck.NOTHING and name in seen:
            raise NotationError(f"the card {name} comes twice")
        seen.add(name)
    board, hands, followers, left, right, mover = parts
    players = int(state.players)
    state.dealing = 0
    state.deck[:] = deck.NOTHING
    for row, cells in enumerate(read_list(board, "/", sets.SIDE, "row", of="the board")):
        for column, name in enumerate(read_list(cells, ",", sets.SIDE, "cell", of=f"row {row} of the board")):
            if name != DASH:
                rules.put(state, read_card(name), sets.SIDE * row + column)
    for player, hand in enumerate(read_list(hands, "/", players, "hand")):
        names = rules.HAND * [DASH]
        if hand != DASH:
            names = read_list(hand, ",", rules.HAND, "place", of=f"the hand of player {player + 1}")
        state.hands[rules.HAND * player : rules.HAND * (player + 1)] = list(map(read_card, names))
    for player, part in enumerate(read_list(followers, "/", players, "part", of="the list of followers")):
        for card in _read_cards(part):
            rules.follow(state, player, card)
    _read_pile(state, rules.LEFT, _read_cards(left))
    _read_pile(state, rules.RIGHT, _read_cards(right))
    _read_mover(state, mover)
    _check_hands(state)


def _read_cards(text: str) -> list[int]:
    return [] if text == DASH else list(map(read_card, text.split(",")))


def _read_pile(state: RawPosition, pile: int, cards: list[int]) -> None:
    if len(cards) > rules.half(state):
        raise NotationError(f"a pile has {len(cards)} cards: in this game it begins with {rules.half(state)}")
    if deck.NOTHING in cards:
        raise NotationError("a pile has a card '-' in it")
    state.bottom[pile] = rules.half(state) * (2 if pile == rules.LEFT else 1)
    state.top[pile] = state.bottom[pile] - len(cards)
    state.deck[int(state.top[pile]) : int(state.bottom[pile])] = cards


def _read_mover(state: RawPosition, text: str) -> None:
    if text == DASH:
        state.mover, state.phase = TERMINAL, 0
        return
    words = (*PHASES, CEDED)
    found = re.fullmatch(f"([1-{state.players}]):({'|'.join(words)})", text)
    if not found:
        raise NotationError(f"the player to move is {quoted(text)}: expected a player, : and {', '.join(words)}, or -")
    state.mover = int(found[1]) - 1
    could_cede = rules.cessions(state, int(state.mover)) != 0
    state.phase = rules.SENDING if found[2] == CEDED else PHASES.index(found[2])
    state.ceded = int(found[2] == CEDED or (state.phase == rules.SENDING and could_cede))
    if state.occupied == sets.ALL_CELLS and state.phase != rules.DRAWING:
        raise NotationError("the board is full: the game is over, expected - for the player to move")
    if found[2] == CEDED and could_cede:
        raise NotationError(f"player {state.mover + 1} could cede more: expected send")
    if state.phase == rules.CEDING and not could_cede:
        raise NotationError(f"player {state.mover + 1} has nothing to cede to anybody: expected send")
    if state.phase == rules.DRAWING and not (pile_of(state, rules.LEFT) and pile_of(state, rules.RIGHT)):
        raise NotationError("a pile is empty: there is none to choose")


def _check_hands(state: RawPosition) -> None:
    """Check the empty places of the hands, and set the fields of the position that follow from them. Raises NotationError if
    they do not fit the piles and the phase.

    A hand has four cards, except for the hand of a mover who draws, and the hands of players who have had their last turn.
    """
    players, mover = int(state.players), int(state.mover)
    gaps = [hand_of(state, player).count(deck.NOTHING) for player in range(players)]
    has_piles = bool(pile_of(state, rules.LEFT) or pile_of(state, rules.RIGHT))
    if rules.is_terminal(state):
        expected = players * [rules.HAND]
    elif state.phase == rules.DRAWING:
        expected = [int(player == mover) for player in range(players)]
    elif has_piles:
        expected = players * [0]
    else:  # in the last round, the players with full hands have a turn left, from the mover on
        to_come = {(mover + i) % players for i in range(max(gaps.count(0), 1))}
        expected = [int(player not in to_come) for player in range(players)]
    if gaps != expected:
        raise NotationError(f"the hands have {gaps} empty places, which does not fit the piles and the player to move")
    if state.phase == rules.DRAWING:
        state.gap = hand_of(state, mover).index(deck.NOTHING)
    elif 0 in gaps and not has_piles:
        state.turns_left = gaps.count(0)
