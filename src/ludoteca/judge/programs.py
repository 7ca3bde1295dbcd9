"""Programs under judgement: commands in the sandbox."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from ludoteca.arena.programs.box import Box, Run
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.core.closing import Closing
from ludoteca.core.judging import Case, Part
from ludoteca.core.messages import Message

MOST_ERROR_BYTES: Final = 4096
"""The largest number of bytes of standard error in a report, from its end."""


class Judged(Protocol):
    """A program under judgement. It runs one case at a time."""

    @property
    def isolation(self) -> Message:
        """The isolation of the program from the machine: a message of the arena's catalogues."""

    @property
    def together(self) -> int:
        """The number of cases that one run may answer."""

    def run(self, case: Case, *, terminal: bool = False) -> Run:
        """Run the program with the whole input of a case. With `terminal`, its output is a pseudo-terminal, not a pipe."""


class Boxed(Closing):
    """A command in the sandbox of the arena. It is a context manager."""

    def __init__(self, part: Part, command: Sequence[str], limits: Limits, folder: Path | None = None) -> None:
        """Prepare the command, which can read `folder`.

        Raises FaultError if its program is missing (MISSING) or cannot run here (NOT_EXECUTABLE), and BoxError if this
        machine cannot make a sandbox.
        """
        self._part = part
        self._command = list(command)
        if part.command(command, Case((), ()))[: len(command)] != self._command:  # another program reads the file
            file = Path(command[0]).absolute()
            if file.is_dir():
                file = _program_in(part, file)
            if not file.is_file():
                raise FaultError(Fault.MISSING, f"there is no file {file}")
            self._command[0] = str(file)
            command = part.command(self._command, Case((), ()))
        self._box = Box(command, limits, folder)
        self.isolation: Final = self._box.isolation_message
        self.together: Final = part.together

    def run(self, case: Case, *, terminal: bool = False) -> Run:
        words, size = self._part.command(self._command, case), len(self._command)
        own = words[:size] == self._command
        run = self._box.run(
            case.input.encode(),
            arguments=words[size:] if own else (),
            command=None if own else words,
            files=case.files,
            terminal=terminal,
        )
        return run if len(run.errors) <= MOST_ERROR_BYTES else run._replace(errors=b"..." + run.errors[-MOST_ERROR_BYTES:])

    def close(self) -> None:
        self._box.close()


def _program_in(part: Part, folder: Path) -> Path:
    """Return the only file in a folder that can be the program. Raises FaultError (MISSING) if there is none, or several."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    found = part.program_among(names)
    if len(found) != 1:
        expected = f"expected {part.file}, or one other file that ends in {Path(part.file).suffix}"
        raise FaultError(Fault.MISSING, f"{expected}: there is {', '.join(found) or 'none'}")
    return folder / found[0]
