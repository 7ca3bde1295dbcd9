"""Makes the programs of a class's submissions: a teacher's command compiles them in the sandbox, or a file of the submission
runs as it is.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from ludoteca.arena.programs import executables
from ludoteca.arena.programs.box import Box, Run
from ludoteca.arena.programs.limits import Fault, Limits
from ludoteca.core.errors import ParameterError, explained
from ludoteca.core.judging import Part
from ludoteca.core.messages import Message
from ludoteca.core.words import counted, escaped
from ludoteca.judge.programs import MOST_ERROR_BYTES
from ludoteca.judge.snapshots import SubmissionError, refuse
from ludoteca.judge.submissions import Snapshot, Submission, check_program, executable_in, listed, opened
from ludoteca.judge.verdicts import Verdict, stopped

SOURCES: Final = (".c", ".cc", ".cpp", ".cxx", ".rs", ".go", ".java", ".hs", ".pas", ".f90", ".py", ".pl")
"""The extensions of source files, used if a single command compiles all submissions."""
ANY: Final = ""
"""The key in `Compiler.commands` of a single command for all file extensions."""
COMPILING: Final = Limits(move=120.0, output=256 << 20, memory=2 << 30, disk=256 << 20)
LIMITED: Final = {
    Fault.DISK: "File size limit exceeded|File too large",
    Fault.MEMORY: "Cannot allocate memory|out of memory|memory exhausted",
    Fault.PROCESSES: "Resource temporarily unavailable",
}
"""Regular expressions for what compilers print if a process that they started reaches a limit. They then end as usual."""
PLACES: Final = re.compile(r"\{(source|folder|program)\}")
SHELL: Final = {"&&", "||", ";", "|", "<", ">"}
"""Operators of a shell. They are refused in commands, because no shell runs the commands."""
EXAMPLE: Final = '".c" = ["gcc", "-o", "{program}", "{source}"]'


class Compiler(msgspec.Struct, frozen=True, kw_only=True):
    """The commands that compile submissions. They can be sent to other processes."""

    commands: Mapping[str, Sequence[str]] = {}
    """The words of each command, by the extension of source files or ANY. Without words, such a file is a program itself."""
    tools: Mapping[str, bytes] = {}
    """The content of each file that a command names, such as a build script, by its word. The sandbox has a copy."""
    seconds: float = COMPILING.move


def compiler_with(command: str, seconds: float = COMPILING.move) -> Compiler:
    """Return a compiler that uses one command for all submissions, for up to `seconds` each. If the command is empty, the
    submissions are programs already.

    Raises ParameterError if the command does not contain `{program}` and `{source}` or `{folder}`, or if it needs a shell or
    a program that is missing.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ParameterError(f"compile: {command}: {error}") from None
    return _compiler({ANY: words} if words else {}, seconds, "compile")


def read_languages(file: Path, seconds: float = COMPILING.move) -> Compiler:
    """Read a TOML file with a command for each file extension, such as `".c" = ["gcc", "-o", "{program}", "{source}"]`.

    Raises ParameterError if the file cannot be read or is not such a table, if a command does not contain `{program}` and
    `{source}` or `{folder}`, or if it needs a shell or a program that is missing.
    """
    try:
        commands = msgspec.toml.decode(file.read_text(encoding="utf-8"), type=dict[str, list[str]])
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"languages: {file}: {error}") from None
    except (ValueError, RecursionError) as error:  # not only msgspec's: Python reads no number of 5,000 digits
        raise ParameterError(f"languages: {file}: {error}: expected lines such as {EXAMPLE}") from None
    for ending in commands:
        if not re.fullmatch(r"\.[^./\s]+", ending):
            raise ParameterError(f'languages: {file}: read "{escaped(ending)}", expected a file extension, such as ".c"')
    if not commands:
        raise ParameterError(f"languages: {file}: it is empty: expected lines such as {EXAMPLE}")
    return _compiler(commands, seconds, f"languages: {file}")


def _compiler(commands: Mapping[str, Sequence[str]], seconds: float, where: str) -> Compiler:
    tools = dict[str, bytes]()
    for words in filter(None, commands.values()):
        program, shown = words[0], " ".join(words)
        places = set(PLACES.findall(shown))
        if "program" not in places or len(places) == 1:
            raise ParameterError(f"{where}: read {shown}, expected a command with {{program}}, and {{source}} or {{folder}}")
        if SHELL & set(words):
            raise ParameterError(f"{where}: {shown}: no shell reads this command: write sh -c '...'")
        for word in words:
            path = Path(word).absolute()
            if "/" in word and not executables.is_system(path) and path.is_file():
                with explained(f"{where}: {word} cannot be read"):
                    tools[word] = path.read_bytes()
        if "/" not in program and not shutil.which(program, path=executables.search_path()):
            raise ParameterError(f"{where}: there is no program {program} in {executables.search_path()}")
        if "/" in program and "{" not in program and not Path(program).is_file():
            raise ParameterError(f"{where}: there is no file {program}")
    return Compiler(commands=commands, tools=tools, seconds=seconds)


