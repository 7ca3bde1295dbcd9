"""The judge of Okupació's program: it makes the cases that test other people's programs. A case is a whole run of the
program, which plays one short game.

`core.judging` explains cases, branches (decisions of the document that a case tests), extras and plans. In the game an
*army* takes a free cell in its turn. Some cells next to it *fall*: they become the army's, too, and are *stolen* if they
belonged to another army. An army that gives up *frees* its cells. On small boards with many walls, every branch of the
document occurs within a few turns. A game ends with a full board, or because all armies but one give up. `watch` plays a
game and finds the branches that decide each line of its output.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Final
from zlib import crc32

from ludoteca.core.errors import NotationError
from ludoteca.core.judging import Case, Part, Step, converse
from ludoteca.games.okupacio import GAME, board
from ludoteca.games.okupacio.judging.branches import BRANCHES
from ludoteca.games.okupacio.judging.lines import suspects
from ludoteca.games.okupacio.judging.watch import EXTRAS, Plan, Watch, branches_of, neighbours_decided, still_playing
from ludoteca.games.okupacio.notation import army_name, cell_name, letter
from ludoteca.games.okupacio.rules import FREE, ROW, WALL

TRIES: Final = 24
"""The number of random games to try for a case."""
SHORT: Final = 12
"""If a game with a wanted branch has at most this many moves, no more games are tried."""
TINY: Final = 7
TINY_TRIES: Final = 8
"""For each branch, this many games are tried as cases of at most TINY moves. KEPT of them are kept."""
KEPT: Final = 3
MOST_TINY: Final = 25
"""Besides the shortest, at most this many are tried as shorter cases, so that runs are left for parts of the case."""
SHORTEST: Final = (
    ("2", "5 5 3 2 2 18", "ba bb ab"),
    ("2", "4 5 1 4 2 3 1 9", "aa ca bb"),
    ("2", "4 4 1 1 2 4 1 7", "aa ac ca"),
    ("2", "5 4 2 1 8 2 7", "cb bc ba 00"),
    ("2", "4 4 2 2 3 1 1 3 1 3", "ba ca ab bc"),
    ("2", "5 4 2 2 2 2 1 3 1 7", "aa ba bb ca"),
    ("2", "4 4 7 1 8", "ac ab aa cb bb 00"),
    ("2", "4 4 4 1 10 1", "ca db cc cb bb 00"),
    ("2", "4 4 4 1 10 1", "bd cc ac db bb 00"),
    ("2", "5 4 8 2 3 1 6", "ac dc cc cd bd 00"),
    ("2", "5 4 20", "db eb cd dc ab da 00"),
    ("2", "4 4 16", "dc cb cc ac ca cd da bc bb 00"),
    ("3", "4 4 4 12", "ac aa ab"),
    ("3", "4 4 1 3 2 2 1 3 1 3", "ba da ca"),
    ("3", "4 4 16", "aa 00 ad dd 00"),
    ("3", "4 4 1 1 1 5 1 1 1 5", "aa ac ca 00 aa cc"),
    ("10", "4 4 1 3 1 11", "aa"),
    ("3", "4 9 2 1 4 1 28", "bg ca bb ba 00 bf bc bh cb cg dd aa df af 00"),
)
"""The players, the board and the moves of short games.

