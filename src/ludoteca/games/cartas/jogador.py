"""The player of the tournament (section 3.4): its input, and the answer; how it chooses is in `strategy`."""

from typing import Final

from ludoteca.core.console import Console, ConsoleError, Dialogue
from ludoteca.games.cartas.cards import PASSO, Form, write
from ludoteca.games.cartas.lines import Lines

HAND: Final = "a mão"
HAND_OR_COUNT: Final = "a mão, ou o número de jogadas"
CARDS_OF_HAND: Final = "as cartas da mão"
PLAY: Final = f"uma jogada ou {PASSO}"


def answer(io: Console) -> Dialogue[None]:
    """One position, one line. Input that cannot be read is answered with PASSO, and an error message."""
    lines = Lines(io)
    try:
        hand, plays = yield from _read(lines)
    except ConsoleError:
        io.print(PASSO)
        raise
    io.print(said(hand, plays, lines.form))


def said(hand: int, plays: list[int], form: Form) -> str:
    """What is printed in a position."""
    from ludoteca.games.cartas import strategy

    play = strategy.choose(hand, plays)
    return write(play, form) if play else PASSO


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
