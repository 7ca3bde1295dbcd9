"""Build a release and check it: `make release`.

Each check prints a line. The exit status is 1 if one failed. Names of checks as arguments run only these. `--publish` also
fails without a tag at HEAD, or with an open placeholder.
"""

import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import urlopen

ROOT: Final = Path(__file__).resolve().parents[1]
TOOLS: Final = ROOT / ".venv-release" / "bin"
DIST, GAMES, SITE = ROOT / "dist", ROOT / "build" / "games", ROOT / "build" / "site"
PAGES: Final = [ROOT / "README.md", *sorted({*(ROOT / "docs").glob("*.md")} - {ROOT / "docs" / "adding-a-game.md"})]
"""The pages with examples. Those of the page about a new game need that game."""
VERSIONS: Final = {
    "src/ludoteca/__init__.py": r'^__version__ = "(.+)"$',
    "CHANGELOG.md": r"^## \[?([0-9][^\] ]*)",
    "CITATION.cff": r"^version: (.+)$",
}
"""The files that name the version. The changelog has the newest first."""
COMPILER: Final = re.compile(r"(.*-)?(cc|c\+\+|gcc|g\+\+|cpp|c89|c99|tcc|clang|clang\+\+)(-[0-9.]+)?")
EXTRAS: Final = {"dataset": "dataset"}
"""The extra that the example of a command needs, as its page says."""
TYPED: Final = {"play": "moves\n?\nq\n"}
LIMIT: Final = 1800.0
"""Seconds after which a command counts as hanging."""


class ReleaseError(Exception):
    """A check has failed, for the reason in the text."""


