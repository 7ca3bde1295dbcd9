"""The branches of the document: the decisions in its sentences that a run of its program can show. `judging` makes cases for
them.
"""

from typing import Final

from ludoteca.core.judging import Branch

GAME: Final = "Descripció del joc"
NEIGHBOURS: Final = "Ocupació de caselles adjacents"
PROGRAM: Final = "El programa que heu de desenvolupar"
RUN: Final = "Exemple d'execució"
TEXT: Final = "Exemple d'execució en mode text"
SPECIAL: Final = "Tractament de situacions especials"
BOARD: Final = "Visualització: Tauler"
LISTS: Final = "Visualització: Llistats"


def _said(section: str, sentence: str, *keys: str) -> tuple[Branch, ...]:
    """Return the branches that a sentence decides."""
    return tuple(Branch(key, section, sentence) for key in keys)


BRANCHES: Final = (
    # before the game
    *_said(TEXT, "La sortida del vostre programa ha de seguir el format aquí presentat", "format"),
    *_said(
        SPECIAL,
        "Nombre de jugadors incorrecte: El programa els tornarà a demanar",
        "players.few",
        "players.many",
    ),
    *_said(
        PROGRAM,
        "El nombre de jugadors (exèrcits) estarà entre 2 i 10. Serà introduït per l'usuari.",
        "players.asked",
        "players.two",
        "players.several",
        "players.ten",
    ),
    *_said(
        PROGRAM,
        "Les dimensions del tauler i la disposició de les caselles mur vindran donades en un fitxer de text acabat en EOF, "
        "el nom del qual haurà de ser introduït per l'usuari.",
        "file.asked",
    ),
    *_said(
        SPECIAL,
        "El fitxer no es pot obrir: S'escriurà missatge NO ES POT OBRIR EL FITXER i acabarà l'execució",
        "file.missing",
    ),
    *_said(
        PROGRAM,
        "El fitxer podrà ser interpretat com a una seqüència de números naturals (majors que 0), a la qual el primer número "
        "correspondrà al nombre de files, el segon al nombre de columnes i la resta, alternativament, al nombre de caselles "
        "obertes i caselles mur consecutives que hi haurà mirant per files (i començant per dalt a l'esquerra sempre amb "
        "caselles obertes).",
        "file.lines",
        "file.walls",
    ),
    *_said(
        PROGRAM,
        "El tauler tindrà com a mínim 4 files i 4 columnes, i com a màxim 25 files i 25 columnes (no cal que el nombre de "
        "files i de columnes sigui el mateix).",
        "board.smallest",
        "board.largest",
        "board.oblong",
    ),
    # refused moves
    *_said(
        GAME,
        "El jugador que té el torn indica quina casella lliure vol ocupar (no pot triar caselles «mur» ni tampoc caselles "
        "ja ocupades per altres jugadors).",
        "move.wall",
        "move.own",
        "move.others",
    ),
    *_said(SPECIAL, "Tirada incorrecta: El programa tornarà a demanar-la", "move.outside", "move.sign"),
    # the cells that fall with a taken cell
    *_said(NEIGHBOURS, "Si adj_c només té 1 casella adjacent quedarà immediatament ocupada", "one.free", "one.taken"),
    *_said(
        NEIGHBOURS,
        "Si adj_c té 2 caselles adjacents quedarà ocupada si i només si l'exèrcit que ha ocupat c posseeix totes dues",
        "two.free",
        "two.taken",
        "two.kept",
    ),
    *_said(NEIGHBOURS, "a) Si l'exèrcit que ha ocupat c les té ocupades totes 3", "three.all"),
    *_said(
        NEIGHBOURS,
        "b) Si en té ocupades només 2 i adj_c és lliure (no ocupada per cap altre exèrcit)",
        "three.free",
    ),
    *_said(
        NEIGHBOURS,
        "En canvi, si en té ocupades només 2 però adj_c ja pertany a un altre exèrcit, no serà ocupada",
        "three.kept",
    ),
    *_said(NEIGHBOURS, "a) Si l'exercit que ha ocupat c les té ocupades totes 4", "four.all"),
    *_said(
        NEIGHBOURS,
        "b) Si només en té 3 d'ocupades, però adj_c no està ocupada per cap altre exercit",
        "four.free",
    ),
    *_said(
        NEIGHBOURS,
        "c) Si només en té 3 d'ocupades, adj_c està ocupada per un altre exercit però aquest exercit no té ocupada la 4^a "
        "casella adjacent a adj_c",
        "four.open",
        "four.third",
        "four.kept",
    ),
    *_said(NEIGHBOURS, "En qualsevol altre cas no es produirà ocupació.", "fewer"),
    *_said(
        NEIGHBOURS,
        "Cas que c limiti amb alguna casella «mur» i/o amb la vora del tauler, el nombre de caselles adjacents a c serà "
        "menor que 4 (cal notar que les caselles «mur» no poden ser ocupades).",
        "degree",
    ),
    *_said(
        NEIGHBOURS,
        "Una certa casella c pot tenir fins a 4 caselles adjacents (dalt, dreta, sota i esquerra).",
        "side.up",
        "side.right",
        "side.down",
        "side.left",
    ),
    *_said(
        GAME,
        "Però, a més, l'ocupació d'una casella pot donar lloc a l'ocupació de caselles adjacents, tal i com es descriurà a "
        "continuació",
        "several",
    ),
    *_said(
        PROGRAM,
        "la casella en qüestió quedarà ocupada pel jugador que ha tirat, podent també ser ocupades les seves caselles "
        "adjacents segons les regles explicades abans",
        "adjacent",
        "stolen.gained",
        "stolen.lost",
    ),
    # turns and giving up
    *_said(PROGRAM, "Començarà a jugar el jugador A (després li tocarà al B, etc.).", "turn.next", "turn.round"),
    *_said(
        PROGRAM,
        "el jugador serà retirat de la partida a tots els efectes, i les caselles que posseïa quedaran lliures",
        "turn.skips",
        "turn.skips_inner",
        "resign.cells",
        "resign.again",
        "resign.falls",
    ),
    *_said(
        PROGRAM,
        "Després de cada tirada caldrà mostrar el tauler i la classificació dels jugadors que segueixen a la partida.",
        "turn.shown",
        "resign.table",
    ),
    # the table
    *_said(
        PROGRAM, "El jugador que guanya és qui té més caselles ocupades.", "table.cells", "table.fewer_stolen", "wins.cells"
    ),
    *_said(
        PROGRAM,
        "A igualtat de caselles ocupades guanyarà qui hagi arrabassat (robat) més caselles a altres jugadors.",
        "table.stolen",
        "wins.stolen",
    ),
    *_said(
        PROGRAM,
        "Si persisteix la igualtat, guanyarà qui faci més torns que ha tirat.",
        "table.idle",
        "wins.idle",
    ),
    *_said(
        PROGRAM,
        "Per a cada jugador es mostrarà el seu identificador (A, B, C, ...), el nombre de caselles ocupades, el nombre de "
        "caselles arrabassades i el nombre torns que fa que no tira (si acaba de tirar, aquest nombre serà 0).",
        "stolen",
        "idle.moved",
        "idle.waits",
        "idle.resigned",
    ),
    *_said(
        RUN,
        "En aquest moment B I C encara no han tirat, però hem inicialitzat els torns sense tirar tal com estarien quan qui "
        "estigues a punt de tirar fos el primer jugador (A)",
        "idle.begins",
    ),
    *_said(
        LISTS,
        "Han de sortir alineats per columnes. Per simplificar farem una amplada única de 13 caràcters a tots els casos.",
        "table.columns",
    ),
    # the board
    *_said(
        BOARD,
        "Cal indicar, a sobre de cada columna i a l'esquerra de cada fila, els seus corresponents identificadors (lletres "
        "minúscules a, b, c, ...).",
        "shows.letters",
    ),
    *_said(BOARD, "Les vores del tauler i les caselles «mur» es visualitzaran amb el caràcter #", "shows.walls"),
    *_said(BOARD, "Les caselles lliures es visualitzaran amb el caràcter espai en blanc.", "shows.free"),
    *_said(
        BOARD,
        "Les caselles ocupades es marcaran amb la lletra majúscula que identifica al corresponent jugador.",
        "shows.armies",
    ),
    # the end
    *_said(
        PROGRAM,
        "La partida acaba quan totes les caselles estan ocupades o bé han abandonat tots els jugadors menys un.",
        "end.full",
        "end.alone",
    ),
    *_said(
        PROGRAM,
        "El programa mostrarà un missatge indicant l'acabament de la partida i dirà qui ha guanyat.",
        "end.told",
    ),
    *_said(
        PROGRAM,
        "A més indicarà la possible ocupació per part d'un jugador d'una fila sencera o bé d'una columna sencera (començant "
        "a mirar per files a partir de la fila a, i seguint, si cal, per columnes, a partir de la columna a).",
        "control.row",
        "control.column",
        "control.rows_first",
        "control.first_line",
        "control.first_column",
        "control.past_walls",
        "control.free",
    ),
    *_said(
        PROGRAM,
        "Cas de trobar aquesta ocupació indicarà de quin jugador es tracta (A,B, ...) i quina fila o columna controla "
        "(a,b,...).",
        "control.told",
    ),
    *_said(
        SPECIAL,
        "Cap jugador controla cap fila ni columna: S'escriurà missatge CAP JUGADOR CONTROLA CAP FILA NI COLUMNA",
        "control.nobody",
    ),
)
