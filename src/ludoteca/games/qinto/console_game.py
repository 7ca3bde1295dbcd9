"""The text program once the players are known: who starts, turn after turn, the end.

A line is a whole turn. It is tried on a copy of the game, in single steps, in an order in which each of them is legal; the
game itself moves only when all of it can be played. All players look at one screen, so a hand is printed when its owner's
turn comes, and not when it is filled up at the end of one; what is put under a pile is never named.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ludoteca.core.console import Console, Dialogue
from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import Game, State
from ludoteca.core.rng import SEED_BITS, new_rng
from ludoteca.core.words import counted, excerpt
from ludoteca.games.qinto import GAME, rules
from ludoteca.games.qinto.console import LEAVE
from ludoteca.games.qinto.grid import Place, Window, grid_lines, window_around
from ludoteca.games.qinto.names import cell_of, hand_of, kind_name, pile_size, read_kind, tiles_of
from ludoteca.games.qinto.reasons import COLOUR, SHAPE, Fault, Reason, odd_ones, why_not_added, why_not_swapped
from ludoteca.games.qinto.rim import CELLS
from ludoteca.games.qinto.starter import draw_for_start, starter
from ludoteca.games.qinto.turns import Sort, Turn, read_turn

DRAWING: Final = "Para saber quem começa, cada um tira uma peça: {}."
DRAWING_AGAIN: Final = "Empate: {}."
STARTS: Final = "{} começa."

ALONE: Final = "Só {} deve ver o ecrã agora. Enter mostra a mão:"
TURN: Final = "Vez de {}"
HAND: Final = "Mão de {}: {}"
PILES: Final = "Pilhas: {}"
PILE: Final = "Pilha: {}"
HANDS: Final = "Mãos: {}"
POINTS: Final = "Pontos: {}"
ASK: Final = "Jogada (? para ajuda):"
WRONG: Final = "Jogada inválida: {}."
A_MOVE: Final = "uma jogada"
ENTER: Final = "Enter"

ADDED: Final = "{} junta {}."
SWAPPED: Final = "{} troca {}."
SWAP: Final = "{} por {}"
TRADED: Final = "{} põe {} debaixo da pilha e passa."
PASSED: Final = "{} passa."
AGAIN: Final = "Q!nto! {} joga outra vez."
SCORED: Final = "{} marca {}."

LEFT: Final = "Jogo deixado antes do fim."
OVER: Final = "Fim do jogo: {} já não tem peças."
NOBODY_ADDS: Final = "Fim do jogo: ninguém juntou peças nos últimos {} turnos."
WINNER: Final = "Parabéns, {}! Ganhaste o jogo."
WINNERS: Final = "Empate: ganham {}."

HELP: Final = (
    "+ 5b@4,2 2Y@4,3   junta peças da mão à grelha: 5b na linha 4, coluna 2, e 2Y na coluna 3",
    "~ 4Y@5,2 WB@6,3   troca peças da mão por jóqueres da grelha, uma de cada vez, da esquerda para a direita",
    "- 1G 2R           põe peças da mão debaixo da pilha, por esta ordem, e passa a vez",
    "-                 passa a vez",
    "q                 deixa o jogo",
    "Uma peça é forma e cor. Formas: 1 ♠, 2 !, 3 ♦, 4 ♥, 5 ♣. Cores: b preto, B azul, G verde, R vermelho, Y amarelo.",
    "W é um jóquer: 1W tem qualquer cor, WG qualquer forma, WW é tudo o que se queira, e em cada direção o que convier.",
    "Uma linha tem 2 a 5 peças seguidas, todas da mesma forma ou todas de formas diferentes, e com as cores é igual.",
    "Juntam-se 1 a 5 peças numa só linha ou coluna, sem buracos, encostadas às que lá estão. Podem ficar fora da grelha",
    "impressa: na linha ou coluna 0, -1 e assim por diante. A peça que se troca tem de servir na sua linha e na sua coluna.",
)
GOALS: Final = {
    "light": "Quem completa um Q!nto (uma linha de 5) joga outra vez. Ganha quem primeiro ficar sem peças.",
    "classic": "Cada linha feita ou aumentada vale as suas peças; um Q!nto (5 peças), juntar 5 peças e acabar dão mais 5.",
    "plus": "Como em Classic, e as diagonais de 3 a 5 peças contam como linhas, mas nunca tornam uma jogada inválida.",
}

FAULTS: Final = {
    Fault.NOT_IN_HAND: "a mão não tem {tile}",
    Fault.TAKEN: "o lugar {place} está ocupado por {tile}",
    Fault.TWICE: "há duas peças para o lugar {place}",
    Fault.BENT: "as peças têm de ficar todas numa linha ou numa coluna, e {place} fica fora dela",
    Fault.GAP: "o lugar {place} fica vazio, e as peças têm de estar seguidas",
    Fault.APART: "em {place} não se encosta a nenhuma peça da grelha",
    Fault.TOO_LONG: "{line} fica com {number} peças, e o máximo é 5",
    Fault.COLOURS: "{line} não serve: as cores não são todas iguais nem todas diferentes ({detail})",
    Fault.SHAPES: "{line} não serve: as formas não são todas iguais nem todas diferentes ({detail})",
    Fault.NOTHING_THERE: "em {place} não há peça nenhuma para trocar",
    Fault.NOT_WILD: "em {place} está {tile}, e só se trocam jóqueres",
    Fault.SAME_TILE: "em {place} já está {tile}",
    Fault.SWAPPED: "em {place} já se trocou neste turno",
}
LINE: Final = "a {} {} ({})"
ODD_ONES: Final = "{} e {} são iguais, {} não"
ODD: Final = {Fault.COLOURS: COLOUR, Fault.SHAPES: SHAPE}


@dataclass
class Table:
    """A game and the names of those who play it, in the order of their turns."""

    io: Console
    state: State
    names: list[str]
    hide: bool = False
    """Whether a hand is only on the screen while its owner is alone with it."""
    marks: bool = False
    """Whether new tiles are marked."""
    new: frozenset[Place] = frozenset()
    """Where the last turn has put tiles."""

    @property
    def raw(self) -> RawPosition:
        return self.state.raw

    @property
    def mover(self) -> str:
        return self.names[self.state.current_player()]


def play(
    io: Console, names: list[str], parameters: Mapping[str, Any], seed: int | None, *, hide: bool, marks: bool
) -> Dialogue[None]:
    """From the drawing of tiles for the start to the winners, or until those who play leave.

    Without a seed it is drawn from the system. `hide` shows no hand before its owner is alone, `marks` marks new tiles.
    """
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    drawings = draw_for_start(len(names), new_rng((1 << SEED_BITS) - 1 - seed))  # so that it tells nothing of the deal
    first = starter(drawings)
    io.print(*drawing_lines(names, drawings), STARTS.format(names[first]))
    state = Game(GAME, parameters).new_initial_state(seed)
    table = Table(io, state, names[first:] + names[:first], hide=hide, marks=marks)
    while not table.state.is_terminal():
        going_on = yield from _turn(table)
        if not going_on:
            io.print(LEFT, *points_lines(table))
            return
    io.print("", *table_lines(table), *result_lines(table))


def _turn(table: Table) -> Dialogue[bool]:
    """“A wrong move says which line is invalid and why, and asks again.” False when those who play leave."""
    io = table.io
    while table.hide:
        io.print("", ALONE.format(table.mover))
        answer = (yield from io.line(ENTER)).strip().lower()
        if answer == LEAVE:
            return False
        if not answer:
            break
    io.print("", TURN.format(table.mover), "", *table_lines(table))
    while True:
        io.print(ASK)
        line = yield from io.line(A_MOVE)
        if line.strip() == "?":
            io.print(*HELP, GOALS[table.state.game.parameters["variant"]])
            continue
        leaving = line.strip().lower() == LEAVE
        try:
            told = [] if leaving else play_line(table, line)
        except (NotationError, IllegalActionError) as error:
            io.print(WRONG.format(error))
            continue
        if table.hide:
            io.clear()
        io.print(*told)
        return not leaving


def play_line(table: Table, line: str) -> list[str]:
    """Play a whole turn; what is told of it. Raises NotationError and IllegalActionError, and the game stands as it was."""
    turn, state = read_turn(line), table.state
    steps = steps_of(state, turn)
    told = [_told(table, turn)]
    player, scores, before = state.current_player(), state.scores(), tiles_of(state.raw)
    for step in steps:
        state.apply_action(step)
    table.new = frozenset(place for place, tile in tiles_of(state.raw).items() if before.get(place) != tile)
    if turn.sort is Sort.ADD and not is_light(state):
        told.append(SCORED.format(table.names[player], counted(state.scores()[player] - scores[player], "ponto")))
    if state.current_player() == player:
        told.append(AGAIN.format(table.names[player]))
    return told


def is_light(state: State) -> bool:
    """In Light everybody has a pile, and nobody points."""
    return bool(state.game.parameters["variant"] == "light")


def _told(table: Table, turn: Turn) -> str:
    """What all may know of a turn that is about to be played."""
    if turn.sort is Sort.ADD:
        return ADDED.format(table.mover, " ".join(turn.tiles))
    if turn.sort is Sort.SWAP:
        tiles, window = tiles_of(table.raw), window_of(table.raw)
        wilds = (tiles[window.place(place)] for place in turn.places)
        swaps = (SWAP.format(tile, wild) for tile, wild in zip(turn.tiles, wilds, strict=True))
        return SWAPPED.format(table.mover, ", ".join(swaps))
    if turn.tiles:
        return TRADED.format(table.mover, counted(len(turn.tiles), "peça"))
    return PASSED.format(table.mover)


# A turn in single steps


def steps_of(state: State, turn: Turn) -> list[int]:
    """The actions of a turn, in an order in which each is legal. Raises IllegalActionError, in Portuguese."""
    if turn.sort is Sort.PASS:
        return _trades(state, turn)
    window = _window_of_turn(state.raw, turn)
    placing = [(window.place(place), tile) for place, tile in zip(turn.places, turn.tiles, strict=True)]
    if turn.sort is Sort.SWAP:
        return _swaps(state, placing, window)
    return _additions(state, placing, window)


def _window_of_turn(raw: RawPosition, turn: Turn) -> Window:
    """“The first tile goes anywhere”: on the empty grid, the place of the first one written is where the rules begin."""
    if tiles_of(raw):
        return window_of(raw)
    row, column = turn.places[0]
    return Window(1 - row, 1 - column, 1, 1)


def _additions(state: State, placing: list[tuple[Place, str]], window: Window) -> list[int]:
    """“Every legal add has an order of single tiles that is legal at each step”: any that can be played next is."""
    trial, steps, rest = state.clone(), list[int](), list(placing)
    while rest:
        taken, legal = tiles_of(trial.raw), set(trial.legal_actions())
        playable = (item for item in rest if item[0] not in taken and _action(*item) in legal)
        item = next(playable, None)
        if item is None:
            break
        rest.remove(item)
        steps.append(_action(*item))
        trial.apply_action(steps[-1])
    if rest or not dict(placing).items() <= tiles_of(trial.raw).items():  # the torus brings far places near
        hand = Counter(hand_of(state.raw, state.current_player()))
        raise _refused(why_not_added(tiles_of(state.raw), hand, placing), window)
    return [*steps, rules.END] if not trial.is_terminal() else steps


def _swaps(state: State, placing: list[tuple[Place, str]], window: Window) -> list[int]:
    """“Swaps, done left to right.”"""
    trial, steps = state.clone(), list[int]()
    for number, (place, tile) in enumerate(placing):
        tiles = tiles_of(trial.raw)
        if place not in tiles or _action(place, tile) not in trial.legal_actions():
            hand = Counter(hand_of(trial.raw, trial.current_player()))
            done = [other for other, _ in placing[:number]]
            raise _refused(why_not_swapped(tiles, hand, place, tile, done), window)
        steps.append(_action(place, tile))
        trial.apply_action(steps[-1])
    return [*steps, rules.END]


def _trades(state: State, turn: Turn) -> list[int]:
    trial, steps = state.clone(), list[int]()
    for tile in turn.tiles:
        steps.append(rules.TRADE + read_kind(tile))
        if steps[-1] not in trial.legal_actions():
            raise _refused(Reason(Fault.NOT_IN_HAND, tiles=(tile,)), Window(1, 1, 1, 1))
        trial.apply_action(steps[-1])
    return [*steps, rules.END]


def _action(place: Place, tile: str) -> int:
    return CELLS * read_kind(tile) + cell_of(place)


def _refused(reason: Reason, window: Window) -> IllegalActionError:
    """The reason in Portuguese, with the numbers of the window."""
    row, column = window.printed(reason.place)
    tiles = excerpt(" ".join(reason.tiles))
    line = LINE.format(*("linha", row) if reason.across else ("coluna", column), tiles)
    detail = ODD_ONES.format(*odd_ones(reason.tiles, ODD[reason.fault])) if reason.fault in ODD else ""
    place, number = f"{row},{column}", len(reason.tiles)
    return IllegalActionError(FAULTS[reason.fault].format(place=place, tile=tiles, line=line, number=number, detail=detail))


# The screen


def window_of(raw: RawPosition) -> Window:
    """What is printed of the grid."""
    return window_around(tiles_of(raw))


def drawing_lines(names: list[str], rounds: list[dict[int, int]]) -> Iterator[str]:
    """Who drew what to start."""
    for text, drawn in zip([DRAWING, *(len(rounds) - 1) * [DRAWING_AGAIN]], rounds, strict=True):
        yield text.format(", ".join(f"{names[player]} {kind_name(kind)}" for player, kind in drawn.items()))


def table_lines(table: Table) -> Iterator[str]:
    """The grid, the numbers of tiles, the points where they count, and the hand of who is to move."""
    raw, players = table.raw, range(len(table.names))
    yield from grid_lines(tiles_of(raw), window_of(raw), table.new if table.marks else ())
    yield ""
    if is_light(table.state):
        yield PILES.format(_of_all(table, (pile_size(raw, player) for player in players)))
    else:
        yield PILE.format(pile_size(raw, 0))
    yield HANDS.format(_of_all(table, (len(hand_of(raw, player)) for player in players)))
    yield from points_lines(table)
    if not table.state.is_terminal():
        yield HAND.format(table.mover, " ".join(hand_of(raw, table.state.current_player())))


def points_lines(table: Table) -> Iterator[str]:
    """The points, where they count."""
    if not is_light(table.state):
        yield POINTS.format(_of_all(table, table.state.scores()))


def _of_all(table: Table, numbers: Iterable[int]) -> str:
    """`Ana 25, Bruno 24`."""
    return ", ".join(f"{name} {number}" for name, number in zip(table.names, numbers, strict=True))


def result_lines(table: Table) -> Iterator[str]:
    """How the game ended, and who has won."""
    raw, state = table.raw, table.state
    out = next((name for player, name in enumerate(table.names) if not hand_of(raw, player)), None)
    rounds = state.game.parameters["rounds"] * len(table.names)
    yield OVER.format(out) if out else NOBODY_ADDS.format(rounds)
    winners = [table.names[player] for player in state.winners()]
    yield (
        WINNER.format(*winners) if len(winners) == 1 else WINNERS.format(" e ".join([", ".join(winners[:-1]), winners[-1]]))
    )
