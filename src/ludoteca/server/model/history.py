"""How a game went: its positions, who moved, and what each seat saw of it."""

from collections.abc import Iterator, Sequence
from typing import Final

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.scene import Scene
from ludoteca.server.frames import Line
from ludoteca.server.model.views import Sight

EVERY: Final = 8
"""One position in so many is kept; those between are played again from it."""


class Story:
    """A game from its start to now."""

    def __init__(self, start: State) -> None:
        self.now = Sight(start)
        self.movers: list[int] = []
        self._before = self.now
        self._kept = [start]
        self._lines: dict[int, list[Line]] = {}

    @property
    def ply(self) -> int:
        """How many actions were played."""
        return len(self.movers)

    @property
    def actions(self) -> list[int]:
        """They themselves."""
        return self.now.state.history()

    def add(self, after: State) -> None:
        """The player to move has played."""
        self.movers.append(self.now.mover)
        self._before, self.now = self.now, Sight(after)
        if self.ply % EVERY == 0:
            self._kept.append(after)

    def at(self, ply: int) -> Sight:
        """The position after so many actions."""
        if ply >= self.ply - 1:
            return self.now if ply == self.ply else self._before
        state = self._kept[ply // EVERY].clone()
        for action in self.actions[ply - ply % EVERY : ply]:
            state.apply_action(action)
        return Sight(state)

    def highlighted(self, ply: int, seat: int) -> tuple[int, ...]:
        """The actions that are news for the seat then, as it saw them: those since its own last turn, or that turn itself.

        For one who watches, the last turn.
        """
        seen = self.now.state.seen_actions(seat)
        return tuple(seen[news(self.movers[:ply], seat, self.now.state.game.num_players()) : ply])

    def scene(self, ply: int, seat: int) -> Scene:
        """What the seat sees after so many actions."""
        return self.at(ply).draw(seat, self.highlighted(ply, seat))

    def written(self, seat: int) -> list[Line]:
        """As much of the seat's log as is written already."""
        return self._lines.setdefault(seat, [])

    def lines(self, seat: int) -> list[Line]:
        """The log as the seat saw it."""
        lines = self.written(seat)
        if len(lines) < self.ply:
            self._write(lines, seat)
        return lines

    def _write(self, lines: list[Line], seat: int) -> None:
        seen = self.now.state.seen_actions(seat)
        for ply, sight in self._walk(len(lines)):
            lines.append(sight.line(seat, self.movers[ply], seen[ply]))

    def _walk(self, ply: int) -> Iterator[tuple[int, Sight]]:
        """The positions in which something was played, from that one on."""
        actions, sight = self.actions, self.at(ply)
        while True:
            yield ply, sight
            ply += 1
            if ply == self.ply:
                return
            sight = Sight(sight.state.child(actions[ply - 1]))


def news(movers: Sequence[int], seat: int, players: int) -> int:
    """Where in the history begins what is news for the seat, a round at most: see `Story.highlighted`."""
    if not movers:
        return 0
    if players == 1:
        return len(movers) - 1
    own = movers[-1] == seat
    turns = 1 if own or seat == SPECTATOR else players - 1
    start, last = len(movers), -2
    while start > 0 and (own or movers[start - 1] != seat):
        if movers[start - 1] != last:
            if turns == 0:
                break
            last = movers[start - 1]
            turns -= 1
        start -= 1
    return start
