"""The wheel has all files that the program reads."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_wheel_is_complete(tmp_path: Path) -> None:
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(ROOT)], check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("ludoteca/")}
    source = ROOT / "src"
    there = {str(path.relative_to(source)) for path in (source / "ludoteca").rglob("*") if path.is_file()}
    assert packed == {name for name in there if "__pycache__" not in name}
