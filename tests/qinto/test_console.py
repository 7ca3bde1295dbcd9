"""The text program: golden runs, whole and line by line, and every way in which its input can be wrong or end.

The goldens are of this project: the document shows no prompts. `transcripts` has written them, by the oracle.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from ludoteca.cli.console import command
from ludoteca.core import console as driver
from ludoteca.core.rng import new_rng
from ludoteca.games.qinto import GAME
from ludoteca.games.qinto.text import console, console_game
from ludoteca.games.qinto.text.console_game import draw_for_start
from ludoteca.games.qinto.tiles import OPEN, ordered_deck, shape_of
from tests import consoles
from tests.consoles import no_file
from tests.qinto.oracle import Grid, Placing, can_add, neighbours, swapped
from tests.qinto.positions import at, grid_of
from tests.qinto.test_turns import random_grid
from tests.qinto.transcripts import ASK, GOLDEN, transcript

COMMAND = [sys.executable, "-m", "ludoteca", "console", "qinto"]
GOLDENS = [pytest.param(path, id=path.stem) for path in sorted(GOLDEN.glob("*.in"))]
ASK_NAMES = "Quem joga? Dois a quatro nomes, separados por vírgulas:"


run = partial(consoles.run, "qinto")


def read_golden(path: Path) -> tuple[list[str], str, str]:
    """The arguments in the golden's name, the input and the output."""
    typed, printed = (path.with_suffix(suffix).read_bytes().decode() for suffix in (".in", ".out"))
    return path.stem.split(".")[1:], typed, printed


@pytest.mark.parametrize("golden", GOLDENS)
def test_a_golden_whole(golden: Path) -> None:
    arguments, typed, printed = read_golden(golden)
    done = CliRunner().invoke(command, ["qinto", *arguments], input=typed.encode())
    assert (done.stdout_bytes.decode(), done.stderr, done.exit_code, done.exception) == (printed, "", 0, None)


@pytest.mark.parametrize("golden", GOLDENS)
def test_a_golden_line_by_line(golden: Path) -> None:
    """Each answer is on the screen before the next line is read, and all of them at the end."""
    arguments, typed, printed = read_golden(golden)
    seen: list[str] = []

    def lines() -> Iterator[str]:
        for line in typed.splitlines(keepends=True):
            assert printed.startswith("".join(seen))
            assert "".join(seen).endswith((f"{ASK}\n", f"{ASK_NAMES}\n"))
            yield line

    source = lines()
    status = driver.run(GAME, arguments, no_file, lambda: next(source, ""), seen.append, pytest.fail)
    assert ("".join(seen), status) == (printed, 0)


def test_line_ends_and_blanks_do_not_matter() -> None:
    arguments, typed, printed = read_golden(next(GOLDEN.glob("four*.in")))
    assert run(typed.replace("\n", "  \r\n").replace(" ", "  "), *arguments).text == printed.replace("Miguel", " Miguel")
    assert run(typed.replace("+ ", "+").replace("~ ", "~").replace("- ", "-").removesuffix("\n"), *arguments).text == printed


