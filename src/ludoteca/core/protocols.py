"""The contract of a game's `protocols` module: protocols of its document in which programs play, with one process per move.

`protocols.PROTOCOLS` maps the name of a protocol to a `MoveProtocol`. It does not include the protocol that all games share,
in which a process plays whole games.
"""

from typing import Protocol

from ludoteca.core.position import InformationState


class MoveProtocol(Protocol):
    """The questions to a program that is started for every move, and the meaning of its answers.

    A missing, late or invalid answer and a program that fails do not end the game. `invalid` is played instead.
    """

    def question(self, state: InformationState) -> str:
        """Return the complete standard input of the program."""

    def action(self, state: InformationState, answer: str) -> int | None:
        """Return the action that the program's output names, legal or not, or None if it names none."""

    def invalid(self, state: InformationState) -> int:
        """Return the legal action that replaces an invalid answer."""
