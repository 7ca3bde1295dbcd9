"""`ludoteca games`: the games and their parameters."""

import click

from ludoteca.cli.options import GameName
from ludoteca.cli.streams import say
from ludoteca.core import registry
from ludoteca.core.spec import GameSpec, possible


@click.command(name="games")
@click.argument("game", type=GameName(), required=False)
def command(game: str | None) -> None:
    """List the games, or what can be chosen for GAME."""
    chosen = [registry.find(game)] if game else registry.registered_games()
    say("\n\n".join(describe(spec) for spec in chosen))


def describe(spec: GameSpec) -> str:
    """The game's name, title and summary, and two lines per parameter."""
    lines = [f"{spec.name}: {spec.title}, {spec.summary}"]
    for kind in spec.parameters:
        lines += [f"  {kind.name} = {kind.default}", f"      {kind.help}: {possible(kind)}"]
    if spec.has("console"):
        program = f" {'|'.join(spec.programs)}" if spec.programs else ""
        lines.append(f"  the document's program: ludoteca console {spec.name}{program}")
    return "\n".join(lines)
