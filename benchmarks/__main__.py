"""Measure the figures that the pages in docs state.

    python -m benchmarks                     list the measurements, and the page and section of each
    python -m benchmarks NAME [OPTIONS]      run a measurement, and print its table in Markdown

A measurement is a module of this folder whose docstring ends with `Figures: PAGE#SECTION`, or several of them.
"""

import ast
import re
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple


class Measurement(NamedTuple):
    """A module that measures figures of the docs."""

    name: str
    summary: str
    sections: list[str]
    """Each has the form `docs/speed.md#starting`."""


def measurements() -> Iterator[Measurement]:
    """Yield all measurements in alphabetical order. Their modules are read and not imported."""
    for file in sorted(Path(__file__).parent.glob("*.py")):
        text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        if found := re.search(r"^Figures: (docs/.+)\Z", text, re.MULTILINE | re.DOTALL):
            yield Measurement(file.stem, text.partition("\n")[0], re.split(r",\s+", found[1]))


def main(arguments: Sequence[str]) -> None:
    """List the measurements, or run the named one."""
    known = list(measurements())
    parser = ArgumentParser("python -m benchmarks", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", metavar="NAME", choices=[one.name for one in known])
    name = parser.parse_args(arguments[:1]).name
    if name is None:
        for one in known:
            print(f"{one.name:15}{one.summary}\n{'':15}{', '.join(one.sections)}")
        return
    module = import_module(f"benchmarks.{name}")
    options = ArgumentParser(
        f"python -m benchmarks {name}", description=module.__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    module.main(options, arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
