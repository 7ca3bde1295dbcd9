"""`ludoteca record`: show, verify and draw the record of a game. Only pictures load the libraries for them."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import click

from ludoteca.cli.files import replay_record, write_file
from ludoteca.cli.options import EXISTING_FILE, Duration
from ludoteca.cli.progress import progress
from ludoteca.cli.settings import Language, Setting, SettingsCommand, usual_language
from ludoteca.cli.streams import replace_signs, say
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import State
from ludoteca.core.messages import catalogue, in_words
from ludoteca.core.record import FromPosition, Record
from ludoteca.core.svg import THEMES, paint
from ludoteca.core.words import counted

STANDARD_OUTPUT: Final = Path("-")
TARGET: Final = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
WIDEST: Final = 8000
Width = Annotated[int | None, Setting("the width in pixels", click.IntRange(16, WIDEST))]
OUT_HELP: Final = "write to this file, or - for standard output  [default: next to FILE, with another extension]"
MOVE_HELP: Final = "draw the position after this many moves; 0 is the start  [default: the end]"
PLAIN_HELP: Final = "write SVG without variables of CSS, for other programs than browsers (needs ludoteca[pictures])"
FILE_ARGUMENT: Final = click.argument("file", type=EXISTING_FILE)


@dataclass(frozen=True)
class PictureSettings:
    """The options of all pictures."""

    out: Annotated[Path | None, Setting(OUT_HELP, TARGET, "-o", "--out")] = None
    seat: Annotated[int | None, Setting("show the view of this seat; 1 moves first  [default: a spectator's view]")] = None
    theme: Annotated[str, Setting("the colours", click.Choice(THEMES))] = "light"
    language: Language = None


@dataclass(frozen=True)
class StillSettings(PictureSettings):
    """The options of pictures without motion."""

    move: Annotated[int | None, Setting(MOVE_HELP)] = None


@dataclass(frozen=True)
class SvgSettings(StillSettings):
    """The options of `ludoteca record svg`."""

    plain: Annotated[bool, Setting(PLAIN_HELP)] = False


@dataclass(frozen=True)
class PngSettings(StillSettings):
    """The options of `ludoteca record png`."""

    width: Width = None


@dataclass(frozen=True)
class GifSettings(PictureSettings):
    """The options of `ludoteca record gif`."""

    width: Width = None
    delay: Annotated[float, Setting("the time of each frame", Duration(0.02, 600))] = 1.0


class Wish(NamedTuple):
    """The picture that the options describe."""

    state: State
    """The state to draw. For a picture of a whole game, it is the last state."""
    moves: int
    """The number of moves of the whole record."""
    player: int
    theme: str
    language: str

    @property
    def title(self) -> str:
        """The title in the file."""
        spec = self.state.game.spec
        task = in_words(self.state.scene(self.player).task, catalogue(spec.package, self.language))
        return f"{spec.title}: {task}"

    def picture(self) -> str:
        """Return the picture as SVG."""
        return paint(self.state.game.spec, self.state.scene(self.player), self.theme, language=self.language)

    def described(self) -> str:
        """Return a description of the picture, for the user."""
        reached = len(self.state.history())
        of = f" of {self.moves}" if reached < self.moves else ""
        return f"the position after {counted(reached, 'move')}{of}"


@click.group(name="record")
def command() -> None:
    """Show, verify or draw the record of a game."""


@command.command()
@FILE_ARGUMENT
def show(file: Path) -> None:
    """Replay a record and print its parameters, start, actions, last position and result."""
    record, state = replay_record(file)
    replace_signs(getattr(state.game.notation, "PLAIN", {}))
    say("\n".join(describe(record, state)))


@command.command()
@FILE_ARGUMENT
def verify(file: Path) -> None:
    """Replay a record and compare its result. The exit status is 1, with the reason, if the record is wrong."""
    record, state = replay_record(file)
    ending = "its result holds" if state.is_terminal() else "the game is not finished"
    say(f"{file}: a record of {record.game}, {counted(len(record.actions), 'action')}, all legal; {ending}")


def describe(record: Record, state: State) -> Iterator[str]:
    """Yield the lines of `show`."""
    start = record.start.position if isinstance(record.start, FromPosition) else f"seed {int(record.start):#x}"
    yield f"game        {state.game.spec.title} ({record.game}, version {record.rules} of its rules)"
    yield from (f"{name:<12}{value}" for name, value in state.game.parameters.items())
    yield f"start       {start}"
    yield f"actions     {len(record.actions)}: {' '.join(record.actions)}"
    yield f"position    {state}"
    if state.is_terminal():
        yield f"scores      {', '.join(map(str, state.scores()))}"
        yield f"returns     {', '.join(f'{value:g}' for value in state.returns())}"
    else:
        yield "result      the game is not finished"


@command.command(cls=SettingsCommand, settings=SvgSettings)
@FILE_ARGUMENT
def svg(file: Path, settings: SvgSettings) -> None:
    """Draw the position at the end of a record, or an earlier one, as SVG."""
    target, wish = _target(file, settings, ".svg"), _wish(file, settings, settings.move)
    picture = wish.picture()
    if settings.plain:
        from ludoteca.pictures.plain import plain_maker

        picture = plain_maker(wish.state.game.spec, wish.theme).make(picture)
    _write(target, picture.encode(), wish.described())


@command.command(cls=SettingsCommand, settings=PngSettings)
@FILE_ARGUMENT
def png(file: Path, settings: PngSettings) -> None:
    """Draw the position at the end of a record, or an earlier one, as PNG."""
    from ludoteca.pictures import files

    target, wish = _target(file, settings, ".png"), _wish(file, settings, settings.move)
    with progress("Drawing", measured=False):
        content = files.png(wish.state.game.spec, wish.picture(), wish.theme, wish.title, settings.width)
    _write(target, content, wish.described())


@command.command(cls=SettingsCommand, settings=GifSettings)
@FILE_ARGUMENT
def gif(file: Path, settings: GifSettings) -> None:
    """Draw a whole record as an animated GIF, with one frame for each move. The last frame stays longer."""
    from ludoteca.pictures import files
    from ludoteca.pictures.tiles import WIDTH_PIXELS

    target, wish = _target(file, settings, ".gif"), _wish(file, settings)
    with progress("Drawing") as watch:
        width = settings.width or WIDTH_PIXELS
        content = files.gif(wish.state, wish.player, wish.theme, width, settings.delay, wish.title, watch)
    _write(target, content, f"the game in {counted(wish.moves, 'move')}")


def _target(file: Path, settings: PictureSettings, ending: str) -> Path:
    """Return the file to write. `ending` is the extension that it must have. Raises ParameterError if the file would replace
    another one without a request, has another extension, or is a terminal that cannot show pictures.
    """
    out = settings.out
    if out is None:
        target = file.with_suffix(ending)
        if target.exists():
            raise ParameterError(f"{target} exists already: use -o to write another file, or to replace this one")
        return target
    if out == STANDARD_OUTPUT:
        if sys.stdout.isatty() and ending != ".svg":
            raise ParameterError("out: standard output is a terminal, which cannot show pictures")
    elif out.suffix.lower() != ending:
        raise ParameterError(f"out: read {out}, expected a name that ends in {ending}")
    return out


def _wish(file: Path, settings: PictureSettings, move: int | None = None) -> Wish:
    """Return the picture of the record in `file` that the options describe. It shows the position after `move` moves, or the
    last one if `move` is None.

    Raises LudotecaError if the record cannot be replayed, or if it has no such seat or move.
    """
    record, state = replay_record(file)
    players, moves = state.game.num_players(), len(record.actions)
    if settings.seat is not None and settings.seat not in range(1, players + 1):
        raise ParameterError(f"seat: read {settings.seat}, expected 1 to {players}")
    if move is not None:
        if move not in range(moves + 1):
            raise ParameterError(f"move: read {move}, expected 0 to {moves}")
        state = next(now for number, now in enumerate(state.states()) if number == move)
    player = SPECTATOR if settings.seat is None else settings.seat - 1
    return Wish(state, moves, player, settings.theme, settings.language or usual_language())


def _write(target: Path, content: bytes, described: str) -> None:
    """Write a picture to the file or to standard output. For a file, also print its name and `described`, the description of
    the picture.

    Raises ParameterError if the file cannot be written.
    """
    if target == STANDARD_OUTPUT:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        write_file(target, content)
        say(f"{target}: {described}")
