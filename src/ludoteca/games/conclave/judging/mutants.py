"""Mutants of our program, each of which breaks one sentence of the document. The judge must find each."""

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
    """Return the text, indented to this depth."""
    return textwrap.indent(text, "    " * depth)


# A crisis comes in the fourth turn at the earliest. Several followers of one magic, or an empty pile, take more turns.
MUTANTS: Final = (
    # 3, 7.5: the deal
    Mutant("the deck is shuffled from its first card on", "shuffle", *SHUFFLE,
           old="range(CARDS - 1, 0, -1)", new="range(1, CARDS)"),
    Mutant("the last card is never moved", "shuffle", *SHUFFLE, old="range(CARDS - 1, 0, -1)",
           new="range(CARDS - 2, 0, -1)"),
    Mutant("a card is swapped with one of those before it only", "shuffle", *SHUFFLE, old="% (i + 1)", new="% i"),
    Mutant("any card is swapped with any other", "shuffle", *SHUFFLE, old="% (i + 1)", new="% CARDS"),
    Mutant("random numbers are not divided by 32", "generator", *SHUFFLE, old="(x >> 5) & 32767", new="x & 32767"),
    Mutant("another constant in the generator", "generator", *SHUFFLE, old="+ 12345", new="+ 12354"),
    Mutant("the seed is the first random number", "generator", *SHUFFLE,
           old="x = (1103515245 * x + 12345) & 0xFFFFFFFF\n        j", new="j",
           also=(("shuffle_as_documented", "deck[index(j)] = held",
                  "deck[index(j)] = held\n        x = (1103515245 * x + 12345) & 0xFFFFFFFF"),)),
    Mutant("brotherhoods before magics in the deck", "deck", "deck", "ordered_deck",
           old="for magic in range(MAGICS) for face in range(FACES)",
           new="for face in range(FACES) for magic in range(MAGICS)"),
    Mutant("influences before brotherhoods in the deck", "deck", "deck", "ordered_deck", old="for face in range(FACES)",
           new="for face in sorted(range(FACES), key=lambda face: face % INFLUENCES)"),
    Mutant("random numbers are signed and made positive", "seed-large", *SHUFFLE,
           old="j = ((x >> 5) & 32767)", new="j = -(abs(x - (x >> 31 << 32)) // 32 % 32768 * (1 if x >> 31 else -1))"),
    Mutant("a large seed is cut", "seed-large", *SHUFFLE, old="x = i64(seed)", new="x = min(i64(seed), 2**31 - 1)"),
    Mutant("random numbers are signed", "seed-large", *SHUFFLE,
           old="j = ((x >> 5) & 32767)", new="j = abs(x - (x >> 31 << 32)) // 32 % 32768"),
    Mutant("as many cards are removed as with four players", "players-2", *HALF,
           old="15 + i64(state.players)", new="i64(15 + MAX_PLAYERS)"),
    Mutant("the second term of the removed cards is forgotten", "players-2", *HALF,
           old="15 + i64(state.players)", new="27 - 2 * i64(state.players)"),
    Mutant("no cards are removed", "players-4", *HALF, old="15 + i64(state.players)", new="39 - 2 * i64(state.players)"),
    Mutant("the last player gets the first cards", "hands", *LAY_OUT,
           old="hands[index(at)]", new="hands[index(at ^ 12 if state.players == 4 else (at + HAND) % in_hands)]"),
    Mutant("hands are the other way round", "hands", *LAY_OUT, old="hands[index(at)]", new="hands[index(at ^ 3)]"),
    Mutant("the board is laid by columns", "board", *LAY_OUT,
           old="BORDER[at])", new="sorted(BORDER, key=lambda cell: (cell % 4, cell))[at])"),
    Mutant("the board is laid around", "board", *LAY_OUT,
           old="BORDER[at])", new="(0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4)[at])"),
    Mutant("the board is laid from its end", "board", *LAY_OUT, old="BORDER[at])", new="BORDER[-1 - at])"),
    Mutant("the halves are exchanged", "halves", *LAY_OUT,
           old="state.top[LEFT] = half(state)\n    state.bottom[LEFT] = piles\n    state.bottom[RIGHT] = half(state)",
           new="state.top[RIGHT] = half(state)\n    state.bottom[RIGHT] = piles\n    state.bottom[LEFT] = half(state)"),
    Mutant("cards go to the piles in turn", "halves", *LAY_OUT, old="state.top[LEFT] = half(state)",
           new="deck[:piles] = np.concatenate((deck[:piles:2], deck[1:piles:2])); state.top[LEFT] = half(state)"),
    Mutant("the hands of the others are open", "backs", "console_game", "screen_lines", old="map(back,", new="map(face,"),
    Mutant("the hands of the others are not shown", "backs", "console_game", "screen_lines",
           old='{spaced(map(back, hand_of(raw, player)))}  ', new=""),
    Mutant("backs without their magic", "backs", "console_game", "screen_lines", old="map(back,",
           new="map(lambda card: '[*]',"),
    Mutant("the brotherhood before the influence", "card", "notation", "card_name",
           old="{influence + 1}{BROTHERHOODS[brotherhood]}", new="{BROTHERHOODS[brotherhood]}{influence + 1}"),
    Mutant("influences from 0", "card", "notation", "card_name", old="{influence + 1}", new="{influence}"),
    Mutant("capital letters on the cards", "card", "notation", "card_name",
           old="{MAGICS[magic]}{", new="{MAGICS[magic].upper()}{"),
    # 7.2: the questions
    Mutant("no first prompt", "prompts", *SESSION, old="io.print(ASK_SEED)", new="pass"),
    Mutant("another first prompt", "prompts", *SESSION, old="io.print(ASK_SEED)", new='io.print("LLAVOR:")'),
    Mutant("no prompts at the start", "prompts", *SESSION, old="io.print(ASK_SEED)", new="pass",
           also=(("session", "io.print(ASK_PLAYERS)", "pass"), ("session", "io.print(ASK_NAME.format(number))", "pass"))),
    Mutant("no prompt for the players", "prompts", *SESSION, old="io.print(ASK_PLAYERS)", new="pass"),
    Mutant("no prompts for the names", "prompts", *SESSION, old="io.print(ASK_NAME.format(number))", new="pass"),
    Mutant("players are numbered from 0", "prompts", *SESSION, old="ASK_NAME.format(number))\n",
           new="ASK_NAME.format(number - 1))\n"),
    Mutant("no word for a wrong number of players", "wrong-players", *SESSION, old="WRONG_PLAYERS, ASK_PLAYERS",
           new="ASK_PLAYERS"),
    Mutant("players are asked for again without a prompt", "wrong-players", *SESSION,
           old="WRONG_PLAYERS, ASK_PLAYERS", new="WRONG_PLAYERS"),
    Mutant("a wrong number of players is two", "wrong-players", *SESSION, old="io.print(WRONG_PLAYERS, ASK_PLAYERS)",
           new="players = 2\n        break"),
    Mutant("a name is one word", "name-blanks", *SESSION, old="(yield from io.line(NAME.format(number)))",
           new="(yield from io.line(NAME.format(number))).strip().split(\" \")[0]"),
    Mutant("a name has no blanks", "name-blanks", *SESSION, old="(yield from io.line(NAME.format(number)))",
           new="(yield from io.line(NAME.format(number))).replace(\" \", \"_\")"),
    Mutant("no word for an unknown option", "unknown-option", *PLAY, old="io.print(NO_OPTION)", new="pass"),
    Mutant("an unknown option is a play", "unknown-option", *PLAY, old='elif option in "IJ":', new="else:",
           also=(("play", "        else:\n            io.print(NO_OPTION)\n", ""),)),
    Mutant("another word for an unknown option", "unknown-option", *PLAY, old="NO_OPTION", new='"OPCIO INCORRECTA"'),
    Mutant("only the left pile is shown", "piles", *PLAY, old="enumerate(PILE_TITLES)", new="enumerate(PILE_TITLES[:1])"),
    Mutant("the piles are open", "piles", *PLAY, old="map(back,", new="map(face,"),
    Mutant("the piles are closed", "piles", *PLAY, old="map(back,", new='map(lambda card: "[?]",'),
    Mutant("nothing is said of an empty pile", "pile-empty", *PLAY, turns=12, old=" or NO_CARDS", new=""),
    Mutant("an empty pile is shown as a hole", "pile-empty", *PLAY, turns=12, old=" or NO_CARDS", new=' or "[ ] BUIDA"'),
    Mutant("no word for a game that is given up", "abandoned", *PLAY, old="io.print(ABANDONED)", new="pass"),
    Mutant("turns go backwards", "turns", *END_TURN, old="player + 1 if player + 1 < state.players else 0",
           new="player - 1 if player > 0 else state.players - 1"),
    Mutant("the same player moves again", "turns", *END_TURN, old="player + 1 if player + 1 < state.players else 0",
           new="player"),
    Mutant("the second player follows the last", "turns", *END_TURN, old="< state.players else 0",
           new="< state.players else 1"),
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
    Mutant("who is given a magic cannot cede it", "cession-back", *CEDE, turns=9, old="(i64(1) << pile) | ", new=""),
    Mutant("ceding to oneself is allowed", "cession-oneself", *ASK_CESSION, old="if magic in MAGICS and",
           new="if number - 1 == state.raw.mover and magic in MAGICS and"
           " state.raw.followers[8 * (number - 1) + MAGICS.index(magic)]:\n            return\n"
           "        if magic in MAGICS and"),
    Mutant("a magic that does not exist ends the cession", "cession-magic", *ASK_CESSION, old="if magic in MAGICS and",
           new="if magic not in MAGICS:\n            return\n        if magic in MAGICS and"),
    Mutant("a magic that does not exist is asked for again", "cession-magic", *ASK_CESSION, old="io.print(ASK_PLAYER)",
           new="while magic not in MAGICS:\n            io.print(NO_CESSION, ASK_MAGIC)\n"
           "            magic = yield from io.character(MAGIC)\n        io.print(ASK_PLAYER)"),
    Mutant("a player who does not exist is asked for again", "cession-player", *ASK_CESSION, old="if magic in MAGICS and",
           new="while not 1 <= number <= state.raw.players:\n            io.print(NO_CESSION, ASK_PLAYER)\n"
           "            number = yield from io.number(PLAYER)\n        if magic in MAGICS and"),
    Mutant("a magic without followers may be ceded", "cession-none", *ASK_CESSION, old="if magic in MAGICS and",
           new="if magic in MAGICS and number in range(1, state.raw.players + 1) and"
           " not state.raw.followers[8 * state.raw.mover + MAGICS.index(magic)]:\n            return\n"
           "        if magic in MAGICS and"),
    Mutant("a magic may be ceded to who has it", "cession-held", "rules", "cessions", turns=12,
           old="& ~holds", new="& ~(i64(255) << (8 * player))",
           also=(("_cede", "followers[index(pile)] = ", "followers[index(pile)] |= "),
                 ("_cede", "state.holds ^= (i64(1) << pile) | (i64(1) << mine)",
                  "state.holds = (i64(state.holds) | (i64(1) << pile)) & ~(i64(1) << mine)"))),
    Mutant("a wrong cession goes on without a question", "cession-insisted", *ASK_CESSION,
           old="io.print(NO_CESSION, ASK_AGAIN)", new="io.print(NO_CESSION)"),
    Mutant("a wrong cession is asked for again whatever is answered", "cession-given-up", *ASK_CESSION,
           old='while answer != "n":', new="while answer:"),
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
    Mutant("holes do not part the row", "cut-left", "sets", "row_run",
           old="i64(_RUN[index((occupied >> row) & 15), index(cell & 3)]) << row", new="occupied & (15 << row)"),
    Mutant("holes do not part the column", "cut-up", "sets", "column_run",
           old="i64(_UPRIGHT[index(_RUN[index(line), index(cell >> 2)])]) << column", new="occupied & (0x1111 << column)"),
    Mutant("the row is one with the column", "row-and-column", *CONVINCED,
           old="listening = row if sum_on(influence, row) >= ENOUGH",
           new="listening = row if sum_on(influence, row | column) >= ENOUGH"),
    Mutant("the column is checked only if the row has not followed", "row-and-column", *CONVINCED,
           old="listening |= column if",
           new="alike = _brothers(state, card) | of_magic(state, card >> 4)\n"
           "    listening |= column if listening & alike & ~(i64(1) << cell) == 0 and"),
    Mutant("9 is enough", "sum-9", *CONVINCED, old="row) >= ENOUGH", new="row) >= ENOUGH - 1",
           also=(("convinced_by", "column) >= ENOUGH", "column) >= ENOUGH - 1"),)),
    Mutant("everybody who listens follows", "nobody-alike", *CONVINCED,
           old="listening & (_brothers(state, card) | of_magic(state, card >> 4))", new="listening"),
    Mutant("magic and brotherhood are needed", "magic", *CONVINCED, old="state, card) | of", new="state, card) & of"),
    Mutant("only 10 is enough", "sum-11", *CONVINCED, old="row) >= ENOUGH", new="row) == ENOUGH",
           also=(("convinced_by", "column) >= ENOUGH", "column) == ENOUGH"),)),
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
    Mutant("every emissary without followers makes a crisis", "no-crisis", *WON,
           old="i64(state.occupied) == ALL_CELLS", new="True",
           also=(("won_from", "& ~_brothers", "& i64(state.occupied) & ~_brothers"),)),
    Mutant("a full board is a crisis", "no-crisis", *WON, turns=4, old="won == 0 and ", new=""),
    Mutant("a crisis takes the row only", "crisis", *WON, turns=4, old=" | (0x1111 << (cell & 3))", new=""),
    Mutant("a crisis takes the column only", "crisis", *WON, turns=4, old="(15 << (cell & 12)) | ", new=""),
    Mutant("a crisis takes everybody", "crisis", *WON, turns=4, old="& ~_brothers(state, card)", new="& ~(i64(1) << cell)"),
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
    Mutant("a card that is not there is asked for without a prompt", "hand-position", *ASK_SENDING,
           old="NO_PLACE, ASK_CARD", new="NO_PLACE"),
    Mutant("a card that is not there is a wrong play", "hand-position", *ASK_SENDING, old="not in range(rules.HAND)",
           new="< 0"),
    Mutant("a negative place is a wrong play", "hand-negative", *ASK_SENDING, old="not in range(rules.HAND)",
           new=">= rules.HAND"),
    Mutant("a negative cell is a wrong play", "board-negative", *ASK_SENDING,
           old="row in range(sets.SIDE) and column in range(sets.SIDE)",
           new="row < sets.SIDE and column < sets.SIDE",
           also=(("_send", "if action in", "if min(row, column) >= 0 and action in"),)),
    Mutant("a cell outside of the board is a wrong play", "board-position", *ASK_SENDING,
           old="row in range(sets.SIDE) and column in range(sets.SIDE)", new="row >= 0 and column >= 0",
           also=(("_send", "if action in", "if max(row, column) < sets.SIDE and action in"),)),
    Mutant("a taken cell has no words of its own", "taken-cell", *ASK_SENDING, old="*NO_HOLE", new="NO_PLACE"),
    Mutant("a pile that does not exist is the right one", "pile-letter", *TURN, old="not in PILES", new="in ()",
           also=(("_play_turn", "PILES.index(letter)", '(letter != "e")'),)),
    Mutant("the pile is asked for again without a prompt", "pile-letter", *TURN, old="NO_PILE, ASK_PILE", new="NO_PILE"),
    Mutant("no word for a pile that does not exist", "pile-letter", *TURN, old="NO_PILE, ASK_PILE", new="ASK_PILE"),
    Mutant("nothing is asked: cards come from the left pile", "left", *TURN,
           old="rules.DRAW + PILES.index(letter)", new="rules.DRAW"),
    Mutant("left and right are exchanged", "left", *TURN, old="PILES.index(letter)", new="1 - PILES.index(letter)"),
    # 4.3, 4.4: drawing and refilling
    Mutant("cards are drawn from the bottom", "left", "rules", "_take_top",
           old="i64(state.top[index(pile)])", new="i64(state.bottom[index(pile)]) - 1",
           also=(("_take_top", "state.top[index(pile)] = at + 1", "state.bottom[index(pile)] = at"),)),
    Mutant("the hand closes up", "right", *END_TURN, old="if pile == NEITHER:", new=f"{CLOSED_UP}if pile == NEITHER:"),
    Mutant("holes are not refilled", "refill", *REFILL, old="size(holes) - HOLES", new="0"),
    Mutant("holes are refilled until three are left", "refill", *REFILL,
           old="size(holes) - HOLES", new="size(holes) - HOLES + (size(holes) > HOLES)"),
    Mutant("one hole is refilled", "refill", *REFILL, turns=4, old="size(holes) - HOLES", new="min(size(holes) - HOLES, 1)"),
    Mutant("the piles take turns in refilling", "refill-pile", *REFILL, turns=4,
           old="        holes &= holes - 1", new="        holes &= holes - 1\n        pile = RIGHT - pile"),
    Mutant("the game ends with the last card", "last-round", *REFILL, at_the_end=True,
           old="                return", new="                state.occupied = ALL_CELLS\n                return"),
    Mutant("nothing is laid if both piles have too few cards", "refill-out", *REFILL, at_the_end=True,
           old="range(size(holes) - HOLES)",
           new="range(size(holes) - HOLES if sum(bottom - top) >= size(holes) - HOLES else 0)"),
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
    Mutant("the player who takes the last card has no more turn", "last-round", *END_TURN, at_the_end=True,
           old="state.turns_left = state.players", new="state.turns_left = state.players - 1"),
    Mutant("the last hands do not count", "last-hands", *CLOSE, at_the_end=True,
           old="follow(state, at >> 2, card)", new="pass"),
    Mutant("followers are ordered by brotherhood", "followers", "notation", "followers_of", at_the_end=True,
           old="in BY_INFLUENCE", new="in sorted(BY_INFLUENCE)"),
    Mutant("most followers control a magic", "control", *POINTS, at_the_end=True,
           old="sum_of(i64(followers[8 * other + magic])) > mine",
           new="size(i64(followers[8 * other + magic])) > size(i64(followers[8 * player + magic]))"),
    Mutant("fewest points of a magic control it", "control", *POINTS, at_the_end=True, old="> mine:", new="< mine:"),
    Mutant("the first of those who tie controls a magic", "control-shared", *POINTS, at_the_end=True,
           old="> mine:", new="+ (other < player) > mine:"),
    Mutant("all followers count", "points", *POINTS, at_the_end=True, old="> mine:", new=">= 0:"),
    Mutant("the number of followers counts", "points", *POINTS, at_the_end=True,
           old="points += mine", new="points += size(i64(followers[8 * player + magic]))"),
    Mutant("the last player wins", "winner", *WINNERS, at_the_end=True, old="points < fewest", new="True"),
    Mutant("followers are not ordered by influence", "followers", "notation", "followers_of", at_the_end=True,
           old="in BY_INFLUENCE", new="in BY_INFLUENCE[::-1]"),
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
