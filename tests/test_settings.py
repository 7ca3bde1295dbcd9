"""Commands with options that are the annotated fields of a dataclass."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click
import pytest
from click.testing import CliRunner

from ludoteca.arena.programs.limits import Limits
from ludoteca.cli.options import COUNT, FOLDER, Duration, NameValue, Size
from ludoteca.cli.settings import LIMIT_HELP, Json, Setting, SettingsCommand


@dataclass(frozen=True)
class Common:
    out: Annotated[Path, Setting("the place", None, "-o", "--out")]
    json: Json = False


@dataclass(frozen=True)
class Toy(Common):
    long_name: Annotated[int | None, Setting("a number", COUNT)] = None
    page: Annotated[bool | None, Setting("a page", None, "--page/--no-page")] = None
    set: Annotated[tuple[tuple[str, str], ...], Setting("a value", NameValue("players=3"))] = ()
    pair: Annotated[tuple[str, str] | None, Setting("two words")] = None
    time: Annotated[float, Setting("a limit", Duration(most=3600))] = 90.0
    memory: Annotated[int, Setting("a limit", Size())] = 1 << 29
    folder: Annotated[Path | None, Setting("a folder", FOLDER)] = None
    hidden: int = 7


def invoke(*words: str) -> tuple[Toy | None, str]:
    received: list[Toy] = []

    @click.command(cls=SettingsCommand, settings=Toy)
    @click.argument("game")
    def command(game: str, settings: Toy) -> None:
        assert game == "chess"
        received.append(settings)

    result = CliRunner().invoke(command, ["chess", *words])
    return received[0] if received else None, result.output


def test_fields_have_their_defaults() -> None:
    assert invoke("-o", "here")[0] == Toy(Path("here"))


def test_options_set_fields() -> None:
    words = "--out there --json --long-name 3 --no-page --set a=b --set c=d=e --pair x y --time 2m --memory 1G"
    fixed = (("a", "b"), ("c", "d=e"))
    assert invoke(*words.split())[0] == Toy(Path("there"), True, 3, False, fixed, ("x", "y"), 120.0, 1 << 30)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "Missing option '--out' / '-o'"),
        ("-o x --long-name 0", "0 is not in the range x>=1"),
        ("-o x --hidden 1", "No such option '--hidden'"),
        ("-o x --set a", "read 'a', expected NAME=VALUE, such as players=3."),
        ("-o x --time 2h", "read '2h', expected a time above 0 and at most 1h."),
        (f"-o x --folder {__file__}", f"Directory '{__file__}' is a file."),
        ("-o x --memory 0", "read '0', expected a size above 0."),
    ],
)
def test_wrong_values_are_refused(words: str, says: str) -> None:
    settings, output = invoke(*words.split())
    assert settings is None
    assert says in output.replace("'-o' / '--out'", "'--out' / '-o'")


def test_the_help_shows_defaults_with_their_units() -> None:
    output = " ".join(invoke("--help")[1].split())
    assert "--time TIME a limit [default: 90s]" in output
    assert "--memory SIZE a limit [default: 512M]" in output
    assert "--folder DIR a folder" in output
    assert "a page [default" not in output


def test_the_help_of_limits_names_all() -> None:
    assert f": {', '.join(Limits.__struct_fields__)};" in LIMIT_HELP
