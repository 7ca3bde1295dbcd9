"""The checks of a release: versions, placeholders, and an example for each command."""

import shlex
from pathlib import Path

import pytest
from tools.release import ReleaseError, common_version, first_examples, open_placeholders, tracked, without_compilers

from ludoteca.cli.commands import COMMANDS

NEW = "# Changelog\n\n## Unreleased\n\n## 1.0.1 - 2027-01-02\n\n## 1.0.0 - 2026-12-01\n"
DIFFERENT = [
    ("1.0.0", NEW, "1.0.1", [], "__init__.py: 1.0.0, CHANGELOG.md: 1.0.1, CITATION.cff: 1.0.1"),
    ("1.0.1", "## Unreleased\n", "1.0.1", [], "CHANGELOG.md: no version"),
    ("1.0.1", NEW, "1.0", [], "CITATION.cff: 1.0"),
    ("1.0.1", NEW, "1.0.1", ["v1.0.1", "v1.0.2"], "tag v1.0.2: 1.0.2"),
    ("1.0.1", NEW, "1.0.1", ["v1.0.1rc1"], "tag v1.0.1rc1: 1.0.1rc1"),
]


def texts(code: str, changelog: str, citation: str) -> dict[str, str]:
    return {
        "src/ludoteca/__init__.py": f'"""Games."""\n\n__version__ = "{code}"\n',
        "CHANGELOG.md": changelog,
        "CITATION.cff": f"cff-version: 1.2.0\nversion: {citation}\n",
    }


@pytest.mark.parametrize("tags", [[], ["v1.0.1"]])
def test_the_version_is_the_same_everywhere(tags: list[str]) -> None:
    assert common_version(texts("1.0.1", NEW, "1.0.1"), tags) == "1.0.1"


@pytest.mark.parametrize(("code", "changelog", "citation", "tags", "told"), DIFFERENT)
def test_different_versions_are_told(code: str, changelog: str, citation: str, tags: list[str], told: str) -> None:
    with pytest.raises(ReleaseError) as error:
        common_version(texts(code, changelog, citation), tags)
    assert told in str(error.value)


def test_placeholders_are_listed_with_file_and_line() -> None:
    table = "| `THE_OWNER` | a person |\n| `THE_PLACE` | an address |\n"
    found = open_placeholders({"RELEASING.md": table, "a.toml": "by\nTHE_OWNER at THE_PLACE\n", "b.yml": "THE_OWNER"})
    assert found == ["a.toml:2: THE_OWNER", "b.yml:1: THE_OWNER", "a.toml:2: THE_PLACE"]


def test_placeholders_stand_in_no_page_or_program() -> None:
    places = ("pyproject.toml:", "CITATION.cff:", ".github/")
    assert [line for line in open_placeholders(tracked()) if not line.startswith(places)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_an_example_that_can_be_typed(command: str) -> None:
    program, name, *arguments = shlex.split(first_examples([command])[command])
    assert (program, name) == ("ludoteca", command)
    assert arguments


def test_a_command_without_an_example_is_told() -> None:
    with pytest.raises(ReleaseError, match="ludoteca repair has no example"):
        first_examples(["repair"])


def test_programs_that_are_not_compilers_stay_reachable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("cc", "x86_64-linux-gnu-g++-12", "clang", "c89-gcc", "sh", "wasm-ld", "gcc-ar"):
        (tmp_path / "bin" / name).touch()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{tmp_path / 'absent'}")
    assert {program.name for program in without_compilers(tmp_path / "new").iterdir()} == {"sh", "wasm-ld", "gcc-ar"}
