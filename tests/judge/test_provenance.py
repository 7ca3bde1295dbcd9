"""Each branch that is called published names its evidence in `docs/provenance.md`: sets in which it occurs, or programs."""

import re
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from ludoteca.core.judging import PUBLISHED
from ludoteca.games.cartas.judging import PARTS as GUIOES
from ludoteca.games.cartas.judging.guiao import Guiao
from tests.cartas.test_judging import published
from tests.judge.test_documents import PARTS, parts_of

GOLDEN: Final = Path(__file__).parents[3] / "shared" / "golden"
PAGE: Final = (Path(__file__).parents[2] / "docs" / "provenance.md").read_text(encoding="utf-8")
ROWS: Final = re.findall(r"^\| (.+) \| `(.+)` \| .+ \| (.+) \|$", PAGE.partition("## Cases")[2].partition("\n## ")[0], re.M)
"""The programs, the branch and the evidence of each row."""
SETS: Final = [(key, name) for _, key, evidence in ROWS for name in re.findall("`(.+?)`", evidence)]


def test_each_published_branch_names_its_evidence() -> None:
    called = [
        (name or game, branch.key)
        for game, name in PARTS
        for branch in parts_of(game)[name].branches
        if branch.source == PUBLISHED
    ]
    rows = [
        (program.strip("`").casefold(), key)
        for programs, key, evidence in ROWS
        for program in programs.split(", ")
        if "`" in evidence or "published programs" in evidence
    ]
    assert sorted(rows) == sorted(called)


def occurring(name: str) -> set[str]:
    """The branches that occur in a published set."""
    lines = (GOLDEN / f"{name}.in").read_text(encoding="utf-8").splitlines()
    if name.startswith("conclave/"):
        at = next(at for at in count(1) if lines[at] in ("2", "3", "4"))
        names = lines[at + 1 : at + 1 + int(lines[at])]
        shown = {"wrong-players": at > 1, "name-blanks": any(" " in each for each in names)}
        return {key for key in shown if shown[key]}
    part = GUIOES[name.split("/")[1]]
    assert isinstance(part, Guiao)
    return set().union(*(part.covers(test) for test in published(part.name, lines)))


@pytest.mark.skipif(not GOLDEN.exists(), reason=f"there is no folder {GOLDEN}")
def test_published_branches_occur_in_their_sets() -> None:
    assert SETS
    assert [(key, name) for key, name in SETS if key not in occurring(name)] == []
