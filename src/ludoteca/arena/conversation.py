"""The line protocol of `docs/bots.md`: its texts, and a conversation with a program in a sandbox.

A conversation knows no rules. The texts of positions and actions come from its caller.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from typing import Any, Final, NamedTuple

from ludoteca.arena.box import ERRORS, Box, Talk
from ludoteca.arena.limits import Fault, FaultError, Limits
from ludoteca.core.record import Result
from ludoteca.core.words import quoted

NAME: Final = "ludoteca"
VERSION: Final = 1
GREETING: Final = f"{NAME} {VERSION}"
"""The first line of every game, on both sides."""
REMARK: Final = "#"
"""A line of a program that begins so is for people, and for what later versions may say in it: it is ignored."""
LONGEST: Final = 1000
"""Characters of an answer; no move of any game is nearly as long."""
BLANKS: Final = " \t\r\n\v\f\ufeff"
"""What may stand before and after a line of a program: blanks, what is left of a line end, a byte order mark."""


class Left(NamedTuple):
    """How many seconds a program has; None where nothing limits them."""

    move: float | None = None
    """For the next answer."""
    bank: float | None = None
    """For all answers of the game that are still to come, the next included."""

    @property
    def seconds(self) -> float | None:
        """For the next answer, whatever limits it."""
        given = [time for time in self if time is not None]
        return min(given) if given else None


def opening(game: str, parameters: Mapping[str, Any], seat: int, players: int, left: Left, position: str) -> list[str]:
    """What a program is told once it has greeted; the seat counts from 0, and is written from 1 as the games do."""
    return [
        f"game {game}",
        *(f"parameter {name} {value}" for name, value in parameters.items()),
        f"seat {seat + 1}",
        f"players {players}",
        *_times(left),
        f"position {position}",
    ]


def _times(left: Left) -> list[str]:
    return [f"time {name} {_written(time)}" for name, time in left._asdict().items() if time is not None]


def played(seat: int, action: str) -> str:
    """An action, as the program's seat has seen it."""
    return f"played {seat + 1} {action}"


def turn(position: str, legal: Iterable[str], concede: str, left: Left) -> list[str]:
    """The question for a move; `concede` is the legal action that gives up and stands apart, or the empty text."""
    given = [time for time in left if time is not None]
    return [
        f"position {position}",
        *(f"legal {action}" for action in legal),
        *([f"concede {concede}"] if concede else []),
        " ".join(["move", *map(_written, given)]),
    ]


def ending(result: Result | None) -> list[str]:
    """The end of a game; there is no result where it was broken off."""
    if result is None:
        return ["end"]
    returns = " ".join(f"{value:g}" for value in result.returns)
    return [f"scores {' '.join(map(str, result.scores))}", f"returns {returns}", "end"]


def _written(seconds: float) -> str:
    return f"{max(seconds, 0):.3f}"


# what a program says


def cleaned(line: str) -> str:
    """A line of a program without what may stand around it."""
    return line.strip(BLANKS)


def is_ignored(line: str) -> bool:
    """True for a cleaned line that is no answer: an empty one, and a remark."""
    return not line or line.startswith(REMARK)


def check_greeting(line: str) -> None:
    """Check the first line of a program in a game. Raises FaultError."""
    name, _, rest = cleaned(line).partition(" ")
    if name.lower() != NAME:
        raise FaultError(Fault.START, f"it has to begin with {GREETING!r}, and wrote {quoted(line)}")
    version = rest.split()[:1]
    if version != [str(VERSION)]:
        raise FaultError(Fault.START, f"it speaks version {quoted(' '.join(version))} of the protocol: expected {VERSION}")


def is_greeting(line: str) -> bool:
    """True for a line that `check_greeting` takes."""
    try:
        check_greeting(line)
    except FaultError:
        return False
    return True


def alike(answer: str, legal: Iterable[str]) -> str | None:
    """The legal action that the answer is but for small and capital letters, if it is one only."""
    found = [action for action in legal if action.casefold() == answer.casefold()]
    return found[0] if len(found) == 1 else None


KEPT: Final = 60
"""Lines of the exchange that are kept, to be shown beside a fault."""
LONGEST_SHOWN: Final = 200
"""Characters of a line that are kept."""
AFTER_THE_END: Final = "after the end of a game"
LONG: Final = 1e6
"""Seconds, where nothing limits them."""
LEGAL: Final = "legal "
MANY: Final = 8
FEW: Final = 4
"""Of more than MANY lines that list legal moves, so many are kept in the exchange."""
TO: Final = ">"
FROM: Final = "<"
"""Before a line of the exchange: one that the program read, and one that it wrote."""


