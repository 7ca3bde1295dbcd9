"""The pages and the help texts of the documents' programs: every session runs, and prints the shown output."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from ludoteca.cli.commands import command
from ludoteca.core import registry
from ludoteca.core.spec import GameSpec

ROOT = Path(__file__).parents[1]
GAMES = [spec for spec in registry.registered_games() if spec.has("console")]
PAGES = sorted((ROOT / "docs" / "consoles").glob("*.md"))
HELPS = sorted((ROOT / "src").rglob("text/help/*.txt"))


def game_of(path: Path) -> str:
    """Return the game of a help text."""
    return path.parents[2].name


def label(path: Path) -> str:
    return f"{game_of(path) if path in HELPS else 'docs'}-{path.name}"


class Session(NamedTuple):
    """A command, its input, its output and its errors."""

    command: str
    printed: str


def sessions(path: Path) -> Iterator[Session]:
    """Yield the sessions of a page's `console` blocks, or of a help text. The input is between `<<'END'` and `END`."""
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL) or [dedent(text[text.index("    $ ") :])]
    for block in blocks:
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command = re.match(r"[^\n]*<<'END'.*?\nEND\n|[^\n]*\n", session, re.DOTALL)
            assert command, session
            yield Session(command[0], session.removeprefix(command[0]))


@pytest.mark.parametrize("path", PAGES + HELPS, ids=label)
def test_what_is_shown_is_what_is_printed(path: Path, tmp_path: Path) -> None:
    """The output is equal byte for byte, except for blanks at the ends of lines, which are invisible in a page."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    shown = list(sessions(path))
    assert any("ludoteca console" in command for command, _ in shown)
    for typed, printed in shown:
        done = subprocess.run(
            ["bash", "-c", typed],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=60,
        )
        assert [line.rstrip(" ") for line in done.stdout.decode().split("\n")] == printed.split("\n"), typed


def console(*arguments: str) -> Result:
    """Compare the output of the command in this process. The sessions above run in separate processes."""
    return CliRunner().invoke(command, ["console", *arguments], prog_name="ludoteca")


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_every_game_has_a_page_that_is_found(spec: GameSpec) -> None:
    page = f"consoles/{spec.name}.md"
    assert (ROOT / "docs" / page).is_file()
    assert f"](docs/{page})" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", HELPS, ids=label)
def test_help_prints_what_lies_in_the_games_folder(path: Path) -> None:
    program = [] if path.stem == "console" else [path.stem]
    asked = console(game_of(path), *program, "--help")
    assert (asked.exit_code, asked.stdout, asked.stderr) == (0, path.read_text(encoding="utf-8"), "")
    assert asked.stdout.startswith(f"Usage: ludoteca console {' '.join([game_of(path), *program])}")
    assert asked.stdout.count("\n") <= 45
    assert max(map(len, asked.stdout.splitlines())) <= 80


def test_help_lists_the_games_with_their_programs() -> None:
    told = console("--help").stdout
    for spec in GAMES:
        assert f"  {' '.join([spec.name, '|'.join(spec.programs)]).rstrip()}" in told


def test_without_a_game_the_use_is_told() -> None:
    asked = console()
    assert (asked.exit_code, asked.stdout) == (2, "")
    assert "Missing argument 'GAME'" in asked.stderr


def test_a_word_without_a_help_of_its_own_gets_the_games() -> None:
    assert console("okupacio", "../../x", "--help").stdout == console("okupacio", "-h").stdout != ""
