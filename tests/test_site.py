"""The documentation as a site: each page has a place in it, and each of its links leads somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.site import BESIDE, ROOT, linked

from ludoteca.core import registry
from ludoteca.server.http.api import OPERATIONS

PAGES = {*BESIDE, *(page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md"))}


def test_every_page_has_one_place_in_the_site() -> None:
    placed = re.findall(r'= "([^"]*\.md)"', (ROOT / "zensical.toml").read_text(encoding="utf-8"))
    assert sorted(page for page in placed if not page.startswith(("reference/", "rules/"))) == sorted(PAGES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](docs/judge.md#x)", "[a](judge.md#x)"),
        ("[a](pyproject.toml)", "a"),
        ("[a](docs/nowhere.md)", "[a](docs/nowhere.md)"),
        ("[a](https://example.org)", "[a](https://example.org)"),
    ],
)
def test_links_lead_from_the_new_place_of_a_page(text: str, expected: str) -> None:
    places = {ROOT / "docs" / "judge.md": Path("site", "judge.md")}
    assert linked(text, ROOT / "README.md", Path("site", "a.md"), places) == expected


@pytest.mark.slow
def test_the_site_is_built_and_has_the_rules_of_games_and_a_reference() -> None:
    built = subprocess.run([sys.executable, ROOT / "tools" / "site.py"], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    site = ROOT / "build" / "site"
    assert {page.relative_to(site).with_suffix(".md").as_posix() for page in site.rglob("*.html")} >= PAGES
    assert 'id="ludoteca.envs.batch.Batch.step"' in (site / "reference" / "batch.html").read_text(encoding="utf-8")
    addresses = (site / "reference" / "http.html").read_text(encoding="utf-8")
    assert [each.path for each in OPERATIONS if f"{each.method} {each.path}" not in addresses] == []
    assert {page.stem for page in (site / "rules").glob("*.html")} == {spec.name for spec in registry.registered_games()}
