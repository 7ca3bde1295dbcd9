"""Programs are compiled in the sandbox, from copies, by the commands of a teacher."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludoteca.arena.programs import isolation
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError
from ludoteca.core.judging import part_of
from ludoteca.judge.compilers import Compiler, check_class, compiler_with, program_of, read_languages
from ludoteca.judge.snapshots import SubmissionError
from ludoteca.judge.submissions import Submission, opened, submissions
from tests.missing import needs_isolation

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is missing: as root, apt-get install gcc")
PART = part_of(registry.find("okupacio"), "")
GCC = "gcc -o {program} {source}"
SEVEN = "int main(void) { return 7; }\n"


@contextmanager
def made(path: Path, compiler: Compiler | str) -> Iterator[Path]:
    chosen = compiler_with(compiler) if isinstance(compiler, str) else compiler
    with opened(Submission(path.name, (path,))) as files:
        yield program_of(files, PART, chosen)


def status_of(path: Path, compiler: Compiler | str) -> int:
    with made(path, compiler) as program:
        return subprocess.run([program], check=False).returncode


def refusal_of(path: Path, compiler: Compiler | str) -> str:
    with pytest.raises(SubmissionError) as caught, made(path, compiler):
        pass
    return f"{caught.value.verdict}: {caught.value}"


def lay_out(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("bubblewrap", [True, False])
def test_submissions_that_nobody_else_may_read_are_compiled(
    bubblewrap: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not bubblewrap:
        monkeypatch.setattr(isolation, "no_bubblewrap", lambda: "it is not installed")
    folder = lay_out(
        tmp_path / "a class" / "anna",
        {
            "src/main.c": '#include "../status.h"\nint main(void) { return status(); }\n',
            "status.c": '#include "status.h"\nint status(void) { return STATUS; }\n',
            "status.h": "#define STATUS 7\nint status(void);\n",
            "Makefile": "made: src/main.c status.c\n\tgcc -o made src/main.c status.c\n",
        },
    )
    for path in folder.parent.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    folder.parent.chmod(0o700)
    tool = lay_out(tmp_path, {"a tool.sh": '#!/bin/sh\ngcc -o "$@"\n'}) / "a tool.sh"
    for command in (
        GCC,
        "sh -c 'cd {folder} && make -s && mv made {program}'",
        f"'{tool}' {{program}} {{source}}",
        f"sh '{tool}' {{program}} {{source}}",
    ):
        assert status_of(folder, command) == 7


def test_a_submission_has_as_many_source_files_as_it_may_have(tmp_path: Path) -> None:
    lay_out(tmp_path / "ana", {f"{number:0200}.c": "" for number in range(700)})
    assert status_of(tmp_path / "ana", """sh -c 'printf "#!/bin/sh\nexit 7\n" > $0' {program} {source}""") == 7


def test_what_the_compiler_says_has_no_temporary_paths(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        {"bernat.c": "int main(void) {\n", "carla/a.c": "", "carla/Makefile": "all:\n\techo $(CURDIR) >&2; false\n"},
    )
    assert refusal_of(tmp_path / "bernat.c", GCC).startswith("Compile Error: bernat.c: In function")
    assert "/" not in refusal_of(tmp_path / "carla", "sh -c 'make -sC {folder} && cp {folder}/x {program}'")


def test_the_first_errors_of_a_compiler_are_shown(tmp_path: Path) -> None:
    lay_out(tmp_path / "ana", {"main.c": "int first(void) { return missing; }\n" + "broken;\n" * 900})
    why = refusal_of(tmp_path / "ana", "gcc -fmax-errors=0 -o {program} {source}")
    assert "missing" in why
    assert why.endswith("…")


@needs_isolation
def test_no_submission_includes_another(tmp_path: Path) -> None:
    lay_out(tmp_path, {"class/anna.c": SEVEN, "class/bernat.c": '#include "anna.c"\n', "secret": "the secret"})
    (tmp_path / "class" / "carla.c").write_text(f'#include "{tmp_path}/class/anna.c"\n', encoding="utf-8")
    (tmp_path / "class" / "dolors.c").write_text(f'#include "{tmp_path}/secret"\n', encoding="utf-8")
    for name in ("bernat.c", "carla.c", "dolors.c"):
        why = refusal_of(tmp_path / "class" / name, "sh -c 'gcc -o {program} {folder}/*.c'")
        assert "No such file" in why
        assert "the secret" not in why


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("sh -c 'sleep 9' {source} {program}", "Compile Error: the compiler did not end within 0.5 seconds"),
        ("sh -c 'kill -9 $PPID' {source} {program}", "Compile Error: the compiler was stopped: signal SIGKILL ended it"),
        ("sh -c 'exit 3' {source} {program}", "Compile Error: the compiler ended with exit status 3 and wrote no message"),
        (
            "sh -c 'ulimit -f 1; cc -o {program} {source}'",
            "Compile Error: the compiler reached a limit: its files took more than 256 MiB. Its message is: ",
        ),
        ("sh -c 'touch {program}' {source}", "Compile Error: the compiler made no program"),
        ("cp {source} {program}", "No Program: {program} cannot be run on this machine"),
        ("sh -c '{ echo \"#!$HOME/x\"; cat {source}; } > {program}'", "No Program: the first line of {program} names /tmp/"),
    ],
)
def test_a_command_that_makes_no_program_is_named(command: str, why: str, tmp_path: Path) -> None:
    lay_out(tmp_path, {"ana.c": SEVEN})
    seconds = 0.5 if "sleep" in command else 60.0
    assert refusal_of(tmp_path / "ana.c", compiler_with(command, seconds)).startswith(why)


# Several languages


def languages(folder: Path, text: str) -> Compiler:
    return read_languages(lay_out(folder, {"languages.toml": text}) / "languages.toml")


PAIR = '".c" = ["gcc", "-w", "-o", "{program}", "{source}"]\n".py" = []\n'
PYTHON = "#!/usr/bin/env python3\nraise SystemExit(7)\n"


@pytest.mark.parametrize(
    "files",
    [
        {"main.c": "int seven(void); int main(void) { return seven(); }\n", "lib/a.c": "int seven(void) { return 7; }\n"},
        {"main.py": "#!/usr/bin/env python3\nimport other\n", "other.py": "raise SystemExit(7)\n"},
    ],
    ids=["c", "python"],
)
def test_the_ending_of_source_files_chooses_the_command(files: dict[str, str], tmp_path: Path) -> None:
    assert status_of(lay_out(tmp_path / "ana", files), languages(tmp_path, PAIR)) == 7


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"a.c": SEVEN, "b.py": PYTHON}, "found a.c, b.py: expected source files of one language only, of .c, .py"),
        ({"a.rs": "", "readme": ""}, "found a.rs, readme: expected a source file that ends in one of .c, .py"),
        ({"a.py": PYTHON, "b.py": PYTHON}, "found the programs a.py, b.py: expected one"),
        ({"a.py": "print(1)\n"}, "found a.py: expected an executable program, or a script that begins with #!"),
    ],
)
def test_another_number_of_languages_is_refused(files: dict[str, str], why: str, tmp_path: Path) -> None:
    assert refusal_of(lay_out(tmp_path / "ana", files), languages(tmp_path, PAIR)) == f"No Program: {why}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty: expected lines such as"),
        ('".tar.gz" = ["x"]', 'read ".tar.gz", expected a file extension'),
        ('".c" = "gcc"', "Expected `array`, got `str` - at `$[...]`: expected lines such as"),
        ('".c" = "', "languages.toml: "),
        (f'".c" = {5000 * "9"}', "Exceeds the limit (4300 digits)"),
        ('".c" = ["gcc", "{source}"]', "read gcc {source}, expected a command with {program}, and {source} or {folder}"),
    ],
)
def test_a_file_of_languages_is_refused_with_its_path(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=rf"^languages: {tmp_path}/languages\.toml: .*{re.escape(why.split(': ')[-1])}"):
        languages(tmp_path, text)
    with pytest.raises(ParameterError, match=r"nowhere\.toml: .*No such file"):
        read_languages(tmp_path / "nowhere.toml")


# Files that a command names


@needs_isolation
def test_files_that_a_command_names_are_shown_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lay_out(tmp_path, {"ana.c": SEVEN, "build.sh": '#!/bin/sh\ngcc -o "$@"\n', "tools/own.sh": "x"}))
    (tmp_path / "build.sh").chmod(0o755)
    for word in ("./build.sh", str(tmp_path / "build.sh"), f"../{tmp_path.name}/build.sh"):
        assert status_of(tmp_path / "ana.c", f"{word} {{program}} {{source}}") == 7
    assert "No such file" in refusal_of(tmp_path / "ana.c", f"ls {tmp_path} {{program}} {{source}}")
    changed = "sh -c 'echo y > $0' ./tools/own.sh {program} {source}"
    assert "Read-only file system" in refusal_of(tmp_path / "ana.c", changed)
    assert Path("tools/own.sh").read_text("utf-8") == "x"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("gcc -o {program}", "expected a command with {program}, and {source} or {folder}"),
        ("gcc -o {program} '{source}", "No closing quotation"),
        ("./build.sh {program} {source}", "there is no file ./build.sh"),
        ("no-such-compiler -o {program} {source}", "there is no program no-such-compiler in /"),
        ("make -C {folder} && cp {folder}/x {program}", "no shell reads this command: write sh -c '...'"),
    ],
)
def test_a_command_is_refused_before_anything_runs(command: str, why: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(why)):
        compiler_with(command)


@pytest.mark.parametrize(
    ("sources", "command", "why"),
    [
        ({"a.c": SEVEN, "b.c": SEVEN}, "gcc --wrong -o {program} {source}", "unrecognized command-line option"),
        ({"a.c": "x", "b.c": "x"}, GCC, "for all of 2 submissions: {source}:1:1: "),
        ({"a.c": "x", "b.c": "y"}, GCC, ""),
        ({"a.c": "x", "b.c": SEVEN}, GCC, ""),
        ({"a.c": "x"}, GCC, ""),
        ({"a.c": "x", "b.c": "x"}, "", ""),
    ],
)
def test_a_command_that_fails_alike_for_all_is_told(sources: dict[str, str], command: str, why: str, tmp_path: Path) -> None:
    every, compiler = submissions(lay_out(tmp_path, sources)), compiler_with(command)
    if why:
        with pytest.raises(ParameterError, match=re.escape(why)):
            check_class(PART, compiler, every, "en")
    else:
        check_class(PART, compiler, every, "en")
