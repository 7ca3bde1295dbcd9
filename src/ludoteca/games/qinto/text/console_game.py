"""The text program once the players are known: the start, turn after turn, the end.

A line is a whole turn:

    + 5b@4,2 2Y@4,3     add the tiles, in any order: 5b in row 4, column 2 as printed
    ~ 4Y@5,2 WB@6,3     swap them for the wilds on these cells, one after another
    - 1G 2R             put them under the pile, one after another, and pass
    -                   pass

A copy of the game tries the line in single steps, in an order in which each of them is legal. The game itself moves only if
the whole line can be played. All players look at one screen, so a hand is printed at the start of its owner's turn, and not
when it is refilled at the end of one. The tiles put under a pile are never named.
"""

import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ludoteca.core.console import LEAVE, Console, Dialogue
from ludoteca.core.contract import RawPosition, Words
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import Game, State
from ludoteca.core.messages import Message, catalogue, in_words
from ludoteca.core.rng import draw, new_rng
from ludoteca.core.seeds import SEED_BITS
from ludoteca.core.words import counted, quoted
from ludoteca.games.qinto import GAME, rules
from ludoteca.games.qinto.hidden import has_own_pile
from ludoteca.games.qinto.names import (
    KIND_OF,
    PLACE,
    WILD,
    Place,
    Window,
    cell_of,
    grid_lines,
    hand_of,
    kind_name,
    pile_size,
    tiles_of,
    window_around,
)
from ludoteca.games.qinto.notation import ADD, SWAP, TRADE
from ludoteca.games.qinto.reasons import why_not_added, why_not_swapped
from ludoteca.games.qinto.rim import CELLS
from ludoteca.games.qinto.tiles import OPEN, ordered_deck, shape_of

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
SWAPPED_FOR: Final = "{} por {}"
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

EXPECTED: Final = "uma jogada começa por + (juntar), ~ (trocar) ou - (passar)"
EMPTY_LINE: Final = f"a linha está vazia, e {EXPECTED}"
NO_SORT: Final = f"não percebi {{}}: {EXPECTED}"
NO_TILES: Final = "falta dizer que peças, e onde, como em {} 5b@4,2"
JOKERS: Final = [name for name in KIND_OF if WILD in name]
NO_TILE: Final = "não há peça {}: a forma é 1 a 5 e a cor b, B, G, R ou Y, como em 5b; os jóqueres são " + " ".join(JOKERS)
NO_PLACE: Final = "não percebi {}: depois de cada peça vem @linha,coluna, como em 5b@4,2"
A_PLACE: Final = "não percebi {}: debaixo da pilha põem-se peças sem lugar, como em - 1G 2R"


@dataclass
class Match:
    """A game and the names of its players, in turn order."""

    io: Console
    state: State
    names: list[str]
    hide: bool = False
    """True if a hand is shown only after its owner has confirmed to be alone with the screen."""
    marks: bool = False
    """True if new tiles are marked."""
    new: frozenset[Place] = frozenset()
    """The places that got tiles in the last turn."""

    @property
    def raw(self) -> RawPosition:
        return self.state.raw

    @property
    def mover(self) -> str:
        return self.names[self.state.current_player()]


def play(
    io: Console, names: list[str], parameters: Mapping[str, Any], seed: int | None, *, hide: bool, marks: bool
) -> Dialogue[None]:
    """Play from the draw for the first turn to the winners, or until the players leave.

    Without a seed, the operating system gives a random one. `hide` shows a hand only when its owner is alone with the
    screen. `marks` puts new tiles in brackets.
    """
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    rounds = draw_for_start(len(names), new_rng((1 << SEED_BITS) - 1 - seed))  # a seed that does not reveal the deal
    for text, drawn in zip([DRAWING, *(len(rounds) - 1) * [DRAWING_AGAIN]], rounds, strict=True):
        io.print(text.format(", ".join(f"{names[player]} {kind_name(kind)}" for player, kind in drawn.items())))
    first = min(rounds[-1], key=lambda player: shape_of(rounds[-1][player]))  # player 0 of the rules
    io.print(STARTS.format(names[first]))
    state = Game(GAME, parameters).new_initial_state(seed)
    match = Match(io, state, names[first:] + names[:first], hide=hide, marks=marks)
    while not state.is_terminal():
        going_on = yield from _turn(match)
        if not going_on:
            io.print(LEFT, *_points_lines(match))
            return
    out = next((name for player, name in enumerate(match.names) if not hand_of(state.raw, player)), None)
    turns = parameters["rounds"] * len(names)
    *others, last = (match.names[player] for player in state.winners())
    winners = WINNERS.format(" e ".join([", ".join(others), last])) if others else WINNER.format(last)
    io.print("", *_table_lines(match), OVER.format(out) if out else NOBODY_ADDS.format(turns), winners)


