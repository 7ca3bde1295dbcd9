"""The commands that start programs of others. This module finds the files of a command, checks that they can run on this
machine, decides which folders they may read, and computes a digest that shows changes of the files.
"""

import hashlib
import os
import re
import shutil
import stat
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ludoteca.arena.programs.limits import Fault, FaultError
from ludoteca.core.words import quoted

SYSTEM_FOLDERS: Final = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc", "opt", "nix", "gnu")
SYSTEM: Final = tuple(Path("/") / name for name in SYSTEM_FOLDERS)
"""Folders that every program may read if they exist: programs and libraries, and no files of persons."""
OWN: Final = (Path("/dev"), Path("/proc"), Path("/sys"))
"""Folders of the machine that are never shown in a sandbox. A sandbox makes new ones, or has none."""
OURS: Final = (Path(__file__).parents[3], Path(sys.prefix))
"""The folders of Ludoteca and of its Python, which every sandbox shows, because programs of games and the engine behind
programs in other languages are in them. (For bots that root runs without bubblewrap, the file permissions decide.)"""
COMMON_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")
I386: Final = 3
"""The number of the processor i386 in ELF files. Its programs also run on x86-64."""


class Program(NamedTuple):
    """A command that can run here."""

    command: tuple[str, ...]
    """With absolute paths."""
    reads: tuple[Path, ...]
    """The paths that the program must be able to read, in addition to the system's folders."""


def find(command: Sequence[str], folder: Path | None = None) -> Program:
    """Return the program of a command, which is found as a shell finds it.

    An argument that names a file or a folder becomes an absolute path, because the program runs in a private folder. The
    program may read the folder of such a file, if that folder belongs to the program alone (`own_folder`), and the given
    `folder`. Every program may read the folders OURS.

    Raises FaultError if the program or `folder` does not exist (MISSING), or if the program cannot run here
    (NOT_EXECUTABLE).
    """
    if not command:
        raise FaultError(Fault.MISSING, "the command is empty")
    path = look_up(command[0], os.environ.get("PATH", os.defpath))
    words, reads = [str(path)], [*needs(path)]
    for word in command[1:]:
        named = Path(word).absolute()
        if word and not word.startswith("-") and os.path.exists(named):  # noqa: PTH110  # a word may be too long for a path
            words.append(str(named))
            reads += [named] if named.is_dir() else [own_folder(link) for link in links(named)]
        else:
            words.append(word)
    if folder is not None:
        if not folder.is_dir():
            raise FaultError(Fault.MISSING, f"there is no folder {folder}")
        reads.append(folder.absolute())
    needed = [path for path in dict.fromkeys(reads) if not any(path.is_relative_to(own) for own in OWN)]
    return Program(tuple(words), tuple(path for path in needed if not is_system(path)))


def look_up(name: str, search: str) -> Path:
    """Return the file that a shell would run for `name`, which is a path or the name of a program in the PATH `search`.

    Raises FaultError if there is no such file (MISSING), or if it is a folder or may not be run (NOT_EXECUTABLE).
    """
    if "/" in name:
        path = Path(name).absolute()
        if not path.exists():
            raise FaultError(Fault.MISSING, f"there is no file {path}")
        if path.is_dir():
            raise FaultError(Fault.NOT_EXECUTABLE, f"{path} is a folder")
        if not os.access(path, os.X_OK):
            raise FaultError(Fault.NOT_EXECUTABLE, f"{path} may not be run (chmod +x allows it)")
        return path
    found = shutil.which(name, path=search)
    if found is None:
        raise FaultError(Fault.MISSING, f"there is no program {quoted(name)}")
    return Path(found).absolute()


