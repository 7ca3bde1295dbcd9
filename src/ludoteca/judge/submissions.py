"""The submissions of a class: their files, and the program that is made of one."""

import os
import shlex
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Final

from ludoteca.arena.box import Box
from ludoteca.arena.isolation import not_plain
from ludoteca.arena.limits import Fault, FaultError, Limits
from ludoteca.core.errors import LudotecaError
from ludoteca.core.words import escaped
from ludoteca.judge.programs import ERRORS
from ludoteca.judge.tables import TableError

SOURCES: Final = (".c", ".cc", ".cpp", ".cxx", ".rs", ".go", ".java", ".hs", ".pas", ".f90", ".py", ".pl")
"""What `{source}` stands for in a folder: its files with one of these endings."""
COMPILING: Final = Limits(move=120.0, output=256 << 20, memory=2 << 30, disk=256 << 20)


def submissions(folder: Path) -> list[Path]:
    """What is judged: every file and folder in it whose name does not begin with a dot. Raises TableError for none."""
    if not folder.is_dir():
        raise TableError(f"{folder} is no folder: expected one with a file or folder for each submission")
    found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    if not found:
        raise TableError(f"{folder} is empty: expected a file or folder for each submission")
    return found


def files_of(submission: Path) -> list[Path]:
    """The files of a submission."""
    every = sorted(submission.rglob("*")) if submission.is_dir() else [submission]
    return [path for path in every if path.is_file() and not path.name.startswith(".")]


class CompileError(LudotecaError):
    """A submission that does not compile; the message is what the compiler says, in one line."""


def compiled(submission: Path, command: str, scratch: Path) -> list[str]:
    """The program that the command makes of a submission, in the sandbox. Raises CompileError, FaultError.

    It is compiled from a copy, beside which there is nothing: no submission can include another one.
    """
    with tempfile.TemporaryDirectory(prefix="ludoteca-judge-") as alone:
        copy = Path(alone, submission.name)
        try:
            if submission.is_dir():
                shutil.copytree(submission, copy, symlinks=True, ignore=not_plain)
            else:
                shutil.copy2(submission, copy)
        except OSError as error:
            raise FaultError(Fault.MISSING, f"{submission.name} cannot be read: {error}") from error
        with Box(("/bin/sh",), COMPILING, Path(alone)) as box:
            folder = box.inside(copy if submission.is_dir() else copy.parent)
            sources = [path for path in files_of(copy) if path.suffix in SOURCES] or files_of(copy)
            places = {
                "{source}": " ".join(shlex.quote(str(box.inside(path))) for path in sources),
                "{folder}": shlex.quote(str(folder)),
                "{program}": "./program",
            }
            for place, stands_for in places.items():
                command = command.replace(place, stands_for)
            run = box.run(b"", command=("/bin/sh", "-c", f"{{ {command}\n}} >&2 && cat ./program"))
    if run.fault is not None or run.status != 0 or not run.output:
        said = run.errors[-ERRORS:].decode("utf-8", "replace").replace(f"{folder}/", "").strip()
        raise CompileError(escaped(run.detail or said or f"exit status {run.status}, and no program"))
    program = scratch / "program"
    program.write_bytes(run.output)
    program.chmod(stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    scratch.chmod(0o755)
    return [str(program)]


def executable_of(submission: Path, scratch: Path) -> Path:
    """The submission itself, or the only program in its folder. Raises FaultError.

    A program may read what lies beside it, so a file that can be run is copied: no submission can run another one.
    """
    if not submission.is_dir():
        if submission.is_symlink() or not os.access(submission, os.R_OK | os.X_OK):
            return submission.absolute()
        scratch.chmod(0o755)
        return Path(shutil.copy2(submission, scratch))
    found = [path for path in files_of(submission) if os.access(path, os.X_OK)]
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise FaultError(Fault.MISSING, f"expected one executable file in {submission.name}: there is {names}")
    return found[0].absolute()
