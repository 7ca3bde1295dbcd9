"""A program that was written for the assignment judged: its predicates are asked, by a driver in Prolog."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from ludoteca.core.errors import LudotecaError
from ludoteca.core.judging import Case, Part, Step
from ludoteca.core.messages import Message
from ludoteca.core.spec import GameSpec
from ludoteca.games.metro import GAME, predicates
from ludoteca.games.metro.judging import branches, deciding
from ludoteca.games.metro.judging.checking import problem_of
from ludoteca.games.metro.judging.mutants import MUTANTS
from ludoteca.games.metro.judging.questions import OPEN_ENDED, Session, move_of, move_words
from ludoteca.games.metro.predicates import TILE_IDS, GameState, Move

SWIPL: Final = "swipl"
STACKS: Final = "--stack-limit=256m"
MOST: Final = 8
"""Moves of a case, at most."""
LOOKED_AT: Final = 12
"""Moves that are compared for each step towards a branch."""
TRIED: Final = 6
"""Positions that are tried for a case."""
OTHERS: Final = 8
"""Other positions of each number of moves that are tried instead of a case."""
GAMES: Final = {"game-full": ("#9", "#8"), "game-short": ("#6", "#10", "#1")}
"""Tiles of which a game with no other always ends alike."""
_NAMED: Final = {"start": "initial", "with": "with-tile", "at": "at-space", "back": "old-state"}
"""Branches of questions that have other names."""


class Plan(NamedTuple):
    """What a case asks: after these moves, these questions."""

    moves: tuple[Move, ...]
    asked: tuple[str, ...]

    def cut(self, moves: int) -> "Plan":
        """The same questions after the first moves."""
        asked = (each for each in self.asked if not each.startswith("back") or int(each.split()[1]) <= moves)
        return Plan(self.moves[:moves], tuple(asked))


class Predicates(Part):
    """`T3.pl` with the predicates of the assignment."""

    branches = branches.BRANCHES
    mutants = MUTANTS

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        """A position after a few moves, and questions about it; its turns are those moves."""
        aim = random.choice(sorted(wanted)) if wanted else ""
        for _ in range(TRIED):
            case = case_of(_plan(random, wanted, aim, random.randint(0, 4)))
            if not aim or aim in case.branches:
                break
        return case

    def impossible(self, case: Case) -> str:
        """Each move is one of those that are available when it is made."""
        state = predicates.initial_game_state()
        for move in case.plan.moves:
            if not predicates.available_move(state, move):
                return f"{move_words(move)} is no available move"
            state = predicates.apply_move(state, move)
        return ""

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        """For each number of moves, the same questions after the first ones, and other positions."""
        plan: Plan = case.plan
        for moves in range(case.turns):
            yield case_of(plan.cut(moves))
            for _ in range(OTHERS):
                aim = random.choice(sorted(case.branches))
                yield case_of(_plan(random, case.branches, aim, moves, most=moves))

    def again(self, case: Case, spec: GameSpec) -> Case:  # noqa: ARG002  # its mutants replace functions
        return case_of(case.plan)

    def prints(self, case: Case, output: str, spec: GameSpec) -> bool:  # noqa: ARG002
        """The first other answer decides: whole games are asked for last, and take longest."""
        read = 0
        for step in _steps(case.plan):
            if not output.startswith(step.output, read):
                return False
            read += len(step.output)
        return read == len(output)

    def command(self, program: Sequence[str], case: Case) -> list[str]:  # noqa: ARG002  # the same for all cases
        """The driver, which loads the program's files. Raises LudotecaError where there is no SWI-Prolog."""
        swipl = shutil.which(SWIPL)
        if not swipl:
            raise LudotecaError("there is no swipl: SWI-Prolog is needed (Debian has it in the package swi-prolog-nox)")
        files, ours = [Path(name).absolute() for name in program], GAME.file("prolog/T3.pl")
        # our own predicates need our Python, with the code that it runs; no other program may read that in a sandbox
        needed = ["engine", sys.executable, str(GAME.file("").parents[1])]
        engine = needed if any(file.exists() and file.samefile(ours) for file in files) else []
        driver = str(GAME.file("prolog/judge.pl"))
        return [swipl, STACKS, "-g", "main", "-t", "halt", driver, "--", "load", *map(str, files), *engine]

    def problem(self, case: Case, output: str) -> Message | None:
        """Moves that are picked, and games that are played, only have to be legal."""
        questions = {step.input.split()[0] for step in case.steps if step.input}
        return problem_of(case, output)[1] if questions & OPEN_ENDED else None

    def decisive(self, case: Case, output: str) -> frozenset[str]:
        """Those of the question whose answer has a problem."""
        return problem_of(case, output)[0].branches


