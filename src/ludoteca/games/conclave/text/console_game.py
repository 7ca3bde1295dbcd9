"""The document's program once the players are known: sections 7.2 and 7.3."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ludoteca.core.console import Console, Dialogue
from ludoteca.core.contract import RawPosition
from ludoteca.core.game import Game, State
from ludoteca.games.conclave import GAME, deck, rules, sets
from ludoteca.games.conclave.notation import MAGICS, PILES, card_name, followers_of, hand_of, influence_of, pile_of

TURN: Final = "TORN DE {}"
HAND: Final = "MA DE {}:"
OPPONENTS: Final = "MANS DELS OPONENTS:"
FOLLOWERS: Final = "RESUM DELS SEGUIDORS:"
MENU: Final = (
    "OPCIONS:",
    "(I) FER JUGADA CEDINT INFLUENCIA",
    "(J) FER JUGADA SENSE CEDIR INFLUENCIA",
    "(P) MOSTRAR PILES",
    "(F) ABANDONAR PARTIDA",
)
ASK_OPTION: Final = "ENTRA UNA OPCIO:"
NO_OPTION: Final = "OPCIO NO DEFINIDA"
ABANDONED: Final = "PARTIDA ABANDONADA"
ASK_MAGIC: Final = "ENTRA LA MAGIA QUE VOLS CEDIR:"
ASK_PLAYER: Final = "ENTRA EL JUGADOR A QUI LA VOLS CEDIR:"
NO_CESSION: Final = "MOVIMENT NO VALID"
ASK_AGAIN: Final = "ENCARA T'INTERESSA CEDIR INFLUENCIA? (s/n)"
ASK_CARD: Final = "ENTRA LA POSICIO DE LA CARTA QUE VOLS COL.LOCAR:"
ASK_CELL: Final = "ENTRA LA POSICIO DEL TAULER ON VOLS COL.LOCAR LA CARTA:"
NO_PLACE: Final = "POSICIO NO VALIDA"
NO_HOLE: Final = ("JUGADA NO PERMESA", "TORNA A INDICAR LA JUGADA")
ASK_PILE: Final = "DE QUINA PILA VOLS ROBAR LA CARTA? (e/d)"
NO_PILE: Final = "AQUESTA PILA NO EXISTEIX"
PILE_TITLES: Final = ("PILA ESQUERRA:", "PILA DRETA:")
NO_CARDS: Final = "NO HI HA CAP CARTA"
RESULT: Final = "RESULTAT FINAL"
ALL_FOLLOWERS: Final = "TOTS ELS SEGUIDORS:"
POINTS: Final = "PUNTS DE DECEPCIO:"
WINNER: Final = "ENHORABONA {}! HAS GUANYAT LA PARTIDA!"

OPTION: Final = "una opció: I, J, P o F"
MAGIC: Final = "una màgia per cedir"
PLAYER: Final = "el número del jugador a qui es cedeix"
YES_OR_NO: Final = "s o n"
PLACE: Final = "una posició de la mà"
ROW: Final = "una fila del tauler"
COLUMN: Final = "una columna del tauler"
PILE: Final = "una pila: e o d"


class Table(NamedTuple):
    """A game and its players' names."""

    state: State
    names: list[str]

    @property
    def raw(self) -> RawPosition:
        return self.state.raw


def play(io: Console, names: list[str], deal: str) -> Dialogue[None]:
    """From the deal to the winner, or until a player chooses to give the game up."""
    state = Game(GAME, {"players": len(names), "deal": deal}).new_initial_state(seed=0)
    table = Table(state, names)
    while not state.is_terminal():
        io.print(*screen_lines(table))
        option = yield from io.character(OPTION)
        if option == "F":
            io.print(ABANDONED)
            return
        if option == "P":  # “Es mostren les dues piles de cartes.”
            for pile, title in enumerate(PILE_TITLES):
                io.print("", title, spaced(map(back, pile_of(state.raw, pile))) or NO_CARDS)
        elif option in "IJ":
            yield from _play_turn(io, state, ceding=option == "I")
        else:
            io.print(NO_OPTION)
    io.print(*result_lines(table))


def _play_turn(io: Console, state: State, *, ceding: bool) -> Dialogue[None]:
    """The phases of section 4."""
    if ceding:
        yield from _cede(io, state)
    if state.raw.phase == rules.CEDING:
        state.apply_action(rules.KEEP)
    yield from _send(io, state)
    if not state.is_terminal() and state.raw.phase == rules.DRAWING:
        io.print(ASK_PILE)
        while (letter := (yield from io.character(PILE))) not in PILES:
            io.print(NO_PILE, ASK_PILE)
        state.apply_action(rules.DRAW + PILES.index(letter))


