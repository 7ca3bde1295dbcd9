"""The branches of the assignment: the decisions in its sentences that the answers of its predicates can show. `judging`
makes cases for them.
"""

from collections.abc import Iterator
from typing import Final

from ludoteca.core.judging import Branch

_LAW: Final = """
Reprezentarea stării jocului / initial
    Creați o reprezentare a unei stări a jocului Metro.

Reprezentarea stării jocului / tiles
    Starea jocului poate conține orice informații doriți, dar este necesar să conțină cel puțin informații despre cărțile
    puse în joc.

Exemplu / closed
    În aceasta, avem două trasee complete (sau închise), marcate cu verde și cu albastru.

Exemplu / open
    Avem de asemenea un traseu care pornește de la un tren (un punct de intrare), dar nu ajunge la o gară, și este deci un
    traseu deschis (traseul marcat cu roșu).

Trasee / closed-home
    Punctul de ieșire al traseului este tot (2, 0).

Harta / centre
    În centrul hărții se află 4 spații care nu sunt disponibile pentru a pune cărți, care conțin gări (nu și trenuri).

Harta / entry-above entry-below entry-left entry-right
    Pe fiecare latură a hărții se află d puncte de intrare în hartă și d puncte de ieșire din hartă, numite în joc trenuri,
    respectiv gări.

Trasee / entry
    Punctul de intrare este coordonata spațiului din afara hărții de unde vine trenul, înainte să intre în hartă.

Harta / twice
    Un traseu primește un număr de puncte egale cu numărul de cărți prin care trece (poate trece prin unele cărți de mai
    multe ori).

Trasee / order
    Un traseu va fi reprezentat prin punctul său de intrare și o listă de cărți rotite care compun calea.

Cărțile din joc / track-0 track-1 track-2 track-3
    [...] fiecare număr reprezentând pe a câta latură ajunge conexiunea față de latura de unde a pornit, în sens
    trigonometric, latura de unde a pornit fiind latura 0.

Cărțile din joc / rotated
    O rotație a unei cărți se reflectă într-o deplasare circulară a listei de conexiuni care o reprezintă.

Cărțile din joc / rotations
    Cărțile #1, #6, #9 și #10 nu are sens să fie rotite (au doar rotația R0); cărțile #4 și #8 au două rotații diferite (R0
    și R1); iar celelalte cărți au 4 rotații posibile diferite: R0, R1, R2 și R3.

Desfășurarea jocului / edge beside alone beside-centre
    Condițiile pentru plasarea unei cărți sunt următoarele: [...]

Desfășurarea jocului / taken
    [...] o plasează (rotită așa cum dorește) într-un spațiu liber de pe hartă.

Harta / centre-space
    În centrul hărții se află 4 spații care nu sunt disponibile pentru a pune cărți [...]

Desfășurarea jocului / length-1 length-1-corner
    [...] plasarea cărții ar crea trasee de lungime 1.

Mutările disponibile / all
    Dacă available_move este apelat cu al doilea argument neinstanțiat, acesta trebuie să ofere pentru al doilea parametru,
    ca soluții succesive, câte o legare pentru fiecare mutare disponibilă, fără duplicate.

Mutările disponibile / with-tile at-space
    Pentru accesul la informațiile despre o mutare, dar și pentru construcția mutărilor, se vor implementa următoarele
    predicate: [...]

Mutările disponibile / move
    [...] dacă variabilele Space, TID și RotID sunt legate la valori corecte, și variabila M este neinstanțiată,
    satisfacerea conjuncției [...] să lege variabila M la o reprezentare corectă a mutării descrise.

Mutările disponibile / apply old-state
    Predicatul apply_move va fi folosit pentru a obține starea jocului în care se ajunge după aplicarea unei mutări într-o
    stare dată a jocului.

Desfășurarea jocului / pick
    Jucătorul va lua din teancul de cărți câte o carte (deci cărțile vin aleator) și o plasează (rotită așa cum dorește)
    într-un spațiu liber de pe hartă.

Desfășurarea jocului / pick-none game
    Jocul se termină atunci când jucătorul nu poate plasa în spațiul de joc cartea care este la rând [...]

Desfășurarea jocului / game-full
    [...] fie pentru că nu mai sunt spații libere pe hartă [...]

Desfășurarea jocului / game-short
    [...] fie pentru că plasarea cărții ar crea trasee de lungime 1.
"""
"""One paragraph for each sentence. Its first line has the section and the keys of the branches that the sentence decides."""


def _read() -> Iterator[Branch]:
    for paragraph in _LAW.strip().split("\n\n"):
        head, *lines = paragraph.split("\n")
        section, keys = head.split(" / ")
        sentence = " ".join(line.strip() for line in lines)
        yield from (Branch(key, section, sentence) for key in keys.split())


BRANCHES: Final = tuple(_read())

PATHS: Final = frozenset(
    ("closed", "open", "closed-home", "centre", "entry", "entry-above", "entry-below", "entry-left", "entry-right")
) | {"twice", "order", "track-0", "track-1", "track-2", "track-3", "rotated"}
"""The branches that depend on the tiles on the board and the paths that they make."""
CHECKS: Final = frozenset(
    ("rotations", "edge", "beside", "alone", "beside-centre", "taken", "centre-space", "length-1", "length-1-corner")
)
"""The branches that decide whether a move is available."""
SUBJECTS: Final = {
    **dict.fromkeys(("get_move_space", "get_move_tile_id", "get_move_rotation_id"), frozenset(("move",))),
    "initial_game_state": frozenset(("initial",)),
    "apply_move": frozenset(("apply", "old-state")),
    "get_game_tiles": frozenset(("tiles",)),
    "get_path_entry": frozenset(("entry", "entry-above", "entry-below", "entry-left", "entry-right")),
    "get_path_tiles": frozenset(("twice", "order", "track-0", "track-1", "track-2", "track-3", "rotated")),
    "get_open_paths": frozenset(("open",)),
    "get_closed_paths": frozenset(("closed", "closed-home", "centre")),
    "available_move": CHECKS | {"all", "with-tile", "at-space"},
    "pick_move": frozenset(("pick", "pick-none")),
    "play_game": frozenset(("game", "game-full", "game-short")),
}
"""The branches at which the cases of each predicate aim. A predicate comes after the predicates on which it depends."""
