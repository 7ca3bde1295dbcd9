"""`ludoteca record show|verify`: what a record says, and whether it is true."""

from pathlib import Path

import click

from ludoteca.cli.files import read_record
from ludoteca.cli.streams import replace_signs, say
from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import State, open_record
from ludoteca.core.record import FromPosition, Record
from ludoteca.core.words import counted

_FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.group(name="record", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Show or verify the record of a game."""


@command.command()
@_FILE
def show(file: Path) -> None:
    """Print what a record holds, replaying it: parameters, start, actions, the position at the end, the result."""
    record = read_record(file)
    state = _replay(file, record)
    say("\n".join(describe(record, state)))


@command.command()
@_FILE
def verify(file: Path) -> None:
    """Replay a record and compare; exit status 1, with the reason, when it does not hold."""
    record = read_record(file)
    state = _replay(file, record)
    ending = "its result holds" if state.is_terminal() else "the game is not finished"
    say(f"{file}: a record of {record.game}, {counted(len(record.actions), 'action')}, all legal; {ending}")


def _replay(file: Path, record: Record) -> State:
    try:
        state = open_record(record)
    except LudotecaError as error:
        raise type(error)(f"{file}: {error}") from None
    replace_signs(getattr(state.game.notation, "PLAIN", {}))
    return state


def describe(record: Record, state: State) -> list[str]:
    """The lines of `show`."""
    chosen = [f"{name:<12}{value}" for name, value in state.game.parameters.items()]
    start = record.start.position if isinstance(record.start, FromPosition) else f"seed {int(record.start):#x}"
    ending = _result(state) if state.is_terminal() else ["result      the game is not finished"]
    return [
        f"game        {state.game.spec.title} ({record.game}, version {record.rules} of its rules)",
        *chosen,
        f"start       {start}",
        f"actions     {len(record.actions)}: {' '.join(record.actions)}",
        f"position    {state}",
        *ending,
    ]


def _result(state: State) -> list[str]:
    scores = ", ".join(str(score) for score in state.scores())
    returns = ", ".join(f"{value:g}" for value in state.returns())
    return [f"scores      {scores}", f"returns     {returns}"]
