"""Our own program with one sentence of the document broken at a time, for the judge to find."""

import textwrap
from typing import Final

from ludoteca.core.judging import Mutant

SHUFFLE: Final = ("deck", "shuffle_as_documented")
LAY_OUT: Final = ("rules", "_lay_out")
HALF: Final = ("rules", "half")
CEDE: Final = ("rules", "_cede")
WON: Final = ("rules", "won_from")
CONVINCED: Final = ("rules", "convinced_by")
END_TURN: Final = ("rules", "_end_turn")
REFILL: Final = ("rules", "_refill")
CLOSE: Final = ("rules", "_close")
POINTS: Final = ("rules", "disappointment")
WINNERS: Final = ("rules", "winners")
SESSION: Final = ("console", "session")
PLAY: Final = ("console_game", "play")
TURN: Final = ("console_game", "_play_turn")
ASK_CESSION: Final = ("console_game", "_cede")
ASK_SENDING: Final = ("console_game", "_send")

ASKED: Final = """io.print(ASK_CARD)
while (place := (yield from io.number(PLACE))) not in range(rules.HAND):
    io.print(NO_PLACE, ASK_CARD)
"""
"""The part of `console_game._send` that asks for a card."""
CLOSED_UP: Final = """start = HAND * player
    kept = [card for card in state.hands[start : start + HAND].tolist() if card != NOTHING]
    state.hands[start : start + HAND] = [*kept, *[NOTHING] * (HAND - len(kept))]
    place = len(kept)
    """


def indent(text: str, depth: int) -> str:
    """The text in a block of this depth."""
    return textwrap.indent(text, "    " * depth)


