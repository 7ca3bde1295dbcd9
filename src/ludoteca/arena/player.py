"""Who takes part in games, and what the referee asks of them."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from ludoteca.arena.limits import Limits
from ludoteca.core.game import State
from ludoteca.core.position import InformationState
from ludoteca.core.record import Result

LINES = "lines"
"""The protocol of `docs/bots.md`: one process that lives through the game."""


class Entrant(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One who takes part in a match or a tournament: an agent of ours, or a program."""

    name: str
    """Unique among those who take part."""
    agent: str = ""
    """The name of an agent, as `ludoteca play --opponent` takes it; empty for a program."""
    command: tuple[str, ...] = ()
    """The program and its arguments; empty for an agent."""
    protocol: str = LINES
    """`lines`, or the name of a protocol of the game's own (its module `protocols`)."""
    limits: Limits = Limits()


class Player(Protocol):
    """An entrant in one seat. It plays one game after another, and is closed at the end of all.

    It is told nothing but what its seat knows. Whatever its program does ends in a FaultError, never in another exception.
    """

    @property
    def isolation(self) -> str:
        """How its program is kept apart from the machine; `"in this process"` for an agent of ours."""

    @property
    def errors(self) -> str:
        """Its standard error in this game."""

    @property
    def faults(self) -> Sequence[tuple[str, str]]:
        """The faults of this game that did not end its part in it, as its protocol has it, each with a detail."""

    @property
    def reads(self) -> bool:
        """True where it follows the game by the texts that `see` gives it; for others nobody has to write them."""

    def begin(self, state: InformationState, seed: int) -> None:
        """A new game begins; the state is what its seat knows of it. The seed is for an agent's own random numbers.

        Raises nothing: what fails at the start is raised by the first `choose`.
        """

    def see(self, mover: int, action: str) -> None:
        """An action was played, by whichever seat: its text is that which this seat sees. Raises nothing."""

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """The action that it plays, one of the legal ones, which are sorted. Raises FaultError."""

    def end(self, state: InformationState, result: Result | None) -> None:
        """The game is over; the result is None where it was broken off. Raises nothing: a late fault changes no game."""

    def close(self) -> None:
        """End its program, with all that it started."""


def tell(players: Sequence[Player], state: State, action: int) -> None:
    """Tell all, each as its seat sees it, of a legal action that is about to be played in that state.

    Before, because some texts depend on the position in which the action is played.
    """
    for seat, player in enumerate(players):
        if player.reads:
            player.see(state.current_player(), text_for(seat, state, action))


def text_for(seat: int, state: State, action: int) -> str:
    """A legal action of that state in notation, as the seat sees it."""
    return str(state.game.notation.action_to_string(state.view(seat).raw, state.seen_action(action, seat)))
