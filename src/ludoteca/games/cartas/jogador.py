"""The player of the tournament (section 3.4): its input, and the answer; how it chooses is in `strategy`."""

from ludoteca.core.console import Console, ConsoleError, Dialogue
from ludoteca.core.words import excerpt
from ludoteca.games.cartas.cards import PASSO, write
from ludoteca.games.cartas.lines import Lines


def answer(io: Console) -> Dialogue[None]:
    """One position, one line. What cannot be read is answered with PASSO, and a complaint."""
    lines = Lines()
    try:
        hand, plays = yield from _read(lines)
    except ConsoleError:
        io.print(PASSO)
        raise
    from ludoteca.games.cartas import strategy

    play = strategy.choose(hand, plays)
    io.print(write(play, lines.form) if play else PASSO)


def _read(lines: Lines) -> Dialogue[tuple[int, list[int]]]:
    """The hand, “uma linha com as suas cartas”, and the plays so far, one a line; their number may come first."""
    text = yield from lines.text("the hand, or the number of plays")
    if text.isascii() and text.isdigit():
        text = yield from lines.text("the hand")
    hand = lines.read(text)
    if not hand:
        raise ConsoleError(f"line {lines.number}: read {excerpt(text)!r}, expected the cards of the hand")
    plays: list[int] = []
    empty = 0
    while (line := (yield from lines.line())) is not None:
        if line and empty:
            raise ConsoleError(f"line {empty}: read an empty line, expected a play or {PASSO}")
        if line:
            plays.append(lines.read_play(line))
        else:
            empty = empty or lines.number
    return hand, plays
