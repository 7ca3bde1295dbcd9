"""The judge of Prolog programs for the assignment. A driver in Prolog calls the predicates of a program and prints their
answers.

`core.judging` explains cases, branches and subjects. There is one part (kind of program), and its subjects are the
predicates. The *driver*, `prolog/judge.pl`, reads *questions*, one on each line. For example, the question `open` asks for
the open paths. A *session* gives the answers of Ludoteca's predicates to the same questions (`questions`). Several questions
are *open-ended*: programs may pick different moves, so `checking` tests whether the answer is legal. One wrong predicate can
make the answers of others look wrong, so a case *excuses* mistakes of predicates that it does not ask about (`excuses`).
"""

import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from ludoteca.core.errors import LudotecaError
from ludoteca.core.judging import Case, Part, Step
from ludoteca.core.messages import Message
from ludoteca.games.metro import GAME
from ludoteca.games.metro.judging import branches, deciding, excuses
from ludoteca.games.metro.judging.branches import SUBJECTS
from ludoteca.games.metro.judging.checking import problem_of
from ludoteca.games.metro.judging.lines import suspects
from ludoteca.games.metro.judging.questions import OPEN_ENDED, Session, move_of, move_words
from ludoteca.games.metro.text import predicates
from ludoteca.games.metro.text.predicates import TILE_IDS, GameState, Move

SWIPL: Final = "swipl"
STACKS: Final = "--stack-limit=256m"
MOST: Final = 8
"""The largest number of moves of a case."""
LOOKED_AT: Final = 12
"""A position that aims at a branch is built move by move. For each move, this many moves are compared."""
TRIED: Final = 6
"""The number of random positions to try for a case, until one of them reaches the branch."""
OTHERS: Final = 8
"""To shorten a case, this many other positions of each length are tried."""
GAMES: Final = {"game-full": ("#9", "#8"), "game-short": ("#6", "#10", "#1")}
"""Tiles with which every game ends in the same way, by the branch that this end shows."""
LEAST: Final = {"initial_game_state": 1, "get_path_tiles": 3}
"""The smallest number of cases in a set for a predicate. For other predicates it is two."""
STATELESS: Final = (*excuses.MOVE, "play_game")
"""Predicates whose questions need no state of the game."""
LAID: Final = ("get_game_tiles", "apply_move", "pick_move")
"""Predicates whose cases need at least one tile on the board."""
LISTED: Final = {
    "get_open_paths": frozenset(("open",)),
    "get_closed_paths": frozenset(("closed",)),
    "get_path_entry": frozenset(("open", "closed")),
    "get_path_tiles": frozenset(("open", "closed")),
}
"""Predicates whose cases need paths, with the branches of the paths that they need."""
OTHER_TILES: Final = ("judge.pick.other", "judge.game.tiles")
"""The keys of problems with answers that use other tiles than the given ones."""
TOGETHER: Final = 12
"""The number of cases for one process, because starting a process takes longer than answering them."""
BEGUN: Final = re.compile(r"^case \d+\n", re.MULTILINE)
"""The line that the driver prints before the answers of each case if a process gets several cases."""
_NAMED: Final = {"start": "initial", "with": "with-tile", "at": "at-space", "back": "old-state"}
"""The branch of a question, by the word of the question, if the two have different names."""


class Plan(NamedTuple):
    """The input of a case about a predicate, the `subject`: the questions `first`, then moves, then the
    questions `asked`.
    """

    subject: str
    moves: tuple[Move, ...]
    asked: tuple[str, ...]
    first: tuple[str, ...] = ()

    def cut(self, moves: int) -> "Plan":
        """Return a plan with the first `moves` moves and the same questions. Questions about a later state are left out."""
        asked = (each for each in self.asked if not each.startswith("back") or int(each.split()[1]) <= moves)
        return self._replace(moves=self.moves[:moves], asked=tuple(asked))


