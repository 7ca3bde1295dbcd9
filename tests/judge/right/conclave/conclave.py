"""Conclave. A card is a string such as "p5g", and three blanks where there is none: their order is that of the followers."""

import re
import sys

MAGICS = "boprtv"
NO_CARD = "   "
LEFT, RIGHT = 0, 1
CELLS = [(row, column) for row in range(4) for column in range(4)]
BORDER = [cell for cell in CELLS if 0 in cell or 3 in cell]
SCREEN_END = """
OPCIONS:
(I) FER JUGADA CEDINT INFLUENCIA
(J) FER JUGADA SENSE CEDIR INFLUENCIA
(P) MOSTRAR PILES
(F) ABANDONAR PARTIDA

ENTRA UNA OPCIO:"""


class EndOfInputError(Exception):
    pass


# --- input and output ---


def say(text: str = "") -> None:
    sys.stdout.write(text + "\n")


def ask(text: str) -> None:
    say(text)
    sys.stdout.flush()


def next_char() -> str:
    """Any next character; blanks are included."""
    char = sys.stdin.read(1)
    if not char:
        raise EndOfInputError("the input ends too early")
    return char


def read_char() -> str:
    char = next_char()
    while char.isspace():
        char = next_char()
    return char


class Words:
    """Numbers are whole words; the blank that ends one is kept, since it may be the end of the line."""

    after = ""

    def number(self) -> int:
        word = read_char()
        self.after = sys.stdin.read(1)
        while self.after and not self.after.isspace():
            word += self.after
            self.after = sys.stdin.read(1)
        if not re.fullmatch("-?[0-9]+", word):
            raise ValueError(f"{word!r} is no number")
        return int(word)

    def drop_line(self) -> None:
        if self.after != "\n":
            sys.stdin.readline()


WORDS = Words()


def read_name() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EndOfInputError("a name is missing")
    return line.removesuffix("\n")


# --- cards ---


def shuffled_deck(seed: int) -> list[str]:
    deck = [m + i + g for m in MAGICS for g in "cgs" for i in "12345"]
    x = seed % 2**32
    for i in range(len(deck) - 1, 0, -1):
        x = (1103515245 * x + 12345) % 2**32
        pos = x // 32 % 32768 % (i + 1)
        deck[pos], deck[i] = deck[i], deck[pos]
    return deck


def influence(card: str) -> int:
    return 0 if card == NO_CARD else int(card[1])


def sum_of(followers: list[str], magic: str) -> int:
    return sum(influence(card) for card in followers if card[0] == magic)


def backs(cards: list[str]) -> str:
    return "".join(f"[{card[0]}] " for card in cards)


class Game:
    def __init__(self, seed: int, names: list[str]) -> None:
        self.names = names
        self.count = len(names)
        deck = shuffled_deck(seed)
        del deck[-(24 + 6 * (4 - self.count)) :]
        self.hands = [[deck.pop() for _ in range(4)] for _ in names]
        self.board = dict.fromkeys(CELLS, NO_CARD)
        for cell in BORDER:
            self.board[cell] = deck.pop()
        half = len(deck) // 2
        # the top of a pile is its last element
        self.piles = [deck[: half - 1 : -1], deck[:half][::-1]]
        self.followers: list[list[str]] = [[] for _ in names]
        self.player = 0
        self.turns_left: int | None = None  # set when the piles run out
        self.stuck = False  # a crisis took nothing

    def holes(self) -> list[tuple[int, int]]:
        return [cell for cell, card in self.board.items() if card == NO_CARD]

    def finished(self) -> bool:
        return self.stuck or self.turns_left == 0

    # --- what a turn does ---

    def can_cede(self, magic: str, to: int) -> bool:
        return (
            magic in MAGICS
            and 0 <= to < self.count
            and sum_of(self.followers[self.player], magic) > 0
            and sum_of(self.followers[to], magic) == 0
        )

    def cede(self, magic: str, to: int) -> None:
        mine = self.followers[self.player]
        self.followers[to] += [card for card in mine if card[0] == magic]
        self.followers[self.player] = [card for card in mine if card[0] != magic]

    def capture(self, cells: list[tuple[int, int]]) -> None:
        for cell in cells:
            self.followers[self.player].append(self.board[cell])
            self.board[cell] = NO_CARD

    def run(self, cell: tuple[int, int], down: int, right: int) -> list[tuple[int, int]]:
        """The occupied cells in contact with this one, on both sides, itself not included."""
        found = []
        for sign in (-1, 1):
            row, column = cell[0] + sign * down, cell[1] + sign * right
            while self.board.get((row, column), NO_CARD) != NO_CARD:
                found.append((row, column))
                row, column = row + sign * down, column + sign * right
        return found

    def send(self, position: int, cell: tuple[int, int]) -> None:
        card = self.hands[self.player][position]
        self.hands[self.player][position] = NO_CARD
        self.board[cell] = card
        for down, right in ((0, 1), (1, 0)):
            others = self.run(cell, down, right)
            if influence(card) + sum(influence(self.board[c]) for c in others) >= 10:
                self.capture([c for c in others if self.board[c][0] == card[0] or self.board[c][2] == card[2]])
        if not self.holes():
            line = self.run(cell, 0, 1) + self.run(cell, 1, 0)
            different = [c for c in line if self.board[c][2] != card[2]]
            self.capture(different)
            self.stuck = not different

    def draw(self, position: int, side: int) -> None:
        self.hands[self.player][position] = self.piles[side].pop()
        for hole in self.holes()[: max(0, len(self.holes()) - 4)]:
            pile = self.piles[side] or self.piles[1 - side]
            if pile:
                self.board[hole] = pile.pop()

    def next_player(self) -> None:
        if self.turns_left is not None:
            self.turns_left -= 1
        elif not any(self.piles):
            self.turns_left = self.count
        self.player = (self.player + 1) % self.count

    # --- what is shown ---

    def show_summary(self, order: list[int]) -> None:
        say("\nRESUM DELS SEGUIDORS:")
        for j in order:
            sums = [(sum_of(self.followers[j], magic) or "", magic) for magic in MAGICS]
            say(" ".join(f"[{total:>2}{magic}]" for total, magic in sums) + f"   {j + 1} {self.names[j]}")

    def show_turn(self) -> None:
        name = self.names[self.player]
        title = "TORN DE " + name
        say(f"\n{title}\n{'=' * len(title.encode(errors='surrogateescape'))}\n\n          0     1     2     3")
        left, right = (pile[-1][0] if pile else " " for pile in self.piles)
        for row in range(4):
            cards = " ".join(f"[{self.board[row, column]}]" for column in range(4))
            say(f"[{left}]  1  {cards}  [{right}]" if row == 1 else f"     {row}  {cards}")
        say(f"\nMA DE {name}:")
        say("".join(f"{i}:[{card}] " for i, card in enumerate(self.hands[self.player])))
        others = [j for j in range(self.count) if j != self.player]
        say("\nMANS DELS OPONENTS:")
        for j in others:
            say(backs(self.hands[j]) + f"  {j + 1} {self.names[j]}")
        self.show_summary([self.player, *others])
        ask(SCREEN_END)

    def show_piles(self) -> None:
        for title, pile in zip(("ESQUERRA", "DRETA"), self.piles, strict=True):
            say(f"\nPILA {title}:")
            say(backs(pile[::-1]) or "NO HI HA CAP CARTA")

    def show_result(self) -> None:
        say("\nRESULTAT FINAL\n==============\n\nTOTS ELS SEGUIDORS:")
        for j, name in enumerate(self.names):
            self.followers[j] += [card for card in self.hands[j] if card != NO_CARD]
            say(f"{j + 1} {name}\n " + "".join(f"[{card}] " for card in sorted(self.followers[j])))
        self.show_summary(list(range(self.count)))
        points = [0] * self.count
        for magic in MAGICS:
            sums = [sum_of(followers, magic) for followers in self.followers]
            points = [old + (total if total < max(sums) else 0) for old, total in zip(points, sums, strict=True)]
        say("\nPUNTS DE DECEPCIO:")
        for total, name in zip(points, self.names, strict=True):
            say(f"{total:3} {name}")
        say(f"\nENHORABONA {self.names[points.index(min(points))]}! HAS GUANYAT LA PARTIDA!")


