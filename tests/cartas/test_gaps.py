"""Wrong programs that are drawn from the functions of the guiões are found by the default cases, or have a reason."""

import tomllib
from pathlib import Path
from typing import Final

import pytest
from tools import gaps

REASONS: Final = tomllib.loads(Path(__file__).with_name("gaps.toml").read_text("utf-8"))


@pytest.mark.parametrize("document", REASONS)
def test_a_wrong_program_is_found_or_has_a_reason(document: str) -> None:
    cases = gaps.cases_of(document)
    accepted = {change.shown for change in gaps.drawn(document) if gaps.accepted(document, change.mutant, cases)}
    assert accepted == REASONS[document].keys()
