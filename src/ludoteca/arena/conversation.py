"""A program that speaks the line protocol, in a box: started, greeted, asked and ended, with all its lines watched."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from typing import Any, Final

from ludoteca.arena import lines
from ludoteca.arena.box import ERRORS, Box, Talk
from ludoteca.arena.faults import Fault, FaultError
from ludoteca.arena.limits import Limits
from ludoteca.arena.lines import Left
from ludoteca.core.record import Result
from ludoteca.core.words import quoted

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
            self._say(lines.opening(game, parameters, seat, players, left, position))

    def see(self, seat: int, action: str, *, now: bool = False) -> None:
        """Tell of an action as the program's seat has seen it: now, or together with what is said next. Raises nothing.

        A program that is told at once could think in the time of others, who may share its processors.
        """
        self._pending.append(lines.played(seat, action))
        if now and self._talk:
            with suppress(FaultError), self._ended_by_faults():
                self._say([])

    def ask(self, position: str, legal: Iterable[str], concede: str, left: Left) -> str:
        """The answer to the question for a move, without what may stand around it. Raises FaultError."""
        with self._ended_by_faults():
            said = lines.turn(position, legal, concede, left)
            self._running().start_clock(LONG if left.seconds is None else left.seconds)
            self._check_silence("before it was asked")
            self._say(said)
            answer = self._line()
            self._check_silence(f"after its answer {quoted(answer)}")
        if len(answer) > lines.LONGEST:
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
                    self._say(lines.ending(result))
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
                self._say([lines.GREETING])
                line = self._line()
                if not lines.is_greeting(line):
                    raise FaultError(Fault.UNASKED, f"it wrote {quoted(line)} {AFTER_THE_END}")
            except FaultError as error:  # all that it did then is over with that process
                self.hang_up()
                self.strayed = None if error.fault is Fault.EXIT else error
                self.exchange.clear()
            else:
                return
        self._talk = self._box.start()
        self._talk.start_clock(self.limits.start)
        self._say([lines.GREETING])
        try:
            greeting = self._line()
        except FaultError as error:
            if error.fault is not Fault.TIME:
                raise
            raise FaultError(Fault.START, f"it did not greet within {self.limits.start:g} s: {error.detail}") from None
        lines.check_greeting(greeting)

    def _say(self, said: list[str]) -> None:
        """Write lines, after those that wait."""
        said = [*self._pending, *said]
        self._pending.clear()
        self._note(TO, shortened(said))
        self._running().send("".join(f"{line}\n" for line in said))

    def _line(self) -> str:
        """Wait for the next line that is not ignored, and return it without blanks around it. Raises FaultError."""
        while True:
            line = lines.cleaned(self._running().line())
            self._note(FROM, [line])
            if not lines.is_ignored(line):
                return line

    def _check_silence(self, when: str) -> None:
        """Check that the program has written nothing but remarks. Raises FaultError."""
        for written in self._running().unasked():
            line = lines.cleaned(written)
            if not lines.is_ignored(line):
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
