"""The branches that may decide a wrong line, found by a comparison with the right one."""

from collections.abc import Iterator
from random import Random
from re import subn

import pytest

from ludoteca.arena.programs.box import Run
from ludoteca.arena.programs.limits import Limits
from ludoteca.core.judging import Case, Part
from ludoteca.judge.verdicts import verdict_on
from tests.judge.test_documents import cases_of, parts_of


def blamed(part: Part, case: Case, output: str) -> frozenset[str] | None:
    """The branches for the first wrong line of an output. None if it is right, or if the line is not known."""
    found = verdict_on(part, case, Run(output.encode(), 0), Limits(move=1.0)).difference
    if found is None:
        return None
    before = sum(each.output.count("\n") for each in case.steps[: found.step])
    return part.decisive(case, found.step, "".join(output.splitlines(keepends=True)[before:]))


@pytest.mark.parametrize(
    ("game", "pattern", "instead", "branches"),
    [
        ("okupacio", "^BENVINGUTS.*", "HOLA", {"format"}),
        ("okupacio", "(?m)^ {6}JUGADOR(.*)", r" -----JUGADOR\1", {"table.columns"}),
        ("okupacio", "(?m)^( +A +)1( +0 +0)$", r"\g<1>0\2", {"table.cells"}),
        ("okupacio", "(?m)^( +A +1 +)0( +0)$", r"\g<1>1\2", {"stolen"}),
        ("okupacio", "(?m)^a#  ", "a#. ", {"shows.free"}),
        ("okupacio", "(?m)^ (#+)$", r"\1", {"shows.walls"}),
        ("okupacio", "(?m)^JUGADOR B$", "JUGADOR A", {"turn.next"}),
        ("okupacio", "GAME OVER", "FI", {"end.told"}),
        ("okupacio", "CAP JUGADOR CONTROLA.*", "EL JUGADOR A CONTROLA LA FILA a", {"control.row"}),
        ("conclave", r"(?s)\[([boprtv])([1-5])([cgs])\]", r"[\1\3\2]", {"card"}),
        ("conclave", r"(?s)\A((?:(?!MA DE).)*\n)\[[bort]\]  1", r"\1[p]  1", {"halves"}),
        ("conclave", r"0:(\[...\]) 1:(\[...\])", r"0:\2 1:\1", {"hands"}),
        ("conclave", r"(?m)^\[.\] (.*) 2 BERNAT$", r"[*] \1 2 BERNAT", {"backs"}),
        ("conclave", "TORN DE BERNAT", "TORN DE ANNA", {"turns"}),
        ("conclave", "NO HI HA CAP CARTA", "", {"pile-empty"}),
        ("metro", r"(?m)^(  \d+ \d+: )(#\d+ R\d), (#\d+ R\d)$", r"\1\3, \2", {"order"}),
        ("metro", r"(?m)^(open\n  1\n)  \d+ \d+:", r"\1  ?:", {"entry"}),
        ("metro", r"(?m)^(open\n  1\n  \d+ \d+:).*$", r"\1 ?", {"order"}),
        ("metro", r"(?m)^  tiles \d+$", "  tiles 8", {"game"}),
    ],
)
def test_a_wrong_line_has_few_suspects(game: str, pattern: str, instead: str, branches: set[str]) -> None:
    part = parts_of(game)[""]
    for case in cases_of(game, ""):
        output, number = subn(pattern, instead, case.output, count=1)
        if number and output != case.output and blamed(part, case, output) is not None:
            assert blamed(part, case, output) == frozenset(branches), case.input
            return
    pytest.fail("no case has such a line")


def garbled(output: str, random: Random) -> Iterator[str]:
    """The output with a line missing, twice, cut, or exchanged with another one, and with another sign."""
    lines = output.splitlines(keepends=True)
    for _ in range(6):
        at, other = random.randrange(len(lines)), random.randrange(len(lines))
        sign = random.choice("[]#: 09Aacg\n")
        cut = lines[at][: random.randrange(1 + len(lines[at]))]
        for instead in ("", lines[at] * 2, cut, f"{cut}{sign}{lines[at][len(cut) + 1 :]}", lines[other]):
            yield "".join([*lines[:at], instead, *lines[at + 1 :]])


@pytest.mark.parametrize("game", ["conclave", "metro", "okupacio"])
def test_any_output_has_suspects(game: str) -> None:
    part, random = parts_of(game)[""], Random(0)
    keys = {branch.key for branch in part.branches}
    for case in cases_of(game, ""):
        for output in garbled(case.output, random):
            found = blamed(part, case, output)
            assert found is None or found <= keys
