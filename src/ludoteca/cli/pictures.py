"""`ludoteca record svg|png|gif`: pictures of the record of a game.

`record show` and `record verify` load this module too, so its functions import the libraries for pictures.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from ludoteca.cli.files import replay_record
from ludoteca.cli.options import Duration
from ludoteca.cli.streams import say
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import State
from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.core.sheet import Sheet, lay_out
from ludoteca.core.svg import THEMES, paint
from ludoteca.core.words import counted

STANDARD_OUTPUT: Final = Path("-")
WIDEST: Final = 8000
_FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_OUT = click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="write to this file, or - for standard output  [default: next to FILE, with another ending; sheets end in -sheet]",
)
_SEAT = click.option("--seat", type=int, help="show the view of this seat; 1 moves first  [default: a spectator's view]")
_THEME = click.option("--theme", type=click.Choice(THEMES), default="light", show_default=True)
_WIDTH = click.option("--width", type=click.IntRange(16, WIDEST), help="the width in pixels")


class Wish(NamedTuple):
    """A picture that the user requests."""

    state: State
    """The state after the last move of the picture."""
    moves: int
    """The number of moves of the whole record."""
    player: int
    theme: str
    language: str
    contact: Sheet | None
    """The sheet, if the user requests one."""

    @property
    def title(self) -> str:
        """The title in the file."""
        spec = self.state.game.spec
        task = in_words(self.state.scene(self.player).task, catalogue(spec.package, self.language))
        return f"{spec.title}: {task}"

    def picture(self) -> str:
        """Return the picture as SVG."""
        if self.contact:
            return self.contact.paint(self.theme, self.language)
        return paint(self.state.game.spec, self.state.scene(self.player), self.theme, language=self.language)

    def described(self) -> str:
        """Return a description of the picture, for the user."""
        reached = len(self.state.history())
        what = "the game in" if self.contact else "the position after"
        of = f" of {self.moves}" if reached < self.moves else ""
        return f"{what} {counted(reached, 'move')}{of}"


def _still(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of pictures without motion."""
    options = [
        _FILE,
        _OUT,
        click.option("--move", type=int, help="draw the position after this many moves; 0 is the start  [default: the end]"),
        _SEAT,
        _THEME,
        click.option(
            "--sheet", "contact", is_flag=True, help="draw the game up to this position, with its positions in rows"
        ),
        click.option(
            "--every", type=click.IntRange(min=1), help="the number of moves from one position of a sheet to the next"
        ),
        click.option("--columns", type=click.IntRange(min=1), help="the number of positions in a row of a sheet"),
        click.option(
            "--language",
            type=click.Choice(sorted(LANGUAGES)),
            help="the language of the title  [default: that of LC_ALL or LANG]",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@_still
@click.option(
    "--plain",
    is_flag=True,
    help="write SVG without variables of CSS, for other programs than browsers (needs ludoteca[pictures])",
)
def svg(file: Path, out: Path | None, plain: bool, **chosen: Any) -> None:
    """Draw a record as SVG: the position at the end, or the whole game as a contact sheet."""
    target, wish = _target(file, out, ".svg", chosen["contact"]), _wish(file, **chosen)
    picture = wish.picture()
    if plain:
        from ludoteca.pictures.plain import plain_maker

        picture = plain_maker(wish.state.game.spec, wish.theme).make(picture)
    _write(target, picture.encode(), wish.described())


@click.command()
@_still
@_WIDTH
def png(file: Path, out: Path | None, width: int | None, **chosen: Any) -> None:
    """Draw a record as PNG: the position at the end, or the whole game as a contact sheet."""
    from ludoteca.cli.progress import progress
    from ludoteca.pictures import files

    target, wish = _target(file, out, ".png", chosen["contact"]), _wish(file, **chosen)
    with progress("Drawing", measured=False):
        if wish.contact:
            content = files.sheet_png(wish.contact, wish.theme, wish.title, width)
        else:
            content = files.png(wish.state.game.spec, wish.picture(), wish.theme, wish.title, width)
    _write(target, content, wish.described())


@click.command()
@_FILE
@_OUT
@_SEAT
@_THEME
@_WIDTH
@click.option("--delay", type=Duration(0.02, 600), default="1s", show_default=True, help="the time of each frame")
@click.option(
    "--language", type=click.Choice(sorted(LANGUAGES)), help="the language of the title  [default: that of LC_ALL or LANG]"
)
def gif(file: Path, out: Path | None, width: int | None, delay: float, **chosen: Any) -> None:
    """Draw a whole record as an animated GIF, with one frame for each move. The last frame stays longer."""
    from ludoteca.cli.progress import progress
    from ludoteca.pictures import files
    from ludoteca.pictures.tiles import WIDTH_PIXELS

    target, wish = _target(file, out, ".gif"), _wish(file, **chosen)
    with progress("Drawing") as watch:
        content = files.gif(wish.state, wish.player, wish.theme, width or WIDTH_PIXELS, delay, wish.title, watch)
    _write(target, content, f"the game in {counted(wish.moves, 'move')}")


def _target(file: Path, out: Path | None, ending: str, contact: bool = False) -> Path:
    """Return the file to write. Raises ParameterError if it would replace another file, or is probably a mistake."""
    if out is None:
        target = file.with_name(f"{file.stem}{'-sheet' if contact else ''}{ending}")
        if target.exists():
            raise ParameterError(f"{target} exists already: use -o to write another file, or to replace this one")
        return target
    if out == STANDARD_OUTPUT:
        if sys.stdout.isatty() and ending != ".svg":
            raise ParameterError("out: standard output is a terminal, which cannot show pictures")
    elif out.suffix.lower() != ending:
        raise ParameterError(f"out: read {out}, expected a name that ends in {ending}")
    return out


def _wish(
    file: Path,
    seat: int | None,
    theme: str,
    language: str | None,
    move: int | None = None,
    contact: bool = False,
    every: int | None = None,
    columns: int | None = None,
) -> Wish:
    """Return the picture of a record that the options describe. Raises LudotecaError."""
    from ludoteca.cli.screen import usual_language

    if (every or columns) and not contact:
        raise click.UsageError(f"--{'every' if every else 'columns'} is for a --sheet.")
    record, state = replay_record(file)
    players, moves = state.game.num_players(), len(record.actions)
    if seat is not None and seat not in range(1, players + 1):
        raise ParameterError(f"seat: read {seat}, expected 1 to {players}")
    if move is not None and move not in range(moves + 1):
        raise ParameterError(f"move: read {move}, expected 0 to {moves}")
    if move is not None:
        state = next(now for number, now in enumerate(state.states()) if number == move)
    player = SPECTATOR if seat is None else seat - 1
    laid_out = lay_out(state, player, every, columns) if contact else None
    return Wish(state, moves, player, theme, language or usual_language(), laid_out)


def _write(target: Path, content: bytes, described: str) -> None:
    """Write a picture, and report it unless the picture itself goes to standard output. Raises ParameterError."""
    if target == STANDARD_OUTPUT:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        target.write_bytes(content)
    except OSError as error:
        raise ParameterError(f"{target} cannot be written: {error.strerror}") from None
    say(f"{target}: {described}")
