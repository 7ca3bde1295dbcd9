"""Print the cards of the weights that ship with the games.

Figures: docs/training.md#what-ships
"""

import shlex
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Final

from benchmarks.measuring import print_header, print_row
from ludoteca.core import registry
from ludoteca.core.value import read_card

WORD_CHARACTERS: Final = 20
"""Longer words, such as a board with holes, are cut."""


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.parse_args(arguments)
    print_header("file", "`ludoteca train`", "time", "games", "at one ply")
    for name in registry.names():
        for file in sorted(registry.find(name).file("weights").glob("*.npz")):
            card = read_card(file)
            words = shlex.split(str(card["command"]).removeprefix("ludoteca train ").partition(" --cores ")[0])
            short = (word if len(word) <= WORD_CHARACTERS else f"{word[:WORD_CHARACTERS]}..." for word in words)
            took = f"{card['seconds'] / 60:.0f} m" if "seconds" in card else ""
            strength = str(card["strength"]).removesuffix(", at one ply").removesuffix(", by the likeliest option")
            print_row(f"`{name}/weights/{file.name}`", f"`{shlex.join(short)}`", took, f"{card['games']:,}", strength)
