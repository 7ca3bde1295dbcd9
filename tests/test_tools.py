"""The tools of contributors: figures of the structure, habits in prose, steps of the Containerfile."""

import re
from pathlib import Path

import pytest
from tools.prose import ROOT, hits_of, of_python, of_script, read_below
from tools.soak import PARTS, command_of
from tools.structure import figures
from tools.versions import instructions

MODULE = '''"""A module."""

# a comment
from pack import other


class Shape:
    """A class."""

    def _area(self, a: int, b: int) -> int:
        """A method."""
        return a * b

    area = _area
'''


def test_figures_of_a_small_package(tmp_path: Path) -> None:
    for name, text in {"__init__": "", "one": MODULE, "other": "class Shape:\n    pass\n"}.items():
        file = tmp_path / "pack" / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    found = figures(tmp_path / "pack", {"all packages": ".*"})
    assert (found["root"], found["all packages"], found["in bodies of functions"], found["import depth"]) == (7, 7, 1, 2)
    assert found["private functions with one caller"] == found["public classes' names in several modules"] == 1
    assert found["longest parameter list"] == 3
    with pytest.raises(ValueError, match="matches the pattern for 'nothing'"):
        figures(tmp_path / "pack", {"nothing": "moved/.*"})


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("The server closes a connection if no hello arrives within ten seconds.", 0),
        ("Who says no hello is closed.", 1),
        ("Tell all of what is stored, so many as there are.", 2),
        ("The case lies where a card was wanted.", 3),
        ("It writes; it reads.", 1),
    ],
)
def test_habits_in_prose(text: str, hits: int) -> None:
    assert len(list(hits_of(text))) == hits


def test_prose_is_in_docstrings_comments_and_help_texts() -> None:
    python = 'f(help="a help text")  # a comment\n"""A string."""\nx = "no prose"\n'
    assert list(of_python(python)) == ["A string.", "a help text", "a comment"]
    assert [text.strip() for text in of_script("/** One. */ x = 1 // Two.\n// Three.")] == ["One.", "Two.", "Three."]


def test_prose_is_read_below_a_folder() -> None:
    found = read_below(ROOT / "tests" / "toys" / "duel")
    assert {"rules.py", "style.css", "en.json"} <= {path.name for path in found}
    assert "ca.json" not in {path.name for path in found}
    assert read_below(Path(__file__)) == [Path(__file__)]


def test_the_parts_of_a_soak_take_85_minutes_in_sum_and_no_test_is_in_two() -> None:
    assert sum(minutes for minutes, _ in PARTS.values()) == 85
    paths = [word for part in PARTS for word in command_of(part) if word.startswith("tests/")]
    assert all((ROOT / path).exists() for path in paths)
    assert set(paths) == {word.removeprefix("--ignore=") for word in command_of("others") if "=" in word}
    assert len(paths) == len(set(paths))


def test_a_container_installs_only_packages_with_hashes() -> None:
    steps = " && ".join(instructions((ROOT / "Containerfile").read_text(encoding="utf-8")))
    packages, own = [step for step in steps.split(" && ") if "pip install" in step]
    assert "--require-hashes -r requirements/container.txt" in packages
    assert own.endswith("--no-deps --no-build-isolation .")
    locked = (ROOT / "requirements/container.txt").read_text(encoding="utf-8")
    assert {"pillow", "psycopg-binary", "resvg-py"} <= set(re.findall(r"^([\w-]+)==", locked, re.MULTILINE))
