"""The programs of the four guiões, as sessions. The docstring of a session quotes its task in the document."""

from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final

from ludoteca.core.console import Console, Dialogue
from ludoteca.games.cartas.cards import PASSO, Form, highest, write
from ludoteca.games.cartas.combinations import SUITS, answers, each_of, groups, length_of, shape_of, windows
from ludoteca.games.cartas.text.lines import NOTHING, PASSED, Lines, play_to_answer

TEST: Final = "Teste {}"
SET: Final = "conjunto com {} cartas onde a carta mais alta é {}"
SEQUENCE: Final = "sequência com {} cartas onde a carta mais alta é {}"
DOUBLE: Final = "dupla sequência com {} cartas onde a carta mais alta é {}"
NO_COMBINATION: Final = "Nada!"
NOT_EQUAL: Final = "Combinações não iguais!"

TESTS: Final = "testes"
LINES: Final = "linhas"
PLAYS: Final = "jogadas"
CARDS: Final = "cartas"
COMBINATION: Final = "uma combinação"
HAND: Final = "as cartas da mão"
PLAY: Final = "uma jogada"
ATTEMPT: Final = "a jogada"
LAST: Final = "a última combinação"


# Guião 1


def classify(io: Console) -> Dialogue[None]:
    """Guião 1: print the type of each set of cards and its highest card. “Imprimir qual é o tipo de combinação que este
    conjunto de cartas representa e qual é a carta mais alta”.
    """
    lines = Lines(io)
    for _ in range((yield from lines.count(LINES))):
        lines.begin_test()
        cards = yield from lines.cards(CARDS)
        io.print(describe(cards, lines.form))


def describe(cards: int, form: Form) -> str:
    """Return the line that describes some cards: type, size and highest card. The size of a double sequence is its number of
    values: “O tamanho de uma dupla sequência é o número de valores diferentes”.
    """
    shape = shape_of(cards)
    if not shape:
        return NO_COMBINATION
    length, each = length_of(shape), each_of(shape)
    if length == 1:
        return SET.format(each, form[highest(cards)])
    return (SEQUENCE if each == 1 else DOUBLE).format(length, form[highest(cards)])


# Guião 2


def compare(io: Console) -> Dialogue[None]:
    """Guião 2: print combinations in ascending order, if they can be compared. “Dadas várias combinações, dizer se são
    compatíveis e ordená-las”.
    """
    lines = Lines(io)
    for test in range((yield from lines.count(TESTS))):
        lines.begin_test()
        several: list[int] = []
        for _ in range((yield from lines.count(LINES))):
            several += [(yield from lines.cards(COMBINATION))]
        io.print(TEST.format(test + 1))
        if compatible(several):
            io.print(*(write(cards, lines.form) for cards in in_order(several)))
        else:
            io.print(NOT_EQUAL)


def compatible(several: list[int]) -> bool:
    """Return True if combinations can be compared, because all have the same type and the same number of cards: “do mesmo
    tipo e com o mesmo número de cartas”.
    """
    shapes = set(map(shape_of, several))
    return 0 not in shapes and len(shapes) <= 1


def in_order(several: list[int]) -> list[int]:
    """Return the combinations in ascending order of their highest cards: “para comparar duas combinações, comparamos a carta
    mais alta”.
    """
    return sorted(several, key=highest)


# Guião 3


def hands_after_plays(io: Console) -> Dialogue[None]:
    """Guião 3: print the hand after a play, or the unchanged hand if the play is not legal. “Imprimir a nova mão desse
    jogador. Deverá imprimir-se a mesma mão caso a jogada seja inválida”.
    """
    lines = Lines(io)
    for test in range((yield from lines.count(TESTS))):
        lines.begin_test()
        before = yield from lines.count(PLAYS)
        hand = yield from lines.cards(HAND)
        last: deque[int] = deque(maxlen=3)
        for _ in range(before):
            last.append((yield from lines.play(PLAY)))
        play = yield from lines.play(ATTEMPT)
        io.print(TEST.format(test + 1), write(hand_after(hand, list(last), play), lines.form))


def hand_after(hand: int, before: list[int], play: int) -> int:
    """Return the hand without the cards of a play, or the whole hand if the play is not possible."""
    if play in (PASSED, NOTHING) or play & ~hand:
        return hand
    to_answer = play_to_answer(before)
    possible = shape_of(play) != 0 if to_answer == PASSED else to_answer != NOTHING and answers(play, to_answer)
    return hand ^ play if possible else hand


# Guião 4


def list_plays(io: Console) -> Dialogue[None]:
    """Guião 4: print all combinations that may be played in a position, or PASSO if there is none. “Apresentar todas as
    combinações possíveis que se pode jogar nessa posição ou escrever PASSO”.
    """
    lines = Lines(io)
    for test in range((yield from lines.count(TESTS))):
        lines.begin_test()
        last = yield from lines.play(LAST)
        hand = yield from lines.cards(HAND)
        plays = texts_of_plays(last, hand, lines.form)
        io.print(TEST.format(test + 1), next(plays, PASSO))
        io.print_many(plays)


def texts_of_plays(last: int, hand: int, form: Form) -> Iterator[str]:
    """Yield the possible plays as text, in the document's order."""
    for group in groups(last) if last != NOTHING else ():
        for low, choices in windows(hand, group):  # all choices of suits, by those of the lowest value
            parts = [[_text(suits << (low + SUITS * i), form) for suits in some] for i, some in enumerate(choices)]
            yield from map(" ".join, product(*parts))


@cache
def _text(cards: int, form: Form) -> str:
    return write(cards, form)
