"""What ships, by its cards: the table of docs/training.md.

python benchmarks/shipped.py
"""

import shlex
from typing import Final

from ludoteca.core import registry
from ludoteca.core.value import read_card

LONG: Final = 20
"""Longer words, such as a board with holes, are cut."""


def main() -> None:
    print("| file | `ludoteca train` | time | games | at one ply |\n|---|---|---:|---:|---|")
    for name in registry.names():
        spec = registry.find(name)
        for file in sorted(spec.file("weights").glob("*.npz")):
            card = read_card(file)
            words = shlex.split(str(card["command"]).removeprefix("ludoteca train ").partition(" --cores ")[0])
            told = shlex.join(word if len(word) <= LONG else f"{word[:LONG]}..." for word in words)
            took = f"{card['seconds'] / 60:.0f} m" if "seconds" in card else ""
            strength = str(card["strength"]).removesuffix(", at one ply").removesuffix(", by the likeliest option")
            print(f"| `{name}/weights/{file.name}` | `{told}` | {took} | {card['games']:,} | {strength} |")


if __name__ == "__main__":
    main()
