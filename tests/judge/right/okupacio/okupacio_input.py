"""Okupacio with one input() for each answer: int(input()) for the number of players, and two letters for a move."""

from pathlib import Path

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
Board = list[list[str]]


def read_board(name: str) -> Board:
    height, width, *runs = map(int, Path(name).read_text().split())
    cells = "".join((" #"[turn % 2]) * run for turn, run in enumerate(runs))
    rows = ["#" * width, *(cells[i * width : (i + 1) * width] for i in range(height)), "#" * width]
    return [list(f"#{row}#") for row in rows]


def show_board(board: Board) -> None:
    print("\n  " + ALPHABET[: len(board[0]) - 2])
    for label, row in zip(" " + ALPHABET[: len(board) - 2] + " ", board, strict=True):
        print(label + "".join(row))
    print()


def around(row: int, column: int) -> list[tuple[int, int]]:
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def count(board: Board, army: str) -> int:
    return sum(row.count(army) for row in board)


def falls(board: Board, row: int, column: int, army: str) -> bool:
    near = [board[r][c] for r, c in around(row, column) if board[r][c] != "#"]
    foreign = [each for each in near if each != army]
    if len(foreign) != 1 or len(near) < 3:
        return not foreign
    return board[row][column] == " " or (len(near) == 4 and foreign != [board[row][column]])


def occupy(board: Board, row: int, column: int, army: str) -> int:
    """Take the cell and those beside it that fall. The result is the number of stolen cells."""
    board[row][column] = army
    falling = [(r, c) for r, c in around(row, column) if board[r][c] not in ("#", army) and falls(board, r, c, army)]
    stolen = sum(board[r][c] != " " for r, c in falling)
    for r, c in falling:
        board[r][c] = army
    return stolen


def ranking(board: Board, armies: list[str], stolen: dict[str, int], idle: dict[str, int]) -> list[str]:
    return sorted(armies, key=lambda army: (-count(board, army), -stolen[army], -idle[army]))


def ask_move(board: Board, army: str) -> tuple[int, int] | None:
    while True:
        print("JUGADOR", army)
        move = input()
        if move == "00":
            return None
        row, column = (ALPHABET.find(letter) + 1 for letter in move)
        if 0 < row < len(board) - 1 and 0 < column < len(board[0]) - 1 and board[row][column] == " ":
            return row, column


def controlled(board: Board) -> str:
    for kind, lines in ("FILA", board[1:-1]), ("COLUMNA", [*map(list, zip(*board, strict=True))][1:-1]):
        for letter, line in zip(ALPHABET, lines, strict=False):
            holders = set(line) - {"#"}
            if len(holders) == 1 and holders != {" "}:
                return f"EL JUGADOR {holders.pop()} CONTROLA LA {kind} {letter}"
    return "CAP JUGADOR CONTROLA CAP FILA NI COLUMNA"


def main() -> None:
    print("BENVINGUTS A OKUPACIO !")
    number = 0
    while number not in range(2, 11):
        print("ENTRA NOMBRE DE JUGADORS (2..10):")
        number = int(input())
    print("NOM DEL FITXER DEL TAULER:")
    try:
        board = read_board(input())
    except OSError:
        print("NO ES POT OBRIR EL FITXER")
        return
    armies = list("ABCDEFGHIJ"[:number])
    stolen, idle = dict.fromkeys(armies, 0), {army: number - 1 - place for place, army in enumerate(armies)}
    playing, turn = [*armies], armies[0]
    show_board(board)
    while len(playing) > 1 and count(board, " "):
        move = ask_move(board, turn)
        for army in armies:
            idle[army] += 1
        if move:
            stolen[turn] += occupy(board, *move, turn)
            idle[turn] = 0
        else:
            playing.remove(turn)
            board = [[" " if cell == turn else cell for cell in row] for row in board]
        show_board(board)
        print("".join(f"{title:>13}" for title in ("JUGADOR", "CASELLES", "ARRABASSADES", "SENSE TIRAR")))
        for army in ranking(board, playing, stolen, idle):
            print(f"{army:>13}{count(board, army):13}{stolen[army]:13}{idle[army]:13}")
        print()
        turn = min((army for army in playing if army > turn), default=playing[0])
    print("GAME OVER\n")
    print("GUANYADOR: JUGADOR", ranking(board, playing, stolen, idle)[0])
    print(controlled(board))


main()