class Predicates(Part):
    """The only kind of program: the file `T3.pl`, with the predicates of the assignment."""

    branches = branches.BRANCHES
    subjects: Mapping[str, int] = {name: LEAST.get(name, 2) for name in SUBJECTS}
    file = "T3.pl"
    given = ("T3base.pl", "T3t.pl")
    together = TOGETHER
    shortest = 0

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        """Return a case with questions for one predicate about a position after a few moves. The case's number of turns is
        the number of these moves.

        `wanted` has predicates and branches. The case asks a predicate and aims at a branch among them if possible.
        """
        chosen = random.choice(sorted(wanted or SUBJECTS))
        subjects = [chosen] if chosen in SUBJECTS else _subjects(chosen)
        subject = random.choice(subjects)
        aims = sorted(SUBJECTS[subject] & wanted or SUBJECTS[subject])
        aim = chosen if chosen in aims else random.choice(aims)
        for _ in range(TRIED):
            case = case_of(_plan(random, subject, wanted, aim, random.randint(0, 4)))
            if aim in case.branches:
                break
        return case

    def impossible(self, case: Case) -> str:
        """Return a text that names the first move of the case that is not available when it is made. It is empty if all
        moves are.
        """
        state = predicates.initial_game_state()
        for move in case.plan.moves:
            if not predicates.available_move(state, move):
                return f"{move_words(move)} is no available move"
            state = predicates.apply_move(state, move)
        return ""

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        """Yield shorter cases. For each smaller number of moves these are the same questions after the first moves, and
        questions about other positions with that number of moves.
        """
        plan: Plan = case.plan
        # the missing open path may be among the closed ones
        seen = _reached(_after(plan.moves)) if plan.subject in LISTED else case.branches & SUBJECTS[plan.subject]
        for moves in range(case.turns):
            yield case_of(plan.cut(moves))
            if moves or plan.subject not in LISTED:
                aims = random.sample(sorted(seen) or [""], max(1, len(seen)))
                for aim in islice(cycle(aims), OTHERS):
                    yield case_of(_plan(random, plan.subject, seen, aim, moves, most=moves))

    def joined(self, cases: Sequence[Case]) -> Case:
        """Return several cases as one, so that one process answers them. A line that tells the driver the number of the case
        begins each.
        """
        steps = (step for number, case in enumerate(cases, 1) for step in (Step(f"case {number}\n", ""), *case.steps[1:]))
        return Case((), tuple(steps))

    def parted(self, output: str) -> list[str]:
        return BEGUN.split(output)[1:]

    def excused(self, case: Case, output: str) -> bool:
        """Return True if the wrong answers can be explained by other predicates of the program than the predicate that the
        case asks.
        """
        return excuses.excused(case, output)

    def command(self, program: Sequence[str], case: Case) -> list[str]:  # noqa: ARG002  # the same for all cases
        """Return the command that starts the driver and loads the program's files.

        Raises LudotecaError if SWI-Prolog is not installed.
        """
        swipl = shutil.which(SWIPL)
        if not swipl:
            raise LudotecaError("there is no swipl: SWI-Prolog is needed (Debian has it in the package swi-prolog-nox)")
        files, ours = [Path(name).absolute() for name in program], GAME.file("prolog/T3.pl")
        # only our predicates need our Python and its code; other programs cannot read these in the sandbox
        needed = ["engine", sys.executable, str(GAME.file("").parents[1])]
        engine = needed if any(file.exists() and file.samefile(ours) for file in files) else []
        driver = str(GAME.file("prolog/judge.pl"))
        return [swipl, STACKS, "-g", "judge:main", "-t", "halt", driver, "--", "load", *map(str, files), *engine]

    def problem(self, case: Case, output: str) -> Message | None:
        """Return the problem of the answers if the case has open-ended questions, such as picking a move, whose answers only
        have to be legal. Return None for a case without such questions, whose answers are compared with the right ones.
        """
        questions = {step.input.split()[0] for step in case.steps if step.input}
        return problem_of(case, output)[1] if questions & OPEN_ENDED else None

    def decisive(self, case: Case, step: int, output: str) -> frozenset[str]:
        """Return the branches that the program may have got wrong if it printed this output after `step`."""
        if output != case.steps[step].output and self.problem(case, output):
            own, problem = problem_of(case, output)
            has_other_tiles = isinstance(problem, tuple) and problem[0] in OTHER_TILES
            return frozenset(("pick",)) if has_other_tiles else own.branches
        return suspects(case, step, output)


PARTS: Final[dict[str, Part]] = {"": Predicates()}


def case_of(plan: Plan) -> Case:
    """Return the case of a plan, with the output that the driver would print for Ludoteca's predicates."""
    return Case((), (Step("", ""), *steps_of(plan)), turns=len(plan.moves), plan=plan, subject=plan.subject)


def steps_of(plan: Plan) -> Iterator[Step]:
    """Yield a step for each question of a plan, with the output that the driver would print for Ludoteca's predicates."""
    session = Session()
    moves = [f"apply {move_words(move)}" for move in plan.moves]
    start = () if plan.subject in STATELESS else ("start",)
    for question in (*start, *plan.first, *moves, *plan.asked):
        printed = session.printed(question)
        yield Step(f"{question}\n", printed, _decided(question, printed, session.state))


def _decided(question: str, printed: str, state: GameState) -> frozenset[str]:
    """Return the branches that decide the answer to a question in this state. `printed` is the right answer."""
    word, *rest = question.split()
    if word in ("open", "closed"):
        return deciding.of_paths(state, closed=word == "closed") or frozenset((word,))
    if word in ("available", "with", "at"):
        return deciding.of_all(state) | {_NAMED.get(word, "all")}
    if word == "check":
        return deciding.of_move(state, move_of(rest))
    if word == "only":
        return frozenset(key for key, ids in GAMES.items() if rest[0] in ids)
    if word == "pick":
        return frozenset(("pick-none" if printed.endswith("\n  no\n") else "pick",))
    return frozenset((_NAMED.get(word, word),))