# A crisis comes in the fourth turn at the earliest. Several followers of one magic, or an empty pile, take more turns.
MUTANTS: Final = (
    # 3, 7.5: the deal
    Mutant("the deck is shuffled from its first card on", "shuffle", *SHUFFLE,
           old="range(CARDS - 1, 0, -1)", new="range(1, CARDS)"),
    Mutant("random numbers are signed", "shuffle", *SHUFFLE,
           old="j = ((x >> 5) & 32767)", new="j = abs(x - (x >> 31 << 32)) // 32 % 32768"),
    Mutant("as many cards are removed as with four players", "players-2", *HALF,
           old="15 + i64(state.players)", new="i64(15 + MAX_PLAYERS)"),
    Mutant("cards are dealt one by one in turn", "hands", *LAY_OUT,
           old="hands[index(at)]", new="hands[HAND * (at % state.players) + at // state.players]"),
    Mutant("the piles are not turned over while they are built", "halves", *LAY_OUT,
           old="state.top[LEFT] = half(state)",
           new="deck[:piles] = deck[:piles][::-1].copy(); state.top[LEFT] = half(state)"),
    Mutant("piles lie upside down", "halves", "notation", "pile_of", old="return cards", new="return cards[::-1]"),
    # 7.2: options
    Mutant("who gives up wins", "abandoned", *PLAY,
           old="io.print(ABANDONED)", new="io.print(ABANDONED, WINNER.format(names[int(state.raw.mover)]))"),
    # 4.1: ceding
    Mutant("who cedes keeps the followers", "cession", *CEDE, turns=4,
           old="followers[index(mine)] = 0\n    state.holds ^= (i64(1) << pile) | (i64(1) << mine)",
           new="state.holds |= i64(1) << pile"),
    Mutant("one follower is ceded", "cession-several", *CEDE, turns=9,
           old="followers[index(mine)] = 0\n    state.holds ^= (i64(1) << pile) | (i64(1) << mine)",
           new="followers[index(pile)] &= -followers[index(pile)]\n"
           "    followers[index(mine)] &= followers[index(mine)] - 1\n"
           "    state.holds ^= (i64(1) << pile) | (i64(followers[index(mine)] == 0) << mine)"),
    Mutant("a wrong cession is not asked for again", "cession-insisted", *ASK_CESSION,
           old="answer = yield from io.character(YES_OR_NO)", new='answer = (yield from io.character(YES_OR_NO)) and "n"'),
    Mutant("a player who does not exist ends the cession", "cession-player", *ASK_CESSION,
           old="if magic in MAGICS and", new="if not 1 <= number <= state.raw.players:\n            return\n"
           "        if magic in MAGICS and"),
    # 4.2: the emissary
    Mutant("the row is not checked", "row", "sets", "row_run",
           old="_RUN[index((occupied >> row) & 15), index(cell & 3)]", new="1 << (cell & 3)"),
    Mutant("the column is not checked", "column", "sets", "column_run",
           old="i64(_UPRIGHT[index(_RUN[index(line), index(cell >> 2)])]) << column", new="1 << cell"),
    Mutant("holes do not part the row", "cut", "sets", "row_run",
           old="i64(_RUN[index((occupied >> row) & 15), index(cell & 3)]) << row", new="occupied & (15 << row)"),
    Mutant("the column is checked only if the row has not followed", "row-and-column", *CONVINCED,
           old="listening |= column if",
           new="alike = _brothers(state, card) | of_magic(state, card >> 4)\n"
           "    listening |= column if listening & alike & ~(i64(1) << cell) == 0 and"),
    Mutant("10 is not enough", "sum-10", *CONVINCED, old="row) >= ENOUGH", new="row) > ENOUGH",
           also=(("convinced_by", "column) >= ENOUGH", "column) > ENOUGH"),)),
    Mutant("the emissary does not count", "emissary-counts", *CONVINCED,
           old="sum_on(influence, row)", new="sum_on(influence, row & ~(i64(1) << cell))",
           also=(("convinced_by", "sum_on(influence, column)", "sum_on(influence, column & ~(i64(1) << cell))"),)),
    Mutant("the emissary leaves with his followers", "emissary-stays", *WON,
           old="    return won", new="    return won | i64(won != 0) << cell"),
    Mutant("magic convinces nobody", "magic", *CONVINCED, old=" | of_magic(state, card >> 4)", new=""),
    Mutant("brotherhood convinces nobody", "brotherhood", *CONVINCED, old="_brothers(state, card) | ", new=""),
    Mutant("followers join the next player", "emissary-stays", "rules", "follow",
           old="8 * player", new="8 * (player + 1 if player + 1 < state.players else 0)"),
    Mutant("there is no crisis", "crisis", *WON, turns=4, old="won == 0 and", new="False and"),
    Mutant("a crisis takes those of the same brotherhood", "crisis", *WON, turns=4,
           old="& ~_brothers(state, card)", new="& _brothers(state, card) & ~(i64(1) << cell)"),
    Mutant("a crisis spares the emissary's own magic", "crisis-own-magic", *WON, turns=4,
           old="& ~_brothers(state, card)", new="& ~_brothers(state, card) & ~of_magic(state, card >> 4)"),
    Mutant("a line of ten prevents a crisis", "crisis-ten", *WON, turns=4,
           old="i64(state.occupied) == ALL_CELLS",
           new="i64(state.occupied) == ALL_CELLS and sum_on(state.influence, 15 << (cell & 12)) < ENOUGH"
           " and sum_on(state.influence, 0x1111 << (cell & 3)) < ENOUGH"),
    # 7.3: the positions
    Mutant("after a taken cell only the cell is asked for", "taken-cell", *ASK_SENDING,
           old="    while True:\n" + indent(ASKED, 2), new=indent(ASKED, 1) + "    while True:\n"),
    Mutant("after a position outside the board both are asked for", "board-position", *ASK_SENDING,
           old="            io.print(NO_PLACE)\n", new="            io.print(NO_PLACE)\n" + indent(ASKED, 3)),
    # 4.3, 4.4: drawing and refilling
    Mutant("cards are drawn from the bottom", "left", "rules", "_take_top",
           old="i64(state.top[index(pile)])", new="i64(state.bottom[index(pile)]) - 1",
           also=(("_take_top", "state.top[index(pile)] = at + 1", "state.bottom[index(pile)] = at"),)),
    Mutant("the hand closes up", "right", *END_TURN, old="if pile == NEITHER:", new=f"{CLOSED_UP}if pile == NEITHER:"),
    Mutant("holes are not refilled", "refill", *REFILL, old="size(holes) - HOLES", new="0"),
    Mutant("holes are refilled until one is left", "refill", *REFILL,
           old="size(holes) - HOLES", new="size(holes) - 1 if size(holes) > HOLES else 0"),
    Mutant("holes are refilled from the other pile", "refill-pile", *REFILL,
           old="top, bottom = state.top, state.bottom", new="top, bottom, pile = state.top, state.bottom, RIGHT - pile"),
    Mutant("holes are refilled from the last one on", "refill-order", *REFILL,
           old="first(holes))", new="int(holes).bit_length() - 1)",
           also=(("_refill", "holes &= holes - 1", "holes ^= 1 << (int(holes).bit_length() - 1)"),)),
    Mutant("holes are refilled by columns", "refill-order", *REFILL,
           old="put(state, _take_top(state, pile), first(holes))\n        holes &= holes - 1",
           new="hole = min((cell for cell in range(CELLS) if holes >> cell & 1), key=lambda cell: (cell % 4, cell))\n"
           "        put(state, _take_top(state, pile), hole)\n        holes ^= 1 << hole"),
    Mutant("holes are refilled from one pile only", "refill-across", *REFILL, turns=12,
           old="pile = RIGHT - pile", new="return"),
    Mutant("it is asked from which pile though one is empty", "one-pile", *TURN, turns=12,
           old="if ceding:", new="one = sum(state.raw.top < state.raw.bottom) == 1\n    if ceding:",
           also=(("_play_turn", "state.apply_action(rules.DRAW + PILES.index(letter))",
                  "state.apply_action(rules.DRAW + PILES.index(letter))\n    if one:\n"
                  "        io.print(ASK_PILE)\n        yield from io.character(PILE)"),)),
    # 5, 6: the end
    Mutant("there is no last round", "last-round", *END_TURN, at_the_end=True,
           old="(pile == NEITHER and state.turns_left == 0)", new="_pile_to_draw_from(state) == NEITHER"),
    Mutant("the last hands do not count", "last-hands", *CLOSE, at_the_end=True,
           old="follow(state, at >> 2, card)", new="pass"),
    Mutant("followers are ordered by brotherhood", "followers", "notation", "followers_of", at_the_end=True,
           old="in BY_INFLUENCE", new="in sorted(BY_INFLUENCE)"),
    Mutant("nobody controls a magic for which players tie", "control-shared", *POINTS, at_the_end=True,
           old="> mine:", new=">= mine and other != player:"),
    Mutant("controlled magics count", "points", *POINTS, at_the_end=True,
           old="points += mine\n                break", new="break\n        else:\n            points += mine"),
    Mutant("most points win", "winner", *WINNERS, at_the_end=True,
           old="points < fewest", new="points > fewest or player == 0"),
    Mutant("the last of those who tie wins", "winner-tie", *WINNERS, at_the_end=True,
           old="points < fewest", new="points <= fewest"),
    # the screen
    Mutant("no blank follows the last card", "", "console_game", "spaced",
           old='"".join(f"{word} " for word in words)', new='" ".join(words)'),
)  # fmt: skip
