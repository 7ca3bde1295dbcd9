"""The knowledge of all players, and every deal that fits it: the slow twin of `hidden`, from the rules page's section.

Tiles in piles are tokens with a number each. No token moves, and regions are sets of tokens and hands.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import count, permutations
from typing import Any

from ludoteca.core.game import State
from ludoteca.games.qinto import rim, rules, tiles

Place = tuple[str, int, int]
"""("hand", player, 0) or ("pile", number, place from the bottom)."""
Deal = tuple[tuple[Any, ...], ...]


@dataclass
class Trace:
    """A wild that was seen to go from the grid to a hand."""

    kind: int
    hands: set[int]
    tokens: set[int] = field(default_factory=set)


class Knowledge:
    """Follows a game from its start, action by action."""

    def __init__(self, state: State) -> None:
        self.players, self.light = state.game.num_players(), state.game.parameters["variant"] == "light"
        self.numbers = count()
        sizes = state.raw.piled.tolist()[: self.players]
        self.piles = [[next(self.numbers) for _ in range(size)] for size in sizes]
        self.putter: dict[int, int] = {}
        self.traces: list[Trace] = []

    def pile(self, player: int) -> list[int]:
        return self.piles[player if self.light else 0]

    def see(self, state: State, action: int) -> None:
        """An action is about to be played in this state."""
        record, player = state.raw, state.current_player()
        if action == rules.END:
            self.refill(player, int(record.in_hand[player]))
        elif action >= rules.TRADE:
            self.put(player)
        else:
            kind, cell = divmod(action, rim.CELLS)
            self.leave(player, kind)
            if record.grid[cell]:
                self.traces.append(Trace(int(record.grid[cell]), {player}))

    def refill(self, player: int, n: int) -> None:
        pile = self.pile(player)
        while pile and n < rules.HAND:
            token, n = pile.pop(), n + 1
            for trace in self.traces:
                if token in trace.tokens:
                    trace.tokens.remove(token)
                    trace.hands.add(player)

    def put(self, player: int) -> None:
        token = next(self.numbers)
        self.pile(player).insert(0, token)
        self.putter[token] = player
        for trace in self.traces:
            if player in trace.hands:
                trace.tokens.add(token)

    def leave(self, player: int, kind: int) -> None:
        """A visible tile leaves a hand. It may be one of several traces: one is lost, and the others share their places."""
        mine = [trace for trace in self.traces if trace.kind == kind and player in trace.hands]
        if mine:
            first, *others = mine
            self.traces.remove(first)
            for other in others:
                other.hands |= first.hands
                other.tokens |= first.tokens

    def known(self, player: int) -> set[int]:
        """The places in a player's pile of the tiles that the player put there."""
        return {place for place, token in enumerate(self.pile(player)) if self.putter.get(token) == player}

    def region(self, trace: Trace) -> set[Place]:
        """The places of a trace: a hand counts as one."""
        piles = {
            ("pile", n, place) for n, pile in enumerate(self.piles) for place, t in enumerate(pile) if t in trace.tokens
        }
        return piles | {("hand", player, 0) for player in trace.hands}


def hand(record: Any, player: int) -> list[int]:
    """A hand in order."""
    held, paired = int(record.held[player]), int(record.paired[player])
    return [kind for kind in range(1, tiles.KINDS + 1) for _ in range((held >> kind & 1) + (paired >> kind & 1))]


def piles(record: Any, players: int) -> list[list[int]]:
    """Every pile from the bottom up."""
    starts = [player * int(record.share) for player in range(players)]
    return [record.piles[start : start + int(n)].tolist() for start, n in zip(starts, record.piled, strict=False)]


def deal_of(record: Any, players: int) -> Deal:
    """All tiles that are hidden from a player."""
    hands = (tuple(hand(record, player)) for player in range(players))
    return *hands, *map(tuple, piles(record, players))


def fitting_deals(state: State, knowledge: Knowledge, seat: int) -> Counter[Deal]:
    """Every deal that fits the knowledge of a seat, with its number of ways. Equal tiles are not distinguished."""
    record, players = state.raw, state.game.num_players()
    hidden, seen = _places(record, knowledge, seat)
    unseen = Counter(tiles.ordered_deck()) - Counter(int(kind) & 63 for kind in record.grid[record.grid > 0])
    unseen -= Counter(kind for _, kind in seen)
    found: Counter[Deal] = Counter()
    regions: dict[int, list[set[Place]]] = {}
    for trace in knowledge.traces:
        regions.setdefault(trace.kind, []).append(knowledge.region(trace))
    for kinds in set(permutations(unseen.elements())):
        laid = [*seen, *zip(hidden, kinds, strict=True)]
        if _fits(laid, regions):
            found[_as_deal(laid, record, players)] += 1
    return found


def _places(record: Any, knowledge: Knowledge, seat: int) -> tuple[list[Place], list[tuple[Place, int]]]:
    """The places that the seat does not see, and the visible places with their tiles."""
    hidden: list[Place] = []
    seen: list[tuple[Place, int]] = []
    for player in range(knowledge.players):
        for kind in hand(record, player):
            seen += [(("hand", player, 0), kind)] if player == seat else []
            hidden += [("hand", player, 0)] if player != seat else []
    for number, pile in enumerate(piles(record, knowledge.players)):
        for at, kind in enumerate(pile):
            open_to_seat = seat >= 0 and knowledge.putter.get(knowledge.piles[number][at]) == seat
            seen += [(("pile", number, at), kind)] if open_to_seat else []
            hidden += [("pile", number, at)] if not open_to_seat else []
    return hidden, seen


def _fits(laid: list[tuple[Place, int]], traced: dict[int, list[set[Place]]]) -> bool:
    """Does every trace lead to a tile of its kind, no two of them to the same one?"""
    for kind, regions in traced.items():
        where = [place for place, other in laid if other == kind]
        if not any(
            all(place in region for place, region in zip(chosen, regions, strict=True))
            for chosen in permutations(where, len(regions))
        ):
            return False
    return True


def _as_deal(laid: list[tuple[Place, int]], record: Any, players: int) -> Deal:
    hands = (tuple(sorted(kind for place, kind in laid if place == ("hand", player, 0))) for player in range(players))
    kinds = {place: kind for place, kind in laid if place[0] == "pile"}
    lengths = enumerate(record.piled.tolist()[:players])
    return *hands, *(tuple(kinds["pile", number, at] for at in range(n)) for number, n in lengths)
