"""What the documents' programs repeat of a line that they cannot read is short, however long the line is."""

from itertools import product

import pytest

from ludoteca.core import console, registry

LONG = 100_000 * "9"
NAMES = "Ana, Bruno\n"
SPACES = "".join(f"{x} 1 R{times}\n" for x, times in product(range(1, 9), range(4)))
"""So many tries to add the first tile that one of them is right."""

WRONG = [
    ("cartas", [LONG], ""),
    ("cartas", ["guiao1"], LONG),
    ("cartas", ["guiao1"], f"1\n{LONG}"),
    ("cartas", ["jogador"], 50_000 * "  " + "x" + LONG),
    ("conclave", [LONG], ""),
    ("conclave", [], LONG + "x"),
    ("conclave", [], f"1\n{LONG}x"),
    ("metro", [LONG], ""),
    ("metro", [f"--{LONG}", "1"], ""),
    ("metro", ["--seed", LONG], ""),
    ("metro", ["--side", LONG], ""),
    ("metro", ["moves"], LONG),
    ("metro", ["moves"], f"1 1 #{LONG} R0"),
    ("metro", ["--seed", "7"], LONG),
    ("metro", ["--seed", "7"], f"{SPACES}1 1 #{LONG} R0"),
    ("okupacio", [LONG], ""),
    ("qinto", [LONG], ""),
    ("qinto", [f"seed={LONG}"], ""),
    ("qinto", [f"variant={LONG}"], ""),
    ("qinto", ["seed=7"], NAMES + LONG),
    ("qinto", ["seed=7"], f"{NAMES}- {LONG}"),
    ("qinto", ["seed=7"], f"{NAMES}+ 1b@{LONG}"),
    ("qinto", ["seed=7"], f"{NAMES}+ {20_000 * '1b@1,1 '}"),
]


def lines_told(game: str, arguments: list[str], typed: str) -> list[str]:
    """All that is printed, and the complaint."""
    rest, told = iter(typed.splitlines(keepends=True)), list[str]()
    status = console.run(registry.find(game), arguments, open_none, lambda: next(rest, ""), told.append, told.append)
    assert status == 1
    return "\n".join(told).splitlines()


def open_none(name: str) -> str:
    raise FileNotFoundError(name)


@pytest.mark.parametrize(("game", "arguments", "typed"), WRONG)
def test_a_long_line_is_not_repeated_whole(game: str, arguments: list[str], typed: str) -> None:
    assert max(map(len, lines_told(game, arguments, typed))) < 300
