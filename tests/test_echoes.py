"""The documents' programs repeat only a short part of a line that they cannot read."""

from itertools import product

import pytest

from tests.consoles import run

LONG = 100_000 * "9"
NAMES = "Ana, Bruno\n"
SPACES = "".join(f"{x} 1 R{times}\n" for x, times in product(range(1, 9), range(4)))
"""All ways to add the first tile. One of them is legal."""

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


@pytest.mark.parametrize(("game", "arguments", "typed"), WRONG)
def test_a_long_line_is_not_repeated_whole(game: str, arguments: list[str], typed: str) -> None:
    told = run(game, typed, *arguments)
    assert told.status == 1
    assert max(map(len, [*told.lines, *told.complaints])) < 300
