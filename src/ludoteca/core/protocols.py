"""What a game's `protocols` module holds: the protocols of its document in which programs play, one process for every move.

`protocols.PROTOCOLS` maps the name of a protocol to a `MoveProtocol`. The protocol that all games share, in which a process
lives through games, is no business of a game's.
"""

from typing import Protocol

from ludoteca.core.position import InformationState


class MoveProtocol(Protocol):
    """How a program that is started anew for every move is asked, and how its answer is read.

    An answer that is none, a late one and a program that fails do not end its game: `invalid` is played in their place.
    """

    def question(self, state: InformationState) -> str:
        """All that the program reads from its standard input."""

    def action(self, state: InformationState, answer: str) -> int | None:
        """The action, legal or not, that the program's output stands for; None when it stands for none."""

    def invalid(self, state: InformationState) -> int:
        """The legal action that stands for an invalid answer."""
