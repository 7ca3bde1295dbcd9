"""Marks by rule: which sentences of a document a program keeps."""

from functools import reduce
from itertools import islice
from random import Random

import pytest

from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.judging import Part
from ludoteca.judge.causes import Cause
from ludoteca.judge.classes import cells_of
from ludoteca.judge.judge import Report, judge
from ludoteca.judge.pages import page
from ludoteca.judge.reports import Words, as_object, lines
from ludoteca.judge.rules import Rule, Status, mark, tally
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.verdicts import Verdict
from tests.judge.test_documents import Altered, cases_of

OKUPACIO = registry.find("okupacio")
PART: Part = OKUPACIO.module("judging").PARTS[""]
LIMITS = Limits(move=600.0)


def judged(*changes: tuple[str, str]) -> Report:
    def changed(output: str) -> str:
        return reduce(lambda text, change: text.replace(*change) if change[0] else change[1], changes, output)

    return judge(OKUPACIO, "", cases_of("okupacio", ""), [Altered(changed)], LIMITS, effort=Effort(runs=1))


def statuses(report: Report) -> dict[str, Status]:
    return {branch.key: rule.status for rule in report.rules for branch in rule.branches}


def test_a_program_that_prints_nothing_keeps_no_rule() -> None:
    report = judged(("", ""))
    assert Status.KEPT not in statuses(report).values()
    assert mark(report.rules, report.verdict) == 0


def test_rules_whose_lines_are_right_before_the_first_wrong_one_are_kept() -> None:
    report = judged(("JUGADOR A CONTROLA", "JUGADOR A DOMINA"), ("CAP JUGADOR", "NINGU"))
    found = statuses(report)
    assert found["table.columns"] == found["turn.next"] == Status.KEPT
    assert found["table.cells"] == Status.NOT_REACHED  # no right line shows whether the army with most cells wins
    assert 0 < mark(report.rules, report.verdict) < 100


def test_a_wrong_blank_hides_no_rule() -> None:
    for change in (("\n", " \n"), ("\n", "\r\n"), ("CASELLES", " CASELLES")):
        report = judged(change)
        assert report.verdict == Verdict.PRESENTATION
        assert Status.NOT_REACHED not in statuses(report).values()


def test_a_step_is_wrong_if_its_last_line_goes_on() -> None:
    found = statuses(judged(*((f"JUGADOR {army}\n", f"JUGADOR {army}+\n") for army in "ABCD")))
    assert Status.KEPT not in {found["turn.next"], found["stolen"]}


def test_the_report_for_programs_counts_columns_from_1() -> None:
    report = as_object(judged(("JUGADOR A CONTROLA", "JUGADOR A DOMINA")), Words(OKUPACIO, "en"), [], 0)
    difference = report["failure"]["difference"]
    assert difference["expected"][difference["column"] - 1 :].startswith("CONTROLA")


def test_a_report_quotes_the_sentences_that_may_decide_a_line_if_none_leads() -> None:
    report, words = judged(("JUGADOR A CONTROLA", "JUGADOR A DOMINA")), Words(OKUPACIO, "en")
    two = tuple(rule.branches[0] for rule in report.rules[:2])
    report = report._replace(failures=(report.failures[0]._replace(cause=Cause(two)),))
    for text in ("\n".join(lines(report, words)), page(report, words)):
        assert "The line is about one of these sentences:" in text
        assert all(branch.sentence in text for branch in two)
    failure = as_object(report, words, [], 0)["failure"]
    assert failure["sentence"] is None
    assert [each["branch"] for each in failure["choice"]] == [branch.key for branch in two]
    assert cells_of(report, words)["sentence"] == " / ".join(branch.sentence for branch in two)


def test_further_cases_do_not_repeat_a_sentence() -> None:
    """A program that stops after the file's name fails in each case. Shortened, each case has a file that is missing."""
    asked = "NOM DEL FITXER DEL TAULER:\n"
    stopping = Altered(lambda output: output[: output.index(asked) + len(asked)])
    report = judge(OKUPACIO, "", cases_of("okupacio", ""), [stopping], LIMITS, effort=Effort(runs=1))
    assert len(report.failures) == 1
    assert statuses(report)["file.missing"] == Status.BROKEN


def test_a_long_case_is_soon_shortened_by_its_own_parts() -> None:
    """A case has 40 runs in a class, and they must not all go to other games."""
    case = max(cases_of("okupacio", ""), key=lambda case: case.turns)
    tried = islice(PART.shorter(case, Random(0)), 40)
    assert any(shorter.plan.text == case.plan.text for shorter in tried)


# marks


def rules(**found: Status) -> list[Rule]:
    keys = dict(zip((branch.key for branch in PART.branches), PART.branches, strict=True))
    return [Rule((keys[key.replace("_", ".")],), status) for key, status in found.items()]


def test_a_mark_is_the_share_of_the_kept_rules() -> None:
    found = rules(two_kept=Status.KEPT, one_free=Status.BROKEN, three_all=Status.NOT_TESTED)
    assert mark(found, Verdict.WRONG) == 50.0


@pytest.mark.parametrize("verdict", Verdict)
def test_only_an_accepted_program_has_the_full_mark(verdict: Verdict) -> None:
    found = rules(two_kept=Status.KEPT)
    full = 1.0 if verdict == Verdict.ACCEPTED else 0.99
    assert mark(found, verdict) == 100 * full


@pytest.mark.parametrize(
    ("statuses", "mark", "highest"),
    [
        ({"two_kept": Status.KEPT, "one_free": Status.NOT_REACHED, "three_all": Status.BROKEN}, "33.33", "66.67"),
        ({"two_kept": Status.KEPT, "one_free": Status.NOT_REACHED, "three_all": Status.NOT_TESTED}, "50", "99"),
        ({"two_kept": Status.NOT_REACHED}, "0", "99"),
        ({"two_kept": Status.BROKEN}, "0", "0"),
    ],
)
def test_rules_that_are_not_reached_leave_a_higher_mark_possible(
    statuses: dict[str, Status], mark: str, highest: str
) -> None:
    found = tally(rules(**statuses), Verdict.WRONG)
    assert (found.mark, found.highest) == (mark, highest)
    assert found.not_reached == list(statuses.values()).count(Status.NOT_REACHED)


def test_all_reports_have_the_same_marks() -> None:
    report = judged(("GUANYADOR: ", "GUANYADOR:  "))
    kept, open_ = (
        rule._replace(status=status) for rule, status in zip(report.rules, (Status.KEPT, Status.NOT_REACHED), strict=False)
    )
    report = report._replace(rules=(kept, open_))
    words = Words(OKUPACIO, "en")
    found = as_object(report, words, [], 0)
    assert (found["mark"], found["highest"], found["not_reached"]) == (50, 99, 1)
    said = "Mark: 50 of 100. Rules not reached: 1. With them, the mark would be at most 99."
    assert said in "\n".join(lines(report, words))
    assert said in page(report, words)
