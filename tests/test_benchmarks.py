"""The command that measures the figures of the docs."""

import json
import re
from pathlib import Path

import pytest
from benchmarks import strength
from benchmarks.__main__ import Measurement, main, measurements
from benchmarks.matches import Match

ROOT = Path(__file__).parents[1]
MEASUREMENTS = list(measurements())
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands(text: str) -> set[str]:
    """Return the measurements whose commands are in a text."""
    return set(re.findall(r"python -m benchmarks (\w+)", text))


def anchors(text: str) -> set[str]:
    """Return the names that GitHub gives to the sections of a page."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("measurement", MEASUREMENTS, ids=lambda measurement: measurement.name)
def test_a_measurement_shows_its_help_and_its_pages_name_its_command(
    measurement: Measurement, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([measurement.name, "--help"])
    assert ended.value.code == 0
    assert f"usage: python -m benchmarks {measurement.name} [-h]" in capsys.readouterr().out
    for place in measurement.sections:
        page, _, anchor = place.partition("#")
        text = (ROOT / page).read_text(encoding="utf-8")
        assert anchor in anchors(text)
        assert measurement.name in commands(text)


def test_the_list_has_each_measurement_with_its_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    listed = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in listed[::2]] == [[one.name, one.summary] for one in MEASUREMENTS]
    assert [line.strip() for line in listed[1::2]] == [", ".join(one.sections) for one in MEASUREMENTS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_name_only_commands_that_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert commands(text) <= {one.name for one in MEASUREMENTS}
    assert not re.findall(r"benchmarks/\w+\.py|benchmarks\.\w+", text)


LADDER = Match("ladder", "okupacio", {"players": 2, "board": "4x4"}, "2", "1", 2)


def played(deal: int, seat: int, returns: tuple[float, ...]) -> dict[str, object]:
    """A stored game of the first player in a seat."""
    return {"deal": deal, "seat": seat, "returns": returns, "milliseconds": [1.0] * len(returns), "commit": "abc"}


def test_a_result_counts_complete_deals_only() -> None:
    games = [played(0, 0, (1.0, 0.0)), played(0, 1, (1.0, 0.0)), played(1, 0, (1.0, 0.0))]
    share, even, _, deals, *_ = strength.result(LADDER, games)
    assert (share, even, deals) == ("50.0", "50", "1")


def test_alone_the_result_is_the_lead() -> None:
    alone = Match("ladder", "metro", {}, "2", "1", 1)
    share, *_ = strength.result(alone, [played(0, 0, (30.0,)), played(0, 1, (20.0,))])
    assert share == "+10.0 points (30 for 20)"


def test_games_that_are_stored_are_not_played_again(tmp_path: Path) -> None:
    key = strength.key_of(LADDER)
    line = json.dumps({**played(1, 0, (1.0, 0.0)), "key": key})
    (tmp_path / strength.FILE).write_text(f"{line}\n{line[: len(line) // 2]}", encoding="utf-8")
    jobs = strength.missing([LADDER], strength.stored(tmp_path / strength.FILE))
    assert (tmp_path / strength.FILE).read_text(encoding="utf-8") == f"{line}\n", "the line that was cut off is removed"
    assert [(job.deal, job.seat) for job in jobs] == [(0, 0), (0, 1), (1, 1)]


def test_a_level_with_other_numbers_is_another_match() -> None:
    assert "notices=0.2" in strength.key_of(LADDER)


@pytest.mark.slow
def test_the_command_plays_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    only = ["--only", "level 1 against random: cartas", "--deals", "1", "--out", str(tmp_path)]
    main(["strength", *only, "--processes", "1"])
    assert "| cartas | 1 | random |" in capsys.readouterr().out
    main(["strength", *only, "--plan"])
    assert capsys.readouterr().out.startswith("0 games")