def _cede(io: Console, state: State) -> Dialogue[None]:
    """“Si encara hi està interessat, es torna a demanar tota la informació; si no, passa directament a fer la jugada.”"""
    answer = "s"
    while answer != "n":
        io.print(ASK_MAGIC)
        magic = yield from io.character(MAGIC)
        io.print(ASK_PLAYER)
        number = yield from io.number(PLAYER)
        if magic in MAGICS and 1 <= number <= state.raw.players:
            action = rules.CEDE + 8 * (number - 1) + MAGICS.index(magic)
            if action in state.legal_actions():
                state.apply_action(action)
                return
        io.print(NO_CESSION, ASK_AGAIN)
        answer = yield from io.character(YES_OR_NO)


def _send(io: Console, state: State) -> Dialogue[None]:
    """“Si no és un forat buit, es tornarà a demanar tota la informació (carta de la mà i posició del tauler).”"""
    while True:
        io.print(ASK_CARD)
        while (place := (yield from io.number(PLACE))) not in range(rules.HAND):
            io.print(NO_PLACE, ASK_CARD)
        while True:
            io.print(ASK_CELL)
            row = yield from io.number(ROW)
            column = yield from io.number(COLUMN)
            if row in range(sets.SIDE) and column in range(sets.SIDE):
                break
            io.print(NO_PLACE)
        action = sets.CELLS * place + sets.SIDE * row + column
        if action in state.legal_actions():
            state.apply_action(action)
            return
        io.print(*NO_HOLE)


# The screen


def screen_lines(table: Table) -> Iterator[str]:
    """The position as the player to move sees it, and the menu."""
    raw, mover = table.raw, int(table.raw.mover)
    others = [player for player in range(len(table.names)) if player != mover]
    yield from ["", *underlined(TURN.format(table.names[mover])), ""]
    yield from board_lines(raw)
    yield from ["", HAND.format(table.names[mover])]
    yield spaced(f"{place}:{face(card)}" for place, card in enumerate(hand_of(raw, mover)))
    yield from ["", OPPONENTS]
    for player in others:
        yield f"{spaced(map(back, hand_of(raw, player)))}  {named(table, player)}"
    yield from ["", FOLLOWERS, *(sums_line(table, player) for player in (mover, *others))]
    yield from ["", *MENU, "", ASK_OPTION]


def underlined(title: str) -> list[str]:
    """A title and a line of one sign for each byte of the title."""
    return [title, "=" * len(title.encode("utf-8", "surrogateescape"))]


def board_lines(raw: RawPosition) -> Iterator[str]:
    """The board between the tops of the piles."""
    yield f"{'':10}{'     '.join('0123')}"
    for row in range(sets.SIDE):
        cells = " ".join(map(face, raw.board[sets.SIDE * row : sets.SIDE * (row + 1)].tolist()))
        left, right = (f"{top(raw, rules.LEFT)}  ", f"  {top(raw, rules.RIGHT)}") if row == 1 else (5 * " ", "")
        yield f"{left}{row}  {cells}{right}"


def top(raw: RawPosition, pile: int) -> str:
    """The back of the card on top of a pile."""
    return back(next(iter(pile_of(raw, pile)), deck.NOTHING))


def face(card: int) -> str:
    """`[p5g]`; `[   ]` for nothing."""
    return "[   ]" if card == deck.NOTHING else f"[{card_name(card)}]"


def back(card: int) -> str:
    """`[p]`; `[ ]` for nothing."""
    return "[ ]" if card == deck.NOTHING else f"[{MAGICS[card >> 4]}]"


def spaced(words: Iterable[str]) -> str:
    """The words with a blank after each."""
    return "".join(f"{word} " for word in words)


def named(table: Table, player: int) -> str:
    return f"{player + 1} {table.names[player]}"


def sums_line(table: Table, player: int) -> str:
    """The influence of the followers of each magic."""
    sums = (f"{total or '':>2}" for total in influence_of(table.raw, player))
    return f"{spaced(f'[{total}{magic}]' for total, magic in zip(sums, MAGICS, strict=True))}  {named(table, player)}"


def result_lines(table: Table) -> Iterator[str]:
    """The end of the game."""
    players = range(len(table.names))
    yield from ["", *underlined(RESULT), "", ALL_FOLLOWERS]
    for player in players:
        followers = spaced(map(face, followers_of(table.raw, player)))
        yield from [named(table, player), f" {followers}" if followers else NO_CARDS]
    yield from ["", FOLLOWERS, *(sums_line(table, player) for player in players)]
    yield from ["", POINTS, *(f"{points:>3} {table.names[player]}" for player, points in enumerate(table.state.scores()))]
    yield from ["", WINNER.format(table.names[table.state.winners()[0]])]