In most of them, cells with many neighbours, or next to stolen or freed cells, fall or stay. In others, the winner has stolen
less than another army, the time of waiting decides a tie against the letters, or a turn skips an army in the middle. In the
last but two, a freed cell is taken again. In the last but one, ten players end the game with one move."""
GAMES: Final = {
    "turn.skips_two": ("4", "4 4 16", "00 aa da 00 ab dd 00"),
    "turn.skips_first": ("3", "4 4 16", "00 aa da ab 00"),
    "table.digits": ("2", "4 4 3 2 3 2 6", "db dd cd aa bc dc ab 00"),
}
"""Games with an extra that random games rarely have, by the extra: the players, the board and the moves."""
MOST_CELLS: Final = 40
"""The number of free cells that are compared for a move."""
GIVES_UP: Final = "00"
WRONG_PLAYERS: Final = {  # every test set has the first word of each
    "players.few": ("1", "0"),
    "players.many": ("11", "12", "99", "100"),
}
WRONG_SIGNS: Final = ("a0", "0a", "AB", "??", "1b", "a1", "Ab", "aC", "##")
RARE: Final = frozenset(
    (
        "three.all",
        "four.all",
        "four.free",
        "four.free_open",
        "four.free_foreign",
        "four.open",
        "four.kept",
        "stolen.gained",
        "stolen.lost",
        "resign.falls",
    )
)
WRONG_MOVES: Final = frozenset(("move.wall", "move.own", "move.others", "move.outside", "move.sign", "move.far"))
RESIGNING: Final = frozenset(
    ("turn.skips", "turn.skips_inner", "resign.cells", "resign.again", "resign.falls", "resign.table", "idle.resigned")
)


class WholeRun(Part):
    """The program of section “El programa que heu de desenvolupar”, the only part of this game for the judge."""

    branches = BRANCHES
    extras = EXTRAS

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        """Return a case with a wanted extra, if there is one for which a game is stored.

        Otherwise play some random games, and return the game with the most wanted branches. If several have equally many,
        return the game with the fewest moves.
        """
        if rare := sorted(wanted & GAMES.keys()):
            return _answered(_turned(random, *GAMES[rare[0]]))
        return self._best(random, wanted, TRIES)

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:  # noqa: ARG002
        """Yield shorter cases: tiny games that share a branch with the case, the first moves of the case, and the case
        without some of its moves.
        """
        plan: Plan = case.plan
        alike = [tiny for tiny in _tiny_cases() if _size(tiny) < _size(case) and tiny.branches & case.branches]
        likest = sorted(alike[1:], key=lambda tiny: -len(tiny.branches & case.branches))[:MOST_TINY]
        yield from sorted([*alike[:1], *likest], key=_size)
        size = len(plan.moves)
        cut = (_ended(plan, plan.moves[:length]) for length in range(size))
        gaps = [(start, length) for length in (size // 2, 4, 3, 2, 1) if length for start in range(size - length + 1)]
        holes = (_ended(plan, plan.moves[:start] + plan.moves[start + length :]) for start, length in gaps)
        *wrong, right = plan.players
        alone = (plan._replace(players=(*words, right)) for words in ((), *((word,) for word in wrong)))
        for each in (*alone, *cut, *holes):
            candidate = _answered(each)
            if _size(candidate) < _size(case):
                yield candidate

    def decisive(self, case: Case, step: int, output: str) -> frozenset[str]:
        return suspects(case, step, output)

    def impossible(self, case: Case) -> str:
        """Return the reason why the document allows no such input, or an empty text if there is none.

        The board must be valid (“Suposarem que les dades del fitxer són sempre correctes”), and so must the last number of
        players.
        """
        plan: Plan = case.plan
        if not 2 <= int(plan.players[-1]) <= FREE:
            return f"{plan.players[-1]} players"
        try:
            board.read_numbers(plan.text or "4 4 16")
        except NotationError as error:
            return str(error)
        return ""

    def _best(self, random: Random, wanted: frozenset[str], tries: int) -> Case:
        """Return the game with the most wanted branches of `tries` random games, or the first short game that has a wanted
        branch.
        """
        best, most = None, (-1, 0)
        for _ in range(tries if wanted else 1):
            plan, decided = _some_plan(random, wanted)
            worth = (len(wanted & frozenset().union(*decided)), -len(plan.moves))
            if worth > most:
                best, most = (plan, decided), worth
            if worth[0] and len(plan.moves) <= SHORT:
                break
        assert best is not None
        return _answered(*best)


PARTS: Final[dict[str, Part]] = {"": WholeRun()}


@cache
def _tiny_cases() -> list[Case]:
    """Return cases of few turns, the shortest first. Together they have all branches of the document that so short games can
    show.

    They are the stored games SHORTEST, and for each branch some random games that show it.
    """
    random = Random(0)
    plans = [Plan((players,), _file_name(text), text, tuple(moves.split())) for players, text, moves in SHORTEST]
    kept = {plan: branches_of(plan) for plan in plans}
    for branch in BRANCHES:
        found = dict[Plan, list[frozenset[str]]]()
        for _ in range(TINY_TRIES):
            plan, decided = _some_plan(random, frozenset((branch.key,)), longest=random.choice((1, 2, 2, 3, 3, 6)))
            if len(plan.moves) <= TINY and branch.key in frozenset().union(*decided):
                found[plan] = decided
        kept.update((plan, found[plan]) for plan in sorted(found, key=lambda plan: len(plan.moves))[:KEPT])
    return sorted((_answered(plan, decided) for plan, decided in kept.items()), key=_size)


def _size(case: Case) -> tuple[int, int, str]:
    return case.turns, len(case.input), case.input


def _answered(plan: Plan, decided: list[frozenset[str]] | None = None) -> Case:
    """Return the case of a plan, with the output of Ludoteca's program. `decided` has the branches for each line, if they
    are known already.
    """
    files = {} if plan.text is None else {plan.name: plan.text}
    said, status = converse(GAME, [], plan.lines, files)
    decided = decided or branches_of(plan)
    pairs = zip(said, decided, strict=True)
    steps = tuple(Step(line, printed, keys.difference(EXTRAS)) for (line, printed), keys in pairs)
    turns = sum("table.columns" in keys for keys in decided)
    return Case((), steps, status, files, turns, plan, extras=frozenset().union(*decided) & frozenset(EXTRAS))


def _ended(plan: Plan, moves: Sequence[str]) -> Plan:
    """Return the plan with other moves. If the game is not over after them, all armies but one give up."""
    if plan.text is None:
        return plan
    watch, kept = Watch(int(plan.players[-1]), plan.text), list[str]()
    for move in moves:
        if watch.state.is_terminal():
            break
        watch.play(move)
        kept.append(move)
    if not watch.state.is_terminal():
        kept += [GIVES_UP] * (len(still_playing(watch.state)) - 1)
    return plan._replace(moves=tuple(kept))


def _some_plan(random: Random, wanted: frozenset[str], longest: int = 0) -> tuple[Plan, list[frozenset[str]]]:
    """Return a plan with a random game that is likely to show some of the wanted branches, and the branches of each line of
    its input.

    If `longest` is not 0, armies begin to give up after this many turns.
    """
    right = "10" if "players.ten" in wanted else str(random.choice((2, 2, 3)) if random.random() < 0.9 else 4)
    if "turn.skips_inner" in wanted and random.random() < 0.5:
        right = "4"
    tried = {key: (words[0], random.choice(words)) for key, words in WRONG_PLAYERS.items() if key in wanted}
    wrong = [word for words in tried.values() for word in dict.fromkeys(words)]
    if wanted & RARE and random.random() < 0.4:
        plan = _turned(random, *random.choice([game for game in SHORTEST if wanted & _reached(*game)]))
        return plan, branches_of(plan)
    if "file.missing" in wanted and random.random() < 0.5:
        plan = Plan((*wrong, right), "cap.txt", None, ())
        return plan, branches_of(plan)
    text = _some_board(random, wanted)
    plan = Plan((*wrong, right), _file_name(text), text, ())
    played = list(_some_moves(random, wanted, Watch(int(right), text), longest or random.choice((1, 2, 3, 6, 12, 16))))
    decided = [*branches_of(plan), *(keys for _, keys in played)]
    return plan._replace(moves=tuple(move for move, _ in played)), decided


@cache
def _reached(players: str, text: str, moves: str) -> frozenset[str]:
    """Return those of the branches in RARE that a game shows. The game is given by its players, board and moves."""
    decided = branches_of(Plan((players,), "", text, tuple(moves.split())))
    return RARE & frozenset().union(*decided)


def _turned(random: Random, players: str, text: str, moves: str) -> Plan:
    """Return the plan of a game on a board that is rotated or reflected at random. If the first cell of that board would be
    a wall, which board files do not allow, the board stays as it is.
    """
    cells = [list(row) for row in board.read_numbers(text)]
    places = [(ord(move[0]) - ord("a"), ord(move[1]) - ord("a")) for move in moves.split() if move != GIVES_UP]
    for _ in range(random.randrange(4)):
        places = [(column, len(cells) - 1 - row) for row, column in places]
        cells = [list(row) for row in zip(*cells[::-1], strict=True)]
    if random.random() < 0.5:
        places = [(row, len(cells[0]) - 1 - column) for row, column in places]
        cells = [row[::-1] for row in cells]
    if cells[0][0] == board.OPEN:
        text = board.write_numbers(["".join(row) for row in cells])
        turned = (letter(row) + letter(column) for row, column in places)
        moves = " ".join(move if move == GIVES_UP else next(turned) for move in moves.split())
    return Plan((players,), _file_name(text), text, tuple(moves.split()))


def _file_name(text: str) -> str:
    """Return a file name for a board. Different boards have different names, so that all can be in one folder."""
    rows, columns, *_ = text.split()
    return f"tauler{rows}x{columns}-{crc32(text.encode()) % 10000:04}.txt"


def _some_board(random: Random, wanted: frozenset[str]) -> str:
    """Return a random small board as the numbers of its file. Most boards have many walls, so they are full after a few
    turns.
    """
    if "board.largest" in wanted:
        rows, columns = 25, 25
        cells = [board.OPEN] + [random.choice(".....#") for _ in range(rows * columns - 1)]
    else:
        rows, columns = random.choice(((4, 4), (4, 4), (4, 5), (5, 4), (5, 5)))
        open_cells = _some_shape(random, rows, columns) if random.random() < 0.6 else []
        density = 1 if open_cells else random.choice((0, 0.1, 0.3))
        cells = [board.WALL if random.random() < density else board.OPEN for _ in range(rows * columns)]
        for row, column in [(0, 0), *open_cells]:
            cells[row * columns + column] = board.OPEN
    numbers = board.write_numbers(["".join(cells[row * columns : (row + 1) * columns]) for row in range(rows)])
    return numbers.replace(" ", "\n", random.choice((1, 2, 99))) if "file.lines" in wanted else numbers


def _some_shape(random: Random, rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the (row, column) of the open cells of a board: connected cells with the first cell, sometimes also a separate
    cell, and sometimes the whole board.
    """
    every = [(row, column) for row in range(rows) for column in range(columns)]
    size = random.choice((1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 10, 13, 25))
    shape = [(0, 0)]
    while len(shape) < min(size, len(every)):
        row, column = random.choice(shape)
        near = random.choice(((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)))
        if near in every and near not in shape:
            shape.append(near)
    return [*shape, random.choice(every)] if random.random() < 0.3 else shape


