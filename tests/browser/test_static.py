"""Checks of the page's files without a browser: texts in all languages, types, no script or style in the HTML."""

import json
import re
import subprocess
from itertools import combinations
from pathlib import Path
from shutil import which

import pytest

from ludoteca.core.messages import LANGUAGES, catalogue, places

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "ludoteca" / "server" / "static"
PAINTER = ROOT / "src" / "ludoteca" / "core" / "painter"
SCRIPTS = sorted([*(STATIC / "js").glob("*.js"), *PAINTER.glob("*.js")])
REPORT = sorted((ROOT / "src" / "ludoteca" / "arena" / "page").glob("*.js"))
TYPES = ROOT / "web" / "node_modules" / "typescript" / "bin" / "tsc"
SAID = re.compile(r"""(?:say|label|title|tell)\b[^;\n]*?\["([a-z][a-z.-]*)"|\["([a-z]+\.[a-z.-]+)\"""")
PLACED = re.compile(
    r"""(?<!\burl\()["`]/(?:room|guide|learn|#|api/rooms/[^"`]*/(?:record|picture|game))|(?:href|src): ["`]/|\}/(room|ws)/"""
)
"""An address without `url` and `asset`, which add the path of the server."""
IN_PAGE = re.compile(r'data-words(?:-label)?="([^"]+)"')


def texts(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((STATIC / "messages" / f"{language}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_all_that_english_does(language: str) -> None:
    own, english = texts(language), texts("en")
    assert own.keys() == english.keys()
    for key, text in english.items():
        assert own[key], key
        assert places(own[key]) == places(text), key


def test_the_texts_of_the_pages_the_server_and_the_agents_have_different_names() -> None:
    catalogues = [set(texts("en")), *(set(catalogue(package, "en")) for package in ("ludoteca.server", "ludoteca.agents"))]
    for one, other in combinations(catalogues, 2):
        assert one & other <= set(catalogue("ludoteca.core", "en")) | {"player"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_all_that_is_said_has_a_text(script: Path) -> None:
    said = {one or other for one, other in SAID.findall(script.read_text(encoding="utf-8"))}
    assert said <= set(texts("en")) | set(catalogue("ludoteca.agents", "en")) | {"player"}


@pytest.mark.parametrize("page", sorted(STATIC.glob("*.html")), ids=lambda page: page.name)
def test_pages_hold_neither_style_nor_script(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert set(IN_PAGE.findall(text)) <= set(texts("en"))
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)


@pytest.mark.parametrize("script", [*SCRIPTS, *REPORT], ids=lambda script: script.name)
def test_scripts_are_small_and_say_what_they_are(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert text.startswith(("/**", "//"))
    assert len(text.splitlines()) < 500
    assert "innerHTML" not in text
    assert "eval(" not in text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_addresses_have_the_path_of_the_server(script: Path) -> None:
    assert not PLACED.findall(script.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.skipif(not (TYPES.exists() and which("node")), reason="TypeScript is missing: npm ci --prefix web")
def test_types_in_comments_hold() -> None:
    node = which("node")
    assert node
    command = [node, str(TYPES), "--project", str(ROOT / "web" / "tsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
