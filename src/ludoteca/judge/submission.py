"""Our own program, or a mutant of it, as a submission in a problem package."""

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from ludoteca.core import console, registry
from ludoteca.core.errors import ContractError
from ludoteca.judge.mutants import broken


def run(game: str, part: str, mutant: str = "") -> None:
    """Run the document's program, or a mutant of it, on standard input. Leave with its exit status."""
    spec = registry.find(game)
    parts = spec.module("judging").PARTS
    chosen = next((each for each in parts[part].mutants if each.name == mutant), None)
    if mutant and chosen is None:
        raise ContractError(f"{game} has no mutant {mutant!r}")

    def read_file(name: str) -> str:
        return Path(name).read_text(encoding="utf-8")

    write, complain = partial(print, end=""), partial(print, file=sys.stderr)
    with broken(spec, chosen) if chosen else nullcontext(spec) as program:
        status = console.run(program, [part] if part else [], read_file, sys.stdin.readline, write, complain)
    sys.stdout.flush()
    sys.exit(status)