def needs(path: Path, depth: int = 0) -> Iterator[Path]:
    """Yield the files and folders that a program must be able to read in order to run: its own, those of its interpreter if
    it is a script, those of the interpreter's interpreter, and so on. `depth` counts these interpreters.

    Raises FaultError (NOT_EXECUTABLE) if a file is neither a script nor a compiled program for this machine, if an
    interpreter is missing, or if there are five scripts in a row.
    """
    yield from (own_folder(link) for link in links(path))
    if not os.access(path, os.R_OK):
        return  # it can still be run
    with path.open("rb") as file:
        begin = file.read(1 << 16)
    if begin.startswith(b"#!"):
        if depth == 4:
            raise FaultError(Fault.NOT_EXECUTABLE, f"the interpreter of {path} is a script of a script, and so on")
        yield from needs(interpreter(path, begin), depth + 1)
    elif begin.startswith(b"\x7fELF"):
        check_machine(path, begin)
    else:
        what = "it begins neither with #! nor as a compiled program does"
        if not begin:
            what = "it is empty"
        elif begin.startswith(b"\xef\xbb\xbf#!"):
            what = "it begins with a byte order mark before #!"
        raise FaultError(Fault.NOT_EXECUTABLE, f"{path} is no program: {what}")


def interpreter(path: Path, begin: bytes) -> Path:
    """Return the program that the first line of a script names. `begin` contains the first bytes of the script.

    Raises FaultError (NOT_EXECUTABLE) if the line names no program or a missing one, or if it ends as on Windows (CR LF).
    """
    line = begin[2:].partition(b"\n")[0].decode("utf-8", "replace")
    words = line.strip(" \t").split(maxsplit=1)
    if not words:
        raise FaultError(Fault.NOT_EXECUTABLE, f"the first line of {path} names no interpreter")
    name = words[0]
    if name.endswith("\r") or (len(words) == 2 and words[1].endswith("\r") and Path(name).name == "env"):
        detail = f"the first line of {path} ends as on Windows (CR LF), so there is no such interpreter"
        raise FaultError(Fault.NOT_EXECUTABLE, detail)
    try:
        found = look_up(str(Path("/") / name), "")
        if found.name == "env" and len(words) == 2:
            wanted = [word for word in words[1].split() if not word.startswith("-") and "=" not in word]
            return look_up(wanted[0], search_path()) if wanted else found
    except FaultError as error:
        raise FaultError(Fault.NOT_EXECUTABLE, f"the interpreter of {path}: {error.detail}") from error
    return found


def check_machine(path: Path, begin: bytes) -> None:
    """Check that a compiled program is for this machine. `begin` contains its first bytes.

    Raises FaultError (NOT_EXECUTABLE) if the file is cut off, is for another processor, or needs a missing loader.
    """
    with Path(sys.executable).open("rb") as file:
        ours = file.read(20)
    if len(begin) < 64:
        raise FaultError(Fault.NOT_EXECUTABLE, f"{path} is cut off")
    order = "<" if begin[5] == 1 else ">"
    machine, our_machine = struct.unpack_from(order + "H", begin, 18)[0], struct.unpack_from(order + "H", ours, 18)[0]
    if begin[5] != ours[5] or (machine != our_machine and machine != I386):
        detail = f"{path} is a program for another processor (machine {machine} in ELF's list)"
        raise FaultError(Fault.NOT_EXECUTABLE, detail)
    wide = begin[4] == 2
    start, size, count = (
        struct.unpack_from(order + ("Q" if wide else "I"), begin, 32 if wide else 28)[0],
        *struct.unpack_from(order + "HH", begin, 54 if wide else 42),
    )
    for place in range(start, min(start + size * count, len(begin) - size + 1), max(size, 1)):
        kind = struct.unpack_from(order + "I", begin, place)[0]
        if kind == 3:  # the name of its loader
            at, length = struct.unpack_from(order + ("Q24xQ" if wide else "I8xI"), begin, place + (8 if wide else 4))
            loader = begin[at : at + length].rstrip(b"\0").decode("utf-8", "replace")
            if loader and not Path(loader).exists():
                raise FaultError(Fault.NOT_EXECUTABLE, f"{path} needs {loader}, which is not there")


def search_path() -> str:
    """Return the PATH for programs in a sandbox: those folders of the caller's PATH that belong to the system, and then the
    folder of Ludoteca's Python.
    """
    own = [
        entry for entry in os.environ.get("PATH", "").split(os.pathsep) if entry.startswith("/") and is_system(Path(entry))
    ]
    return os.pathsep.join(dict.fromkeys([*(own or COMMON_PATH), str(Path(sys.base_prefix) / "bin")]))


