"""The files of a bot's program: their paths, whether they can be run, and whether they have changed."""

import hashlib
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ludoteca.arena.limits import Fault, FaultError
from ludoteca.core.words import quoted

_INTERPRETER: Final = re.compile(r"(python[0-9.]*|pypy[0-9.]*|perl|ruby|node|bash|sh|dash|zsh|lua[0-9.]*|Rscript|php|swipl)")
"""Programs whose first argument, unless it is an option, is the file to run."""


def located(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return the command with absolute paths for the program, and for arguments that name files in the folder.

    Raises FaultError for a program that is missing or not executable, and for a missing script of an interpreter.
    """
    program, *arguments = command
    own = folder / program
    if "/" in program or (own.is_file() and not shutil.which(program)):
        if not own.exists():
            raise FaultError(Fault.MISSING, f"there is no file {quoted(program)}")
        if not (own.is_file() and os.access(own, os.X_OK)):
            raise FaultError(Fault.NOT_EXECUTABLE, f"{quoted(program)} is not an executable file")
        found = str(own.absolute())
    else:
        found = shutil.which(program) or ""
        if not found:
            raise FaultError(Fault.MISSING, f"there is no program {quoted(program)}")
    script = arguments[0] if arguments and not arguments[0].startswith("-") else ""
    if script and _INTERPRETER.fullmatch(Path(program).name) and not (folder / script).is_file():
        raise FaultError(Fault.MISSING, f"there is no file {quoted(script)} for {program} to run")
    return found, *(str((folder / word).absolute()) if word and (folder / word).is_file() else word for word in arguments)


def fingerprint(command: Sequence[str]) -> str:
    """Return a digest of the command and of all files that it names. Empty for no command. Raises OSError."""
    if not command:
        return ""
    digest = hashlib.blake2b(digest_size=16)
    for word in command:
        digest.update(f"{len(word)} {word}".encode("utf-8", "surrogateescape"))
        if Path(word).is_absolute() and Path(word).is_file():
            with Path(word).open("rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
    return digest.hexdigest()