def test_an_input_that_ends_early_is_an_error_and_no_loop() -> None:
    arguments, typed, printed = read_golden(next(GOLDEN.glob("three*.in")))
    lines = typed.splitlines(keepends=True)
    for length in range(0, len(lines) - 1, 1 + len(lines) // 4):
        cut = run("".join(lines[:length]), *arguments)
        assert printed.startswith(cut.text)
        what = "uma jogada" if length else "os nomes de dois a quatro jogadores"
        read = "1 linha" if length == 1 else f"{length} linhas"
        assert (cut.status, cut.complaints) == (1, [f"a entrada acaba depois de {read}: esperava {what}"])


@pytest.mark.parametrize(
    ("arguments", "names", "fond"),
    [
        (["light", "seed=2", "rounds=2"], ["a b  c", "?", "-"], "~-"),
        (["classic", "seed=3"], ["+", "~", "q", "1b"], "+"),
        (["plus", "seed=4"], ["A", "B"], "~"),
    ],
)
def test_games_are_those_of_the_oracle(arguments: list[str], names: list[str], fond: str) -> None:
    typed, printed = transcript(arguments, names, fond)
    whole = run(typed, *arguments)
    assert (whole.text, whole.status, whole.complaints) == (printed, 0, [])


# Before the game


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("", "Li 0 nomes: podem jogar dois a quatro."),
        ("Ana", "Li 1 nome: podem jogar dois a quatro."),
        ("a,b,c,d,e", "Li 5 nomes: podem jogar dois a quatro."),
        ("Ana,,Rui", "O 2.º nome está vazio."),
        ("Ana,", "O 2.º nome está vazio."),
        ("Ana, Rui, Ana", "O nome Ana está repetido."),
        ("Zé, ZÉ", "O nome Zé está repetido."),
        (f"Ana, {41 * 'x'}", "O 2.º nome tem 41 caracteres, e o máximo é 40."),
        (3_000_000 * "x" + ", Rui", "O 1.º nome tem 3000000 caracteres, e o máximo é 40."),
        ("A\0na, Rui", "O 1.º nome tem U+0000, que não é letra, algarismo nem sinal que se veja."),
        ("\x1b[31mAna, Rui", "O 1.º nome tem U+001B, que"),
        ("Ana, \u202eiuR", "O 2.º nome tem U+202E, que"),
        ("Ana, R\udcffi", "O 2.º nome tem o byte FF, que não é UTF-8."),
    ],
)
def test_names_are_asked_for_again_until_they_are_right(typed: str, answer: str) -> None:
    text = run(f"{typed}\nAna,Rui\n").text.splitlines()
    assert [text[1], text[2][: len(answer)], text[3]] == [ASK_NAMES, answer, ASK_NAMES]
    assert text[4].startswith("Para saber quem começa, cada um tira uma peça: Ana ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["Light"], f"li 'Light', esperava {console.ARGUMENTS}"),
        (["seed=1", "seed=1"], f"li 'seed=1', esperava {console.ARGUMENTS}"),
        (["variant=plus", "plus"], f"li 'plus', esperava {console.ARGUMENTS}"),
        (["variant=Plus"], "li 'variant=Plus', esperava um de light, classic, plus"),
        (["players=3"], f"li 'players=3', esperava {console.ARGUMENTS}"),
        (["rounds=0"], "li 'rounds=0', esperava um número inteiro de 1 a 20"),
        (["seed="], "li 'seed=', esperava um número inteiro de 0 a 999999999"),
        (["--seed"], "li 'seed=', esperava um número inteiro de 0 a 999999999"),
        (["--plus"], f"li '--plus', esperava {console.ARGUMENTS}"),
    ],
)
def test_wrong_arguments_are_told_and_nothing_is_played(arguments: list[str], complaint: str) -> None:
    wrong = run("Ana,Rui\n", *arguments)
    assert (wrong.text, wrong.status) == ("", 1)
    assert wrong.complaints == [complaint]


def test_arguments_go_in_any_order() -> None:
    assert run("A,B\n", "seed=5", "plus", "rounds=2").text == run("A,B\n", "rounds=2", "plus", "seed=5").text
    assert run("A,B\n", "seed=5").text == run("A,B\n", "light", "seed=5", "rounds=4").text


@pytest.mark.parametrize("seed", [["--seed", "5"], ["--seed=5"]])
def test_options_are_written_either_way(seed: list[str]) -> None:
    assert run("A,B\n", "plus", "rounds=2", "seed=5").text == run("A,B\n", *seed, "--variant", "plus", "--rounds=2").text


def test_without_a_seed_deals_differ() -> None:
    assert len({run("A,B\n").text for _ in range(4)}) > 1


HEAVY = ("numpy", "numba", "rich", "click")
FIRST_QUESTION = f"""
import sys
from ludoteca.core.console import Console
from ludoteca.games.qinto.text import console
next(console.session(Console(), [], open))
print([name for name in {HEAVY} if name in sys.modules])
"""


def test_nothing_heavy_is_loaded_before_the_first_question() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST_QUESTION], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# The first player


@pytest.mark.parametrize("players", [2, 4])
def test_the_highest_suit_starts_and_the_tied_draw_again(players: int) -> None:
    rounds_seen, first = set(), set()
    for seed in range(40):
        rounds = draw_for_start(players, new_rng(seed))
        tied = list(range(players))
        for drawn in rounds:
            assert list(drawn) == tied
            assert set(drawn.values()) <= set(ordered_deck())
            assert OPEN not in map(shape_of, drawn.values())
            best = min(map(shape_of, drawn.values()))
            tied = [player for player in tied if shape_of(drawn[player]) == best]
        assert len(tied) == 1
        rounds_seen.add(len(rounds))
        first.add(tied[0])
    assert rounds_seen >= {1, 2}
    assert first == set(range(players))


# Single answers


def answer(grid: Grid, hand: str, line: str) -> list[str]:
    """The output after a line as the first turn of a position. The game goes on only if the line was right."""
    state = at(grid, hand.split())
    match = console_game.Match(driver.Console(), state, ["Ana", "Rui"])
    before = state.content(), state.history()
    dialogue = console_game._turn(match)
    next(dialogue)
    match.io.printed()
    try:
        dialogue.send(f"{line}\n")
    except StopIteration:
        assert state.history()
    else:
        assert (state.content(), state.history()) == before
    return match.io.printed().splitlines()


