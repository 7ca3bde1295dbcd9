"""What docs/environments.md shows is run: its Python, block by block, prints the text that follows it."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")


def test_every_block_of_python_prints_what_is_shown_below_it() -> None:
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", PAGE, re.DOTALL)
    assert len(blocks) == PAGE.count("```python")
    names: dict[str, Any] = {}
    for code, shown in blocks:
        with redirect_stdout(StringIO()) as printed:
            exec(code, names)
        assert printed.getvalue() == shown
