"""The card of a dataset: what it holds and how it was made, as facts with names and as Markdown."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from ludoteca.envs.dataset.about import About

HERE: Final = ("date", "machine")
"""The facts that the card alone holds: files that are made again are the same."""
MOST: Final = 1 << 16
"""Characters of a card that are looked through for them."""


def facts(about: About, games: str, positions: str) -> dict[str, str]:
    """What a dataset holds and how it was made, by name."""
    return {
        "game": f"{about.game}, version {about.rules} of its rules",
        **{name: str(value) for name, value in about.parameters.items()},
        "games": games,
        "positions": positions,
        **about.made,
        "written by": f"Ludoteca {about.ludoteca}, version {about.version} of the format",
    }


def markdown(about: About, name: str, known: Mapping[str, str], fields: Iterable[Any]) -> str:
    """The card of the file of that name; `known` is what `facts` gives, and when and where the file was made."""
    lines = [
        f"# {name}",
        "",
        f"{known['positions']} positions of {known['games']} games of {about.game}, written by Ludoteca.",
        "",
        "| | |",
        "|---|---|",
        *(f"| {key} | {_cell(value)} |" for key, value in known.items()),
        "",
        "Columns whose names begin with `secret_` tell what some player may not know. So does the table of games: its",
        "`secret_start` and `secret_actions` lead to every position.",
        "",
        "| column | type | meaning |",
        "|---|---|---|",
        *(f"| `{field.name}` | {field.type} | {_cell(meaning_of(field))} |" for field in fields),
        "",
        "A raw position consists of these fields, packed, in this order (NumPy's names of types):",
        "",
        "| field | type | shape |",
        "|---|---|---|",
        *(f"| `{field.name}` | `{field.type}` | {' x '.join(map(str, field.shape)) or '1'} |" for field in about.layout),
        "",
    ]
    return "\n".join(lines)


def read_here(card: Path) -> dict[str, str]:
    """When and where a file was made, as its card says; nothing where there is no card."""
    try:
        with card.open(encoding="utf-8", errors="replace") as file:
            rows = [line.strip().strip("|").split("|", 1) for line in file.read(MOST).splitlines()]
    except OSError:
        return {}
    return {row[0].strip(): row[1].strip() for row in rows if len(row) == 2 and row[0].strip() in HERE}


def meaning_of(field: Any) -> str:
    """The meaning that the metadata of a field give."""
    return str((field.metadata or {}).get(b"meaning", b"").decode("utf-8", "replace"))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
