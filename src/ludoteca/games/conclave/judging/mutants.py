"""The program with one function replaced: what students' programs do wrong, each named after the sentence that it breaks."""

from collections.abc import Iterable, Sequence
from typing import Final

from ludoteca.core.console import Console, Dialogue
from ludoteca.core.contract import TERMINAL, Integers, RawPosition
from ludoteca.core.game import Game, State
from ludoteca.core.judging import Mutant
from ludoteca.games.conclave import GAME, console_game, rules, sets
from ludoteca.games.conclave.deck import CARDS, MAGICS, NOTHING, sum_of
from ludoteca.games.conclave.notation import MAGICS as LETTERS
from ludoteca.games.conclave.notation import followers_of, pile_of
from ludoteca.games.conclave.sets import ALL_CELLS, CELLS, SIDE

_BROTHERHOOD_AT: Final = tuple(16 * (face // 5) for face in range(16))

# 3, 7.5: the deal


def shuffle_upwards(deck: Integers, seed: int) -> None:
    x = int(seed)
    for i in range(1, CARDS):
        x = (1103515245 * x + 12345) & 0xFFFFFFFF
        j = ((x >> 5) & 32767) % (i + 1)
        deck[i], deck[j] = int(deck[j]), int(deck[i])


def shuffle_signed(deck: Integers, seed: int) -> None:
    """Xn as a signed number of 32 bits, divided as C does it."""
    x = int(seed)
    for i in range(CARDS - 1, 0, -1):
        x = (1103515245 * x + 12345) & 0xFFFFFFFF
        signed = x - (1 << 32) if x >> 31 else x
        value = abs(signed) // 32 % 32768
        j = value % (i + 1)
        deck[i], deck[j] = int(deck[j]), int(deck[i])


def lay_out_by_turns(state: RawPosition) -> None:
    """A card to each player in turn, four times."""
    rules_lay_out(state)
    players = int(state.players)
    dealt = state.hands[: rules.HAND * players].tolist()
    for player in range(players):
        for place in range(rules.HAND):
            state.hands[rules.HAND * player + place] = dealt[players * place + player]


rules_lay_out = rules._lay_out


def lay_out_with_piles_turned(state: RawPosition) -> None:
    rules_lay_out(state)
    piles = 2 * rules.half(state)
    state.deck[:piles] = state.deck[:piles][::-1].copy()


def half_for_all(state: RawPosition) -> int:
    """As many cards removed as with four players."""
    return 15 + rules.MAX_PLAYERS


# 4.1: ceding


def cede_a_copy(state: RawPosition, player: int, pile: int) -> None:
    """The followers stay with who cedes them, too."""
    state.followers[pile] = state.followers[8 * player + (pile & 7)]
    state.holds |= 1 << pile


def cede_one(state: RawPosition, player: int, pile: int) -> None:
    """Only the first follower goes."""
    mine = 8 * player + (pile & 7)
    faces = int(state.followers[mine])
    state.followers[pile] = faces & -faces
    state.followers[mine] = faces & (faces - 1)
    state.holds |= 1 << pile
    if state.followers[mine] == 0:
        state.holds &= ~(1 << mine)


def cede_once(io: Console, state: State) -> Dialogue[None]:
    """A wrong cession is not asked for again, whatever is answered."""
    legal = state.legal_actions()
    io.print(console_game.ASK_MAGIC)
    magic = yield from io.character(console_game.MAGIC)
    io.print(console_game.ASK_PLAYER)
    number = yield from io.number(console_game.PLAYER)
    action = rules.CEDE + 8 * (number - 1) + max(LETTERS.find(magic), 0)
    if magic in LETTERS and 1 <= number <= state.raw.players and action in legal:
        state.apply_action(action)
        return
    io.print(console_game.NO_CESSION, console_game.ASK_AGAIN)
    yield from io.character(console_game.YES_OR_NO)


def cede_to_anybody(io: Console, state: State) -> Dialogue[None]:
    """A player's number that does not exist is no wrong cession: nothing is ceded."""
    answer = "s"
    while answer != "n":
        io.print(console_game.ASK_MAGIC)
        magic = yield from io.character(console_game.MAGIC)
        io.print(console_game.ASK_PLAYER)
        number = yield from io.number(console_game.PLAYER)
        if not 1 <= number <= state.raw.players:
            return
        action = rules.CEDE + 8 * (number - 1) + max(LETTERS.find(magic), 0)
        if magic in LETTERS and action in state.legal_actions():
            state.apply_action(action)
            return
        io.print(console_game.NO_CESSION, console_game.ASK_AGAIN)
        answer = yield from io.character(console_game.YES_OR_NO)


# 4.2: the emissary


def won_above_10(state: RawPosition, card: int, cell: int) -> int:
    return _won(state, card, cell, enough=rules.ENOUGH + 1)


def won_without_emissary(state: RawPosition, card: int, cell: int) -> int:
    return _won(state, card, cell, counts=False)


def won_with_emissary(state: RawPosition, card: int, cell: int) -> int:
    """The emissary leaves the board with those who follow him."""
    won = _won(state, card, cell)
    return won | 1 << cell if won else won


def won_by_row_or_column(state: RawPosition, card: int, cell: int) -> int:
    """The column listens only when the row has not followed."""
    row = _won(state, card, cell, columns=False)
    return row if row else _won(state, card, cell)


def won_by_magic(state: RawPosition, card: int, cell: int) -> int:
    return _won(state, card, cell, brothers_follow=False)


def won_without_crisis(state: RawPosition, card: int, cell: int) -> int:
    return _won(state, card, cell, crisis=0)


def won_in_crisis_by_brothers(state: RawPosition, card: int, cell: int) -> int:
    """A crisis takes those of the same brotherhood."""
    return _won(state, card, cell, crisis=-1)


def won_in_crisis_from_other_magics(state: RawPosition, card: int, cell: int) -> int:
    """A crisis spares the cards of the emissary's own magic."""
    return _won(state, card, cell, spared=rules.of_magic(state, card >> 4))


def won_in_crisis_below_ten(state: RawPosition, card: int, cell: int) -> int:
    """There is no crisis if the row or the column makes ten or more."""
    lines = (15 << (cell & 12), 0x1111 << (cell & 3))
    return _won(state, card, cell, crisis=int(all(rules.sum_on(state.influence, line) < rules.ENOUGH for line in lines)))


def _won(
    state: RawPosition,
    card: int,
    cell: int,
    enough: int = rules.ENOUGH,
    counts: bool = True,
    rows: bool = True,
    columns: bool = True,
    crisis: int = 1,
    brothers_follow: bool = True,
    spared: int = 0,
) -> int:
    """As `rules.won_from`, with parts of it changed."""
    brothers = int(state.brotherhoods) >> _BROTHERHOOD_AT[card & 15] & ALL_CELLS
    occupied, influence, here = int(state.occupied), int(state.influence), 1 << cell
    listening = 0
    for heard, run in ((rows, sets.row_run(occupied, cell)), (columns, sets.column_run(occupied, cell))):
        if heard and rules.sum_on(influence, run if counts else run & ~here) >= enough:
            listening |= run
    alike = rules.of_magic(state, card >> 4) | (brothers if brothers_follow else 0)
    won = listening & alike & ~here
    if won == 0 and occupied == ALL_CELLS and rows and columns and crisis:
        cross = (15 << (cell & 12)) | (0x1111 << (cell & 3))
        won = cross & (~brothers if crisis > 0 else brothers) & ~here & ~spared
    return int(won)


def run_of_one(occupied: int, cell: int) -> int:
    """Nobody but the emissary."""
    return 1 << cell


def row_with_holes(occupied: int, cell: int) -> int:
    """All of the row, in contact or not."""
    return occupied & (15 << (cell & 12))


def no_magic(state: RawPosition, magic: int) -> int:
    return 0


def follow_the_next(state: RawPosition, player: int, card: int) -> None:
    other = player + 1 if player + 1 < state.players else 0
    pile = 8 * other + (card >> 4)
    state.followers[pile] |= 1 << (card & 15)
    state.holds |= 1 << pile


def send_asking_for_the_cell_only(io: Console, state: State) -> Dialogue[None]:
    """After a taken cell the card is not asked for again."""
    io.print(console_game.ASK_CARD)
    while (place := (yield from io.number(console_game.PLACE))) not in range(rules.HAND):
        io.print(console_game.NO_PLACE, console_game.ASK_CARD)
    while True:
        io.print(console_game.ASK_CELL)
        row = yield from io.number(console_game.ROW)
        column = yield from io.number(console_game.COLUMN)
        if row not in range(SIDE) or column not in range(SIDE):
            io.print(console_game.NO_PLACE)
            continue
        action = CELLS * place + SIDE * row + column
        if action in state.legal_actions():
            state.apply_action(action)
            return
        io.print(*console_game.NO_HOLE)


def send_asking_for_both(io: Console, state: State) -> Dialogue[None]:
    """After a position outside the board the card is asked for again."""
    while True:
        io.print(console_game.ASK_CARD)
        while (place := (yield from io.number(console_game.PLACE))) not in range(rules.HAND):
            io.print(console_game.NO_PLACE, console_game.ASK_CARD)
        io.print(console_game.ASK_CELL)
        row = yield from io.number(console_game.ROW)
        column = yield from io.number(console_game.COLUMN)
        action = CELLS * place + SIDE * row + column
        if row not in range(SIDE) or column not in range(SIDE):
            io.print(console_game.NO_PLACE)
        elif action in state.legal_actions():
            state.apply_action(action)
            return
        else:
            io.print(*console_game.NO_HOLE)


# 4.3, 4.4: drawing and refilling


def take_bottom(state: RawPosition, pile: int) -> int:
    at = int(state.bottom[pile]) - 1
    card = int(state.deck[at])
    state.deck[at] = NOTHING
    state.bottom[pile] = at
    return card


def end_turn_closing_up(state: RawPosition, player: int, place: int, pile: int) -> None:
    """The hand closes up, and the card that is drawn comes last."""
    first = rules.HAND * player
    kept = [card for card in state.hands[first : first + rules.HAND].tolist() if card != NOTHING]
    state.hands[first : first + rules.HAND] = [*kept, *[NOTHING] * (rules.HAND - len(kept))]
    rules_end_turn(state, player, len(kept), pile)


rules_end_turn = rules._end_turn


def end_turn_without_last_round(state: RawPosition, player: int, place: int, pile: int) -> None:
    rules_end_turn(state, player, place, pile)
    if state.mover != TERMINAL and state.turns_left:
        rules._close(state)


def refill_never(state: RawPosition, pile: int) -> None:
    return


def refill_from_the_other(state: RawPosition, pile: int) -> None:
    rules_refill(state, rules.RIGHT - pile)


rules_refill = rules._refill


def refill_backwards(state: RawPosition, pile: int) -> None:
    """From the last hole to the first."""
    _fill(state, pile, _holes(state)[::-1])


def refill_by_columns(state: RawPosition, pile: int) -> None:
    """Down the columns, from the left one to the right one."""
    _fill(state, pile, sorted(_holes(state), key=lambda cell: (cell % SIDE, cell)))


def refill_wholly(state: RawPosition, pile: int) -> None:
    """Until one hole is left."""
    _fill(state, pile, _holes(state), left=1)


def refill_from_one_pile(state: RawPosition, pile: int) -> None:
    """It stops when the pile has run out."""
    _fill(state, pile, _holes(state), across=False)


def _holes(state: RawPosition) -> list[int]:
    return [cell for cell in range(CELLS) if state.board[cell] == NOTHING]


def _fill(state: RawPosition, pile: int, holes: Sequence[int], left: int = rules.HOLES, across: bool = True) -> None:
    """As `rules._refill`, with parts of it changed."""
    for cell in holes[: len(holes) - left] if len(holes) > rules.HOLES else ():
        if state.top[pile] == state.bottom[pile] and across:
            pile = rules.RIGHT - pile
        if state.top[pile] < state.bottom[pile]:
            rules.put(state, int(rules._take_top(state, pile)), cell)


# 7.2: options


def turn_with_a_question(io: Console, state: State, *, ceding: bool) -> Dialogue[None]:
    """It is asked which pile, though only one has cards."""
    raw = state.raw
    both = all((raw.top < raw.bottom).tolist())
    none = not any((raw.top < raw.bottom).tolist())
    yield from play_turn(io, state, ceding=ceding)
    if not both and not none:
        io.print(console_game.ASK_PILE)
        yield from io.character(console_game.PILE)


play_turn = console_game._play_turn


def pile_from_the_bottom(state: RawPosition, pile: int) -> list[int]:
    return pile_of(state, pile)[::-1]


def give_up_and_win(io: Console, names: list[str], deal: str) -> Dialogue[None]:
    """Who gives up wins."""
    state = Game(GAME, {"players": len(names), "deal": deal}).new_initial_state(seed=0)
    table = console_game.Table(state, names)
    while not state.is_terminal():
        io.print(*console_game.screen_lines(table))
        option = yield from io.character(console_game.OPTION)
        if option == "F":
            io.print(console_game.ABANDONED, console_game.WINNER.format(names[int(state.raw.mover)]))
            return
        if option == "P":
            for pile, title in enumerate(console_game.PILE_TITLES):
                backs = console_game.spaced(map(console_game.back, pile_of(state.raw, pile)))
                io.print("", title, backs or console_game.NO_CARDS)
        elif option in "IJ":
            yield from console_game._play_turn(io, state, ceding=option == "I")
        else:
            io.print(console_game.NO_OPTION)
    io.print(*console_game.result_lines(table))


# 5, 6: the end


def close_without_hands(state: RawPosition) -> None:
    state.hands[:] = NOTHING
    close(state)


close = rules._close


def disappointed_by_ties(state: RawPosition, player: int) -> int:
    """Nobody controls a magic for which players tie."""
    return _points(state, player, shared=False)


def points_of_controlled(state: RawPosition, player: int) -> int:
    """The followers of the magics that the player does control count."""
    return _points(state, player, controlled=True)


def _points(state: RawPosition, player: int, shared: bool = True, controlled: bool = False) -> int:
    points = 0
    for magic in range(MAGICS):
        sums = [int(sum_of(int(state.followers[8 * other + magic]))) for other in range(int(state.players))]
        controls = sums[player] == max(sums) and (shared or sums.count(max(sums)) == 1)
        points += sums[player] if controls == controlled else 0
    return points


def last_of_the_best(state: RawPosition) -> int:
    points = [int(rules.disappointment(state, player)) for player in range(int(state.players))]
    return 1 << max(player for player, each in enumerate(points) if each == min(points))


def most_points(state: RawPosition) -> int:
    points = [int(rules.disappointment(state, player)) for player in range(int(state.players))]
    return 1 << points.index(max(points))


def by_brotherhood(state: RawPosition, player: int) -> list[int]:
    return sorted(followers_of(state, player))


# Blanks


def parted(words: Iterable[str]) -> str:
    """No blank after the last word."""
    return " ".join(words)


MUTANTS: Final = (
    Mutant("the deck is shuffled from its first card on", "shuffle", "rules", "shuffle_as_documented", shuffle_upwards),
    Mutant("random numbers are signed", "shuffle", "rules", "shuffle_as_documented", shuffle_signed),
    Mutant("as many cards are removed as with four players", "players-2", "rules", "half", half_for_all),
    Mutant("cards are dealt one by one in turn", "hands", "rules", "_lay_out", lay_out_by_turns),
    Mutant("the piles are not turned over while they are built", "halves", "rules", "_lay_out", lay_out_with_piles_turned),
    Mutant("piles lie upside down", "halves", "console_game", "pile_of", pile_from_the_bottom),
    Mutant("who gives up wins", "abandoned", "console_game", "play", give_up_and_win),
    Mutant("who cedes keeps the followers", "cession", "rules", "_cede", cede_a_copy, turns=4),
    Mutant("one follower is ceded", "cession-several", "rules", "_cede", cede_one, turns=9),
    Mutant("a wrong cession is not asked for again", "cession-insisted", "console_game", "_cede", cede_once),
    Mutant("a player who does not exist ends the cession", "cession-player", "console_game", "_cede", cede_to_anybody),
    Mutant("the row is not checked", "row", "rules", "row_run", run_of_one),
    Mutant("the column is not checked", "column", "rules", "column_run", run_of_one),
    Mutant("holes do not part the row", "cut", "rules", "row_run", row_with_holes),
    Mutant("the column is checked only if the row has not followed", "row-and-column", "rules", "won_from",
           won_by_row_or_column),
    Mutant("10 is not enough", "sum-10", "rules", "won_from", won_above_10),
    Mutant("the emissary does not count", "emissary-counts", "rules", "won_from", won_without_emissary),
    Mutant("the emissary leaves with his followers", "emissary-stays", "rules", "won_from", won_with_emissary),
    Mutant("magic convinces nobody", "magic", "rules", "of_magic", no_magic),
    Mutant("brotherhood convinces nobody", "brotherhood", "rules", "won_from", won_by_magic),
    Mutant("followers join the next player", "emissary-stays", "rules", "follow", follow_the_next),
    Mutant("there is no crisis", "crisis", "rules", "won_from", won_without_crisis, turns=4),
    Mutant("a crisis takes those of the same brotherhood", "crisis", "rules", "won_from", won_in_crisis_by_brothers,
           turns=4),
    Mutant("a crisis spares the emissary's own magic", "crisis-own-magic", "rules", "won_from",
           won_in_crisis_from_other_magics, turns=4),
    Mutant("a line of ten prevents a crisis", "crisis-ten", "rules", "won_from", won_in_crisis_below_ten, turns=4),
    Mutant("after a taken cell only the cell is asked for", "taken-cell", "console_game", "_send",
           send_asking_for_the_cell_only),
    Mutant("after a position outside the board both are asked for", "board-position", "console_game", "_send",
           send_asking_for_both),
    Mutant("cards are drawn from the bottom", "left", "rules", "_take_top", take_bottom),
    Mutant("the hand closes up", "right", "rules", "_end_turn", end_turn_closing_up),
    Mutant("holes are not refilled", "refill", "rules", "_refill", refill_never),
    Mutant("holes are refilled until one is left", "refill", "rules", "_refill", refill_wholly),
    Mutant("holes are refilled from the other pile", "refill-pile", "rules", "_refill", refill_from_the_other),
    Mutant("holes are refilled from the last one on", "refill-order", "rules", "_refill", refill_backwards),
    Mutant("holes are refilled by columns", "refill-order", "rules", "_refill", refill_by_columns),
    Mutant("holes are refilled from one pile only", "refill-across", "rules", "_refill", refill_from_one_pile,
           turns=12),
    Mutant("it is asked from which pile though one is empty", "one-pile", "console_game", "_play_turn",
           turn_with_a_question, turns=12),
    Mutant("there is no last round", "last-round", "rules", "_end_turn", end_turn_without_last_round, at_the_end=True),
    Mutant("the last hands do not count", "last-hands", "rules", "_close", close_without_hands, at_the_end=True),
    Mutant("followers are ordered by brotherhood", "followers", "console_game", "followers_of", by_brotherhood,
           at_the_end=True),
    Mutant("nobody controls a magic for which players tie", "control-shared", "rules", "disappointment",
           disappointed_by_ties, at_the_end=True),
    Mutant("controlled magics count", "points", "rules", "disappointment", points_of_controlled, at_the_end=True),
    Mutant("most points win", "winner", "rules", "winners", most_points, at_the_end=True),
    Mutant("the last of those who tie wins", "winner-tie", "rules", "winners", last_of_the_best, at_the_end=True),
    Mutant("no blank follows the last card", "", "console_game", "spaced", parted),
)  # fmt: skip
"""A crisis comes in the fourth turn at the earliest; several followers of one magic, or an empty pile, take more."""
