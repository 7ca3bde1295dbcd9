"""Every small change of the functions that implement a document is found by its default cases, or listed with a reason."""

import tomllib
from pathlib import Path

import pytest
from tools import gaps

REASONS = tomllib.loads(Path(__file__).with_name("gaps.toml").read_text("utf-8"))


def check(document: str, changes: list[gaps.Change]) -> None:
    """The changes that the cases accept are those of the table."""
    cases = gaps.cases_of(document)
    accepted = {change.shown for change in changes if gaps.accepted(document, change.mutant, cases)}
    assert accepted == {change.shown for change in changes} & REASONS[document].keys()


@pytest.mark.parametrize("document", REASONS)
def test_some_changes_are_found_or_listed(document: str) -> None:
    check(document, gaps.drawn(document)[::20])


@pytest.mark.soak
@pytest.mark.parametrize("document", REASONS)
def test_all_changes_are_found_or_listed(document: str) -> None:
    changes = gaps.drawn(document)
    check(document, changes)
    assert REASONS[document].keys() <= {change.shown for change in changes}
