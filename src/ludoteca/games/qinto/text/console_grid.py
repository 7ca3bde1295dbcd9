"""The printed grid alone, in Portuguese: the document's figures 3 to 5, or any other grid.

A grid is given in rows, one a line. Its cells are separated in one of these ways:

    .. 1b .. 5G           by blanks: each word is a tile, or an empty cell: . or .. or - or --
    |    | 1b |    | 5G | by bars, also before the first and after the last, as they are printed: a blank cell is empty
       1b    5G           by three characters a cell, the third of them a blank: this holds for all rows without bars or
                          tabs if one of them begins with a blank or has three blanks in a row

or by tabs: a blank cell is empty. Shorter rows are filled up. A printed grid can be given again: its numbers must be right,
its rules are skipped, and a tile marked as new stays so.
"""

import re
from collections.abc import Iterator
from typing import Final

from ludoteca.core.console import Console, ConsoleError, Dialogue, ReadFile
from ludoteca.core.words import excerpt, quoted
from ludoteca.games.qinto.names import KIND_OF, Place, Window, grid_lines
from ludoteca.games.qinto.text.console_game import NO_TILE

MOST: Final = 99
"""The most rows, and the most columns: the numbers of the document's grid have two digits."""
EMPTY: Final = ("", ".", "..", "-", "--")
CELL: Final = 3
"""The number of characters of a cell in rows without bars and tabs."""

NO_GRID: Final = "a grelha não tem linhas: esperava peças, como em .. 1b 5G, uma linha da grelha em cada linha"
TOO_MANY: Final = f"a grelha tem mais de {MOST} linhas"
TOO_LONG: Final = "linha {}: tem {} lugares, e o máximo é {}"
WRONG_HEADER: Final = "nos números das colunas li {}, esperava {}"
BLANK_ROW: Final = "linha {}: está em branco, e uma linha sem peças escreve-se .."
BEFORE: Final = "linha {0}: antes do primeiro | li {1}, esperava o número da linha, {0}, ou nada"
AFTER: Final = "linha {}: depois do último | li {}, esperava o fim da linha"
ONE_BAR: Final = "linha {}: só tem um |, e cada lugar fica entre dois"
BESIDE: Final = (
    "linha {}: {} começa no carácter {}, e onde há lugares em branco cada lugar tem três caracteres (1, 4, 7...); um lugar "
    "vazio também se escreve .."
)
WRONG_CELL: Final = f"linha {{}}, coluna {{}}: {NO_TILE}; um lugar vazio escreve-se .."
WRONG_ARGUMENT: Final = (
    f"grid: li {{}}, esperava o número de linhas de uma grelha vazia, 1 a {MOST}, ou um ficheiro que se possa ler; sem "
    "nada disto, a grelha lê-se da entrada"
)


def show(io: Console, arguments: list[str], read_file: ReadFile) -> Dialogue[None]:
    """Print an empty grid, or the grid of a file or of the input.

    Raises ConsoleError if the argument is neither a number of rows nor a file, or if the grid has no rows, a row that is too
    long, or a cell that is neither empty nor a tile.
    """
    grid = Rows()
    wrong = ConsoleError(WRONG_ARGUMENT.format(quoted(" ".join(arguments))))
    match arguments:
        case [] | ["-"]:
            while (line := (yield from io.next_line())) is not None:
                grid.add(line)
        case [number] if number.isascii() and number.isdigit():
            if len(number) > len(str(MOST)) or not int(number):
                raise wrong
            for _ in range(int(number)):
                grid.add(int(number) * ".. ")
        case [name]:
            try:
                text = read_file(name)
            except OSError:
                raise wrong from None
            for line in text.split("\n"):
                grid.add(line)
        case _:
            raise wrong
    io.print(*grid.lines())


class Rows:
    """A grid that is read line by line."""

    def __init__(self) -> None:
        self.columns = 0
        """The number of columns by the numbers above the rows. 0 if there are no numbers."""
        self._rows: list[str] = []
        self._gap = False

    def add(self, line: str) -> None:
        """Add a row, or skip a line that is no row. Raises ConsoleError for lines that no grid can have."""
        line = line.rstrip("\r\n")
        words = line.split()
        if not words:
            self._gap = bool(self._rows)
        elif len(words) == 1 and re.fullmatch("-{3,}", words[0]):
            return
        elif not self._rows and not self.columns and line.replace(" ", "").isdigit():
            self.columns = len(words)
            numbers = [str(number + 1) for number in range(len(words))]
            if words != numbers:
                raise ConsoleError(WRONG_HEADER.format(quoted(line.strip()), excerpt(" ".join(numbers))))
        elif self._gap:
            raise ConsoleError(BLANK_ROW.format(len(self._rows) + 1))
        elif len(self._rows) == MOST:
            raise ConsoleError(TOO_MANY)
        else:
            self._rows.append(line)

    def lines(self) -> Iterator[str]:
        """Yield the grid as the document's program prints it.

        Raises ConsoleError if there are no rows, if a row is too long, or if a cell is neither empty nor a tile.
        """
        if not self._rows:
            raise ConsoleError(NO_GRID)
        by_place = any(re.search("^ |   ", line.rstrip()) for line in self._rows if "|" not in line and "\t" not in line)
        rows = [_cells(line, number, by_place=by_place) for number, line in enumerate(self._rows, 1)]
        most = self.columns or MOST
        tiles, new = dict[Place, str](), set[Place]()
        for row, cells in enumerate(rows, 1):
            if len(cells) > most:
                raise ConsoleError(TOO_LONG.format(row, len(cells), most))
            for column, cell in enumerate(cells, 1):
                if re.fullmatch(r"\[..\]", cell):
                    new.add((row, column))
                tile = cell[1:-1] if (row, column) in new else cell
                if tile in KIND_OF:
                    tiles[row, column] = tile
                elif cell not in EMPTY:
                    raise ConsoleError(WRONG_CELL.format(row, column, quoted(cell)))
        return grid_lines(tiles, Window(1, 1, len(rows), self.columns or max(map(len, rows))), new)


def _cells(line: str, row: int, *, by_place: bool) -> list[str]:
    """Return the words of the cells of a row. A blank cell is an empty text."""
    if "|" in line:
        before, *cells, after = line.split("|")
        if before.strip() not in ("", str(row)):
            raise ConsoleError(BEFORE.format(row, quoted(before.strip())))
        if after.strip():
            raise ConsoleError(AFTER.format(row, quoted(after.strip())))
        if not cells:
            raise ConsoleError(ONE_BAR.format(row))
        return [cell.strip() for cell in cells]
    if "\t" in line:
        return [cell.strip() for cell in line.split("\t")]
    if not by_place:
        return line.split()
    cells = []
    for word in re.finditer(r"\S+", line):
        column, off = divmod(word.start(), CELL)
        if off:
            raise ConsoleError(BESIDE.format(row, quoted(word[0]), word.start() + 1))
        cells += (column - len(cells)) * [""] + [word[0]]
    return cells