PARTS: Final[dict[str, Part]] = {"": Predicates()}


def case_of(plan: Plan) -> Case:
    """The case, with what the driver prints of our own predicates."""
    return Case((), (Step("", ""), *_steps(plan)), 0, turns=len(plan.moves), plan=plan)


def _steps(plan: Plan) -> Iterator[Step]:
    """Each question when it is asked for, with what the driver prints."""
    session = Session()
    moves = [f"apply {move_words(move)}" for move in plan.moves]
    for question in ("start", *moves, "tiles", "open", "closed", *plan.asked):
        printed = session.printed(question)
        yield Step(f"{question}\n", printed, _decided(question, printed, session.state))


def _decided(question: str, printed: str, state: GameState) -> frozenset[str]:
    """The branches that decide the answer to a question, asked in that state."""
    word, *rest = question.split()
    if word in ("open", "closed"):
        return deciding.of_paths(state, closed=word == "closed")
    if word == "available":
        return deciding.of_all(state)
    if word == "check":
        return frozenset((deciding.of_move(state, move_of(rest)),))
    if word == "only":
        return frozenset(("game", *(key for key, ids in GAMES.items() if rest[0] in ids)))
    if word == "pick":
        return frozenset(("pick-none" if printed.endswith("\n  no\n") else "pick",))
    return frozenset((_NAMED.get(word, word),))


def _plan(random: Random, wanted: frozenset[str], aim: str, moves: int, most: int = MOST) -> Plan:
    """A position towards the branch that is aimed at, and questions for what is wanted."""
    state, made = predicates.initial_game_state(), list[Move]()
    if aim == "pick-none":  # on the empty board #1 has no place
        most = 0
    hoped = {aim} & branches.PATHS or wanted & branches.PATHS
    while len(made) < most and (len(made) < moves or (aim in branches.PATHS and aim not in _reached(state))):
        move = _towards(state, hoped - _reached(state), random)
        made.append(move)
        state = predicates.apply_move(state, move)
    return Plan(tuple(made), tuple(_questions(state, wanted, aim, random)))


def _reached(state: GameState) -> frozenset[str]:
    return deciding.of_paths(state, closed=False) | deciding.of_paths(state, closed=True)


def _towards(state: GameState, hoped: frozenset[str] | set[str], random: Random) -> Move:
    """The best of some moves, most of them where an open path goes on."""
    ends = deciding.open_ends(state) if random.random() < 0.8 else []

    def worth(move: Move) -> tuple[int, float]:
        after = predicates.apply_move(state, move)
        near = max((_nearness(end) for end in deciding.open_ends(after)), default=0)
        return len(hoped & _reached(after)), near if "centre" in hoped else random.random()

    return max(deciding.some_moves(state, ends, random, LOOKED_AT), key=worth)


def _nearness(space: tuple[int, int]) -> int:
    """How near a space is to the centre."""
    return -sum(abs(2 * at - 9) for at in space)


def _questions(state: GameState, wanted: frozenset[str], aim: str, random: Random) -> Iterator[str]:
    """Questions about a state for what is wanted; those that leave it come last.

    Those that have more than one right answer are asked alone, so that in all other cases each line is decided.
    """
    open_ended = {
        "pick": f"pick {random.choice(TILE_IDS[1:])}",
        "pick-none": "pick #1",
        "game": f"game {' '.join(random.choices(TILE_IDS[1:], k=20))}",
    }
    if aim in open_ended:
        yield open_ended[aim]
        return
    checked = [key for key in sorted(wanted & branches.CHECKS) if key == aim or random.random() < 0.5]
    for key in checked or random.sample(sorted(branches.CHECKS), 2):
        if move := deciding.some_move(state, key, random):
            yield f"check {move_words(move)}"
    move = random.choice(predicates.available_move(state))
    others = {
        "all": "available",
        "with-tile": f"with {random.choice(TILE_IDS)}",
        "at-space": f"at {move.space[0]} {move.space[1]}",
        "move": f"move {move_words(move)}",
    }
    yield from (question for key, question in others.items() if key == aim or (key in wanted and random.random() < 0.3))
    if aim in GAMES:
        yield f"only {random.choice(GAMES[aim])}"
    if state.tiles and ("old-state" in wanted or random.random() < 0.2):
        yield f"back {random.randrange(len(state.tiles))}"
        yield "open"
