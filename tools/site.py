"""The documentation as a site in `build/site`: `make docs`.

The pages are those of `docs/`, some of the repository's first folder, a reference made from docstrings, and the pages of
`tools/generated.py`. `zensical.toml` has the order of pages. A link that leads nowhere ends the build.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ROOT / "build" / "docs"
"""The pages as they are given to Zensical, which reads one folder."""
BESIDE: Final = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENCES.md", "SECURITY.md")
"""Pages that hosts of repositories expect in the first folder."""
LINK: Final = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def main() -> None:
    """Copy the pages, write the reference, and build the site."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES)
    sources = {PAGES / file.relative_to(ROOT / "docs"): file for file in (ROOT / "docs").rglob("*.md")}
    sources |= {PAGES / name: ROOT / name for name in BESIDE}
    places = {source: place for place, source in sources.items()} | {ROOT / "README.md": PAGES / "index.md"}
    for place, source in sources.items():
        place.write_text(linked(source.read_text(encoding="utf-8"), source, place, places), encoding="utf-8")
    for module, path in references(tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]):
        (PAGES / path).parent.mkdir(exist_ok=True)
        (PAGES / path).write_text(f"# {module}\n\n::: {module}\n", encoding="utf-8")
    subprocess.run([sys.executable, "-m", "tools.generated", PAGES], cwd=ROOT, check=True)
    sys.exit(
        subprocess.run([Path(sys.executable).with_name("zensical"), "build", "--clean", "--strict"], cwd=ROOT).returncode
    )


def linked(text: str, source: Path, place: Path, places: dict[Path, Path]) -> str:
    """Return a page's text with links that lead from its new place. A link to a file outside the site becomes its label."""

    def there(match: re.Match[str]) -> str:
        label, target, heading = match.groups(default="")
        file = (source.parent / target).resolve()
        if file in places:
            return f"[{label}]({os.path.relpath(places[file], place.parent)}{heading})"
        return label if file.exists() and not file.is_relative_to(ROOT / "docs") else match[0]

    return LINK.sub(there, text)


def references(nav: Any) -> list[tuple[str, str]]:
    """Return the module and the path of each page made from docstrings in a part of the order of pages."""
    if isinstance(nav, list):
        return [found for each in nav for found in references(each)]
    found = []
    for title, value in nav.items():
        if isinstance(value, list):
            found += references(value)
        elif title.startswith("ludoteca"):
            found.append((title, value))
    return found


if __name__ == "__main__":
    main()
