"""Finds the branches (decisions of the document) that a program has probably got wrong, from its first wrong line.

`suspects` compares the wrong line with the right one. It knows usual mistakes, and blames a branch if the mistake explains
the line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import permutations, product
from typing import Final, NamedTuple

from ludoteca.core.judging import Case
from ludoteca.games.conclave import deck, rules
from ludoteca.games.conclave.deck import BROTHERHOODS, CARDS, INFLUENCES, MAGICS, NOTHING
from ludoteca.games.conclave.judging import branches, outcomes
from ludoteca.games.conclave.judging.plans import Plan, Turn, lines_of
from ludoteca.games.conclave.notation import read_card
from ludoteca.games.conclave.sets import CELLS, SIDE
from ludoteca.games.conclave.text import console_game as texts

_TURN: Final = re.compile(r"TORN DE (.*)")
_CELLS: Final = re.compile(r"(?:\[(.*?)\]  | {5})[0-3]  (\[.*\])")
_CARD: Final = re.compile(r"\[([boprtv][1-5][cgs])\]")
_BACK: Final = re.compile(r"\[[boprtv ]\]")
_SUMS: Final = re.compile(r"(\[[ \d]{2}[boprtv]\] ){6}.*")
_POINTS: Final = re.compile(r" *(-?\d+) (.*)")


class _Screen(NamedTuple):
    """The cards of the board and of the player's hand, as read from the output of a program."""

    board: list[int]
    hand: list[int]


def suspects(case: Case, step: int, output: str) -> frozenset[str]:
    """Return the branches that a program may have got wrong if it printed this output. `output` begins with the output after
    line `step` of the input.

    Return all branches of the step if the first wrong line does not tell more.
    """
    own = case.steps[step]
    wanted, got = own.output.splitlines(), output.splitlines()
    number = next((at for at, line in enumerate(wanted) if got[at : at + 1] != [line]), None)
    if number is None or len(got) == number:
        return own.branches
    return frozenset(_blamed(case, step, number, got)) or own.branches


