"""`ludoteca judge GAME [PART] -- PROGRAM`: test a program against the document that it implements."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import click

from ludoteca.cli.options import COUNT, FILE, Duration, GameName, SeedNumber, Size
from ludoteca.cli.settings import Json, Language, Setting, SettingsCommand
from ludoteca.core import registry

CHECKER_SEED: Final = 1
"""The default seed of a checker's cases. It differs from the seed of the cases for marks."""
SEED_HELP: Final = f"the same seed gives the same cases  [default: 0; of a checker {CHECKER_SEED}]"
CARDS_HELP: Final = "the form of cards in the input, for parts with a choice"
HTML_HELP: Final = "write the report to this page; with --all, an index and a page for each submission to this folder"
EXPORT_HELP: Final = (
    "write the cases to a new folder, for another judge (mooshak, domjudge, vpl), or to a new file, as a "
    "checker for students (checker). Students can read the cases of a checker, so marks need another --seed"
)
MUTANTS_HELP: Final = "show the cases that find each wrong program in this folder"
LANGUAGES_HELP: Final = (
    'instead of --compile: a TOML file with a command for each ending of source files, such as ".c" = "gcc ..."'
)


@dataclass(frozen=True)
class JudgeSettings:
    """The options of `ludoteca judge`."""

    cases: Annotated[int | None, Setting("the number of cases  [default: enough to cover the document]", COUNT)] = None
    seed: Annotated[int | None, Setting(SEED_HELP, SeedNumber())] = None
    time: Annotated[float, Setting("limit of a case: processor time", Duration())] = 5.0
    memory: Annotated[int, Setting("limit of a case: memory", Size())] = 1 << 30
    output: Annotated[int, Setting("limit of a case: output", Size())] = 8 << 20
    language: Language = None
    json: Json = False
    html: Annotated[Path | None, Setting(HTML_HELP)] = None
    export: Annotated[tuple[str, str] | None, Setting(EXPORT_HELP, metavar="KIND PATH")] = None
    all: Annotated[Path | None, Setting("judge each file, folder and zip archive in this folder", metavar="DIR")] = None
    mutants: Annotated[Path | None, Setting(MUTANTS_HELP, metavar="DIR")] = None
    csv: Annotated[Path | None, Setting("with --all: write a row for each submission", metavar="FILE")] = None
    compile: Annotated[str, Setting("with --all or --mutants: make {program} from {source}", metavar="COMMAND")] = ""
    languages: Annotated[Path | None, Setting(LANGUAGES_HELP, FILE)] = None
    compile_time: Annotated[float, Setting("limit of compiling a submission, on the clock", Duration())] = 120.0
    cards: Annotated[str | None, Setting(CARDS_HELP, click.Choice(["joined", "spaced", "words"]))] = None
    contest: Annotated[bool, Setting("write the input of the course's contest, for parts with one")] = False
    ignore_blanks: Annotated[bool, Setting("accept an output with other blanks and line ends")] = False
    weights: Annotated[Path | None, Setting("a TOML file with the weights of rules", FILE)] = None
    list: Annotated[bool, Setting("list the parts, the rules that cases test, and the source of each rule")] = False


@click.command(name="judge", cls=SettingsCommand, settings=JudgeSettings)
@click.argument("game", type=GameName())
@click.argument("words", nargs=-1, metavar="[PART] -- PROGRAM [ARGUMENTS]...")
def command(game: str, words: tuple[str, ...], settings: JudgeSettings) -> None:
    """Mark a program that implements a document of GAME.

    The program gets cases that are made from the rules. Its whole output is compared with the right one. The exit status of
    this command is 0 only for Accepted.
    """
    spec = registry.find(game)
    if settings.cards and settings.contest:
        raise click.UsageError("--cards and --contest exclude each other")
    if settings.compile and settings.languages:
        raise click.UsageError("--compile and --languages exclude each other")
    from ludoteca.cli.marking import run  # NumPy and the judge, which wrong options do not need

    run(spec, words, settings)