def _subjects(branch: str) -> list[str]:
    """Return the predicates whose cases can aim at a branch."""
    return [subject for subject, keys in SUBJECTS.items() if branch in keys]


def _plan(random: Random, subject: str, wanted: frozenset[str], aim: str, moves: int, most: int = MOST) -> Plan:
    """Return a plan with a random position that is likely to reach the branch `aim`, and questions for the predicate
    `subject` about it.

    The position has about `moves` moves, and at most `most`. More than `moves` are made only to reach the branches that are
    needed.
    """
    state, made = predicates.initial_game_state(), list[Move]()
    if subject in STATELESS or subject == "initial_game_state":
        most = 0
    elif subject in LAID:
        moves = max(moves, 1)
    needed = LISTED.get(subject, frozenset())
    hoped = needed | {aim} & branches.PATHS or wanted & branches.PATHS
    if aim == "centre-space":
        hoped |= {"centre"}
    while len(made) < most and (
        len(made) < moves
        or (hoped & (needed | {aim})) - _reached(state)
        or (aim == "centre-space" and not deciding.some_move(state, aim, random))
    ):
        move = _towards(state, hoped - _reached(state), random)
        made.append(move)
        state = predicates.apply_move(state, move)
    first = ("pick #1",) if subject == "pick_move" else ()  # #1 has no place on the empty board
    return Plan(subject, tuple(made), tuple(_questions(state, subject, wanted, aim, random)), first)


def _after(moves: Sequence[Move]) -> GameState:
    state = predicates.initial_game_state()
    for move in moves:
        state = predicates.apply_move(state, move)
    return state


def _reached(state: GameState) -> frozenset[str]:
    return deciding.of_paths(state, closed=False) | deciding.of_paths(state, closed=True)


def _towards(state: GameState, hoped: frozenset[str] | set[str], random: Random) -> Move:
    """Return the best of LOOKED_AT available moves: the move after which the most of the `hoped` branches are reached.

    Most of the compared moves continue an open path.
    """
    ends = deciding.open_ends(state) if random.random() < 0.8 else []

    def worth(move: Move) -> tuple[int, float]:
        after = predicates.apply_move(state, move)
        near = max((_nearness(end) for end in deciding.open_ends(after)), default=0)
        return len(hoped & _reached(after)), near if "centre" in hoped else random.random()

    return max(deciding.some_moves(state, ends, random, LOOKED_AT), key=worth)


def _nearness(space: tuple[int, int]) -> int:
    """Return a number that is larger for spaces nearer to the centre of the board."""
    return -sum(abs(2 * at - 9) for at in space)


def _questions(state: GameState, subject: str, wanted: frozenset[str], aim: str, random: Random) -> Iterator[str]:
    """Yield questions for the predicate `subject` about a state. Questions that change the state come last.

    The questions are chosen so that a predicate that always fails answers no list of them right.
    """
    if subject in ("get_open_paths", "get_closed_paths"):
        yield "open" if subject == "get_open_paths" else "closed"
    elif subject in ("get_path_entry", "get_path_tiles"):
        yield from ("open", "closed")
    elif subject in excuses.MOVE:
        for move in random.sample(predicates.available_move(state), 2):
            yield f"move {move_words(move)}"
    elif subject == "available_move":
        yield from _available(state, wanted, aim, random)
    elif subject == "pick_move":
        yield f"pick {random.choice(TILE_IDS[1:])}"
    elif subject == "play_game":
        ids = random.choices(TILE_IDS[1:], k=20)
        yield f"only {random.choice(GAMES[aim])}" if aim in GAMES else f"game {' '.join(ids)}"
    else:
        yield "tiles"
    if aim == "old-state" and state.tiles:
        yield f"back {random.randrange(len(state.tiles))}"
        yield "open"


def _available(state: GameState, wanted: frozenset[str], aim: str, random: Random) -> Iterator[str]:
    checked = [key for key in sorted(wanted & branches.CHECKS) if key == aim or random.random() < 0.5]
    for key in checked or random.sample(sorted(branches.CHECKS), 2):
        if move := deciding.some_move(state, key, random):
            yield f"check {move_words(move)}"
    move = random.choice(predicates.available_move(state))
    yield f"check {move_words(move)}"
    others = {"all": "available", "with-tile": f"with {random.choice(TILE_IDS)}", "at-space": "at {} {}".format(*move.space)}
    yield from (question for key, question in others.items() if key == aim or (key in wanted and random.random() < 0.3))