def _blamed(case: Case, step: int, number: int, lines: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain the first wrong line, `lines[number]`. Yield none if every branch of the step may
    explain it.
    """
    own, output = case.steps[step].branches, case.steps[step].output.splitlines()
    wanted, got = output[number], lines[number]
    title = next((line for line in output[number::-1] if line.endswith(":")), "")
    if _TURN.fullmatch(wanted) or wanted == texts.RESULT:
        yield from _of_title(case, own, got)
    elif _CELLS.fullmatch(wanted):
        yield from _of_deal(case, number, output, lines) if "board" in own else _of_board(case, step, output, lines)
    elif title.startswith("MA DE") or title == texts.OPPONENTS:
        yield from _of_hands(own, wanted, got, others=title == texts.OPPONENTS)
    elif title in texts.PILE_TITLES:
        yield _of_piles(wanted, got)
        yield from ["piles"] * (got in output and got != "")  # the other pile
    elif "last-hands" in own:
        yield from _of_result(output, number, title, got)
    elif _SUMS.fullmatch(wanted):
        ceded = _turn_of(case, step)[1] & {"cession", "cession-several", "cession-back"}
        yield from {"name-blanks"} if _SUMS.fullmatch(got) and _parts(wanted) == _parts(got) else ceded or {"emissary-stays"}
    else:
        yield from _of_question(own, wanted, got)


def _of_question(own: frozenset[str], wanted: str, got: str) -> Iterator[str]:
    """Yield the branches that explain why the program asked another question (`got`) than the right one (`wanted`). `own`
    are the branches of the step.
    """
    if wanted == texts.ASK_AGAIN:
        yield "cession-insisted"
        yield from own if got in (texts.ASK_MAGIC, texts.ASK_PLAYER) else ()
    elif wanted == texts.ASK_PLAYER:
        yield "cession-magic"
    elif wanted == texts.ASK_PILE:
        yield from own & {"pile-letter"} or {"left"}
    elif wanted in (texts.ABANDONED, texts.NO_OPTION):
        yield from own & {"abandoned", "unknown-option"}


def _of_result(output: Sequence[str], number: int, title: str, got: str) -> Iterator[str]:
    """Yield the branches that explain a wrong line about the end of the game: followers, points or the winner. `title` is
    the heading above the line.
    """
    wanted = output[number]
    if title == texts.ALL_FOLLOWERS:
        yield "followers" if sorted(wanted.split()) == sorted(got.split()) else "last-hands"
    elif title == texts.POINTS and _POINTS.fullmatch(wanted):
        yield from _of_points(output, wanted, got)
    elif number == len(output) - 1:
        yield "winner-tie" if _are_equal(output, got) else "winner"


def _of_title(case: Case, own: frozenset[str], got: str) -> Iterator[str]:
    """Yield the branches that explain a line at a place at which the next turn should begin, or the game should end."""
    if match := _TURN.fullmatch(got):
        if "last-hands" in own:
            yield "last-round"
        else:
            others = {"name-blanks"} if match[1] not in case.plan.names else {"piles", "unknown-option"}
            yield from own & others or {"turns"}
    elif got == texts.RESULT:
        yield from own & branches.CRISIS or own & {"refill-out"} | {"last-round"}
    else:
        yield from own & {"one-pile", "pile-letter"}


def _of_hands(own: frozenset[str], wanted: str, got: str, *, others: bool) -> Iterator[str]:
    """Yield the branches that explain a wrong line about hands: the player's cards, or the backs of the others' cards if
    `others` is True.
    """
    right, read = _parts(wanted), _parts(got)
    if right and right == read:
        yield "name-blanks"
    elif others and (len(right) != len(read) or not all(map(_BACK.fullmatch, read))):
        yield "backs"
    elif "board" in own:
        yield "hands"
    else:
        yield from own & {"left", "right", "one-pile"} or {"left"}


def _of_piles(wanted: str, got: str) -> str:
    """Return the branch that explains a wrong line about the piles."""
    if wanted == texts.NO_CARDS:
        return "pile-empty"
    right, read = _parts(wanted), _parts(got)
    return "halves" if right and len(right) == len(read) and all(map(_BACK.fullmatch, read)) else "piles"


def _parts(line: str) -> list[str]:
    """Return the signs in brackets on a line, with the brackets."""
    return re.findall(r"\[.*?\]", line)


def _sums(lines: Iterable[str]) -> list[str]:
    """Return those of the lines that show the influence of a player's followers."""
    return [line for line in lines if _SUMS.fullmatch(line)]


def _screen(lines: Sequence[str], *, last: bool = False) -> _Screen | None:
    """Return the cards of the first board in an output, or of the last board if `last` is True, and of a hand. Return None
    if they cannot be read.
    """
    rows = [match[2] for match in map(_CELLS.fullmatch, lines) if match]
    hands = [line for line in lines if line.startswith("0:[")]
    if not rows or not hands:
        return None
    names = [part for row in (rows[-SIDE:] if last else rows[:SIDE]) for part in _parts(row)[:SIDE]]
    board, hand = ([card for card in map(card_of, each) if card is not None] for each in (names, _parts(hands[-last])))
    return _Screen(board, hand) if (len(board), len(hand)) == (CELLS, rules.HAND) else None


def card_of(name: str) -> int | None:
    """Return the card of a name in brackets, such as `[p5g]`, NOTHING for empty brackets, or None for other text."""
    if not name.strip("[ ]"):
        return NOTHING
    return read_card(name[1:-1]) if _CARD.fullmatch(name) else None


# The deal


def _of_deal(case: Case, number: int, output: Sequence[str], lines: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain a wrong board at the start of the game. `number` is the number of the first wrong
    line.
    """
    wanted, got = output[number], lines[number]
    right, read = _screen(output), _screen(lines)
    if _CELLS.fullmatch(got) and wanted[5:-5] == got[5:-5]:
        yield "halves"
    elif not read or not right or _are_renamed(right.board, read.board):
        yield "card"
    elif sorted(right.board) == sorted(read.board) or right.board.count(NOTHING) != read.board.count(NOTHING):
        yield "board"
    else:
        yield from _of_order(case.plan, read.hand, [read.board[cell] for cell in rules.BORDER])


def _are_renamed(right: Sequence[int], read: Sequence[int]) -> bool:
    """Return True if two lists have cards of the same magics and brotherhoods in the same order, so that at most the
    influence differs.
    """
    kinds = [[(outcomes.magic(card), outcomes.brotherhood(card)) for card in cards] for cards in (right, read)]
    return kinds[0] == kinds[1]


def _of_order(plan: Plan, hand: Sequence[int], laid: Sequence[int]) -> Iterator[str]:
    """Yield the branches that explain other cards on the border of the board: a wrong number of removed cards, a wrong order
    of the deck or a wrong shuffle. `laid` are the cards of the border, and `hand` those of the first player, as the program
    shows them.
    """
    players = len(plan.names)
    at = 42 + 6 * players - rules.HAND * players  # one after the first card that is laid
    cards = [*_shuffled(deck.ordered_deck(), plan.seed)]
    if end := next((end for end in range(12, CARDS + 1) if cards[end - 12 : end][::-1] == [*laid]), 0):
        top = end + rules.HAND * players
        yield f"players-{players}" if cards[top - rules.HAND : top][::-1] == [*hand] else "hands"
        return
    found = {key for key, other in _shuffles(plan.seed) if [*other][at - len(laid) : at][::-1] == [*laid]}
    yield from found or ("generator", *(["seed-large"] * (plan.seed >= 1 << 31)))


def _shuffles(seed: int) -> Iterator[tuple[str, list[int]]]:
    """Yield the shuffled decks that result from usual mistakes, each with the branch that such a program gets wrong."""
    deck_in_order = deck.ordered_deck()
    for order in _orders():
        yield "deck", _shuffled(order, seed)
    down = [range(CARDS - 1 - least, last, -1) for least, last in ((0, 0), (1, 0), (0, 1), (0, -1))]
    for way, more in product((*down, range(1, CARDS), range(CARDS), range(CARDS - 1)), (0, 1, None)):
        yield "shuffle", _shuffled(deck_in_order, seed, way, more)
    yield "generator", _shuffled(deck_in_order, seed, late=True)
    for sign in (1, -1):
        yield "seed-large", _shuffled(deck_in_order, seed, signed=sign)


def _orders() -> Iterator[list[int]]:
    """Yield unshuffled decks as programs with a mistake might build them: with the three loops in any order, magics and
    influences in both directions, and brotherhoods in any order.
    """
    magics, influences = ((range(number), range(number)[::-1]) for number in (MAGICS, INFLUENCES))
    for loops in product(magics, permutations(range(BROTHERHOODS)), influences):
        for order in permutations(range(3)):
            places = [order.index(loop) for loop in range(3)]
            every = product(*(loops[loop] for loop in order))
            yield [16 * each[places[0]] + 5 * each[places[1]] + each[places[2]] for each in every]


def _shuffled(
    cards: Sequence[int],
    seed: int,
    way: Sequence[int] = range(CARDS - 1, 0, -1),
    more: int | None = 1,
    *,
    late: bool = False,
    signed: int = 0,
) -> list[int]:
    """Return the cards after the document's shuffle. Each argument from `way` on can put one usual mistake into it: in the
    loop (`way`, `more`), in the use of the random numbers (`late`), or in their type (`signed`).
    """
    after, x = [*cards], seed
    for i in way:
        x, number = (1103515245 * x + 12345) & 0xFFFFFFFF, x
        number = number if late else x
        value = abs(number - (number >> 31 << 32)) // 32 % 32768 if signed else number >> 5 & 32767
        value = -value if signed < 0 and number >> 31 else value
        j = value % (CARDS if more is None else max(i + more, 1))
        after[i], after[j] = after[j], after[i]
    return after


# A turn


def _turn_of(case: Case, step: int) -> tuple[Turn, frozenset[str]]:
    """Return the words of the turn that ends with this step, and the branches of these words. If no turn ends here, return
    no words, and the branches of the step.
    """
    plan: Plan = case.plan
    end = len(lines_of(plan._replace(turns=(), rest=())))
    for turn in plan.turns:
        end += len(turn)
        if end == step:
            return turn, frozenset().union(*(word.branches for word in turn))
    return (), case.steps[step].branches


def _of_board(case: Case, step: int, output: Sequence[str], lines: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain a wrong board after a turn: wrong wizards were taken, or the holes were refilled in a
    wrong way.
    """
    own, (turn, _) = case.steps[step].branches, _turn_of(case, step)
    before = _screen("".join(each.output for each in case.steps[:step]).splitlines(), last=True)
    right, read = _screen(output), _screen(lines)
    if not turn or not before or not right or not read:
        return
    if right.board == read.board:
        yield from {"halves", "left"} | own & {"one-pile", "refill-pile"}
        return
    *typed, cell = [word.text for word in turn][: 1 + max(at for at, word in enumerate(turn) if " " in word.text)]
    place = next(int(word) for word in typed[::-1] if " " not in word)
    card, at = before.hand[place], SIDE * int(cell[0]) + int(cell[2])
    after = outcomes.outcome(before.board, card, at)
    if read.board[at] != card:
        lain = {*read.board} - {*before.board}
        yield "board-position" if card in lain else "hand-position" if lain & {*before.hand} else "emissary-stays"
        return
    taken = {each for each, old in enumerate(before.board) if old not in (NOTHING, read.board[each])}
    wrong = taken ^ after.taken
    if after.taken and not taken and _sums(output) == _sums(lines)[: len(_sums(output))]:
        yield "emissary-stays"
        return
    full = NOTHING not in before.board[:at] + before.board[at + 1 :]
    if wrong and full:
        yield from own & branches.CRISIS
    if wrong and (not full or "no-crisis" in own):
        yield from _of_taking(before.board, card, at, wrong, taken)
    elif not wrong:
        yield from _of_refill(own, before.board, at, after.taken, right.board, read.board)


def _of_taking(board: Sequence[int], card: int, at: int, wrong: Set[int], taken: Set[int]) -> Iterator[str]:
    """Yield the branches that explain why a program took wrong wizards. An emissary, `card`, was sent to the cell `at` of
    the board.

    `taken` are the cells from which the program took a wizard. `wrong` are the cells at which that was a mistake: either the
    wizard was taken, although the rules leave it on the board, or it stayed, although it has to follow the emissary. If
    usual mistakes would take exactly the wizards on `taken`, only the branches of these mistakes are yielded.
    """
    after = [*board]
    after[at] = card
    lines = {"row": range(at & ~3, (at & ~3) + SIDE), "column": range(at & 3, CELLS, SIDE)}
    found = {key for key, others in _takings(after, at, lines) if others == taken}
    if found:
        yield from found
    elif not any(outcomes.are_alike(after[each], card) for each in wrong):
        yield "no-crisis"
    else:
        yield from (key for key, line in lines.items() if not wrong.isdisjoint(line))
        yield from ("sum-10", "magic")


def _takings(board: Sequence[int], at: int, lines: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, Set[int]]]:
    """Yield sets of cells from which programs with a usual mistake would take the wizards, each with the branch that such a
    program gets wrong.

    The emissary is on the cell `at` of the board, and `lines` are the cells of its row and its column.
    """
    card, enough = board[at], outcomes.ENOUGH
    runs = {key: outcomes.run_of(board, at, line) for key, line in lines.items()}
    whole = {key: {each for each in line if board[each] != NOTHING} for key, line in lines.items()}
    cross = whole["row"] | whole["column"]
    kin = {each for each in cross if outcomes.magic(board[each]) == outcomes.magic(card)}
    brothers = {each for each in cross if outcomes.brotherhood(board[each]) == outcomes.brotherhood(card)}
    totals = {key: _sum(board, run) for key, run in runs.items()}

    def taken(listening: Iterable[Set[int]], alike: Set[int] = kin | brothers) -> Set[int]:
        return {each for run in listening for each in run & alike} - {at}

    right = [run for key, run in runs.items() if totals[key] >= enough]
    yield from (("magic", taken(right, alike)) for alike in (kin, brothers, kin & brothers, cross, cross - kin - brothers))
    for key, sums in (
        ("sum-10", range(enough + 1, 99)),
        ("sum-10", range(enough, enough + 1)),
        ("sum-9", range(enough - 1, 99)),
        ("sum-9", range(99)),
        ("emissary-counts", range(enough + outcomes.influence(card), 99)),
    ):
        yield key, taken(run for line, run in runs.items() if totals[line] in sums)
    yield "no-crisis", cross - brothers
    yield from [("row-and-column", taken(right[:1]))] * bool(taken(right[:1]))
    yield from [("row-and-column", taken(runs.values()))] * (_sum(board, runs["row"] | runs["column"]) >= enough)
    for key, run in runs.items():
        others = [each for each in right if each is not run]
        beside = {each for each in run if abs(each - at) in (0, 1, SIDE)}
        halves = ({each for each in run if sign * each <= sign * at} for sign in (1, -1))
        for cells in (set[int](), whole[key], beside, *halves):
            yield key, taken([*others, *([cells] * (_sum(board, cells) >= enough))])


def _sum(board: Sequence[int], cells: Iterable[int]) -> int:
    """Return the total influence of the wizards on some cells of the board."""
    return sum(outcomes.influence(board[cell]) for cell in cells if board[cell] != NOTHING)


def _of_refill(
    own: frozenset[str], before: Sequence[int], at: int, taken: frozenset[int], right: Sequence[int], read: Sequence[int]
) -> Iterator[str]:
    """Yield the branches that explain other cards on cells that were empty before the refilling. `right` is the right board
    after the turn, and `read` the program's.
    """
    holes = [cell for cell, card in enumerate(before) if cell != at and (card == NOTHING or cell in taken)]
    wanted, got = ([board[cell] for cell in holes if board[cell] != NOTHING] for board in (right, read))
    if len(wanted) != len(got):
        yield from own & {"refill-across", "refill-out"} or {"refill"}
    elif sorted(wanted) == sorted(got) or not wanted:
        yield "refill-order"
    elif wanted[0] == got[0]:
        yield from own & {"refill-across"} or {"refill-pile"}
    else:
        yield from own & {"left", "right", "one-pile"}
        yield from own & {"refill-pile", "refill-across"}


# The result


def _of_points(output: Sequence[str], wanted: str, got: str) -> Iterator[str]:
    """Yield the branches that explain wrong points of a player: the program treats equal influence in another way, or counts
    other magics.
    """
    right, read = _POINTS.fullmatch(wanted), _POINTS.fullmatch(got)
    if not right or not read:
        return
    first = output.index(texts.POINTS)
    player = output.index(wanted, first) - first - 1
    sums = [[int(word.strip("[ boprtv]") or 0) for word in _parts(line)] for line in _sums(output[:first])]
    mine = sums[player]
    earlier, later, others = ([*zip(*each, strict=True)] for each in (sums[:player], sums[player + 1 :], sums))
    best = [max(each) for each in others]
    shared = {
        sum(points for points, most, each in zip(mine, best, rivals, strict=True) if points < most or most in each)
        for rivals in (earlier, later)
        if rivals
    }
    shared.add(
        sum(points for points, each in zip(mine, others, strict=True) if each.count(max(each)) > 1 or points < max(each))
    )
    counted = {sum(mine), sum(mine) - int(right[1])}
    number = int(read[1])
    yield from ["control-shared"] * (number in shared - {int(right[1])})
    yield from ["points"] * (number in counted or number not in shared)
    yield from ["control"] * (number not in counted | shared)


def _are_equal(output: Sequence[str], got: str) -> bool:
    """Return True if the winner in the line `got` has the same points as the right winner."""
    points = {match[2]: match[1] for match in map(_POINTS.fullmatch, output[output.index(texts.POINTS) :]) if match}
    names = [name for line in (got, output[-1]) for name in points if texts.WINNER.format(name) == line]
    return len(names) == 2 and points[names[0]] == points[names[1]]
