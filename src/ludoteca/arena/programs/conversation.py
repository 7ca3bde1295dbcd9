"""The line protocol of `docs/bots.md`, in which a bot (a program that plays games) gets positions and answers with moves:
the texts of its lines, and the exchange of these lines with a program in a sandbox.

This module does not know the rules of games. The caller supplies the texts of positions and actions.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from typing import Any, Final, NamedTuple

from ludoteca.arena.programs.box import ERRORS, Box, Talk
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.core.record import Result
from ludoteca.core.words import quoted

NAME: Final = "ludoteca"
VERSION: Final = 1
GREETING: Final = f"{NAME} {VERSION}"
"""The first line of every game, on both sides."""
REMARK: Final = "#"
"""The first character of a remark, a line for people and later versions, which the arena ignores."""
LONGEST: Final = 1000
"""The maximum number of characters of an answer. The moves of all games are much shorter."""
BLANKS: Final = " \t\r\n\v\f\ufeff"
"""Characters that are removed around a line of a program: blanks, parts of a line end, a byte order mark."""


class Left(NamedTuple):
    """The seconds that a program has left. None means no limit."""

    move: float | None = None
    """For the next answer."""
    bank: float | None = None
    """For all remaining answers of the game, including the next."""

    @property
    def seconds(self) -> float | None:
        """Return the seconds for the next answer by both limits."""
        given = [time for time in self if time is not None]
        return min(given) if given else None


def opening(game: str, parameters: Mapping[str, Any], seat: int, players: int, left: Left, position: str) -> list[str]:
    r"""Return the lines after the greeting, which describe the game to the program in `seat`. The seat counts from 0 here,
    and from 1 in the lines. `left` is the program's time.

    >>> start = "..../..../..../.... A 0 0:1,0:0"
    >>> print(*opening("okupacio", {"players": 2}, seat=0, players=2, left=Left(move=10.0), position=start), sep="\n")
    game okupacio
    parameter players 2
    seat 1
    players 2
    time move 10.000
    position ..../..../..../.... A 0 0:1,0:0
    """
    return [
        f"game {game}",
        *(f"parameter {name} {value}" for name, value in parameters.items()),
        f"seat {seat + 1}",
        f"players {players}",
        *(f"time {name} {_written(time)}" for name, time in left._asdict().items() if time is not None),
        f"position {position}",
    ]


def played(seat: int, action: str) -> str:
    """Return the line of an action, as the program's seat has seen it.

    >>> played(1, "ab")
    'played 2 ab'
    """
    return f"played {seat + 1} {action}"


def turn(position: str, legal: Iterable[str], concede: str, left: Left) -> list[str]:
    r"""Return the lines that ask for a move. `concede` is the legal action that gives up, empty if there is none.

    >>> print(*turn("..../..../..../.... A 0 0:1,0:0", ["aa", "ab"], concede="00", left=Left(move=10.0)), sep="\n")
    position ..../..../..../.... A 0 0:1,0:0
    legal aa
    legal ab
    concede 00
    move 10.000
    """
    given = [time for time in left if time is not None]
    return [
        f"position {position}",
        *(f"legal {action}" for action in legal),
        *([f"concede {concede}"] if concede else []),
        " ".join(["move", *map(_written, given)]),
    ]


def ending(result: Result | None) -> list[str]:
    """Return the lines at the end of a game. `result` is None if the game was broken off, for example because the arena was
    stopped.
    """
    if result is None:
        return ["end"]
    returns = " ".join(f"{value:g}" for value in result.returns)
    return [f"scores {' '.join(map(str, result.scores))}", f"returns {returns}", "end"]


def _written(seconds: float) -> str:
    return f"{max(seconds, 0):.3f}"


# the lines of a program


def is_ignored(line: str) -> bool:
    """Return True for a line that is empty or a remark. The characters of BLANKS must have been removed from both ends."""
    return not line or line.startswith(REMARK)


def check_greeting(line: str) -> None:
    """Check the first line that a program writes in a game. Raises FaultError (START) if the line does not begin with
    GREETING.
    """
    name, _, rest = line.strip(BLANKS).partition(" ")
    if name.lower() != NAME:
        raise FaultError(Fault.START, f"its first line must be {GREETING!r}, but it wrote {quoted(line)}")
    version = rest.split()[:1]
    if version != [str(VERSION)]:
        raise FaultError(Fault.START, f"it speaks version {quoted(' '.join(version))} of the protocol: expected {VERSION}")


def alike(answer: str, legal: Iterable[str]) -> str | None:
    """Return the only legal action that differs from the answer in upper and lower case alone. Return None if there is no
    such action, or more than one.

    >>> alike("AB", ["ab", "ba"]), alike("zz", ["ab", "ba"])
    ('ab', None)
    """
    found = [action for action in legal if action.casefold() == answer.casefold()]
    return found[0] if len(found) == 1 else None


KEPT: Final = 60
"""The number of last lines, sent and received, that are kept for the report of a fault."""
LONGEST_SHOWN: Final = 200
"""The number of characters of a line that are kept."""
AFTER_THE_END: Final = "after the end of a game"
LONG: Final = 1e6
"""The seconds that a program gets for an answer if its time has no limit."""
LEGAL: Final = "legal "
MANY: Final = 8
FEW: Final = 4
"""If a position has more than MANY legal moves, only FEW of their lines are kept for reports."""
TO: Final = ">"
FROM: Final = "<"
"""The first characters of kept lines: `>` for lines that the program read, and `<` for lines that the program wrote."""


class Conversation:
    """The exchange of lines with a program that plays one game after another. The same process plays all games, until it
    ends or commits a fault.

    It handles texts only. The caller decides which actions are legal and what an answer means. A FaultError ends the
    process, so that late output is never taken for an answer.
    """

    def __init__(self, command: Sequence[str], limits: Limits, *, thinking: bool = False) -> None:
        """Build the sandbox for the program `command`. No process of the program is started yet.

        Between its turns the program is stopped, unless `thinking` allows it to think during the turns of others. Raises
        FaultError if the program is missing or cannot be run (MISSING, NOT_EXECUTABLE), and BoxError if no sandbox can be
        built.
        """
        self.limits = limits
        self.exchange: deque[str] = deque(maxlen=KEPT)
        self.seconds = 0.0
        """The seconds that the program took for its last answer."""
        self.strayed: FaultError | None = None
        """The fault that the process of the last game committed between the games, if any. It is no fault to end there."""
        self._thinking = thinking
        self._box = Box(command, limits)
        self.isolation: Final = self._box.isolation
        self._talk: Talk | None = None
        self._pending: list[str] = []
        self._errors = b""
        self._first: FaultError | None = None  # of this game

    @property
    def errors(self) -> str:
        """Return the program's standard error in this game, or the last ERRORS bytes of it."""
        if self._talk:
            self._errors = (self._errors + self._talk.take_errors())[-ERRORS:]
        return self._errors.decode("utf-8", "replace")

    def begin(self, game: str, parameters: Mapping[str, Any], seat: int, players: int, left: Left, position: str) -> None:
        """Begin a game, in the process of the last game if it is still running. `seat` counts from 0, and `position` is the
        first position in notation.

        Raises FaultError if the program cannot be started, does not greet correctly and in time, or breaks a limit.
        """
        self.exchange.clear()
        self._pending.clear()
        if self._talk:
            self._talk.take_errors()
        self._errors, self._first = b"", None
        with self._stopped_afterwards():
            self._greet()
            self._say(opening(game, parameters, seat, players, left, position))

    def see(self, seat: int, action: str, *, now: bool = False) -> None:
        """Report an action of `seat` in the text that the program's seat sees. The line is sent at once with `now`, and
        otherwise together with the next lines. Errors in sending are raised by later calls.
        """
        self._pending.append(played(seat, action))
        if now and self._talk:
            with suppress(FaultError), self._stopped_afterwards():
                self._give(self.limits.start)
                self._say([])

    def ask(self, position: str, legal: Iterable[str], concede: str, left: Left) -> str:
        """Ask for a move, and return the answer without BLANKS at both ends. `legal` are the legal actions except `concede`,
        the action that gives up (empty if there is none), and `left` is the program's time.

        Raises FaultError if the answer is late, too long or not the only line since the last answer, if the program breaks a
        limit, or if it has ended. After a fault, each call in the same game raises that fault again.
        """
        with self._stopped_afterwards():
            said = turn(position, legal, concede, left)
            self._give(LONG if left.seconds is None else left.seconds)
            began = time.monotonic()
            self._check_silence("before it was asked")
            self._say(said)
            answer = self._line()
            self.seconds = time.monotonic() - began
            self._check_silence(f"after its answer {quoted(answer)}")
        if len(answer) > LONGEST:
            raise self.fault(Fault.UNREADABLE, f"its answer has {len(answer):,} characters: {quoted(answer)}")
        return answer

    def fault(self, fault: Fault, detail: str) -> FaultError:
        """End the process, and return the FaultError that the caller should raise."""
        self.hang_up()
        self._first = FaultError(fault, detail)
        return self._first

    def end(self, result: Result | None) -> FaultError | None:
        """Report the end of the game to the program. Return the fault that it committed after its last answer, or None if it
        committed none.
        """
        if self._talk:
            try:
                with self._stopped_afterwards():
                    self._give(self.limits.start)
                    self._check_silence("when it was not asked")
                    self._say(ending(result))
            except FaultError as error:
                return error
        return None

    def hang_up(self) -> None:
        """End the process of the program. The next game starts a new process."""
        if self._talk:
            self._errors = (self._errors + self._talk.close().errors)[-ERRORS:]
            self._talk = None

    def close(self) -> None:
        """End the program."""
        self.hang_up()
        self._box.close()

    # one process

    def _greet(self) -> None:
        """Exchange greetings with the process of the last game. If that process has ended or has committed a fault, start a
        new process.

        Raises FaultError if the new process cannot be started, does not greet correctly and in time, or breaks a limit.
        """
        self.strayed = None
        if self._talk:
            try:
                self._give(self.limits.start)
                self._check_silence(AFTER_THE_END)
                self._say([GREETING])
                line = self._line()
                try:
                    check_greeting(line)
                except FaultError:
                    raise FaultError(Fault.UNASKED, f"it wrote {quoted(line)} {AFTER_THE_END}") from None
            except FaultError as error:  # its faults after the last game end with its process
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

    def _give(self, seconds: float) -> None:
        """Continue the program if it is stopped, and then start its clock with this many seconds.

        Raises FaultError if the program wrote more than its limit before it was stopped, or if it has had no process since
        its last fault.
        """
        if not self._thinking:
            self._running().go_on()
        self._running().start_clock(seconds)

    def _say(self, said: list[str]) -> None:
        """Send the lines that are waiting to be sent, and then these lines."""
        said = [*self._pending, *said]
        self._pending.clear()
        self._note(TO, shortened(said))
        self._running().send("".join(f"{line}\n" for line in said))

    def _line(self) -> str:
        """Wait for the next line that is neither empty nor a remark, and return it without BLANKS at both ends.

        Raises FaultError if no such line comes in time, if the process ends first, or if it breaks a limit.
        """
        while True:
            line = self._running().line().strip(BLANKS)
            self._note(FROM, [line])
            if not is_ignored(line):
                return line

    def _check_silence(self, when: str) -> None:
        """Check that the program has written only empty lines and remarks since its last answer. Raises FaultError (UNASKED)
        if there is another line. `when` completes the error's message, as in "before it was asked".
        """
        for written in self._running().unasked():
            line = written.strip(BLANKS)
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
    def _stopped_afterwards(self) -> Iterator[None]:
        """Stop the processes of the program after the `with` block. If the block raises FaultError, end them."""
        try:
            yield
            if self._talk and not self._thinking:
                self._talk.stop()
        except FaultError as error:
            self._first = error
            self.hang_up()
            raise

    def _note(self, sign: str, said: Iterable[str]) -> None:
        self.exchange += (f"{sign} {line[:LONGEST_SHOWN]}{'…' * (len(line) > LONGEST_SHOWN)}" for line in said)


def shortened(said: Sequence[str]) -> Iterator[str]:
    """Yield the lines. If there are more than MANY lines of legal moves, yield only the first FEW of these and
    their number.
    """
    for is_legal, group in groupby(said, lambda line: line.startswith(LEGAL)):
        run = list(group)
        if is_legal and len(run) > MANY:
            yield from run[:FEW]
            yield f"... ({len(run) - FEW} more)"
        else:
            yield from run
