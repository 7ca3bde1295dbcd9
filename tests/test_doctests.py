"""The examples in docstrings give the results that they show."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import ludoteca

ROOT = Path(ludoteca.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_show(name: str) -> None:
    module = pytest.importorskip(name, exc_type=ImportError) if ".envs." in name else import_module(name)
    result = doctest.testmod(module)
    assert (result.attempted > 0, result.failed) == (True, 0)
