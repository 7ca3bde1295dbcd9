"""What `ludoteca console --help` tells: which games have programs, and what a program reads, as its game's folder says."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from ludoteca.core import registry
from ludoteca.core.errors import ContractError
from ludoteca.core.spec import GameSpec


def programs() -> list[tuple[str, str]]:
    """The arguments of `ludoteca console` for each game that has a program, and the game's title."""
    return [
        (f"{spec.name} {'|'.join(spec.programs)}".rstrip(), spec.title) for spec in registry.games() if spec.has("console")
    ]


def help_of(spec: GameSpec, arguments: Sequence[str]) -> str:
    """The file `help/WORD.txt` of a game for the first argument, where there is one, else `help/console.txt`.

    Raises ContractError when the game has neither.
    """
    folder = Path(import_module(spec.package).__path__[0]) / "help"
    for name in [*(word for word in arguments[:1] if word.isalnum()), "console"]:
        file = folder / f"{name}.txt"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    raise ContractError(f"{spec.name} has no help/console.txt in {spec.package}")
