"""A second implementation of Okupació from the document: slow, obvious, and without code of the library.

Armies are letters. Cells are (row, column). The owner of a cell is a letter or FREE. Text in “...” is the document's.
"""

from typing import NamedTuple

FREE = " "
Cell = tuple[int, int]


class Line(NamedTuple):
    """A line of the table."""

    army: str
    cells: int
    captured: int
    idle: int


class Board(NamedTuple):
    rows: int
    columns: int
    walls: list[Cell]


def read_board(text: str) -> Board:
    """“El primer número correspondrà al nombre de files, el segon al nombre de columnes i la resta, alternativament, al
    nombre de caselles obertes i caselles mur consecutives que hi haurà mirant per files”."""
    rows, columns, *counts = [int(word) for word in text.split()]
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    walls = []
    for i, count in enumerate(counts):
        run, cells = cells[:count], cells[count:]
        if i % 2 == 1:
            walls += run
    assert not cells
    return Board(rows, columns, walls)


class Oracle:
    """One game. `take` and `give_up` play a turn. Everything else shows the position."""

    def __init__(self, players: int, numbers: str) -> None:
        self.board = read_board(numbers)
        cells = [(row, column) for row in range(self.board.rows) for column in range(self.board.columns)]
        self.owner = {cell: FREE for cell in cells if cell not in self.board.walls}
        self.armies = list("ABCDEFGHIJ"[:players])
        self.captured = dict.fromkeys(self.armies, 0)
        # “hem inicialitzat els torns sense tirar tal com estarien quan qui estigués a punt de tirar fos el primer jugador”
        self.idle = {army: players - 1 - i for i, army in enumerate(self.armies)}
        self.mover = "A"
        self.paragraphs: list[str] = []

    # a turn

    def take(self, cell: Cell) -> None:
        """“Immediatament aquella casella passa a poder del jugador que l'ha ocupada”."""
        assert self.owner[cell] == FREE
        self.owner[cell] = self.mover
        falling = [neighbour for neighbour in self.adjacent(cell) if self.falls(neighbour)]
        for neighbour in falling:
            if self.owner[neighbour] != FREE:
                self.captured[self.mover] += 1
            self.owner[neighbour] = self.mover
        self.pass_turn()

    def give_up(self) -> None:
        """“El jugador serà retirat de la partida a tots els efectes, i les caselles que posseïa quedaran lliures”."""
        gone = self.mover
        for cell, owner in self.owner.items():
            if owner == gone:
                self.owner[cell] = FREE
        self.pass_turn()
        self.armies.remove(gone)

    def pass_turn(self) -> None:
        for army in self.armies:
            self.idle[army] = 0 if army == self.mover else self.idle[army] + 1
        self.mover = self.armies[(self.armies.index(self.mover) + 1) % len(self.armies)]

    # “Ocupació de caselles adjacents”

    def adjacent(self, cell: Cell) -> list[Cell]:
        """Return “fins a 4 caselles adjacents (dalt, dreta, sota i esquerra)”, without walls and cells beyond the edge."""
        row, column = cell
        around = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        return [neighbour for neighbour in around if neighbour in self.owner]

    def falls(self, adj_c: Cell) -> bool:
        if self.owner[adj_c] == self.mover:
            return False
        paragraph = self.paragraph(adj_c)
        self.paragraphs.append(paragraph)
        return paragraph in ("1", "2", "3a", "3b", "4a", "4b", "4c")

    def paragraph(self, adj_c: Cell) -> str:
        """Return the paragraph that decides on a cell. It contains “no” if the cell is not taken."""
        owners = [self.owner[neighbour] for neighbour in self.adjacent(adj_c)]
        mine = owners.count(self.mover)
        holder = self.owner[adj_c]
        match len(owners):
            case 1:
                return "1"
            case 2:
                return "2" if mine == 2 else "2 no"
            case 3:
                if mine == 3:
                    return "3a"
                if mine == 2:
                    return "3b" if holder == FREE else "3b no"
                return "3 no"
            case _:
                if mine == 4:
                    return "4a"
                if mine == 3 and holder == FREE:
                    return "4b"
                if mine == 3:
                    (fourth,) = [owner for owner in owners if owner != self.mover]
                    return "4c no" if fourth == holder else "4c"
                return "4 no"

    # the end

    def is_over(self) -> bool:
        """“La partida acaba quan totes les caselles estan ocupades o bé han abandonat tots els jugadors menys un”."""
        return FREE not in self.owner.values() or len(self.armies) == 1

    def table(self) -> list[Line]:
        """“A igualtat de caselles ocupades guanyarà qui hagi arrabassat més caselles a altres jugadors. Si persisteix la
        igualtat, guanyarà qui faci més torns que ha tirat”."""
        held = list(self.owner.values())
        lines = [Line(army, held.count(army), self.captured[army], self.idle[army]) for army in self.armies]
        return sorted(lines, key=lambda line: (line.cells, line.captured, line.idle), reverse=True)

    def control(self) -> tuple[str, str, str] | None:
        """Return the army, FILA or COLUMNA, and its letter: “començant a mirar per files a partir de la fila a, i seguint,
        si cal, per columnes, a partir de la columna a”."""
        lines = [("FILA", row, [cell for cell in self.owner if cell[0] == row]) for row in range(self.board.rows)]
        lines += [("COLUMNA", i, [cell for cell in self.owner if cell[1] == i]) for i in range(self.board.columns)]
        for name, number, cells in lines:
            owners = {self.owner[cell] for cell in cells}
            if len(owners) == 1 and owners != {FREE}:
                return owners.pop(), name, "abcdefghijklmnopqrstuvwxy"[number]
        return None

    # the visible position

    def free(self) -> list[Cell]:
        return [cell for cell, owner in self.owner.items() if owner == FREE]

    def rows(self) -> list[str]:
        """Return the board, with # for a wall."""
        return [
            "".join(self.owner.get((row, column), "#") for column in range(self.board.columns))
            for row in range(self.board.rows)
        ]