# --- the dialogue ---


def ask_cession(game: Game) -> None:
    while True:
        ask("ENTRA LA MAGIA QUE VOLS CEDIR:")
        magic = read_char()
        ask("ENTRA EL JUGADOR A QUI LA VOLS CEDIR:")
        to = WORDS.number() - 1
        if game.can_cede(magic, to):
            game.cede(magic, to)
            return
        say("MOVIMENT NO VALID")
        ask("ENCARA T'INTERESSA CEDIR INFLUENCIA? (s/n)")
        if read_char() == "n":
            return


def ask_positions(prompt: str, how_many: int) -> list[int]:
    while True:
        ask(prompt)
        numbers = [WORDS.number() for _ in range(how_many)]
        if all(0 <= number <= 3 for number in numbers):
            return numbers
        say("POSICIO NO VALIDA")


def ask_pile(game: Game) -> int:
    if not all(game.piles):
        return LEFT if game.piles[LEFT] else RIGHT
    while True:
        ask("DE QUINA PILA VOLS ROBAR LA CARTA? (e/d)")
        answer = read_char()
        if answer in "ed":
            return "ed".index(answer)
        say("AQUESTA PILA NO EXISTEIX")


def take_turn(game: Game) -> None:
    while True:
        (position,) = ask_positions("ENTRA LA POSICIO DE LA CARTA QUE VOLS COL.LOCAR:", 1)
        row, column = ask_positions("ENTRA LA POSICIO DEL TAULER ON VOLS COL.LOCAR LA CARTA:", 2)
        if (row, column) in game.holes():
            break
        say("JUGADA NO PERMESA\nTORNA A INDICAR LA JUGADA")
    game.send(position, (row, column))
    if any(game.piles):
        game.draw(position, ask_pile(game))
    game.next_player()


def main() -> None:
    ask("ENTRA LA LLAVOR:")
    seed = WORDS.number()
    if seed < 0:
        raise ValueError("the seed is negative")
    while True:
        ask("ENTRA EL NUMERO DE JUGADORS (2-4):")
        count = WORDS.number()
        if 2 <= count <= 4:
            break
        say("NUMERO DE JUGADORS INCORRECTE")
    WORDS.drop_line()
    names = []
    for j in range(count):
        ask(f"ENTRA EL NOM DEL JUGADOR {j + 1}:")
        names.append(read_name())
    game = Game(seed, names)
    while not game.finished():
        game.show_turn()
        option = read_char()
        if option == "F":
            say("PARTIDA ABANDONADA")
            return
        if option == "P":
            game.show_piles()
        elif option in "IJ":
            if option == "I":
                ask_cession(game)
            take_turn(game)
        else:
            say("OPCIO NO DEFINIDA")
    game.show_result()


if __name__ == "__main__":
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")  # type: ignore[union-attr]
    try:
        main()
    except (EndOfInputError, ValueError) as error:
        sys.exit(str(error))
