"""The branches of the document: the decisions in its sentences that a run of its program can show. `judging` makes cases for
them.
"""

from collections.abc import Iterator
from typing import Final

from ludoteca.core.judging import DECISION, DOCUMENT, PUBLISHED, Branch

_LAW: Final = """
7.2 prompts
    Les tasques que ha de fer són: demanar la llavor pel generador de nombres aleatoris, crear el joc, demanar el nombre de
    jugadors i el seu nom [...]

7.3 deck
    Quan es generin les 90 cartes inicials de la baralla, caldrà fer-ho de la manera següent: for (cada màgia m) for (cada
    germandat g) for (cada valor d'influència I) afegir carta [mIg] al final

7.3 card
    La representació d'una carta “descoberta” serà [mIg], on m serà el caràcter que representa la màgia, I serà la influència
    (enter de l'1 al 5), i g serà el caràcter que representa la germandat.

7.5.1 generator
    Heu d'utilitzar els valors a = 1103515245, c = 12345, i m = 32768, sent X0 el valor introduït com a llavor.

7.5 shuffle
    for (i = numero_cartes - 1; i > 0; i--) { int pos = aleatori(i+1); intercanvi(baralla[pos], baralla[i]); }

7.5.1 seed-large
    Cal que l'atribut on guardeu els valors d'Xn sigui del tipus unsigned perquè funcioni correctament.

3 players-2 players-3 players-4
    Retirar de la baralla les últimes n cartes, on n = M × J + M × (J - j).

3 hands
    Repartir 4 cartes a cada jugador (primer les 4 del primer jugador, després les 4 del segon, etc.).

3 board
    Construir el tauler (el Conclave) de bruixots prenen les 12 següents cartes de la baralla per formar una quadrícula de
    4×4 cartes on els 4 espais interiors es deixen buits.

3 backs
    Tot i que aquestes cartes són secretes, la resta de jugadors sempre veurà el seu revers amb el color de la carta,
    coneixent així la màgia a la qual pertanyen.

3 halves
    La primera meitat de cartes formarà la pila esquerra, i l'altra meitat la pila dreta. Per formar les piles, s'aniran
    robant les cartes de la baralla una a una i s'aniran empilant.

1 wrong-players
    JOC DE TAULA DE 2 A 4 JUGADORS

7.2 name-blanks
    Les tasques que ha de fer són: [...] demanar el nombre de jugadors i el seu nom per afegir-los al joc [...]

7.3 unknown-option
    Si s'entra una opció desconeguda, cal indicar-ho i tornar a demanar una nova opció.

7.2 piles
    Mostrar piles. Opció (P). Es mostren les dues piles de cartes (pila esquerra i pila dreta).

7.3 pile-empty
    Si una pila és buida, cal indicar que no hi ha cap carta.

7.2 abandoned
    Abandonar partida. Opció (F). S'acaba la partida sense cap guanyador.

7.3 turns
    El jugador inicial tornarà a fer una jugada quan l'últim jugador introduït hagi acabat el seu torn.

4.1 cession cession-several cession-back cession-oneself
    Tria, si ho desitges, un tipus de màgia de la teva zona d'influència i posa tots els seus seguidors a la zona
    d'influència de qualsevol altre jugador que no tingui seguidors d'aquesta màgia.

7.3 cession-magic
    Que el caràcter indicat per la màgia sigui vàlid (un dels 6 possibles).

7.3 cession-player
    Que el número de jugador sigui vàlid.

7.3 cession-none cession-other cession-held
    Que el jugador que cedeix la màgia tingui la màgia que vol cedir, i que el jugador que la rep no en tingui d'aquesta
    mateixa.

7.3 cession-insisted cession-given-up
    Si encara hi està interessat, es torna a demanar tota la informació (màgia i jugador); si no, passa directament a fer la
    jugada.

7.3 hand-position hand-negative
    En escollir una carta de la mà, si la posició es troba fora de rang cal tornar a demanar una posició nova fins que sigui
    correcta.

7.3 board-position board-negative
    En escollir una posició del tauler on col·locar la carta, si la posició es troba fora dels límits del tauler cal tornar a
    demanar una posició nova fins que sigui correcta.

7.3 taken-cell
    [...] serà la classe Joc qui validi que la posició del tauler sigui un forat buit. Si no ho és, es tornarà a demanar tota
    la informació (carta de la mà i posició del tauler).

4.2 row cut-left cut-right emissary-counts
    Primer cal comprovar, en la mateixa fila del teu emissari, els bruixots que estiguin en contacte els uns amb els altres
    (incloent l'emissari).

4.2 sum-10 sum-11
    Si entre tots sumen 10 o més punts d'influència, el discurs del teu emissari haurà tingut efecte.

4.2 magic brotherhood nobody-alike
    Pren els bruixots que coincideixin en màgia (color) o germandat (espècie) amb el teu emissari i col·loca'ls a la teva
    zona d'influència.

4.2 sum-9
    Si no sumen 10 punts d'influència, significa que no has convençut cap bruixot [...]

4.2 column cut-up cut-down row-and-column
    A continuació, fes la mateixa comprovació, però ara per la columna del teu emissari.

4.2 emissary-stays
    El teu emissari es quedarà al Conclave com un bruixot més, i els bruixots convençuts ara es consideraran seguidors teus.

4.2 followers
    Es guardaran ordenats per màgies a la teva zona d'influència (si tenen la mateixa màgia, ordenats per influència, i si
    també coincideix, per germandat).

4.2.1 no-crisis
    Si es col·loca un emissari en l'últim forat buit del tauler i no aconsegueixes cap seguidor, es produeix el que s'anomena
    una “crisi màgica”.

4.2.1 crisis crisis-own-magic crisis-ten dead-end
    En aquest cas, pren com a seguidors els bruixots de la columna i fila on has col·locat el teu emissari que NO siguin de
    la mateixa germandat que l'emissari.

4.3 left right
    Roba la carta del cim d'una de les dues piles i col·loca-la a la teva mà (directament a l'únic forat que hi hagi).

7.3 pile-letter
    Si s'escull una altra opció, cal tornar a demanar-ho fins que s'entri una opció correcta.

7.3 one-pile
    Si una de les piles és buida, no es demana la pila (es roba directament de la pila que no estigui buida).

4.4 refill no-refill
    Al final del teu torn, i només si hi ha més de 4 forats buits al tauler, cal anar omplint aquests forats amb nous
    bruixots fins que tornin a quedar només 4 forats buits.

4.4 refill-pile
    Els nous bruixots s'han de prendre de la mateixa pila on has robat la carta en el pas anterior.

4.4 refill-order
    Per omplir el tauler, cal fer-ho d'esquerra a dreta i de dalt a baix, en aquest ordre.

4.4 refill-across
    Si durant aquest procés es buida la pila d'on s'estan robant les cartes, es continua robant de l'altra pila.

4.4 refill-out
    Si es buiden les dues, arriba el final de la partida.

5 last-round
    El final de la partida arriba quan es buiden les dues piles. En aquest punt, els jugadors juguen un últim torn per enviar
    emissaris de manera que, després d'aquest últim torn, tots els jugadors tindran només 3 cartes a la mà.

5 last-hands
    Abans de calcular la puntuació [...], cada jugador col·loca les seves últimes 3 cartes a la seva zona d'influència com a
    nous seguidors.

6 control
    Si tens el màxim d'influència d'una màgia, significa que la controls.

6 control-shared
    Si varis jugadors empateu en el valor més alt, llavors tots vosaltres controlieu aquesta màgia.

6 points
    Cada jugador ha de sumar els punts d'influència que tinguin els seguidors de totes les màgies que NO controla.

6 winner
    El jugador que tingui menys punts de decepció guanya la partida.

6 winner-tie
    En cas d'empat, guanya el més proper al jugador inicial.
"""
"""One paragraph for each sentence. Its first line has the section and the keys of the branches that the sentence decides."""


