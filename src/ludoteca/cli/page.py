"""The files of a match or a tournament: results as JSON and CSV, and a page with all games."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ludoteca.arena.figures.ratings import Results
from ludoteca.arena.figures.report import html
from ludoteca.arena.figures.tables import write_csv, write_json
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import ArenaError
from ludoteca.arena.matches.tournament import Tournament
from ludoteca.cli.progress import progress
from ludoteca.core.formats import Place

MOST_ON_A_PAGE: Final = 1000
"""The maximum number of games on a page, unless the user requests more."""


def write_results(
    folder: Path,
    facts: Mapping[str, object],
    standings: Sequence[Place],
    found: Results,
    games: Sequence[Played],
    page: bool | None,
) -> None:
    """Write the files, with a page by default if it is not too large. Raises ArenaError."""
    if page is None and len(games) > MOST_ON_A_PAGE:
        sys.stderr.write(f"ludoteca: no page was made for more than {MOST_ON_A_PAGE:,} games: use --page to make it\n")
    try:
        write_json(found, folder / "results.json")
        write_csv(found, folder / "results.csv")
        if page or (page is None and len(games) <= MOST_ON_A_PAGE):
            with progress("Making the page with all games") as watch:
                content = html(found, games, folder.absolute().name, facts, standings, watch)
            (folder / "results.html").write_text(content, encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"{folder}: {error.strerror}; all games are stored, --show writes the results again") from None


def facts_of(tournament: Tournament, seed: int | None) -> dict[str, object]:
    """Return the settings on the page. The seed is shown only after the last game."""
    game = tournament.new_game()
    return {
        "game": game.spec.title,
        **game.parameters,
        "format": tournament.format,
        **tournament.options,
        "deals": tournament.deals or "those of the format",
        "drawn first moves": tournament.opening,
        **({} if seed is None else {"seed": seed}),
        **{f"bot {entrant.name}": entrant.agent or " ".join(entrant.command) for entrant in tournament.entrants},
    }
