"""Marks by rule: which sentences of a document a program keeps."""

from pathlib import Path

import pytest

from ludoteca.arena.programs.box import Run
from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError
from ludoteca.core.judging import Case, Part
from ludoteca.judge.judge import Report, judge
from ludoteca.judge.pages import page
from ludoteca.judge.reports import Words, as_object, lines
from ludoteca.judge.rules import EQUAL, Rule, Status, Weights, mark, read_weights
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.verdicts import Verdict
from tests.judge.test_documents import cases_of, effects_of
from tests.judge.test_documents import judged as judged_own

OKUPACIO = registry.find("okupacio")
PART: Part = OKUPACIO.module("judging").PARTS[""]
LIMITS = Limits(move=600.0)


class Altered:
    """Our own program with an altered output."""

    isolation = "in this process"
    together = 1

    def __init__(self, *changes: tuple[str, str]) -> None:
        self._changes = changes

    def run(self, case: Case, *, terminal: bool = False) -> Run:
        output = case.output
        for old, new in self._changes:
            output = output.replace(old, new) if old else new
        return Run(output.encode(), 0)

    def close(self) -> None:
        pass


def judged(*changes: tuple[str, str]) -> Report:
    return judge(
        OKUPACIO,
        "",
        cases_of("okupacio", ""),
        [Altered(*changes)],
        LIMITS,
        effort=Effort(runs=1),
        effects=effects_of("okupacio", ""),
    )


def statuses(report: Report) -> dict[str, Status]:
    return {branch.key: rule.status for rule in report.rules for branch in rule.branches}


def test_a_program_that_prints_nothing_keeps_no_rule() -> None:
    report = judged(("", ""))
    assert Status.KEPT not in statuses(report).values()
    assert mark(report.rules, EQUAL, report.verdict) == 0


def test_every_mutant_breaks_its_own_rule_and_no_other() -> None:
    for mutant in [mutant for mutant in PART.mutants if mutant.branch][::25]:
        report = judged_own("okupacio", "", cases_of("okupacio", ""), mutant, Effort(runs=1))
        found = statuses(report)
        sentence = next(branch.sentence for branch in PART.branches if branch.key == mutant.branch)
        broken = {branch.sentence for branch in PART.branches if found[branch.key] == Status.BROKEN}
        assert broken == {sentence}, mutant.name


def test_rules_whose_lines_are_right_before_the_first_wrong_one_are_kept() -> None:
    report = judged(("JUGADOR A CONTROLA", "JUGADOR A DOMINA"), ("CAP JUGADOR", "NINGU"))
    found = statuses(report)
    assert found["table.cells"] == found["turn.next"] == Status.KEPT
    assert 0 < mark(report.rules, EQUAL, report.verdict) < 100


def test_the_report_for_programs_counts_columns_from_1() -> None:
    report = as_object(judged(("JUGADOR A CONTROLA", "JUGADOR A DOMINA")), Words(OKUPACIO, "en"), [], 0)
    difference = report["failure"]["difference"]
    assert difference["expected"][difference["column"] - 1 :].startswith("CONTROLA")


# weights


def rules(**found: Status) -> list[Rule]:
    keys = dict(zip((branch.key for branch in PART.branches), PART.branches, strict=True))
    return [Rule((keys[key.replace("_", ".")],), status) for key, status in found.items()]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (EQUAL, 50.0),
        (Weights(20.0), 10.0),
        (Weights(20.0, {"two.kept": 3.0}), 15.0),
        (Weights(10.0, {"two.kept": 0.0}), 0.0),
    ],
)
def test_a_mark_is_the_weight_of_the_kept_rules(weights: Weights, expected: float) -> None:
    found = rules(two_kept=Status.KEPT, one_free=Status.BROKEN, three_all=Status.NOT_TESTED)
    assert mark(found, weights, Verdict.WRONG) == expected


@pytest.mark.parametrize("verdict", Verdict)
def test_only_an_accepted_program_has_the_full_mark(verdict: Verdict) -> None:
    found = rules(two_kept=Status.KEPT)
    full = 1.0 if verdict == Verdict.ACCEPTED else 0.99
    assert [mark(found, Weights(points), verdict) for points in (100.0, 20.0)] == [100 * full, 20 * full]


def test_every_report_has_the_mark_of_a_program_that_is_not_accepted() -> None:
    report = judged(("GUANYADOR: ", "GUANYADOR:  "))
    report = report._replace(rules=tuple(rule._replace(status=Status.KEPT) for rule in report.rules))
    words = Words(OKUPACIO, "en")
    assert as_object(report, words, [], 0)["mark"] == 99
    assert "Mark: 99 of 100." in "\n".join(lines(report, words))
    assert "Mark: 99 of 100." in page(report, words)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("points = ", "weights"),
        ("marks = 10", "unknown field `marks`"),
        ('[rules]\n"two" = 1', "read the rule two, expected one of"),
        ('[rules]\n"two.kept" = -1', "two.kept: read -1"),
        ("points = nan", "points: read nan"),
    ],
)
def test_a_wrong_file_of_weights_is_refused_in_words(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError, match=complaint):
        read_weights(file, PART)
