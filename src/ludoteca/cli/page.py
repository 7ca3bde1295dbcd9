"""The page with a tournament's results, written beside the stored games."""

from collections.abc import Sequence
from pathlib import Path

from ludoteca.arena.ratings import Results
from ludoteca.arena.report import html
from ludoteca.arena.results import Played
from ludoteca.arena.tournament import Tournament
from ludoteca.cli.progress import progress
from ludoteca.core.formats import Place


def write_page(
    file: Path, tournament: Tournament, seed: int, standings: Sequence[Place], found: Results, games: Sequence[Played]
) -> None:
    """Write the page. Raises OSError."""
    game = tournament.new_game()
    facts = {
        "game": game.spec.title,
        **game.parameters,
        "format": tournament.format,
        **tournament.options,
        "deals": tournament.deals or "those of the format",
        "seed": seed,
        **{f"bot {entrant.name}": entrant.agent or " ".join(entrant.command) for entrant in tournament.entrants},
    }
    with progress("Making the page with all games") as watch:
        content = html(found, games, file.parent.absolute().name, facts, standings, watch)
    file.write_text(content, encoding="utf-8")