def draw_for_start(players: int, rng: Words) -> list[dict[int, int]]:
    """Draw tiles until one player has the highest suit (the lowest shape). Return the kinds by player, round after round.

    “Cada jogador retira uma carta do baralho”. “A colour wild or a Q!nto tile has no suit and is drawn again.” “The tiles
    drawn go back.”
    """
    rounds: list[dict[int, int]] = []
    tied: Sequence[int] = range(players)
    while len(tied) > 1:
        deck = ordered_deck()
        for i in range(len(deck) - 1, 0, -1):
            j = draw(rng, i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        drawn = dict(zip(tied, (kind for kind in deck if shape_of(kind) != OPEN), strict=False))
        rounds.append(drawn)
        highest = min(map(shape_of, drawn.values()))
        tied = [player for player, kind in drawn.items() if shape_of(kind) == highest]
    return rounds


# A turn


def _turn(match: Match) -> Dialogue[bool]:
    """Play a turn: “a wrong move says which line is invalid and why, and asks again”. Return False if the players leave the
    game.
    """
    io = match.io
    while match.hide:
        io.print("", ALONE.format(match.mover))
        answer = (yield from io.line(ENTER)).strip().lower()
        if answer == LEAVE:
            return False
        if not answer:
            break
    io.print("", TURN.format(match.mover), "", *_table_lines(match))
    while True:
        io.print(ASK)
        line = yield from io.line(A_MOVE)
        if line.strip() == "?":
            io.print(*HELP, GOALS[match.state.game.parameters["variant"]])
            continue
        leaving = line.strip().lower() == LEAVE
        try:
            report = [] if leaving else play_line(match, line)
        except (NotationError, IllegalActionError) as error:
            io.print(WRONG.format(error))
            continue
        if match.hide:
            io.clear()
        io.print(*report)
        return not leaving


def play_line(match: Match, line: str) -> list[str]:
    """Play a whole turn. Return the lines that report its public part.

    Raises NotationError if the line is no turn, and IllegalActionError if the rules do not allow it. The game is unchanged
    then.
    """
    turn, state, mover = read_turn(line), match.state, match.mover
    steps = steps_of(state, turn)
    player, scores, before = state.current_player(), state.scores(), tiles_of(state.raw)
    if turn.sort == ADD:
        report = [ADDED.format(mover, " ".join(turn.tiles))]
    elif turn.sort == SWAP:
        wilds = (before[window_of(state.raw).place(place)] for place in turn.places)
        swaps = (SWAPPED_FOR.format(tile, wild) for tile, wild in zip(turn.tiles, wilds, strict=True))
        report = [SWAPPED.format(mover, ", ".join(swaps))]
    elif turn.tiles:
        report = [TRADED.format(mover, counted(len(turn.tiles), "peça"))]
    else:
        report = [PASSED.format(mover)]
    for step in steps:
        state.apply_action(step)
    match.new = frozenset(place for place, tile in tiles_of(state.raw).items() if before.get(place) != tile)
    if turn.sort == ADD and not has_own_pile(state.raw):
        report.append(SCORED.format(mover, counted(state.scores()[player] - scores[player], "ponto")))
    if state.current_player() == player:
        report.append(AGAIN.format(mover))
    return report


class Turn(NamedTuple):
    """A line that was read."""

    sort: str
    """ADD, SWAP or TRADE."""
    tiles: tuple[str, ...]
    """The tiles in the order of the line."""
    places: tuple[Place, ...]
    """The printed place of each tile. Empty for a trade."""


def read_turn(line: str) -> Turn:
    """Return the turn of a line, such as `+5b@0,1`. Raises NotationError, in Portuguese, if the line is of another form."""
    text = line.strip()
    if not text:
        raise NotationError(EMPTY_LINE)
    sort, tiles, places = text[0], list[str](), list[Place]()
    if sort not in (ADD, SWAP, TRADE):
        raise NotationError(NO_SORT.format(quoted(text)))
    for word in text[1:].split():
        tile, at, place = word.partition("@")
        if sort == TRADE and at:
            raise NotationError(A_PLACE.format(quoted(word)))
        if tile not in KIND_OF:
            raise NotationError(NO_TILE.format(quoted(tile)))
        tiles.append(tile)
        if sort != TRADE:
            found = re.fullmatch(PLACE, place)
            if not found:
                raise NotationError(NO_PLACE.format(quoted(word)))
            places.append((int(found[1]), int(found[2])))
    if sort != TRADE and not tiles:
        raise NotationError(NO_TILES.format(text))
    return Turn(sort, tuple(tiles), tuple(places))


def steps_of(state: State, turn: Turn) -> list[int]:
    """Return the actions of a turn, in an order in which each is legal.

    Raises IllegalActionError, in Portuguese, if there is no such order.
    """
    trial, steps = state.clone(), list[int]()
    for step in _STEPS[turn.sort](trial, turn):  # looks for each step after the one before is played
        trial.apply_action(step)
        steps.append(step)
    return steps if trial.is_terminal() else [*steps, rules.END]


def _adds(trial: State, turn: Turn) -> Iterator[int]:
    """Yield the actions of a turn that adds tiles, each chosen among its legal ones: “Every legal add has an order of single
    tiles that is legal at each step”.
    """
    before, hand, window = tiles_of(trial.raw), _hand(trial), window_of(trial.raw)
    if (
        not before
    ):  # “The first tile goes anywhere”: the first tile of the line gets the place of the first tile in the rules
        row, column = turn.places[0]
        window = Window(1 - row, 1 - column, 1, 1)
    placing = [(window.place(place), tile) for place, tile in zip(turn.places, turn.tiles, strict=True)]
    rest = list(placing)
    while rest:
        there, legal = tiles_of(trial.raw), set(trial.legal_actions())
        item = next((item for item in rest if item[0] not in there and _action(*item) in legal), None)
        if item is None:
            break
        rest.remove(item)
        yield _action(*item)
    if rest or not dict(placing).items() <= tiles_of(trial.raw).items():  # the torus brings far places near
        raise _refused(why_not_added(before, hand, placing, numbered=window.printed))


def _swaps(trial: State, turn: Turn) -> Iterator[int]:
    """“Swaps, done left to right.”"""
    window = window_of(trial.raw)
    places = [window.place(place) for place in turn.places]
    for number, (place, tile) in enumerate(zip(places, turn.tiles, strict=True)):
        there = tiles_of(trial.raw)
        if place not in there or _action(place, tile) not in trial.legal_actions():
            raise _refused(why_not_swapped(there, _hand(trial), place, tile, places[:number], window.printed))
        yield _action(place, tile)


def _trades(trial: State, turn: Turn) -> Iterator[int]:
    for tile in turn.tiles:
        if rules.TRADE + KIND_OF[tile] not in trial.legal_actions():
            raise _refused(("refused.not_in_hand", tile))
        yield rules.TRADE + KIND_OF[tile]


_STEPS: Final[Mapping[str, Callable[[State, Turn], Iterator[int]]]] = {ADD: _adds, SWAP: _swaps, TRADE: _trades}


def _action(place: Place, tile: str) -> int:
    """Return the action that adds or swaps a tile at a place."""
    return CELLS * KIND_OF[tile] + cell_of(place)


def _hand(state: State) -> Counter[str]:
    return Counter(hand_of(state.raw, state.current_player()))


def _refused(why: Message) -> IllegalActionError:
    return IllegalActionError(in_words(why, catalogue(GAME.package, GAME.language)))


# The screen


def window_of(raw: RawPosition) -> Window:
    """Return the part of the grid that is printed."""
    return window_around(tiles_of(raw))


def _table_lines(match: Match) -> Iterator[str]:
    """Yield the grid, the numbers of tiles, the points of Classic and Plus, and the mover's hand."""
    raw, players = match.raw, range(len(match.names))
    yield from grid_lines(tiles_of(raw), window_of(raw), match.new if match.marks else ())
    yield ""
    if has_own_pile(raw):
        yield PILES.format(_of_all(match, (pile_size(raw, player) for player in players)))
    else:
        yield PILE.format(pile_size(raw, 0))
    yield HANDS.format(_of_all(match, (len(hand_of(raw, player)) for player in players)))
    yield from _points_lines(match)
    if not match.state.is_terminal():
        yield HAND.format(match.mover, " ".join(hand_of(raw, match.state.current_player())))


def _points_lines(match: Match) -> Iterator[str]:
    """Yield the points of Classic and Plus."""
    if not has_own_pile(match.raw):
        yield POINTS.format(_of_all(match, match.state.scores()))


def _of_all(match: Match, numbers: Iterable[int]) -> str:
    """`Ana 25, Bruno 24`."""
    return ", ".join(f"{name} {number}" for name, number in zip(match.names, numbers, strict=True))
