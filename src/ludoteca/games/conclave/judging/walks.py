"""Plays games that aim at wanted branches of the document, and records their input as plans for cases."""

from collections.abc import Sequence
from random import Random
from typing import Final

from ludoteca.core.game import Game, State
from ludoteca.games.conclave import GAME, rules, sets
from ludoteca.games.conclave.deck import MAGICS, NOTHING
from ludoteca.games.conclave.judging import outcomes
from ludoteca.games.conclave.judging.outcomes import Outcome
from ludoteca.games.conclave.judging.plans import GIVE_UP, Plan, Turn, Word
from ludoteca.games.conclave.notation import MAGICS as LETTERS
from ludoteca.games.conclave.notation import PILES, hand_of

Move = tuple[int, int, Outcome]
"""A place of the hand, the cell to which its card is sent, and the effects of the move."""

ANYHOW: Final = 0
GREEDY: Final = 1
PEACEFUL: Final = -1
"""The choice between moves that reach equally many wanted branches: any, most wizards taken, or fewest taken."""


def words(branch: str, *texts: str) -> list[Word]:
    """Return words that the player types one after another. The output after the last one shows the branch."""
    return [*map(Word, texts[:-1]), Word(texts[-1], frozenset((branch,)))]


class Walk:
    """A running game that aims at branches. Each branch that the game shows moves from `wanted` to `reached`."""

    def __init__(
        self, plan: Plan, wanted: frozenset[str], random: Random, manner: int = ANYHOW, pile: int | None = None
    ) -> None:
        parameters = {"players": len(plan.names), "deal": f"document:{plan.seed}"}
        self.state: State = Game(GAME, parameters).new_initial_state(seed=0)
        self.plan = plan
        self.wanted = set(wanted)
        self.reached = set(plan.opening)
        self.random = random
        self.manner = manner
        self.pile = pile
        """The pile to draw from if there is a choice. None for any pile."""
        self.turns: list[Turn] = []
        self._ceded: list[tuple[int, int, int]] = []
        """The cessions: the number of the turn, the magic and the player that ceded it."""

    @property
    def over(self) -> bool:
        return self.state.is_terminal()

    def finished(self) -> Plan:
        """Return the plan of the game. If the game is not over, the player gives up after the last turn."""
        rest: Turn = () if self.over else (*self._looking(), GIVE_UP)
        return self.plan._replace(turns=tuple(self.turns), rest=rest)

    def _wants(self, *branches: str) -> list[str]:
        return [branch for branch in branches if branch in self.wanted]

    def _saw(self, found: Sequence[Word]) -> list[Word]:
        """Record the branches of some words as reached. Return the words."""
        for word in found:
            self.wanted -= word.branches
            self.reached |= word.branches
        return [*found]

    # A turn

    def turn(self, move: Sequence[int] | None = None) -> None:
        """Play a turn. `move` is a place of the hand, a cell and a pile. Without it, choose a move that reaches as many
        wanted branches as possible.
        """
        typed = self._looking() + self._ceding()
        place, cell, after = self._given(*move[:2]) if move else self._chosen()
        typed += self._sending(place, cell)
        mover, piles = int(self.state.raw.mover), self._piles()
        if self.state.raw.phase == rules.CEDING:
            self.state.apply_action(rules.KEEP)
        self.state.apply_action(sets.CELLS * place + cell)
        drawn = 0 if piles[0] else 1
        if all(piles):
            drawn = move[2] if move else self._pile_for(after, piles)
            if self._wants("pile-letter"):
                typed += self._saw(words("pile-letter", self.random.choice("xED0")))
            typed.append(Word(PILES[drawn]))
            if not self.over:
                self.state.apply_action(rules.DRAW + drawn)
        found = {*after.branches, *outcomes.drawing(*piles, drawn, after.holes, took=bool(after.taken))}
        if self.over:
            found |= outcomes.result(self.state.raw, self.state.scores())
        elif self.state.current_player() == 0 and mover:
            found.add("turns")
        typed[-1] = Word(typed[-1].text, frozenset(found))
        self._saw(typed[-1:])
        self.turns.append(tuple(typed))

    def _piles(self) -> tuple[int, int]:
        """Return the number of cards in each pile."""
        left, right = (self.state.raw.bottom - self.state.raw.top).tolist()
        return left, right

    def _looking(self) -> list[Word]:
        """Return options that the player types without changing the game, such as showing the piles, if they show wanted
        branches.
        """
        typed: list[Word] = []
        if self._wants("unknown-option"):
            typed += [word for letters in ("jpif", "X0") for word in words("unknown-option", self.random.choice(letters))]
        if self._wants("piles") or (self._wants("pile-empty") and not all(self._piles())):
            empty = set() if all(self._piles()) else {"pile-empty"}
            typed.append(Word("P", frozenset(("piles", "halves", *empty))))
        return self._saw(typed)

    # The cession

    def _ceding(self) -> list[Word]:
        """Return the words before sending a card: the option, then wrong cessions for wanted branches, and a right cession
        if possible.
        """
        legal = self._cessions()
        wrong = self._wrong_cessions()
        wishes = self._wants("cession-insisted", "cession-given-up")
        if wishes and len(wrong) < len(wishes):
            wrong = self._wrong_cessions(every=True)[: 1 + ("cession-insisted" in wishes)]
        right = bool(legal) and bool(self._wants("cession", "cession-several", "cession-back") or self.random.random() < 0.2)
        if not wrong and not right:
            return [Word("J")]
        typed = [Word("I")]
        for number, (branch, *texts) in enumerate(wrong, 1):
            typed += words(branch, *texts)
            again = number < len(wrong) or (right and self.random.random() < 0.8)
            typed += words("cession-insisted", "s") if again else words("cession-given-up", "n")
            right = right and again
        if right:
            typed += self._cede(legal)
        return self._saw(typed)

    def _cessions(self) -> list[tuple[int, int, int]]:
        """Return the legal cessions: the magic, the receiving player, and the number of followers."""
        raw, mover = self.state.raw, int(self.state.raw.mover)
        held = [[int(raw.followers[8 * player + magic]) for magic in range(MAGICS)] for player in range(int(raw.players))]
        return [
            (magic, player, held[mover][magic].bit_count())
            for magic in range(MAGICS)
            for player in range(int(raw.players))
            if player != mover and held[mover][magic] and not held[player][magic]
        ]

    def _cede(self, legal: list[tuple[int, int, int]]) -> list[Word]:
        several = [each for each in legal if each[2] > 1]
        turn = len(self.turns)
        back = [each for each in legal if (turn - 1, *each[:2]) in self._ceded and len(self.plan.names) == 2]
        good = back if self._wants("cession-back") else several if self._wants("cession-several") else []
        chosen = magic, player, number = self.random.choice(good or legal)
        self._ceded.append((turn, magic, int(self.state.raw.mover)))
        self.state.apply_action(rules.CEDE + 8 * player + magic)
        found = {"cession", *["cession-several"][: number - 1], *["cession-back"][: chosen in back]}
        return [Word(LETTERS[magic]), Word(str(player + 1), frozenset(found))]

    def _wrong_cessions(self, *, every: bool = False) -> list[tuple[str, str, str]]:
        """Return wrong cessions, each as a branch that it shows, the letter of a magic and the number of a player.

        There is one for each wanted branch for which a wrong cession is possible. If `every` is True, branches need not be
        wanted.
        """
        raw, random = self.state.raw, self.random
        mover, players = int(raw.mover), int(raw.players)
        held = [[int(raw.followers[8 * player + magic]) for magic in range(MAGICS)] for player in range(players)]
        mine = [LETTERS[magic] for magic in range(MAGICS) if held[mover][magic]]
        other = (mover + random.randrange(1, players)) % players
        theirs = {LETTERS[magic] for magic in range(MAGICS) if held[other][magic]}
        nobody = [letter for letter in LETTERS if letter not in theirs.union(mine)]
        kinds = (
            ("cession-magic", [*"zBx"], other),
            ("cession-player", mine, -1),
            ("cession-player", mine, players),
            ("cession-oneself", mine, mover),
            ("cession-none", nobody, other),
            ("cession-other", nobody if mine else [], other),
            ("cession-held", [letter for letter in mine if letter in theirs], other),
        )
        return [
            (branch, random.choice(letters), str(number + 1))
            for branch, letters, number in kinds
            if letters and (every or branch in self.wanted)
        ]

    # The emissary

    def _sending(self, place: int, cell: int) -> list[Word]:
        """Return the words that send a card from a place of the hand to a cell. Wrong places and cells for wanted branches
        come before the right ones.
        """
        random, typed = self.random, list[Word]()
        taken = [at for at, card in enumerate(self.state.raw.board.tolist()) if card != NOTHING]
        if self._wants("taken-cell"):
            typed += words("taken-cell", str(random.randrange(rules.HAND)), _cell(random.choice(taken)))
        for branch, wrong in (("hand-position", "4"), ("hand-negative", "-1")):
            if self._wants(branch):
                typed += words(branch, wrong)
        typed.append(Word(str(place)))
        for branch, beyond in (("board-position", ("4 0", "1 4")), ("board-negative", ("-1 2", "2 -1"))):
            if self._wants(branch):
                typed += [word for wrong in beyond for word in words(branch, wrong)]
        return [*self._saw(typed), Word(_cell(cell))]

    def _given(self, place: int, cell: int) -> Move:
        card = hand_of(self.state.raw, int(self.state.raw.mover))[place]
        return place, cell, outcomes.outcome(self.state.raw.board.tolist(), card, cell)

    def _chosen(self) -> Move:
        """Return the move that reaches the most wanted branches. If several do, `manner` decides."""
        board, hand = self.state.raw.board.tolist(), hand_of(self.state.raw, int(self.state.raw.mover))
        moves = [
            (place, cell, outcomes.outcome(board, card, cell))
            for cell, here in enumerate(board)
            if here == NOTHING
            for place, card in enumerate(hand)
        ]

        def worth(move: Move) -> tuple[int, int, float]:
            outcome = move[2]
            hoped = outcome.branches | self._refilled(outcome)
            return len(self.wanted & hoped), self.manner * len(outcome.taken), self.random.random()

        return max(moves, key=worth)

    def _refilled(self, after: Outcome) -> set[str]:
        """Return the branches that the refilling of the board after a move may show."""
        return outcomes.drawing(*self._piles(), 0, after.holes, took=bool(after.taken)) if all(self._piles()) else set()

    def _pile_for(self, after: Outcome, piles: tuple[int, int]) -> int:
        """Return the pile to draw from: `self.pile` if it is given, or else the pile with which the turn reaches more wanted
        branches.
        """
        if self.pile is not None:
            return self.pile
        took = bool(after.taken)
        found = [len(self.wanted & outcomes.drawing(*piles, drawn, after.holes, took=took)) for drawn in (0, 1)]
        return self.random.randrange(2) if found[0] == found[1] else found.index(max(found))


def _cell(cell: int) -> str:
    return f"{cell // sets.SIDE} {cell % sets.SIDE}"
