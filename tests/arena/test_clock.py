"""The clock of bots that talk to the referee: every state of the line protocol, with bots that flood, drip, hang or end."""

import re
import signal
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from ludoteca.arena.programs.box import Box
from ludoteca.arena.programs.conversation import Conversation, Left
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from tests.arena.programs import USUAL, script

SOON = 0.4
"""Seconds for one answer of a bot that is to be late."""
PATIENCE = 120
"""Seconds after which a hang ends the test run."""
OUTPUT = 1 << 16

BEHAVIOURS = {
    "flood": "while :; do echo '#'; done",
    "drip": "while :; do echo '#'; sleep 0.02; done",
    "errors": "while :; do echo '#' >&2; done",
    "child floods": "yes '#' &",
    "child drips": "(while :; do echo '#'; sleep 0.02; done) &",
    "child stays": "sleep 1000 &",
    "silence": "sleep 1000",
    "output closed": "exec >&-",
    "end": "exit 0",
    "child outlives": "sleep 1000 & exit 0",
}
"""Shell commands of bots."""
STATES = {"greeting": "ludoteca", "opening": "game", "between moves": "played", "thinking": "move", "end": "end"}
"""The line of the referee at which the bot does it, in place of its answer if that takes the bot's whole time."""
FAULTS = {
    "flood": "time|start|output",
    "drip": "time|start",
    "errors": "time|start|output",
    "child floods": "(output)?",
    "child drips": "",
    "child stays": "",
    "silence": "time|start",
    "output closed": "exit",
    "end": "exit",
    "child outlives": "exit",
}
"""The fault for each behaviour, as a regular expression. It is empty for no fault.

A child that floods has a fault only if it writes faster than the referee reads.
"""


@pytest.fixture(autouse=True)
def _ends_a_hang() -> Iterator[None]:
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)


def game(bot: Conversation, seconds: float) -> str:
    """The fault of the bot in a game of three moves and in the beginning of the next one. It is empty without a fault."""
    try:
        for _ in range(2):
            bot.begin("game", {}, 0, 2, Left(seconds), "start")
            for turn in range(3):
                bot.ask(f"turn {turn}", ["a", "b"], "", Left(seconds))
                bot.see(1, "b")
            if late := bot.end(None):
                return str(late.fault)
    except FaultError as error:
        return str(error.fault)
    return str(bot.strayed.fault) if bot.strayed else ""


PAIRS = [
    pytest.param(*pair, marks=[pytest.mark.soak] if number % 3 else [pytest.mark.slow])
    for number, pair in enumerate(product(STATES, BEHAVIOURS))
]
"""Every third pair in every run, so each state and each behaviour, and all pairs in the soak."""


@pytest.mark.parametrize(("state", "behaviour"), PAIRS)
def test_no_bot_holds_up_its_game_longer_than_its_limits_allow(tmp_path: Path, state: str, behaviour: str) -> None:
    word, expected = STATES[state], FAULTS[behaviour]
    seconds = SOON if "time" in expected else PATIENCE
    command = script(tmp_path, **{word: f"{BEHAVIOURS[behaviour]}\n{USUAL.get(word, ':')}"})
    bot = Conversation(command, Limits(start=3 * seconds, move=seconds, output=OUTPUT))
    try:
        found = game(bot, seconds)
    finally:
        bot.close()
    if state == "end" and behaviour in ("end", "child outlives", "output closed"):
        expected = ""  # a bot may end with its game, because the next game has a new process
    assert re.fullmatch(expected, found)


def test_an_answer_that_is_read_after_its_deadline_is_late() -> None:
    """The referee reads it late: it has waited for the program, which has written two lines by then."""
    with Box(["sh", "-c", "echo one; echo two; sleep 1000"], Limits()) as box, box.start() as talk:
        talk.start_clock(PATIENCE)
        assert talk.line() == "one"
        talk.start_clock(0)
        with pytest.raises(FaultError) as late:
            talk.line()
        assert late.value.fault is Fault.TIME


def test_a_run_that_never_stops_writing_ends_in_time() -> None:
    with Box(["sh", "-c", "while :; do echo; done"], Limits(output=1 << 40)) as box:
        assert box.run(b"", seconds=SOON).fault is Fault.TIME