def call(words: list[str | Path], folder: Path = ROOT, env: Mapping[str, str] | None = None, typed: str = "") -> str:
    """Run a program and return its output. Raises ReleaseError if its exit status is not zero."""
    done = subprocess.run(
        words, cwd=folder, env=env, input=typed, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def tracked() -> dict[str, str]:
    """Return the texts of the repository's files by their names."""
    files = (file for file in call(["git", "ls-files"]).splitlines() if (ROOT / file).is_file())
    return {file: (ROOT / file).read_text(encoding="utf-8", errors="replace") for file in files}


def common_version(texts: Mapping[str, str], tags: list[str]) -> str:
    """Return the version that the files and the tags name. Raises ReleaseError if they differ, or a file names none."""
    found: dict[str, list[str]] = {
        file: re.findall(pattern, texts[file], re.MULTILINE)[:1] for file, pattern in VERSIONS.items()
    }
    found |= {f"tag {tag}": [tag.removeprefix("v")] for tag in tags}
    first = found["src/ludoteca/__init__.py"]
    if not first or any(version != first for version in found.values()):
        raise ReleaseError(", ".join(f"{place}: {''.join(version) or 'no version'}" for place, version in found.items()))
    return first[0]


def check_versions(publish: bool) -> str:
    """Return the version. Raises ReleaseError if places differ, or if there must be a tag and is none."""
    tags = call(["git", "tag", "--points-at", "HEAD", "--list", "v*"]).split()
    if publish and not tags:
        raise ReleaseError("HEAD has no tag v*")
    return ", ".join([common_version(tracked(), tags), *(tags or ["no tag yet"])])


def open_placeholders(texts: Mapping[str, str]) -> list[str]:
    """Return `FILE:LINE: NAME` for each placeholder. The table in RELEASING.md has their names, and does not count."""
    names = re.findall(r"^\| `([A-Z_]+)` \|", texts["RELEASING.md"], re.MULTILINE)
    lines = [
        (f"{file}:{number}", line)
        for file, text in texts.items()
        if file != "RELEASING.md"
        for number, line in enumerate(text.splitlines(), 1)
    ]
    return [f"{place}: {name}" for name in names for place, line in lines if name in line]


def check_placeholders(publish: bool) -> str:
    """Return the open placeholders. Raises ReleaseError if a version with them would be published."""
    found = open_placeholders(tracked())
    told = "\n  ".join([f"{len(found)} open", *found])
    if publish and found:
        raise ReleaseError(told)
    return told


def built(pattern: str) -> list[Path]:
    """Return the files in `dist` that match. Raises ReleaseError if there are none."""
    if not (found := sorted(DIST.glob(pattern))):
        raise ReleaseError(f"no {pattern} in dist")
    return found


def build() -> str:
    """Build both files from HEAD. Raises ReleaseError if files are not committed."""
    if changed := call(["git", "status", "--porcelain"]):
        raise ReleaseError(f"not committed:\n{changed}")
    shutil.rmtree(DIST, ignore_errors=True)
    epoch = call(["git", "log", "-1", "--pretty=%ct"]).strip()
    call([TOOLS / "python", "-m", "hatchling", "build"], env=os.environ | {"SOURCE_DATE_EPOCH": epoch})
    return made([*built("*.whl"), *built("*.tar.gz")])


def check_contents() -> str:
    """Check the metadata of both files, and the files in the wheel."""
    call([TOOLS / "twine", "check", "--strict", *built("*")])
    call([TOOLS / "check-wheel-contents", *built("*.whl")])
    return "twine check --strict, check-wheel-contents"


def first_examples(commands: Iterable[str]) -> dict[str, str]:
    """Return the first example of each command in README and docs: a line of code with arguments, without placeholders.

    Raises ReleaseError if a command has none.
    """
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    found = {}
    for command in commands:
        typed = rf"ludoteca {command} (?![^`\n]*\b[A-Z]{{2,}}\b)[^`\n]+"
        line = re.search(rf"(?:^|^\$ |^ {{4}}|`)(?:[\w./]*/)?({typed})", text, re.MULTILINE)
        if not line:
            raise ReleaseError(f"ludoteca {command} has no example in README and docs")
        found[command] = line[1].partition("  #")[0].strip()
    return found


def without_compilers(folder: Path) -> Path:
    """Return the new folder, with a link to each program of PATH that is not a compiler of C or C++."""
    folder.mkdir()
    for place in map(Path, os.environ["PATH"].split(os.pathsep)):
        for program in place.iterdir() if place.is_dir() else ():
            if not COMPILER.fullmatch(program.name) and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    return folder


def folder_for(command: str, home: Path) -> Path:
    """Return a new folder in which an example finds files of a clone, the reader's program, a tournament and a record."""
    shutil.copytree(ROOT / "examples" / "okupacio", folder := home / command)
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copy(ROOT / "examples" / "bots" / "hasty.py", folder / "bot.py")
    shutil.copy(ROOT / "tests" / "data" / "1.0" / "okupacio.json", folder / "game.json")
    (folder / "web").symlink_to(ROOT / "web")
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    cup = page.partition("```toml\n")[2].partition("```")[0].replace("deals = 50", "deals = 1")
    (folder / "cup.toml").write_text(cup, encoding="utf-8")
    if command == "judge":
        (folder / "okupacio").write_text(f"#!/bin/sh\nexec {home}/venv/bin/ludoteca console okupacio\n", encoding="utf-8")
        (folder / "okupacio").chmod(0o755)
    return folder


def run_server(serve: str, admin: str, folder: Path, env: Mapping[str, str]) -> None:
    """Start the server, load its lobby, manage it, and end it. Raises ReleaseError if one of these fails."""
    words = ["bash", "-c", f"exec {serve} --port 0 --control control"]
    with subprocess.Popen(words, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout
        try:
            address = re.search(r"http://\S+", server.stdout.readline())
            if not address or b"<title>" not in urlopen(address[0], timeout=LIMIT).read():
                raise ReleaseError(f"{serve}: no lobby at {address}")
            call(["bash", "-c", admin.replace("/run/ludoteca/control", "control")], folder, env)
            print(f"  {admin}", flush=True)
        finally:
            server.send_signal(signal.SIGINT)
            rest = server.communicate(timeout=LIMIT)[0]
    if server.returncode != 130:  # that of Ctrl-C
        raise ReleaseError(f"{serve}: exit status {server.returncode}\n{rest}")


def run_examples() -> str:
    """Run the first example of each command where only the wheel is installed, and no compiler can be reached.

    Those that need an extra come last. Raises ReleaseError if one fails.
    """
    with TemporaryDirectory() as name:
        home, programs, (wheel,) = Path(name), Path(name) / "venv" / "bin", built("*.whl")
        home.chmod(0o755)  # without bubblewrap, programs run as another user
        call([sys.executable, "-m", "venv", programs.parent])
        pip: list[str | Path] = [programs / "pip", "install", "--quiet", "--only-binary=:all:"]
        call([*pip, wheel], home)
        env = {"PATH": f"{programs}:{without_compilers(home / 'programs')}", "HOME": name, "LANG": "C.UTF-8"}
        commands = re.findall(r"^  ([a-z]+) ", call([programs / "ludoteca", "--help"], home, env), re.MULTILINE)
        examples = first_examples(commands)
        failures = []
        for command in sorted(examples.keys() - {"admin"}, key=lambda each: (each in EXTRAS, commands.index(each))):
            started, folder = time.monotonic(), folder_for(command, home)
            try:
                if command in EXTRAS:
                    call([*pip, f"{wheel}[{EXTRAS[command]}]"], home)
                if command == "serve":
                    run_server(examples["serve"], examples["admin"], folder, env)
                else:
                    call(["bash", "-o", "pipefail", "-c", examples[command]], folder, env, TYPED.get(command, ""))
                print(f"  {examples[command]} ({time.monotonic() - started:.0f} s)", flush=True)
            except ReleaseError as error:
                failures.append(str(error))
        if failures:
            raise ReleaseError("\n".join(failures))
        shutil.rmtree(GAMES, ignore_errors=True)
        shutil.copytree(home / "web" / "games", GAMES)
    return f"{len(examples)} commands\n  {made([GAMES])}"


def build_docs() -> str:
    """Build the documentation."""
    call([sys.executable, "tools/site.py"])
    return made([SITE])


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of a folder: that of the lines which `sha256sum` prints of its sorted files."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    files = sorted(file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())
    return hashlib.sha256("".join(f"{digest(path / file)}  {file}\n" for file in files).encode()).hexdigest()


def made(paths: list[Path]) -> str:
    """Return the names of new files and folders, with their digests."""
    return "\n  ".join(f"{path.relative_to(ROOT)} sha256:{digest(path)}" for path in paths)


def main() -> int:
    """Run the checks, and return the exit status."""
    checks: dict[str, Callable[[], str]] = {
        "versions": lambda: check_versions(options.publish),
        "build": build,
        "contents": check_contents,
        "examples": run_examples,
        "docs": build_docs,
        "placeholders": lambda: check_placeholders(options.publish),
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--publish", action="store_true", help="fail without a tag, or with an open placeholder")
    parser.add_argument("checks", nargs="*", help=", ".join(checks))
    options = parser.parse_args()
    if unknown := set(options.checks) - checks.keys():
        parser.error(f"unknown checks: {', '.join(sorted(unknown))}")
    failed = 0
    for name in options.checks or checks:
        try:
            print(f"{name}: ok: {checks[name]()}", flush=True)
        except (ReleaseError, OSError, subprocess.SubprocessError) as error:  # such as a limit of time
            failed += 1
            print(f"{name}: FAILED: {error}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
