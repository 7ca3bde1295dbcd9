"""The programs that are judged: commands that run in the arena's sandbox."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from ludoteca.arena.programs.box import Box, Run
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.core.closing import Closing
from ludoteca.core.judging import Case, Part
from ludoteca.core.messages import Message

MOST_ERROR_BYTES: Final = 4096
"""The most bytes of standard error that a report contains. They are the last ones."""


class Judged(Protocol):
    """A program that is judged. It runs one case at a time."""

    @property
    def isolation(self) -> Message:
        """A message that says how the program is isolated from the machine, from the arena's catalogues."""

    @property
    def together(self) -> int:
        """The largest number of cases that can be given to one run of the program."""

    def run(self, case: Case, *, terminal: bool = False) -> Run:
        """Run the program with the whole input of a case. With `terminal`, its output is a pseudo-terminal, not a pipe."""


class Boxed(Closing):
    """A command that runs in the arena's sandbox. It is a context manager."""

    def __init__(self, part: Part, command: Sequence[str], limits: Limits, folder: Path | None = None) -> None:
        """Prepare the sandbox for a command. The program may read the folder `folder`.

        Raises FaultError if the program is missing (MISSING) or cannot run here (NOT_EXECUTABLE), and BoxError if this
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