def _some_moves(random: Random, wanted: frozenset[str], watch: Watch, longest: int) -> Iterator[tuple[str, frozenset[str]]]:
    """Play a random game and yield its moves with the branches that they show. In each turn, prefer a move that shows a
    wanted branch.

    After `longest` turns all armies but one give up, so that the game ends.
    """
    resigns = 0.25 if wanted & RESIGNING else 0.02
    while not watch.state.is_terminal():
        if not wanted or random.random() < 0.1:
            yield from [(wrong, watch.play(wrong)) for wrong in _wrong_moves(random, watch) if random.random() < 0.3]
        elif wanted & WRONG_MOVES:
            tried = [(wrong, watch.play(wrong)) for wrong in _wrong_moves(random, watch)]
            yield from [(wrong, keys) for wrong, keys in tried if keys & wanted]
        gives_up = watch.turns >= longest or random.random() < resigns
        move = GIVES_UP if gives_up else _some_cell(random, wanted, watch)
        yield move, watch.play(move)


def _some_cell(random: Random, wanted: frozenset[str], watch: Watch) -> str:
    """Return the name of a random free cell. If there are cells with which a wanted branch is decided, return
    one of those.
    """
    owner, player = watch.owner, watch.state.current_player()
    free = [cell for cell, holder in enumerate(owner) if holder == FREE]
    free = random.sample(free, min(len(free), MOST_CELLS))
    good = [cell for cell in free if wanted.intersection(neighbours_decided(owner, cell, player))]
    return cell_name(random.choice(good or free))


def _wrong_moves(random: Random, watch: Watch) -> list[str]:
    """Return one wrong move of each kind that is possible now: cells that are not free, cells outside of the board, and
    texts that are no cell.
    """
    owner, player = watch.owner, watch.state.current_player()
    rows, columns = int(watch.state.raw.rows), int(watch.state.raw.columns)
    inside = [ROW * (row + 1) + column for row in range(rows) for column in range(columns)]
    kinds = (
        [cell for cell in inside if owner[cell] == WALL],
        [cell for cell in inside if owner[cell] == player],
        [cell for cell in inside if owner[cell] not in (WALL, FREE, player)],
    )
    wrong = [cell_name(random.choice(kind)) for kind in kinds if kind]
    wrong += [letter(rows) + "a"] * (rows < 25) + ["a" + letter(columns)] * (columns < 25) + ["az"]
    return [*wrong, random.choice(WRONG_SIGNS), army_name(player) * 2]
