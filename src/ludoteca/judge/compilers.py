"""The programs of a class: compiled in the sandbox by a teacher's command, or files that run as they are."""

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
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
from ludoteca.judge.snapshots import MOST_BYTES, SubmissionError, refuse
from ludoteca.judge.submissions import Snapshot, Submission, check_program, executable_in, listed, opened
from ludoteca.judge.verdicts import Verdict, stopped

SOURCES: Final = (".c", ".cc", ".cpp", ".cxx", ".rs", ".go", ".java", ".hs", ".pas", ".f90", ".py", ".pl")
"""The endings of source files, if there is no file of languages."""
ANY: Final = ""
"""All endings: the key of the only command."""
COMPILING: Final = Limits(move=120.0, output=256 << 20, memory=2 << 30, disk=256 << 20)
PLACES: Final = re.compile(r"\{(source|folder|program)\}")
PUNCTUATION: Final = "();<>|&"
UNSURE: Final = {"||", "(", "()"}
"""Punctuation of commands whose first words may be missing, or are the command's own functions."""


class Tool(msgspec.Struct, frozen=True):
    """A file that a command names, such as a build script. The sandbox shows a copy."""

    word: str
    """The path in the command."""
    content: bytes
    runs: bool


class Compiler(msgspec.Struct, frozen=True, kw_only=True):
    """The commands that compile submissions, as plain data for other processes."""

    commands: Mapping[str, str] = {}
    """The command by the ending of source files, or by ANY. Without a command, a file of that ending is the program."""
    tools: tuple[Tool, ...] = ()
    seconds: float = COMPILING.move


def compiler_with(command: str, seconds: float = COMPILING.move) -> Compiler:
    """Return a compiler with one command for all submissions. If it is empty, they are programs. Raises ParameterError."""
    return _compiler({ANY: command} if command else {}, seconds, "compile")


def read_languages(file: Path, seconds: float = COMPILING.move) -> Compiler:
    """Read a TOML file with a command for each ending. Raises ParameterError."""
    try:
        commands = msgspec.toml.decode(file.read_text(encoding="utf-8"), type=dict[str, str])
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
        raise ParameterError(f"languages: {file}: {error}") from None
    for ending in commands:
        if not re.fullmatch(r"\.[^./\s]+", ending):
            raise ParameterError(f'languages: {file}: read "{escaped(ending)}", expected the ending of files, such as ".c"')
    if not commands:
        raise ParameterError(
            f'languages: {file}: it is empty: expected lines such as ".c" = "gcc -o {{program}} {{source}}"'
        )
    return _compiler(commands, seconds, f"languages: {file}")


def _compiler(commands: Mapping[str, str], seconds: float, where: str) -> Compiler:
    tools = dict[str, Tool]()
    for command in filter(None, commands.values()):
        places = set(PLACES.findall(command))
        if "program" not in places or len(places) == 1:
            raise ParameterError(
                f"{where}: read {command}, expected a command with {{program}}, and {{source}} or {{folder}}"
            )
        try:
            words = _words(command)
        except ValueError as error:
            raise ParameterError(f"{where}: {command}: {error}") from None
        begins = next(iter(_begins(words)), "")
        if "/" in begins and "{" not in begins and not Path(begins).is_file():
            raise ParameterError(f"{where}: there is no file {begins}")
        for word in words:
            path = Path(word).absolute()
            if "/" in word and not executables.is_system(path) and path.is_file():
                tools[word] = _tool(word, command, where)
                if word == begins and not tools[word].runs:
                    raise ParameterError(f"{where}: {word} may not be run (chmod +x allows it)")
    return Compiler(commands=commands, tools=tuple(tools.values()), seconds=seconds)


