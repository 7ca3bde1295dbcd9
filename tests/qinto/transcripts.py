"""Whole runs of the text program as the oracle plays them: the input and the expected output.

Only the deal and the first player come from the library. The rest follows the rules' page. To write the goldens again,
when another deal comes of a seed:

    python -m tests.qinto.transcripts
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import ludoteca
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import SEED_BITS
from ludoteca.games.qinto.names import kind_name
from ludoteca.games.qinto.text.console_game import draw_for_start
from tests.qinto.oracle import Cell, Grid, Oracle, read_step
from tests.qinto.test_oracle import oracle_of

GOLDEN = Path(__file__).parents[1] / "golden" / "qinto"
GOLDENS = {
    "two.light.seed=11": ["Ana", "Bruno"],
    "three.classic.seed=12": ["Núria", "João Miguel", "Zé"],
    "four.plus.seed=13": ["A", "B", "C", "D"],
    "passing.light.rounds=1.seed=14": ["Luís", "Inês", "Rui"],
}
"""The players, by name, variant and seed."""
ORDER = [shape + colour for shape in "12345" for colour in "bBGRY"]
ORDER += ["1W", "3W", "4W", "5W", "WB", "WG", "WR", "WY", "WW"]
ASK = "Jogada (? para ajuda):"


def transcript(arguments: Sequence[str], names: list[str], fond: str = "++~-") -> tuple[str, str]:
    """A random game from the first prompt to its end."""
    variant = arguments[0]
    values = {name: int(value) for name, value in (word.split("=") for word in arguments[1:])}
    game = ludoteca.load("qinto", variant=variant, players=len(names), rounds=values.get("rounds", 4))
    oracle, random = oracle_of(game.new_initial_state(values["seed"])), Random(values["seed"])
    typed, printed = [", ".join(names)], list(opening(variant, names, values["seed"]))
    first = names.index(printed[-1].removesuffix(" começa."))
    seats = names[first:] + names[:first]
    while not oracle.over:
        printed += ["", f"Vez de {seats[oracle.mover]}", "", *table(oracle, seats), ASK]
        line, told = turn(oracle, seats, random, fond)
        typed.append(line)
        printed += told
    printed += ["", *table(oracle, seats), *result(oracle, seats)]
    return "".join(f"{line}\n" for line in typed), "".join(f"{line}\n" for line in printed)


def opening(variant: str, names: list[str], seed: int) -> Iterator[str]:
    yield f"Q!NTO ({variant.title()})"
    yield "Quem joga? Dois a quatro nomes, separados por vírgulas:"
    start = "Para saber quem começa, cada um tira uma peça: "
    for drawn in draw_for_start(len(names), new_rng(2**SEED_BITS - 1 - seed)):
        tiles = {player: kind_name(kind) for player, kind in drawn.items()}
        yield f"{start}{', '.join(f'{names[player]} {tile}' for player, tile in tiles.items())}."
        start = "Empate: "
    yield f"{names[min(tiles, key=lambda player: tiles[player][0])]} começa."


# Output


def extent(grid: Grid) -> tuple[int, int, int, int]:
    """The first and the last row, the first and the last column that are printed."""
    if not grid:
        return 0, 0, 0, 0
    rows, columns = zip(*grid, strict=True)
    return min(rows) - 1, max(rows) + 1, min(columns) - 1, max(columns) + 1


def table(oracle: Oracle, seats: list[str]) -> Iterator[str]:
    top, bottom, left, right = extent(oracle.grid)
    yield "    " + "".join(f"{column:^5}" if column < 10 else f" {column}  " for column in range(1, right - left + 2)) + "  "
    yield "   " + "-----" * (right - left + 1) + "-"
    for row in range(top, bottom + 1):
        cells = "".join(f"| {oracle.grid.get((row, column), '  ')} " for column in range(left, right + 1))
        yield str(row - top + 1).ljust(3) + cells + "|"
        yield "   " + "-----" * (right - left + 1) + "-"
    yield ""
    if oracle.variant == "light":
        yield "Pilhas: " + ", ".join(f"{name} {len(pile)}" for name, pile in zip(seats, oracle.piles, strict=True))
    else:
        yield f"Pilha: {len(oracle.piles[0])}"
    yield "Mãos: " + ", ".join(f"{name} {hand.total()}" for name, hand in zip(seats, oracle.hands, strict=True))
    if oracle.variant != "light":
        yield "Pontos: " + ", ".join(f"{name} {score}" for name, score in zip(seats, oracle.scores, strict=True))
    if not oracle.over:
        hand = sorted(oracle.hands[oracle.mover].elements(), key=ORDER.index)
        yield f"Mão de {seats[oracle.mover]}: {' '.join(hand)}"


def result(oracle: Oracle, seats: list[str]) -> Iterator[str]:
    if oracle.won_by is None:
        yield f"Fim do jogo: ninguém juntou peças nos últimos {oracle.rounds * len(seats)} turnos."
    else:
        yield f"Fim do jogo: {seats[oracle.won_by]} já não tem peças."
    winners = [seats[player] for player in oracle.winners()]
    if len(winners) == 1:
        yield f"Parabéns, {winners[0]}! Ganhaste o jogo."
    else:
        yield f"Empate: ganham {', '.join(winners[:-1])} e {winners[-1]}."


# A turn


def turn(oracle: Oracle, seats: list[str], random: Random, fond: str) -> tuple[str, list[str]]:
    """Play a random turn. Return the line of the turn, with added tiles in any order, and the text about it."""
    corner = extent(oracle.grid)[0], extent(oracle.grid)[2]
    if not oracle.grid:
        corner = random.randrange(-5, 5), random.randrange(-5, 5)
    name, mover, before, scores = seats[oracle.mover], oracle.mover, dict(oracle.grid), list(oracle.scores)
    steps = play_turn(oracle, random, fond)
    sign = steps[0][0] if steps else "-"
    told = [f"{name} {tell(before, sign, steps)}."]
    if sign == "+" and oracle.variant != "light":
        points = oracle.scores[mover] - scores[mover]
        told.append(f"{name} marca {points} ponto{'s' * (points != 1)}.")
    if oracle.mover == mover and not oracle.over:
        told.append(f"Q!nto! {name} joga outra vez.")
    words = [write(step, corner) for step in steps]
    if sign == "+":
        random.shuffle(words)
        told[0] = f"{name} junta {' '.join(word.partition('@')[0] for word in words)}."
    return " ".join([sign, *words]), told


def play_turn(oracle: Oracle, random: Random, fond: str) -> list[str]:
    steps: list[str] = []
    while not oracle.over:
        legal = sorted(oracle.legal())
        liked = [step for step in legal if step[0] == random.choice(fond)]
        step = random.choice(liked or legal)
        oracle.play(step)
        if step == "end":
            break
        steps.append(step)
    return steps


def write(step: str, corner: Cell) -> str:
    if step[0] == "-":
        return step[1:]
    (row, column), tile = read_step(step)
    return f"{tile}@{row - corner[0] + 1},{column - corner[1] + 1}"


def tell(before: Grid, sign: str, steps: list[str]) -> str:
    if sign == "~":
        swaps, now = [], dict(before)
        for cell, tile in map(read_step, steps):
            swaps.append(f"{tile} por {now[cell]}")
            now[cell] = tile
        return f"troca {', '.join(swaps)}"
    tiles = Counter(step[1:] for step in steps).total()
    return f"põe {tiles} peça{'s' * (tiles != 1)} debaixo da pilha e passa" if tiles else "passa"


def main() -> None:
    for name, names in GOLDENS.items():
        fond = "-" if name.startswith("passing") else "++~-"
        typed, printed = transcript(name.split(".")[1:], names, fond)
        for suffix, text in ((".in", typed), (".out", printed)):
            (GOLDEN / (name + suffix)).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
