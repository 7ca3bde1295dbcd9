"""The tool that looks for wrong programs which the judge's default cases accept."""

import pytest
from tools import gaps

from ludoteca.core.errors import ContractError
from ludoteca.core.judging import Mutant

CASES = gaps.cases_of("okupacio")
FALLS = ("rules", "falls")


def test_the_same_seed_gives_the_same_programs() -> None:
    assert gaps.drawn("okupacio", 3) == gaps.drawn("okupacio", 3)
    assert gaps.drawn("okupacio", 3) != gaps.drawn("okupacio", 4)
    assert len({*gaps.drawn("okupacio", 3)}) == gaps.MOST


@pytest.mark.parametrize(
    "shown",
    [
        "rules.falls: if degree < 3 or mine < degree - 1: -> if (mine < degree - 1):",
        "rules.falls: if mine == degree: -> if mine != degree:",
        "rules.idle: return i64(state.turn) - i64(state.last[player]) -> return (i64(state.turn))",
        "console.session: io.print(ASK_PLAYERS) -> None and io.print(ASK_PLAYERS)",
        "rules.apply: player = i64(state.mover) state.turn += 1 -> state.turn += 1 player = i64(state.mover)",
    ],
)
def test_every_operator_changes_the_functions_of_the_document(shown: str) -> None:
    assert shown in {change.shown for change in gaps.changes_of("okupacio")}


@pytest.mark.parametrize(
    ("new", "is_accepted"),
    [
        ("if degree == mine:", True),
        ("if mine != degree:", False),
        ("if state:", False),  # raises an exception
        ("while True: pass\n    if mine == degree:", False),  # never ends
    ],
)
def test_a_program_is_accepted_if_it_prints_what_ours_prints(
    new: str, is_accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "SECONDS", 0.2)
    mutant = Mutant(new, "", *FALLS, old="if mine == degree:", new=new)
    assert gaps.accepted("okupacio", mutant, CASES) == is_accepted


def test_a_change_that_does_not_fit_the_source_is_refused() -> None:
    with pytest.raises(ContractError):
        gaps.accepted("okupacio", Mutant("", "", *FALLS, old="nothing of this", new=""), CASES)