def _tool(word: str, command: str, where: str) -> Tool:
    if not _mentions(word).search(command):
        raise ParameterError(f"{where}: read {command}, expected quotation marks around {word}")
    with explained(f"{where}: {word} cannot be read"), Path(word).open("rb") as file:
        content = file.read(MOST_BYTES + 1)
        runs = bool(Path(word).stat().st_mode & 0o111)
    if len(content) > MOST_BYTES:
        raise ParameterError(f"{where}: {word} has more than {MOST_BYTES >> 20} MiB")
    return Tool(word, content, runs)


def _words(command: str) -> list[str]:
    """Return the words and the punctuation of a shell command. Raises ValueError for an open quotation mark."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=PUNCTUATION)
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)


def _begins(words: Iterable[str]) -> Iterator[str]:
    """Yield the words that name the first program that a shell runs, and the next ones after `&&`."""
    begins = True
    for word in words:
        if begins and not re.match(r"\w+=", word):
            yield word
            begins = False
        begins = begins or word == "&&"


def _mentions(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-]){re.escape(word)}(?![\w./-])")


def check_commands(compiler: Compiler) -> None:
    """Raise ParameterError if a program that a command needs is not in the sandbox."""
    if not compiler.commands:
        return
    with Box(("/bin/sh",), Limits()) as box:
        for command in compiler.commands.values():
            words = _words(command)
            for word in () if UNSURE & set(words) else _begins(words):
                if "/" in word or "{" in word[1:]:
                    continue
                if box.run(b"", command=("/bin/sh", "-c", f"command -v {shlex.quote(word)}")).status:
                    raise ParameterError(f"{command}: there is no program {word} in {executables.search_path()}")


def check_class(part: Part, compiler: Compiler, every: Iterable[Submission], language: str) -> None:
    """Raise ParameterError if the commands fail for every one of several submissions, and for the same reason."""
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
    """Return the program of a submission, compiled if there is a command for it. Raises SubmissionError, BoxError."""
    command, sources = compiler.commands.get(ANY, ""), list(files.names)
    endings = SOURCES if "{source}" in command else () if command else tuple(compiler.commands)
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


def _compiled(files: Snapshot, part: Part, sources: Iterable[str], command: str, compiler: Compiler) -> Path:
    """Return the program that the command makes from a copy of the files in the sandbox."""
    private = files.folder.parent
    tools = dict[str, Path]()
    for number, tool in enumerate(compiler.tools):
        tools[tool.word] = path = private / f"tool{number}" / Path(tool.word).name
        path.parent.mkdir()
        path.write_bytes(tool.content)
        path.chmod(0o755 if tool.runs else 0o644)
    with Box(("/bin/sh",), msgspec.structs.replace(COMPILING, move=compiler.seconds), private) as box:
        home = box.run(b"", command=("/bin/pwd",)).output.decode().rstrip("\n")
        folder, made = f"{home}/source", f"{home}/program"
        meant = {
            "{source}": " ".join(shlex.quote(f"{folder}/{name}") for name in sources),
            "{folder}": folder,
            "{program}": made,
            **{word: str(box.inside(path)) for word, path in tools.items()},
        }
        named = [_mentions(word).pattern for word in sorted(tools, key=len, reverse=True)]
        command = re.sub("|".join((PLACES.pattern, *named)), lambda found: meant[found[0]], command)
        copied = f"cp -R {shlex.quote(str(box.inside(files.folder)))} {folder} || exit"
        # dash loses the redirection of a subshell in braces that are redirected, too
        script = os.fsencode(
            f"{copied}\nexec 3>&1 1>&2\n{command}\nstatus=$?; [ $status = 0 ] || exit $status; cat {made} >&3"
        )
        run = box.run(script, command=("/bin/sh", "-c", 'eval "$(cat)"'))  # it may be too long for a word of a command
    said = run.errors.decode("utf-8", "replace")
    for word in tools:
        said = said.replace(meant[word], word)
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
    if said:
        return "compile.said", said
    return ("compile.status", run.status) if run.status else ("compile.nothing",)
