"""The examples of the pages for learners: each block of Python prints the text that follows it."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.missing import needs

DOCS = Path(__file__).parents[2] / "docs"


PAGES = [
    pytest.param("environments", marks=[needs("pettingzoo", "pettingzoo"), needs("gymnasium", "gymnasium")]),
    pytest.param("openspiel", marks=needs("pyspiel", "openspiel")),
    pytest.param("batches", marks=[needs("gymnasium", "gymnasium"), pytest.mark.slow]),
]


@pytest.mark.parametrize("name", PAGES)
def test_every_block_of_python_prints_what_is_shown_below_it(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", page, re.DOTALL)
    assert len(blocks) == page.count("```python") > 0
    names: dict[str, Any] = {}
    for code, shown in blocks:
        with redirect_stdout(StringIO()) as printed:
            exec(code, names)
        assert printed.getvalue() == shown