def check_class(part: Part, compiler: Compiler, every: Iterable[Submission], language: str) -> None:
    """Raise ParameterError if the commands fail for all submissions (two or more) for the same reason, because the command
    is then probably wrong. `language` is the language of the message.
    """
    reasons = list[str]()
    for submission in every if compiler.commands else ():
        try:
            with opened(submission) as files:
                names = rf"(?<![\w.-])({'|'.join(map(re.escape, files.names))})(?![\w.-])"
                program_of(files, part, compiler)
                return
        except SubmissionError as error:
            if error.verdict != Verdict.COMPILE:
                return
            reasons.append(re.sub(names, "{source}", error.text(language)))
        if reasons[-1] != reasons[0]:
            return
    if len(reasons) > 1:
        raise ParameterError(f"compiling fails alike for all of {counted(len(reasons), 'submission')}: {reasons[0]}")


def program_of(files: Snapshot, part: Part, compiler: Compiler) -> Path:
    """Return the path of a submission's program. If there is a command for its files, it is compiled.

    Raises SubmissionError if the submission has no program or more than one, if compiling fails, or if the program cannot
    run here. Raises BoxError if no sandbox can be made to compile in, which is not the student's fault.
    """
    command, sources = compiler.commands.get(ANY, ()), list(files.names)
    endings = SOURCES if any("{source}" in word for word in command) else () if command else tuple(compiler.commands)
    if endings:
        sources = [name for name in files.names if Path(name).suffix in endings]
        if not sources:
            refuse("source.none", listed(files.names), ", ".join(endings))
    if endings and not command:
        found = {Path(name).suffix for name in sources}
        if len(found) > 1:
            refuse("source.several", listed(sources), ", ".join(endings))
        command = compiler.commands[found.pop()]
    if command:
        return _compiled(files, part, sources, command, compiler)
    if part.file:
        candidates = part.program_among(sources)
        if len(candidates) != 1:
            refuse("source.one", listed(candidates or sources), part.file, Path(part.file).suffix)
        return files.folder / candidates[0]
    return executable_in(files, sources)


def _compiled(files: Snapshot, part: Part, sources: Iterable[str], command: Iterable[str], compiler: Compiler) -> Path:
    """Compile a copy of the submission's files in the sandbox with `command`, and return the path of the program."""
    private = files.folder.parent
    tools = {word: private / f"tool{number}" / Path(word).name for number, word in enumerate(compiler.tools)}
    for word, path in tools.items():
        path.parent.mkdir()
        path.write_bytes(compiler.tools[word])
        path.chmod(0o755)
    with Box(("/bin/sh",), msgspec.structs.replace(COMPILING, move=compiler.seconds), private) as box:
        home = box.run(b"", command=("/bin/pwd",)).output.decode().rstrip("\n")
        folder, made = f"{home}/source", f"{home}/program"
        paths = [f"{folder}/{name}" for name in sources]
        meant = {"{source}": shlex.join(paths), "{folder}": folder, "{program}": made}
        shown = {word: str(box.inside(path)) for word, path in tools.items()}
        words = list[str]()
        for word in command:
            one = shown.get(word) or PLACES.sub(lambda found: meant[found[0]], word)
            words += paths if word == "{source}" else [one]
        script = (
            f"cp -R {shlex.quote(str(box.inside(files.folder)))} {folder} || exit\nexec 3>&1 1>&2\n{shlex.join(words)}\n"
            f"status=$?; [ $status = 0 ] || exit $status; cat {made} >&3"
        )
        run = box.run(os.fsencode(script), command=("/bin/sh", "-c", 'eval "$(cat)"'))  # too long for a word of a command
    said = run.errors.decode("utf-8", "replace")
    for word, inside in shown.items():
        said = said.replace(inside, word)
    said = said.replace(f"{folder}/", "").replace(f"{home}/", "").strip()
    said = escaped(said[:MOST_ERROR_BYTES]) + "…" * (len(said) > MOST_ERROR_BYTES)
    if run.fault is not None or run.status != 0 or not run.output:
        raise SubmissionError(Verdict.COMPILE, *_compile_error(run, said, compiler))
    program = private / "made" / "program"
    program.parent.mkdir()
    program.write_bytes(run.output)
    program.chmod(0o755)
    if not part.file:
        check_program(program, "{program}")
    return program


def _compile_error(run: Run, said: str, compiler: Compiler) -> tuple[Message, ...]:
    if run.fault == Fault.TIME:
        return "compile.time", f"{compiler.seconds:g}"
    if run.fault is not None:
        return "compile.stopped", stopped(run, COMPILING)[1]
    for fault, words in LIMITED.items():
        if re.search(words, said):
            return "compile.limited", stopped(run._replace(fault=fault), COMPILING)[1], said
    if said:
        return "compile.said", said
    return ("compile.status", run.status) if run.status else ("compile.nothing",)
