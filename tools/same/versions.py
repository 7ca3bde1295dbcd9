"""An older commit, installed in a separate environment, and the checkout."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tools.same.faces import ROOT

BUILD = ROOT / "build" / "same"
LOCKED = "requirements/build.txt"


class Version(NamedTuple):
    """A version that can be run."""

    name: str
    """`old` or `new`."""
    python: Path
    path: str
    """The folder in which Python finds the version."""

    def environment(self) -> dict[str, str]:
        """The environment variables of its processes."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("LUDOTECA_", "SAME_", "PYTHON"))}
        return kept | {"PYTHONPATH": f"{self.path}:{ROOT}", "LUDOTECA_CACHE": str(BUILD / "code"), "PYTHONHASHSEED": "0"}


def git(*arguments: str) -> str:
    """What git prints. Raises CalledProcessError."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def checkout() -> Version:
    """The files as they are now, installed in the same way."""
    python, site = _packages(ROOT / LOCKED), BUILD / "checkout" / "site"
    shutil.rmtree(site, ignore_errors=True)
    _install(python, ROOT, site)
    return Version("new", python, str(site))


def installed(commit: str) -> Version:
    """That commit, installed below `build/same` if it is not there yet. Commits with the same lock share its packages."""
    folder, tree = BUILD / commit, BUILD / commit / "tree"
    if not tree.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as made:
            target = Path(made, "tree")
            target.mkdir()
            with subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE) as archive:
                subprocess.run(["tar", "-x", "-C", target], stdin=archive.stdout, check=True)
            target.rename(tree)
    python = _packages(tree / LOCKED)
    if not (folder / "site").exists():
        _install(python, tree, folder / "site")
    return Version("old", python, str(folder / "site"))


def _install(python: Path, tree: Path, site: Path) -> None:
    """Install the version of that tree in the folder `site`, wholly or not at all."""
    site.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=site.parent) as made:
        _pip(python, "--no-deps", "--no-build-isolation", "--target", str(Path(made, "site")), str(tree))
        Path(made, "site").rename(site)


def _packages(locked: Path) -> Path:
    """The Python of the environment that has these locked packages."""
    digest = hashlib.sha256(locked.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = BUILD / f"packages-{digest}"
    if not (folder / ".ready").exists():
        print(f"same: installing locked packages in {folder} (once)", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        _pip(folder / "bin" / "python", "--require-hashes", "-r", str(locked))
        (folder / ".ready").touch()
    return folder / "bin" / "python"


def _pip(python: Path, *arguments: str) -> None:
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments], check=True)
