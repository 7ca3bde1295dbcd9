"""The clocks of a game: the milliseconds that each player had left at the last event. The table (`model.table`) decides
which clock runs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from ludoteca.server.model.events import Moved, Replaced, StoredEvent, TakenBack
from ludoteca.server.refusals import RefusalError

DAY: Final = 24 * 3600
LIMITS: Final = {"move": (5, 14 * DAY), "bank": (10, DAY), "increment": (0, 3600)}
"""The smallest and largest allowed value of each time limit, in seconds."""
POSSIBLE: Final = "move (5 to 1209600 seconds), or bank (10 to 86400 seconds) with increment (0 to 3600 seconds)"


def checked(chosen: Mapping[str, int] | None) -> dict[str, int] | None:
    """Return the time limits that a client chose, in the form in which they are stored, or None for a game without a clock.

    `chosen` has either `move` (seconds for each turn) alone, or `bank` (seconds for all turns of a player) and `increment`
    (seconds added after each turn). Raises RefusalError (`clock`) for other combinations, and for numbers outside LIMITS.
    """
    if chosen is None:
        return None
    if set(chosen) not in ({"move"}, {"bank", "increment"}):
        raise RefusalError("clock", ", ".join(chosen) or "{}", POSSIBLE)
    for name, seconds in chosen.items():
        low, high = LIMITS[name]
        if not low <= seconds <= high:
            raise RefusalError("clock", f"{name}: {seconds}", POSSIBLE)
    return dict(chosen)


def least_left(chosen: Mapping[str, int], happened: Iterable[StoredEvent]) -> int:
    """Return a lower bound, in milliseconds, on the time that every player has left after these events.

    The rules of the game are not used, so the players may have far more. With a time limit for each turn (`move`), the time
    of the player's last moves in a row is subtracted. With a `bank`, or after an undo, the time of all the player's moves is
    subtracted.
    """
    events = list(happened)
    is_for_each_turn = "move" in chosen and not any(isinstance(event, TakenBack) for event in events)
    used: Counter[int] = Counter()
    others, last = 0, -1
    for event in events:
        if isinstance(event, Moved):
            if is_for_each_turn and event.seat != last:
                used[event.seat] = 0
            last = event.seat
            used[last] += event.used
        elif isinstance(event, TakenBack | Replaced):
            others += event.used
    return max(0, 1000 * (chosen.get("move") or chosen["bank"]) - max(used.values(), default=0) - others)


class Clocks:
    """The milliseconds that each player has left (`left`). `chosen` has the time limits in seconds, as `checked` returns
    them.
    """

    def __init__(self, chosen: Mapping[str, int], players: int) -> None:
        self._each_turn = 1000 * chosen.get("move", 0)
        self._increment = 1000 * chosen.get("increment", 0)
        self.left = [1000 * chosen.get("bank", 0) + self._each_turn] * players

    def spend(self, player: int, used: int, *, turn_is_over: bool) -> int:
        """Subtract `used`, the milliseconds of an action, from its player's time. If the action ends the turn, add the
        increment, or start the time of the next turn. Return the milliseconds that were added.
        """
        before = self.left[player] = max(0, self.left[player] - used)
        if turn_is_over:
            self.left[player] = self._each_turn or before + self._increment
        return self.left[player] - before

    def after_undo(self, spent: Iterable[tuple[int, int]], mover: int) -> list[int]:
        """Return the milliseconds that each player has left after an undo. `spent` contains pairs of a player and the
        milliseconds to subtract. `mover` is the player to move after the undo.

        The result is negative for a player who does not have so much time. With a time limit for each turn, all players
        except `mover` have the whole time for their next turn.
        """
        left = self.left.copy()
        for player, time in spent:
            left[player] = self._each_turn if self._each_turn and player != mover else left[player] - time
        return left
