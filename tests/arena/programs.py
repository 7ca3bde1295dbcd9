"""Programs for tests: shell scripts that speak the line protocol, each with one difference."""

from pathlib import Path

USUAL = {
    "ludoteca": 'echo "ludoteca 1"',
    "game": ":",
    "legal": "first=${first:-$rest}",
    "move": 'echo "$first"; first=',
    "end": ":",
}


def script(folder: Path, **changed: str) -> tuple[str, ...]:
    """The command of a bot that plays the first legal move, and does something else on reading some words."""
    cases = "\n".join(f"        {word}) {does} ;;" for word, does in (USUAL | changed).items())
    text = f"first=\nwhile read -r word rest; do\n    case $word in\n{cases}\n    esac\ndone\n"
    file = folder / "bot.sh"
    file.write_text(text, encoding="utf-8")
    return ("sh", str(file))
