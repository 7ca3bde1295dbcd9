"""The sandbox: what a program may use, and what is said of one that does something else."""

import time

import pytest

from ludoteca.arena.box import Box
from ludoteca.arena.faults import Fault, FaultError
from ludoteca.arena.limits import Limits

PATIENCE = 300.0
"""Seconds after which a program hangs, on however busy a machine."""


def test_a_program_runs_with_its_whole_input() -> None:
    with Box(["sh", "-c", "cat; cat a.txt; echo no >&2; exit 3"], Limits()) as box:
        run = box.run(b"input\n" * 50_000, files={"a.txt": "file\n"}, seconds=PATIENCE)
        assert (run.output, run.errors, run.status, run.fault) == (b"input\n" * 50_000 + b"file\n", b"no\n", 3, None)


def test_a_program_that_lives_is_talked_to() -> None:
    with Box(["sh", "-c", "while read a; do echo got $a; done"], Limits()) as box, box.start() as talk:
        for word in ("one", "two"):
            talk.send(f"{word}\n")
            assert talk.line(time.monotonic() + PATIENCE) == f"got {word}"
        with pytest.raises(FaultError) as caught:
            talk.line(time.monotonic())
        assert caught.value.fault == Fault.TIME
