"""`make examples`: a term of a course with its checker, grades, pages and tournament."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "examples" / "judge" / "term.py"


@pytest.mark.examples
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is missing: as root, apt-get install gcc")
def test_a_term_ends_with_a_tournament(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    done = subprocess.run([sys.executable, SCRIPT, str(tmp_path / "term")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "term" / "pages" / "index.html").is_file()
    assert (tmp_path / "term" / "cup" / "results.html").is_file()
