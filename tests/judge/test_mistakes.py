"""A small mistake in a right program of another hand leads to the sentence that it breaks."""

import sys
from pathlib import Path

import pytest

from ludoteca.judge.causes import cause, spectrum_of
from ludoteca.judge.programs import Boxed
from ludoteca.judge.shrinking import Shrunk
from ludoteca.judge.verdicts import Verdict, verdict_on
from tests.judge.test_documents import cases_of, parts_of
from tests.judge.test_right import LIMITS, RIGHT


@pytest.mark.parametrize(
    ("game", "old", "new", "branch"),
    [
        ("okupacio", "for c in range(game.width)) + WALL)", "for c in range(game.width)))", "shows.walls"),
        ("okupacio", "2 <= int(word) <= 10", "1 <= int(word) <= 10", "players.few"),
        ("conclave", "2 <= count <= 4", "2 <= count <= 5", "wrong-players"),
    ],
)
def test_a_mistake_leads_to_its_sentence(game: str, old: str, new: str, branch: str, tmp_path: Path) -> None:
    text = (RIGHT / game / f"{game}.py").read_text(encoding="utf-8")
    assert text.count(old) == 1
    file = tmp_path / f"{game}.py"
    file.write_text(text.replace(old, new), encoding="utf-8")
    part, cases = parts_of(game)[""], cases_of(game, "")
    with Boxed(part, [sys.executable, str(file)], LIMITS) as boxed:
        results = {number: verdict_on(part, case, boxed.run(case), LIMITS) for number, case in enumerate(cases)}
    first = next(number for number, result in results.items() if result.verdict != Verdict.ACCEPTED)
    found = cause(part, Shrunk(cases[first], results[first], 0), spectrum_of(part, cases, results))
    assert found.branch
    assert found.branch.key == branch
