"""The command that measures the figures of the docs."""

import re
from pathlib import Path

import pytest
from benchmarks.__main__ import Measurement, main, measurements

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