GRID = grid_of("1b 1G 1R 1B\n2b .  .  WW\n.  .  .  4R")
HAND = "2B 5b 1W WY 1b"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "a linha está vazia, e uma jogada começa por + (juntar), ~ (trocar) ou - (passar)"),
        ("passo", "não percebi 'passo': uma jogada começa por + (juntar), ~ (trocar) ou - (passar)"),
        ("~", "falta dizer que peças, e onde, como em ~ 5b@4,2"),
        ("+ 5b", "não percebi '5b': depois de cada peça vem @linha,coluna, como em 5b@4,2"),
        ("+ 5b@2,9999", "não percebi '5b@2,9999': depois de cada peça vem @linha,coluna, como em 5b@4,2"),
        ("+ 6b@2,2", "não há peça '6b': a forma é 1 a 5 e a cor b, B, G, R ou Y, como em 5b; os jóqueres são 1W 3W"),
        ("- 5b 1g", "não há peça '1g'"),
        ("- 5b@2,2", "não percebi '5b@2,2': debaixo da pilha põem-se peças sem lugar, como em - 1G 2R"),
        ("- 3R", "a mão não tem 3R"),
        ("+ 3R@1,2", "a mão não tem 3R"),
        ("+ 5b@1,2 5b@4,2", "a mão não tem 5b 5b"),
        ("+ 5b@2,2", "o lugar 2,2 está ocupado por 1b"),
        ("+ WY@3,5", "o lugar 3,5 está ocupado por WW"),
        ("+ 5b@1,2 1b@1,2", "há duas peças para o lugar 1,2"),
        ("+ 5b@1,2 1b@2,1", "as peças têm de ficar todas numa linha ou numa coluna, e 2,1 fica fora dela"),
        ("+ 5b@3,3 2B@3,6", "o lugar 3,4 fica vazio, e as peças têm de estar seguidas"),
        ("+ 5b@7,7", "em 7,7 não se encosta a nenhuma peça da grelha"),
        ("+ 5b@-50,2 1b@14,2", "o lugar -49,2 fica vazio, e as peças têm de estar seguidas"),
        ("+ 1W@2,6 1b@2,7", "a linha 2 (1b 1G 1R 1B 1W 1b) fica com 6 peças, e o máximo é 5"),
        ("+ 2B@2,6", "a linha 2 (1b 1G 1R 1B 2B) não serve: as cores não são todas iguais nem todas diferentes (1B e 2B são "
         "iguais, 1b não)"),
        ("+ 5b@4,2 2B@5,2", "a coluna 2 (1b 2b 5b 2B) não serve: as cores não são todas iguais nem todas diferentes (1b e "
         "2b são iguais, 2B não)"),
        ("+ WY@3,3 1b@3,4", "a linha 3 (2b WY 1b WW) não serve: as cores não são todas iguais nem todas diferentes (2b e 1b "
         "são iguais, WY não)"),
        ("~ 5b@9,9", "em 9,9 não há peça nenhuma para trocar"),
        ("~ 5b@2,2", "em 2,2 está 1b, e só se trocam jóqueres"),
        ("~ 5b@3,5 2B@3,5", "em 3,5 já se trocou neste turno"),
        ("~ 1b@3,5", "a coluna 5 (1B 1b 4R) não serve: as formas não são todas iguais nem todas diferentes (1B e 1b são "
         "iguais, 4R não)"),
    ],
)  # fmt: skip
def test_a_wrong_move_says_why_and_asks_again(line: str, why: str) -> None:
    text, again = answer(GRID, HAND, line)
    assert text.startswith(f"Jogada inválida: {why}")
    assert text.endswith(".")
    assert again == ASK


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("-", "Ana passa."),
        ("- 5b", "Ana põe 1 peça debaixo da pilha e passa."),
        ("+ 5b@4,2", "Ana junta 5b."),
        ("+ 1b@3,4 5b@3,3", "Ana junta 1b 5b."),
        ("~ 5b@3,5", "Ana troca 5b por WW."),
    ],
)
def test_a_right_move(line: str, told: str) -> None:
    assert answer(GRID, HAND, line) == [told]


