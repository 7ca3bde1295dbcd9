"""The document's program once the players are known: sections 7.2 and 7.3."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

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


def play(io: Console, names: list[str], deal: str) -> Dialogue[None]:
    """Play a game from the deal to the winner, or until a player gives it up."""
    state = Game(GAME, {"players": len(names), "deal": deal}).new_initial_state(seed=0)
    while not state.is_terminal():
        io.print(*screen_lines(state.raw, names))
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
    io.print(*result_lines(state, names))


def _play_turn(io: Console, state: State, *, ceding: bool) -> Dialogue[None]:
    """Play the phases of a turn, section 4."""
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
    """Ask what to cede. After a wrong answer, ask everything again or go on, as the player wants: “Si encara hi està
    interessat, es torna a demanar tota la informació; si no, passa directament a fer la jugada.”
    """
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
    """Ask for a card and a cell. If the cell is not empty, ask for both again: “Si no és un forat buit, es tornarà a demanar
    tota la informació (carta de la mà i posició del tauler).”
    """
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


def screen_lines(raw: RawPosition, names: Sequence[str]) -> Iterator[str]:
    """Yield the position for the player to move, and the menu."""
    mover = int(raw.mover)
    others = [player for player in range(len(names)) if player != mover]
    yield from ["", *underlined(TURN.format(names[mover])), ""]
    yield f"{'':10}{'     '.join('0123')}"
    tops = [back(next(iter(pile_of(raw, pile)), deck.NOTHING)) for pile in (rules.LEFT, rules.RIGHT)]
    for row in range(sets.SIDE):
        cells = " ".join(map(face, raw.board[sets.SIDE * row : sets.SIDE * (row + 1)].tolist()))
        yield f"{tops[0]}  {row}  {cells}  {tops[1]}" if row == 1 else f"     {row}  {cells}"
    yield from ["", HAND.format(names[mover])]
    yield spaced(f"{place}:{face(card)}" for place, card in enumerate(hand_of(raw, mover)))
    yield from ["", OPPONENTS]
    for player in others:
        yield f"{spaced(map(back, hand_of(raw, player)))}  {player + 1} {names[player]}"
    yield from ["", FOLLOWERS, *(sums_line(raw, names, player) for player in (mover, *others))]
    yield from ["", *MENU, "", ASK_OPTION]


def result_lines(state: State, names: Sequence[str]) -> Iterator[str]:
    """Yield the end of the game."""
    yield from ["", *underlined(RESULT), "", ALL_FOLLOWERS]
    for player, name in enumerate(names):
        followers = spaced(map(face, followers_of(state.raw, player)))
        yield from [f"{player + 1} {name}", f" {followers}" if followers else NO_CARDS]
    yield from ["", FOLLOWERS, *(sums_line(state.raw, names, player) for player in range(len(names)))]
    yield from ["", POINTS, *(f"{points:>3} {name}" for points, name in zip(state.scores(), names, strict=True))]
    yield from ["", WINNER.format(names[state.winners()[0]])]


def underlined(title: str) -> list[str]:
    """Return a title, and a line with one sign for each byte of the title."""
    return [title, "=" * len(title.encode("utf-8", "surrogateescape"))]


def sums_line(raw: RawPosition, names: Sequence[str], player: int) -> str:
    """Return the influence of a player's followers of each magic, and the player."""
    sums = (f"{total or '':>2}" for total in influence_of(raw, player))
    piles = spaced(f"[{total}{magic}]" for total, magic in zip(sums, MAGICS, strict=True))
    return f"{piles}  {player + 1} {names[player]}"


def face(card: int) -> str:
    """Return `[p5g]`, or `[   ]` for nothing."""
    return "[   ]" if card == deck.NOTHING else f"[{card_name(card)}]"


def back(card: int) -> str:
    """Return `[p]`, or `[ ]` for nothing."""
    return "[ ]" if card == deck.NOTHING else f"[{MAGICS[card >> 4]}]"


def spaced(words: Iterable[str]) -> str:
    """Return the words with a blank after each."""
    return "".join(f"{word} " for word in words)
