"""`ludoteca record`: show and verify the record of a game. `pictures.py` draws it."""

from pathlib import Path

import click

from ludoteca.cli import pictures
from ludoteca.cli.files import replay_record
from ludoteca.cli.streams import replace_signs, say
from ludoteca.core.game import State
from ludoteca.core.record import FromPosition, Record
from ludoteca.core.words import counted


@click.group(name="record")
def command() -> None:
    """Show, verify or draw the record of a game."""


for _drawing in (pictures.svg, pictures.png, pictures.gif):
    command.add_command(_drawing)


@command.command()
@pictures.FILE_ARGUMENT
def show(file: Path) -> None:
    """Replay a record and print its parameters, start, actions, last position and result."""
    record, state = replay_record(file)
    replace_signs(getattr(state.game.notation, "PLAIN", {}))
    say("\n".join(describe(record, state)))


@command.command()
@pictures.FILE_ARGUMENT
def verify(file: Path) -> None:
    """Replay a record and compare its result. The exit status is 1, with the reason, if the record is wrong."""
    record, state = replay_record(file)
    ending = "its result holds" if state.is_terminal() else "the game is not finished"
    say(f"{file}: a record of {record.game}, {counted(len(record.actions), 'action')}, all legal; {ending}")


def describe(record: Record, state: State) -> list[str]:
    """Return the lines of `show`."""
    start = record.start.position if isinstance(record.start, FromPosition) else f"seed {int(record.start):#x}"
    lines = [
        f"game        {state.game.spec.title} ({record.game}, version {record.rules} of its rules)",
        *(f"{name:<12}{value}" for name, value in state.game.parameters.items()),
        f"start       {start}",
        f"actions     {len(record.actions)}: {' '.join(record.actions)}",
        f"position    {state}",
    ]
    if state.is_terminal():
        scores = ", ".join(str(score) for score in state.scores())
        returns = ", ".join(f"{value:g}" for value in state.returns())
        return [*lines, f"scores      {scores}", f"returns     {returns}"]
    return [*lines, "result      the game is not finished"]