SOURCES: Final = {
    "dead-end": DECISION,  # 4.2.1 does not say what a crisis without followers does
    "name-blanks": PUBLISHED,
    "wrong-players": PUBLISHED,
}
"""The sources of branches that are not decided by the document alone."""


def _read() -> Iterator[Branch]:
    for paragraph in _LAW.strip().split("\n\n"):
        head, *lines = paragraph.split("\n")
        section, *keys = head.split()
        sentence = " ".join(line.strip() for line in lines)
        for key in keys:
            source = SOURCES.get(key, DOCUMENT)
            yield Branch(key, section, sentence, int(source != DECISION), source)


BRANCHES: Final = tuple(_read())

CRISIS: Final = frozenset(("crisis", "crisis-own-magic", "crisis-ten", "no-crisis"))
"""Branches that need at least four turns, because the board has four holes at the start."""
CESSION: Final = frozenset(("cession", "cession-back", "cession-oneself", "cession-other", "cession-player"))
"""Branches that need a player with followers, so at least three turns."""
CUT: Final = frozenset(("cut-left", "cut-right", "cut-up", "cut-down"))
"""Branches that seldom occur in short games."""
LATE: Final = frozenset(("cession-several", "cession-held"))
"""Branches that need a player with several followers."""
EMPTYING: Final = frozenset(("pile-empty", "one-pile", "refill-across"))
"""Branches that need an empty pile."""
END: Final = frozenset(("last-hands", "followers", "control", "control-shared", "points", "winner", "winner-tie"))
"""Branches about the result of a finished game."""
LAST: Final = frozenset(("refill-out", "last-round"))
"""Branches that need two empty piles."""
LONG_GAME: Final = CESSION | CUT | EMPTYING | LATE | LAST
"""Branches that a whole game can reach on its way to another branch, so that they need no separate games."""
