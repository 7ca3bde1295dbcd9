"""The submissions of a class: finds them in a folder, reads their files, and finds the file of each that is the program."""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from ludoteca.arena.programs import executables
from ludoteca.arena.programs.limits import FaultError
from ludoteca.core.words import escaped, excerpt
from ludoteca.judge.archives import unpack
from ludoteca.judge.snapshots import Allowance, copy, is_ignored, refuse
from ludoteca.judge.tables import TableError, harmless

ZIP: Final = ".zip"
SHOWN_NAMES: Final = 8
"""The largest number of file names in a message."""
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
"""A byte order mark."""
COMPILED: Final = b"\x7fELF"
MOODLE: Final = re.compile("(.+)_assignsubmission_file(?:_(.*))?")
"""The form of a name in a download of Moodle: the student's name, and the name that the student gave to the file."""
LISTS: Final = (".csv", ".tsv", ".xls", ".xlsx", ".ods", ".yml", ".yaml")
"""The extensions of files in a download that are not submissions, such as a list of grades."""


class Submission(NamedTuple):
    """The work of one student: a file, a folder or a zip archive, or several files of a download of Moodle."""

    name: str
    """The name in tables. It has no extension of an archive, and no text that Moodle added to the student's name."""
    paths: tuple[Path, ...]


class Snapshot(NamedTuple):
    """A private copy of a submission's files, without links."""

    folder: Path
    names: tuple[str, ...]
    """The paths of the files in the folder, sorted."""

    def digest(self) -> bytes:
        """Return a digest of the names and the contents of all files."""
        seen = hashlib.sha256()
        for name in self.names:
            path = self.folder / name
            content = path.read_bytes()
            seen.update(f"{name}\0{os.access(path, os.X_OK)} {len(content)}\0".encode("utf-8", "surrogateescape"))
            seen.update(content)
        return seen.digest()


def submissions(folder: Path) -> list[Submission]:
    """Return every file and folder in the folder of a class as submissions, sorted by name. Hidden files and lists of grades
    are left out.

    Raises TableError if there is none, if two have the same name, or if the students' programs could read the folder.
    """
    if not folder.is_dir():
        raise TableError(f"{folder} is no folder: expected one with a file or folder for each submission")
    place = folder.resolve()
    if executables.is_system(place) or any(place.is_relative_to(ours) for ours in executables.OURS):
        raise TableError(f"{folder} is in a folder that every program can read: move the submissions to another place")
    found = dict[str, Submission]()
    for path in sorted(folder.iterdir()):
        ending = "" if path.is_dir() else path.suffix.lower()
        moodle = MOODLE.fullmatch(path.name)
        if is_ignored(path.name) or (ending in LISTS and not moodle):
            continue
        name = harmless(escaped(moodle[1] if moodle else path.stem if ending == ZIP else path.name))
        others = found[name].paths if name in found else ()
        if others and not (moodle and MOODLE.fullmatch(others[0].name)):
            names = f"{escaped(others[0].name)} and {escaped(path.name)}"
            raise TableError(f"{folder}: {names} are submissions of the same name: rename or remove one")
        found[name] = Submission(name, (*others, path))
    if not found:
        raise TableError(f"{folder} is empty: expected a file or folder for each submission")
    return list(found.values())


