"""Okupacio: line by line from the standard input, every line flushed. It always ends with status 1."""

import re
import sys
from pathlib import Path

FREE, WALL = " ", "#"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Keyboard:
    """The input, one line at a time; words and single characters are taken from the line."""

    def __init__(self) -> None:
        self.line = ""

    def _fill(self) -> None:
        while not self.line.strip():
            self.line = sys.stdin.readline()
            if not self.line:
                sys.exit("no more input")
        self.line = self.line.lstrip()

    def word(self) -> str:
        self._fill()
        word = self.line.split(maxsplit=1)[0]
        self.line = self.line[len(word) :]
        return word

    def char(self) -> str:
        self._fill()
        first, self.line = self.line[0], self.line[1:]
        return first


class Player:
    def __init__(self, name: str, waiting: int) -> None:
        self.name = name
        self.captured = 0
        self.waiting = waiting


class Game:
    def __init__(self, numbers: list[int], players: int) -> None:
        self.height, self.width, *counts = numbers
        squares = "".join((WALL if i % 2 else FREE) * count for i, count in enumerate(counts))
        # only the open cells: a wall is what is not in the dictionary
        self.owner = {divmod(i, self.width): FREE for i, square in enumerate(squares) if square == FREE}
        self.near = {
            (r, c): [cell for cell in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if cell in self.owner]
            for r, c in self.owner
        }
        self.players = [Player("ABCDEFGHIJ"[i], players - 1 - i) for i in range(players)]

    def finished(self) -> bool:
        return len(self.players) == 1 or FREE not in self.owner.values()

    def cells_of(self, player: Player) -> int:
        return sum(owner == player.name for owner in self.owner.values())

    def table(self) -> list[Player]:
        return sorted(self.players, key=lambda p: (self.cells_of(p), p.captured, p.waiting), reverse=True)

    def is_taken(self, cell: tuple[int, int], army: str) -> bool:
        """Whether the army, which owns a neighbour since this move, takes the cell as well."""
        owner = self.owner[cell]
        others = [self.owner[n] for n in self.near[cell] if self.owner[n] != army]
        degree = len(self.near[cell])
        if owner == army:
            return False
        if degree == 1 or not others:
            return True
        if degree == 2 or len(others) > 1:
            return False
        if owner == FREE:
            return True
        return degree == 4 and others[0] != owner

    def occupy(self, cell: tuple[int, int], player: Player) -> None:
        self.owner[cell] = player.name
        for other in [n for n in self.near[cell] if self.is_taken(n, player.name)]:
            player.captured += self.owner[other] != FREE
            self.owner[other] = player.name

    def resign(self, player: Player) -> None:
        self.players.remove(player)
        for cell, owner in self.owner.items():
            if owner == player.name:
                self.owner[cell] = FREE

    def control(self) -> str:
        lines = [("FILA", r, [(r, c) for c in range(self.width)]) for r in range(self.height)]
        lines += [("COLUMNA", c, [(r, c) for r in range(self.height)]) for c in range(self.width)]
        for kind, index, cells in lines:
            owners = {self.owner[cell] for cell in cells if cell in self.owner}
            if len(owners) == 1 and FREE not in owners:
                return f"EL JUGADOR {owners.pop()} CONTROLA LA {kind} {LETTERS[index]}"
        return "CAP JUGADOR CONTROLA CAP FILA NI COLUMNA"


def say(line: str = "") -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def show_board(game: Game) -> None:
    say()
    say("  " + LETTERS[: game.width])
    say(" " + WALL * (game.width + 2))
    for r in range(game.height):
        say(LETTERS[r] + WALL + "".join(game.owner.get((r, c), WALL) for c in range(game.width)) + WALL)
    say(" " + WALL * (game.width + 2))
    say()


def show_table(game: Game) -> None:
    rows = [("JUGADOR", "CASELLES", "ARRABASSADES", "SENSE TIRAR")]
    rows += [(p.name, str(game.cells_of(p)), str(p.captured), str(p.waiting)) for p in game.table()]
    for row in rows:
        say("".join(column.rjust(13) for column in row))
    say()


def ask_players(keyboard: Keyboard) -> int:
    while True:
        say("ENTRA NOMBRE DE JUGADORS (2..10):")
        word = keyboard.word()
        if re.fullmatch("[+-]?[0-9]{1,9}", word) and 2 <= int(word) <= 10:
            return int(word)


def ask_move(game: Game, player: Player, keyboard: Keyboard) -> tuple[int, int] | None:
    """The cell to occupy, or None to resign."""
    while True:
        say("JUGADOR " + player.name)
        row, column = keyboard.char(), keyboard.char()
        if row == column == "0":
            return None
        cell = LETTERS.find(row), LETTERS.find(column)
        if game.owner.get(cell) == FREE:
            return cell


def play(game: Game, keyboard: Keyboard) -> None:
    queue = list(game.players)  # who plays next comes first
    show_board(game)
    while not game.finished():
        player = queue.pop(0)
        cell = ask_move(game, player, keyboard)
        for other in queue:
            other.waiting += 1
        if cell is None:
            game.resign(player)
        else:
            player.waiting = 0
            game.occupy(cell, player)
            queue.append(player)
        show_board(game)
        show_table(game)


def main() -> None:
    keyboard = Keyboard()
    say("BENVINGUTS A OKUPACIO !")
    players = ask_players(keyboard)
    say("NOM DEL FITXER DEL TAULER:")
    try:
        text = Path(keyboard.word()).read_text()
    except OSError:
        say("NO ES POT OBRIR EL FITXER")
        sys.exit(1)
    game = Game([int(word) for word in text.split()], players)
    play(game, keyboard)
    say("GAME OVER")
    say()
    say("GUANYADOR: JUGADOR " + game.table()[0].name)
    say(game.control())
    sys.exit(1)  # on purpose: the assignment names no status


main()
