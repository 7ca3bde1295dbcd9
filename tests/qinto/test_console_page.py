"""The examples in the program's page are run: what they show is what is printed, but for blanks at the ends of lines."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "consoles" / "qinto.md"
EXAMPLES = re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_the_page_shows_what_is_printed(command: str, shown: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert [line.rstrip() for line in done.stdout.decode().splitlines()] == shown.splitlines()