@contextmanager
def opened(submission: Submission) -> Iterator[Snapshot]:
    """Copy the files of a submission into a private folder, and yield this copy to the `with` block. An archive is unpacked,
    also if it is the only file in a folder. If a single folder contains all files, its content is used.

    Raises SubmissionError if the submission is too large, has no files, or contains links or other special files.
    """
    with tempfile.TemporaryDirectory(prefix="ludoteca-judge-") as made:
        private = Path(made, "private")  # every user may read it, but only the owner may enter the folder around it
        folder = private / "read"
        folder.mkdir(parents=True)
        parent, allowance = os.open(submission.paths[0].parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), Allowance()
        try:
            for path in submission.paths:
                copy(path.name, parent, folder, allowance)
                moodle = MOODLE.fullmatch(path.name)
                if moodle and moodle[2] and not is_ignored(moodle[2]) and (folder / path.name).is_file():
                    (folder / path.name).rename(folder / moodle[2])
        finally:
            os.close(parent)
        folder = _inner(folder)
        match list(folder.iterdir()):
            case [only] if only.suffix.lower() == ZIP:
                archive, folder = only, private / "unpacked"
                folder.mkdir()
                with archive.open("rb") as file:
                    unpack(file, archive.name, folder, Allowance())
                folder = _inner(folder)
        names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
        if not names:
            refuse("submission.empty")
        files = folder.rename(private / "submission")
        yield Snapshot(files, tuple(names))


def _inner(folder: Path) -> Path:
    """Return the folder inside `folder` if that is its only content; else return `folder`."""
    match list(folder.iterdir()):
        case [only] if only.is_dir():
            return only
    return folder


def executable_in(files: Snapshot, names: Sequence[str] = ()) -> Path:
    """Return the only file among these names (by default all) that is a program, and make it executable.

    The program is the only file that has the permission to be executed. Archives and web forms remove this permission, and
    some disks give it to every file. So if no file or several files have it, the program is the only one that begins as
    programs do: with `#!`, or as compiled code. Raises SubmissionError if there is no such file or more than one, or if the
    file cannot run here (`check_program`).
    """
    names = names or files.names
    may_run = [name for name in names if os.access(files.folder / name, os.X_OK)]
    begins = [
        name
        for name in may_run or names
        if beginning(files.folder / name).removeprefix(BYTE_ORDER_MARK).startswith((b"#!", COMPILED))
    ]
    found = may_run if len(may_run) == 1 else begins
    if not found:
        refuse("program.none", listed(names))
    if len(found) > 1:
        refuse("program.several", listed(found))
    path = files.folder / found[0]
    path.chmod(0o755)
    check_program(path, escaped(found[0]))
    return path


def check_program(path: Path, shown: str) -> None:
    """Check that a file can run here, and that the interpreter of a script belongs to the system or to Ludoteca. Raises
    SubmissionError if not. `shown` is the name of the file in messages.
    """
    begin = beginning(path)
    first = begin.partition(b"\n")[0]
    if begin.startswith(BYTE_ORDER_MARK + b"#!"):
        refuse("script.mark", shown)
    if first.startswith(b"#!") and first.endswith(b"\r"):
        refuse("script.crlf", shown)
    line = first.removeprefix(b"#!").decode("utf-8", "replace").strip()
    try:
        if first.startswith(b"#!") and not _may_interpret(line.split()):
            refuse("script.interpreter", shown, excerpt(line))
        executables.find([str(path)])
    except FaultError:
        if first.startswith(b"#!"):
            refuse("script.interpreter", shown, excerpt(line))
        refuse("program.unfit", shown)


def beginning(path: Path) -> bytes:
    """Return the first bytes of a file."""
    with path.open("rb") as file:
        return file.read(4096)


def _may_interpret(words: Sequence[str]) -> bool:
    """Return True if all programs in the first line of a script belong to the system or to Ludoteca. `words` are the words
    of this line after `#!`.
    """
    env = bool(words) and Path(words[0]).name == "env"  # it runs what the next words name
    named = [Path(word) for word in words[1:] if env and "/" in word and not word.startswith("-") and "=" not in word]
    return bool(words) and all(
        ".." not in path.parts
        and (executables.is_system(path) or any(path.is_relative_to(own) for own in executables.OURS))
        and path.is_file()
        for path in (Path(words[0]), *named)
    )


def listed(names: Sequence[str]) -> str:
    """Return names of files for a message."""
    return ", ".join(map(escaped, names[:SHOWN_NAMES])) + (", …" if len(names) > SHOWN_NAMES else "")