def test_the_wild_that_was_taken_may_be_swapped_again_but_not_back() -> None:
    grid = grid_of("WW WR")
    assert answer(grid, HAND, "~ 2B@2,2 WW@2,3") == ["Ana troca 2B por WW, WW por WR."]
    assert answer(grid, HAND, "~ 1W@2,2 WW@2,2")[0] == "Jogada inválida: em 2,2 já se trocou neste turno."
    assert answer(grid_of("1b WW"), "WW 5b 2B 1W WY", "~ WW@2,3")[0] == "Jogada inválida: em 2,3 já está WW."


def test_a_qinto_gives_another_turn() -> None:
    assert answer(GRID, "1Y 2B 5b 5R WY", "+ 1Y@2,6") == ["Ana junta 1Y.", "Q!nto! Ana joga outra vez."]


def test_the_first_tiles_go_anywhere() -> None:
    for line in ("+ 2B@1,1 WY@1,2 1W@1,0", "+ WY@-70,33 2B@-70,34 1W@-70,35", "+ 1W@999,-1 WY@998,-1 2B@997,-1"):
        assert answer({}, HAND, line)[0].startswith("Ana junta ")
    assert answer({}, HAND, "+ 5b@1,1 1b@1,3")[0] == (
        "Jogada inválida: o lugar 1,2 fica vazio, e as peças têm de estar seguidas."
    )


def test_a_line_is_played_whenever_the_page_allows_it_and_never_else() -> None:
    """Tiles of a hand next to a grid, in random places and any order."""
    answers = Counter[str]()
    for seed in range(2, 5):
        random = Random(seed)
        grid, rest = random_grid(random, size=6 + seed, wilds=seed % 5)
        hand = rest[:5]
        top, left = (min(cell[at] for cell in grid) for at in (0, 1))
        for _ in range(40):
            placing = some_placing(random, grid, hand)
            tiles = "".join(f" {tile}@{row - top + 2},{column - left + 2}" for (row, column), tile in placing)
            adds = "Ana junta" if can_add(grid, Counter(hand), placing) else "Jogada inválida"
            swaps = "Ana troca" if swapped(grid, Counter(hand), placing) else "Jogada inválida"
            assert answer(grid, " ".join(hand), f"+{tiles}")[0].startswith(adds)
            assert answer(grid, " ".join(hand), f"~{tiles}")[0].startswith(swaps)
            answers += Counter([adds, swaps])
    assert answers["Ana junta"] > 4
    assert answers["Ana troca"] > 0


def some_placing(random: Random, grid: Grid, hand: list[str]) -> Placing:
    """One to four tiles in one line, mostly on cells that are free or hold wilds."""
    row, column = random.choice([cell for tile in grid for cell in neighbours(tile)])
    down, right = random.choice([(0, 1), (1, 0)])
    line = [(row + down * at, column + right * at) for at in range(-3, 4)]
    near = sorted(
        (cell for cell in line if "W" in grid.get(cell, "W")), key=lambda cell: abs(cell[0] - row + cell[1] - column)
    )
    number = random.randrange(1, 5)
    cells = random.sample(near[: number + random.randrange(2)], min(number, len(near)))
    return tuple(zip(cells, random.sample(hand, len(cells)), strict=True))


def test_help_tells_how_the_variant_is_won() -> None:
    for variant, word in (("light", "joga outra vez"), ("classic", "dão mais 5"), ("plus", "diagonais")):
        text = run("A,B\n?\n", variant, "seed=1").text.partition(ASK)[2]
        assert word in text
        assert "+ 5b@4,2 2Y@4,3" in text
        assert text.endswith(f"{ASK}\n")


@pytest.mark.parametrize("typed", ["q\n", "Ana\n Q \r\n"])
def test_q_leaves_before_the_game(typed: str) -> None:
    left = run(typed)
    assert (left.status, left.complaints, left.text.splitlines()[-1]) == (0, [], ASK_NAMES)


@pytest.mark.parametrize(
    ("arguments", "farewell"),
    [(["light"], ["Jogo deixado antes do fim."]), (["plus"], ["Jogo deixado antes do fim.", "Pontos: A 0, B 0"])],
)
def test_q_leaves_the_game(arguments: list[str], farewell: list[str]) -> None:
    left = run("A, B\n-\nx\n q \n+ 1b@1,1\n", "seed=4", *arguments)
    assert (left.status, left.complaints) == (0, [])
    assert left.text.splitlines()[-len(farewell) - 1 :] == [ASK, *farewell]


def test_what_is_put_under_a_pile_and_what_is_drawn_is_not_told() -> None:
    text = run("A,B\n- 2Y 3G\n", "seed=3").text
    end_of_turn = text.partition(ASK)[2]
    assert "A põe 2 peças debaixo da pilha e passa." in end_of_turn
    assert "2Y" not in end_of_turn.replace("+ 5b@4,2 2Y@4,3", "")