class Conversation:
    """One program and the games that it plays, one after another, in one process for as long as that lives.

    It is made of texts: what is legal and what an answer means is for others to say. After a FaultError the process is
    ended, so that nothing it still writes is ever taken for an answer.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        """Nothing runs yet. Raises FaultError (MISSING, NOT_EXECUTABLE), and BoxError where no sandbox can be made."""
        self.limits = limits
        self.exchange: deque[str] = deque(maxlen=KEPT)
        self.strayed: FaultError | None = None
        """What it did wrong between two games; to end there is nothing wrong."""
        self._box = Box(command, limits)
        self._talk: Talk | None = None
        self._pending: list[str] = []
        self._errors = b""
        self._first: FaultError | None = None  # of this game

    @property
    def isolation(self) -> str:
        """How the program is kept apart from the machine."""
        return self._box.isolation

    @property
    def errors(self) -> str:
        """Its standard error in this game, or the last ERRORS bytes of it."""
        if self._talk:
            self._errors = (self._errors + self._talk.take_errors())[-ERRORS:]
        return self._errors.decode("utf-8", "replace")

    def begin(self, game: str, parameters: Mapping[str, Any], seat: int, players: int, left: Left, position: str) -> None:
        """Begin a game, with the process of the last one unless that has ended. Raises FaultError."""
        self.exchange.clear()
        self._pending.clear()
        if self._talk:
            self._talk.take_errors()
        self._errors, self._first = b"", None
        with self._ended_by_faults():
            self._greet()
            self._say(opening(game, parameters, seat, players, left, position))

    def see(self, seat: int, action: str, *, now: bool = False) -> None:
        """Tell of an action as the program's seat has seen it: now, or together with what is said next. Raises nothing.

        A program that is told at once could think in the time of others, who may share its processors.
        """
        self._pending.append(played(seat, action))
        if now and self._talk:
            with suppress(FaultError), self._ended_by_faults():
                self._say([])

    def ask(self, position: str, legal: Iterable[str], concede: str, left: Left) -> str:
        """The answer to the question for a move, without what may stand around it. Raises FaultError."""
        with self._ended_by_faults():
            said = turn(position, legal, concede, left)
            self._running().start_clock(LONG if left.seconds is None else left.seconds)
            self._check_silence("before it was asked")
            self._say(said)
            answer = self._line()
            self._check_silence(f"after its answer {quoted(answer)}")
        if len(answer) > LONGEST:
            raise self.fault(Fault.UNREADABLE, f"its answer has {len(answer):,} characters: {quoted(answer)}")
        return answer

    def fault(self, fault: Fault, detail: str) -> FaultError:
        """The error to raise for what the program did wrong; the program is ended."""
        self.hang_up()
        self._first = FaultError(fault, detail)
        return self._first

    def end(self, result: Result | None) -> FaultError | None:
        """Tell of the end of the game. Give what the program did wrong since its last answer, if anything."""
        if self._talk:
            try:
                with self._ended_by_faults():
                    self._talk.start_clock(self.limits.start)
                    self._check_silence("when it was not asked")
                    self._say(ending(result))
            except FaultError as error:
                return error
        return None

    def hang_up(self) -> None:
        """End the process; the next game has another one."""
        if self._talk:
            self._errors = (self._errors + self._talk.close().errors)[-ERRORS:]
            self._talk = None

    def close(self) -> None:
        """End the program."""
        self.hang_up()
        self._box.close()

    # one process

    def _greet(self) -> None:
        """Exchange greetings with the process of the game before, or with a new one. Raises FaultError."""
        self.strayed = None
        if self._talk:
            try:
                self._talk.start_clock(self.limits.start)
                self._check_silence(AFTER_THE_END)
                self._say([GREETING])
                line = self._line()
                if not is_greeting(line):
                    raise FaultError(Fault.UNASKED, f"it wrote {quoted(line)} {AFTER_THE_END}")
            except FaultError as error:  # all that it did then is over with that process
                self.hang_up()
                self.strayed = None if error.fault is Fault.EXIT else error
                self.exchange.clear()
            else:
                return
        self._talk = self._box.start()
        self._talk.start_clock(self.limits.start)
        self._say([GREETING])
        try:
            greeting = self._line()
        except FaultError as error:
            if error.fault is not Fault.TIME:
                raise
            raise FaultError(Fault.START, f"it did not greet within {self.limits.start:g} s: {error.detail}") from None
        check_greeting(greeting)

    def _say(self, said: list[str]) -> None:
        """Write lines, after those that wait."""
        said = [*self._pending, *said]
        self._pending.clear()
        self._note(TO, shortened(said))
        self._running().send("".join(f"{line}\n" for line in said))

    def _line(self) -> str:
        """Wait for the next line that is not ignored, and return it without blanks around it. Raises FaultError."""
        while True:
            line = cleaned(self._running().line())
            self._note(FROM, [line])
            if not is_ignored(line):
                return line

    def _check_silence(self, when: str) -> None:
        """Check that the program has written nothing but remarks. Raises FaultError."""
        for written in self._running().unasked():
            line = cleaned(written)
            if not is_ignored(line):
                self._note(FROM, [line])
                raise FaultError(Fault.UNASKED, f"it wrote {quoted(line)} {when}")
            if written.endswith("\n"):
                self._note(FROM, [line])

    def _running(self) -> Talk:
        if not self._talk:
            raise self._first or FaultError(Fault.EXIT, "it was not started")
        return self._talk

    @contextmanager
    def _ended_by_faults(self) -> Iterator[None]:
        try:
            yield
        except FaultError as error:
            self._first = error
            self.hang_up()
            raise

    def _note(self, sign: str, said: Iterable[str]) -> None:
        self.exchange += (f"{sign} {line[:LONGEST_SHOWN]}{'…' * (len(line) > LONGEST_SHOWN)}" for line in said)


def shortened(said: Sequence[str]) -> Iterator[str]:
    """The lines, with few of those that list legal moves where there are many."""
    for is_legal, group in groupby(said, lambda line: line.startswith(LEGAL)):
        run = list(group)
        if is_legal and len(run) > MANY:
            yield from run[:FEW]
            yield f"... ({len(run) - FEW} more)"
        else:
            yield from run
