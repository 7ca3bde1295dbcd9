"""The player of the tournament (section 3.4): its input, and the answer; how it chooses is in `strategy`."""

import re
from typing import Final

from ludoteca.core.console import Console, ConsoleError, Dialogue
from ludoteca.games.cartas.cards import PASSO, Form, write
from ludoteca.games.cartas.text.lines import Lines

SECONDS: Final = 0.2
"""The time for one move; the program takes a tenth of a second besides."""
LONGEST: Final = 60
OPTION: Final = "--seconds"
TIME: Final = f"um número de segundos até {LONGEST}, por exemplo 0.5"
HAND: Final = "a mão"
HAND_OR_COUNT: Final = "a mão, ou o número de jogadas"
CARDS_OF_HAND: Final = "as cartas da mão"
PLAY: Final = f"uma jogada ou {PASSO}"


def answer(io: Console, arguments: list[str]) -> Dialogue[None]:
    """One position, one line. Input that cannot be read is answered with PASSO, and an error message.

    The arguments are none, or the time for a move: `--seconds 0.5` or `--seconds=0.5`.
    """
    seconds = _read_seconds(io, arguments)
    lines = Lines(io)
    try:
        hand, plays = yield from _read(lines)
    except ConsoleError:
        io.print(PASSO)
        raise
    io.print(said(hand, plays, lines.form, seconds))


def said(hand: int, plays: list[int], form: Form, seconds: float = SECONDS) -> str:
    """What is printed in a position."""
    from ludoteca.games.cartas.text import strategy

    play = strategy.choose(hand, plays, seconds)
    return write(play, form) if play else PASSO


def _read_seconds(io: Console, arguments: list[str]) -> float:
    """The time for a move. Raises ConsoleError for arguments that tell none."""
    if not arguments:
        return SECONDS
    option, text = arguments[0].partition("=")[::2] if len(arguments) == 1 else arguments[:2]
    if option != OPTION or len(arguments) > 2:
        raise io.wrong_argument(" ".join(arguments), f"{OPTION} N")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", text) or not 0 < float(text) <= LONGEST:
        raise io.wrong_argument(text, TIME)
    return float(text)


def _read(lines: Lines) -> Dialogue[tuple[int, list[int]]]:
    """The hand, “uma linha com as suas cartas”, and the plays so far, one a line; their number may come first."""
    text = yield from lines.text(HAND_OR_COUNT)
    if text.isascii() and text.isdigit():
        text = yield from lines.text(HAND)
    hand = lines.read(text)
    if not hand:
        raise lines.io.wrong(text, CARDS_OF_HAND)
    plays: list[int] = []
    empty = 0
    while (line := (yield from lines.line())) is not None:
        if line and empty:
            raise lines.io.wrong("", PLAY, number=empty)
        if line:
            plays.append(lines.read_play(line))
        else:
            empty = empty or lines.io.lines_read
    return hand, plays
