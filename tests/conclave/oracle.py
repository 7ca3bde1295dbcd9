"""A slow and plain program of the document's rules. Cards are texts such as `p5g`, and sets are lists."""

from collections.abc import Callable
from dataclasses import dataclass, field

MAGICS = "boprtv"
BROTHERHOODS = "cgs"
DECK = [f"{magic}{influence}{brotherhood}" for magic in MAGICS for brotherhood in BROTHERHOODS for influence in range(1, 6)]
BORDER = [(row, column) for row in range(4) for column in range(4) if row in (0, 3) or column in (0, 3)]
READING = [(row, column) for row in range(4) for column in range(4)]


def random_values(seed: int) -> Callable[[int], int]:
    """Return the next value from 0 to N - 1 (7.5.1)."""
    x = seed % 2**32

    def aleatori(n: int) -> int:
        nonlocal x
        x = (1103515245 * x + 12345) % 2**32
        return ((x // 32) % 32768) % n

    return aleatori


def shuffled(seed: int) -> list[str]:
    """Shuffle as in 7.5 (Durstenfeld)."""
    deck, aleatori = list(DECK), random_values(seed)
    for i in range(89, 0, -1):
        pos = aleatori(i + 1)
        deck[pos], deck[i] = deck[i], deck[pos]
    return deck


def influence(card: str) -> int:
    return int(card[1])


@dataclass
class Oracle:
    """A game with the deck in this order."""

    players: int
    board: dict[tuple[int, int], str] = field(default_factory=dict)
    hands: list[list[str]] = field(default_factory=list)
    followers: list[list[str]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)
    mover: int = 0
    turns_left: int | None = None
    over: bool = False
    events: list[str] = field(default_factory=list)

    @classmethod
    def deal(cls, players: int, deck: list[str]) -> "Oracle":
        game = cls(players, followers=[[] for _ in range(players)])
        deck = list(deck)
        for _ in range(6 * 4 + 6 * (4 - players)):
            deck.pop()
        game.hands = [[deck.pop() for _ in range(4)] for _ in range(players)]
        game.board = {cell: deck.pop() for cell in BORDER}
        half = len(deck) // 2
        game.left = [deck.pop() for _ in range(half)]
        game.right = [deck.pop() for _ in range(half)]
        return game

    def magics(self, player: int) -> set[str]:
        return {card[0] for card in self.followers[player]}

    def may_cede(self, magic: str, player: int) -> bool:
        return player != self.mover and magic in self.magics(self.mover) and magic not in self.magics(player)

    def cede(self, magic: str, player: int) -> None:
        assert self.may_cede(magic, player)
        given = [card for card in self.followers[self.mover] if card[0] == magic]
        self.followers[self.mover] = [card for card in self.followers[self.mover] if card[0] != magic]
        self.followers[player] += given
        self.events.append("cession")

    def cessions(self) -> list[tuple[str, int]]:
        return [(magic, player) for magic in MAGICS for player in range(self.players) if self.may_cede(magic, player)]

    def holes(self) -> list[tuple[int, int]]:
        return [cell for cell in READING if cell not in self.board]

    def contact(self, row: int, column: int, step: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the cells in contact with a cell along a line, with the cell itself."""
        found = [(row, column)]
        for sign in (1, -1):
            r, c = row + sign * step[0], column + sign * step[1]
            while (r, c) in self.board:
                found.append((r, c))
                r, c = r + sign * step[0], c + sign * step[1]
        return found

    def send(self, place: int, row: int, column: int, pile: str) -> None:
        """Play a turn after the cession. `pile` matters only if there are two piles."""
        card = self.hands[self.mover][place]
        self.hands[self.mover][place] = ""
        assert (row, column) not in self.board
        self.board[row, column] = card
        taken: list[str] = []
        for name, step in (("row", (0, 1)), ("column", (1, 0))):
            cells = self.contact(row, column, step)
            if sum(influence(self.board[cell]) for cell in cells) >= 10:
                for cell in cells:
                    if cell != (row, column) and (self.board[cell][0] == card[0] or self.board[cell][2] == card[2]):
                        taken.append(self.board.pop(cell))
                        self.events.append(f"taken from the {name}")
        if not taken and len(self.board) == 16:
            cross = [cell for cell in READING if cell[0] == row or cell[1] == column]
            taken = [self.board.pop(cell) for cell in cross if self.board[cell][2] != card[2]]
            self.events.append("crisis" if taken else "crisis that takes nobody")
        self.followers[self.mover] += taken
        self.draw(place, pile)

    def draw(self, place: int, pile: str) -> None:
        if self.left or self.right:
            source = self.left if (pile == "e" and self.left) or not self.right else self.right
            other = self.right if source is self.left else self.left
            self.hands[self.mover][place] = source.pop()
            holes = self.holes()
            while len(holes) > 4 and (source or other):
                if not source:
                    self.events.append("refill across piles")
                    source, other = other, source
                self.board[holes.pop(0)] = source.pop()
                self.events.append("refill")
            if not self.left and not self.right:
                self.turns_left = self.players
                self.events.append("last round")
        else:
            assert self.turns_left
            self.turns_left -= 1
        self.pass_turn()

    def pass_turn(self) -> None:
        if self.turns_left == 0 or len(self.board) == 16:
            if len(self.board) == 16:
                self.events.append("dead end" if self.turns_left is None else "dead end in the last round")
            self.over = True
            for hand, followers in zip(self.hands, self.followers, strict=True):
                followers += [card for card in hand if card]
                hand[:] = ["", "", "", ""]
        self.mover = (self.mover + 1) % self.players

    def sums(self, player: int) -> dict[str, int]:
        return {m: sum(influence(card) for card in self.followers[player] if card[0] == m) for m in MAGICS}

    def points(self) -> list[int]:
        sums = [self.sums(player) for player in range(self.players)]
        highest = {magic: max(one[magic] for one in sums) for magic in MAGICS}
        return [sum(one[magic] for magic in MAGICS if one[magic] < highest[magic]) for one in sums]

    def winner(self) -> int:
        points = self.points()
        return points.index(min(points))

    def in_order(self, player: int) -> list[str]:
        return sorted(self.followers[player])


# The text program


def screen(game: Oracle, names: list[str]) -> list[str]:
    name = names[game.mover]
    others = [player for player in range(game.players) if player != game.mover]
    lines = ["", f"TORN DE {name}", "=" * (8 + len(name.encode())), "", "          0     1     2     3"]
    for row in range(4):
        cells = " ".join(f"[{game.board.get((row, column), '   ')}]" for column in range(4))
        left, right = ("[ ]" if not pile else f"[{pile[-1][0]}]" for pile in (game.left, game.right))
        lines.append(f"{left}  {row}  {cells}  {right}" if row == 1 else f"     {row}  {cells}")
    lines += ["", f"MA DE {name}:"]
    lines.append("".join(f"{place}:[{card or '   '}] " for place, card in enumerate(game.hands[game.mover])))
    lines += ["", "MANS DELS OPONENTS:"]
    for player in others:
        backs = " ".join(f"[{card[0] if card else ' '}]" for card in game.hands[player])
        lines.append(f"{backs}   {player + 1} {names[player]}")
    lines += ["", "RESUM DELS SEGUIDORS:"]
    lines += [summary(game, names, player) for player in [game.mover, *others]]
    return [
        *lines,
        "",
        "OPCIONS:",
        "(I) FER JUGADA CEDINT INFLUENCIA",
        "(J) FER JUGADA SENSE CEDIR INFLUENCIA",
        "(P) MOSTRAR PILES",
        "(F) ABANDONAR PARTIDA",
        "",
        "ENTRA UNA OPCIO:",
    ]


def summary(game: Oracle, names: list[str], player: int) -> str:
    sums = " ".join(f"[{str(total) if total else '':>2}{magic}]" for magic, total in game.sums(player).items())
    return f"{sums}   {player + 1} {names[player]}"


def piles(game: Oracle) -> list[str]:
    lines: list[str] = []
    for title, pile in (("PILA ESQUERRA:", game.left), ("PILA DRETA:", game.right)):
        backs = "".join(f"[{card[0]}] " for card in reversed(pile))
        lines += ["", title, backs or "NO HI HA CAP CARTA"]
    return lines


def result(game: Oracle, names: list[str]) -> list[str]:
    lines = ["", "RESULTAT FINAL", "==============", "", "TOTS ELS SEGUIDORS:"]
    for player, name in enumerate(names):
        cards = "".join(f"[{card}] " for card in game.in_order(player))
        lines += [f"{player + 1} {name}", f" {cards}" if cards else "NO HI HA CAP CARTA"]
    lines += ["", "RESUM DELS SEGUIDORS:", *(summary(game, names, player) for player in range(game.players))]
    lines += ["", "PUNTS DE DECEPCIO:", *(f"{p:3} {name}" for p, name in zip(game.points(), names, strict=True))]
    return [*lines, "", f"ENHORABONA {names[game.winner()]}! HAS GUANYAT LA PARTIDA!"]
