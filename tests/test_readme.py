"""The examples of the README run: its commands, its session, its Python. The links of all pages lead to a target."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BIN = ROOT / ".venv" / "bin"
PAGES = sorted(page.relative_to(ROOT) for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def shell(command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as from a shell, without the environment of `make test`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    words, nothing = ["bash", "-c", command], subprocess.DEVNULL
    return subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=600, stdin=nothing
    )


def test_the_readme_is_short() -> None:
    assert README.count("\n") < 140


@pytest.mark.slow
@pytest.mark.skipif(not BIN.exists(), reason="there is no .venv: `make test` makes one")
def test_make_play_without_a_terminal_plays_the_documents_example() -> None:
    assert "make play" in blocks("sh")[0]
    result = shell("make play")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("BENVINGUTS A OKUPACIO !\n")
    assert result.stdout.endswith("GUANYADOR: JUGADOR B\nEL JUGADOR B CONTROLA LA FILA a\n")


def test_ci_runs_make_test() -> None:
    assert "make test" in blocks("sh")[0]
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.skipif(not BIN.exists(), reason="there is no .venv: `make test` makes one")
def test_the_session_prints_what_it_shows() -> None:
    lines = blocks("console")[0].splitlines()
    commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    expected = [line for line in lines if not line.startswith("$ ")]
    assert shell("\n".join(commands)).stdout.splitlines() == expected


def test_the_python_example_prints_what_it_shows() -> None:
    result = subprocess.run([sys.executable, "-c", blocks("python")[0]], capture_output=True, text=True, check=True)
    assert result.stdout == blocks("text")[0]


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        prose = re.sub(r"^```.*?^```|^    .*?$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)
        for link in re.findall(r"\]\(([^)\s]+)\)", prose):
            file, _, heading = link.partition("#")
            target = (ROOT / page).parent / file if file else ROOT / page
            assert "://" in link or target.exists(), f"{page}: {link}"
            assert "://" in link or not heading or heading in anchors(target), f"{page}: {link}"


def test_placeholders_are_listed_where_they_occur() -> None:
    """Values that only the owner knows have names in capital letters, which RELEASING.md lists with their files."""
    rows = re.findall(r"^\| `([A-Z_]+)` \|.*\| (.*) \|$", (ROOT / "RELEASING.md").read_text(encoding="utf-8"), re.MULTILINE)
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    texts = {name: (ROOT / name).read_text(encoding="utf-8", errors="replace") for name in listed if (ROOT / name).is_file()}
    for name, files in rows:
        found = {file for file, text in texts.items() if name in text}
        assert found - {"RELEASING.md"} == set(re.findall(r"`([^`]+)`", files)) - {"RELEASING.md"}, name


def anchors(page: Path) -> list[str]:
    """Return the anchors of a page's headings, as GitHub and GitLab make them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]


def test_classes_that_pages_name_exist() -> None:
    text = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"`(?:ludoteca\.)?((?:core|agents|arena|search|envs)(?:\.[a-z_]+)+)\.([A-Z]\w+)`", text))
    assert len(named) > 15
    missing = [(module, name) for module, name in named if not hasattr(import_module(f"ludoteca.{module}"), name)]
    assert missing == []