def is_system(path: Path) -> bool:
    """Return True for a path that every program may read. The caller's home and current folder are never such paths."""
    return _is_in(path, SYSTEM) and not _is_in(path, hidden_folders())


def hidden_folders() -> list[Path]:
    """Return the caller's home and current folder, if they are inside the system's folders. Programs may not read them."""
    return [place for place in callers_folders() if place not in SYSTEM and _is_in(place, SYSTEM)]


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    """Return True for a path in one of the folders. `Path.is_relative_to` would be too slow, because a sandbox calls this
    often.
    """
    return f"{path}/".startswith(tuple(f"{folder}/" for folder in folders))


def callers_folders() -> list[Path]:
    """Return the current folder, and the home if there is one."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  # a user without a home gets the same text back
    return [Path.cwd(), *([home] if home.is_absolute() else [])]


def links(path: Path) -> Iterator[Path]:
    """Yield a path. If it is a symbolic link, also yield the link's target, the target's target, and so on. The last path
    that is yielded contains no symbolic links, even among its folders.
    """
    for _ in range(40):
        yield path
        if not path.is_symlink():
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
    yield path.resolve()


def shared_folders(commands: Mapping[str, Sequence[str]]) -> dict[Path, set[str]]:
    """Return the folders in which a bot can read a file of another bot. Each has the names of these bots.

    `commands` has the command of each bot, with absolute paths. The result depends on the current folder (`own_folder`).
    """
    shared: dict[Path, set[str]] = {}
    files = {name: {path for path in map(Path, command) if path.is_absolute()} for name, command in commands.items()}
    for name, command in commands.items():
        with suppress(FaultError):  # reported when the program is started
            for folder in find(command).reads:
                others = {
                    other for other, own in files.items() if any(file.is_relative_to(folder) for file in own - files[name])
                }
                if others and folder not in OURS:
                    shared.setdefault(folder, set()).update(others, [name])
    return shared


def own_folder(path: Path) -> Path:
    """Return the folder of the program at `path` if this folder belongs to the program alone, or else `path`, the file
    alone.

    For a program in `bin`, or in the `shims` of pyenv, the folder above is returned. The caller's home and current folder,
    the folders above them, and folders to which all users may write never count as a program's own.
    """
    parent = path.parent
    folder = parent.parent if parent.name in ("bin", "shims") else parent
    for candidate in dict.fromkeys((folder, parent)):
        shared = candidate.stat().st_mode & stat.S_IWOTH
        if not shared and not any(mine.is_relative_to(candidate) for mine in callers_folders()):
            return candidate
    return path


_INTERPRETER: Final = re.compile(r"(python[0-9.]*|pypy[0-9.]*|perl|ruby|node|bash|sh|dash|zsh|lua[0-9.]*|Rscript|php|swipl)")
"""Programs whose first argument, unless it is an option, is the file to run."""


def located(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return the command with absolute paths for its program, and for arguments that name files in `folder`.

    Raises FaultError if the program is missing or not executable, or if the script of an interpreter is missing.
    """
    program, *arguments = command
    own = folder / program
    is_own = "/" in program or (own.is_file() and not shutil.which(program))
    found = str(look_up(str(own.absolute()) if is_own else program, os.environ.get("PATH", os.defpath)))
    script = arguments[0] if arguments and not arguments[0].startswith("-") else ""
    if script and _INTERPRETER.fullmatch(Path(program).name) and not (folder / script).is_file():
        raise FaultError(Fault.MISSING, f"there is no file {quoted(script)} for {program} to run")
    return str(found), *(
        str((folder / word).absolute()) if word and (folder / word).is_file() else word for word in arguments
    )


def fingerprint(command: Sequence[str]) -> str:
    """Return a digest of the command and of the content of all files that it names. It is an empty text for an empty
    command.

    Raises OSError if one of the files cannot be read.
    """
    if not command:
        return ""
    digest = hashlib.blake2b(digest_size=16)
    for word in command:
        digest.update(f"{len(word)} {word}".encode("utf-8", "surrogateescape"))
        if Path(word).is_absolute() and Path(word).is_file():
            with Path(word).open("rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
    return digest.hexdigest()
