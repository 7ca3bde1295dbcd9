"""Plays a finished game again from one seat: to get the lines that a program in this seat read, or a program's new answers
to these lines.
"""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

from ludoteca.arena.matches.players import Player, question_of, text_for, written
from ludoteca.arena.programs.conversation import GREETING, Left, ending, opening, played, turn
from ludoteca.core.game import open_record
from ludoteca.core.position import InformationState
from ludoteca.core.record import Record, Result


class Reply(NamedTuple):
    """A move of the seat."""

    number: int
    """The move's place in the game, from 1."""
    recorded: str
    answered: str
    """The new answer of the player, in notation."""
    seconds: float


class Transcript(Player):
    """A player that collects the lines that a program would read. It chooses its moves without thought."""

    def __init__(self, left: Left) -> None:
        """Make a transcript. `left` is the time for each move that the lines contain."""
        self.lines: list[str] = []
        self._left = left

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # nothing is drawn
        """Add the lines of the start."""
        game = state.game
        self.lines.append(GREETING)
        self.lines += opening(game.name, game.parameters, state.player, game.num_players(), self._left, written(state))

    def see(self, mover: int, action: str) -> None:
        """Add the line of a move."""
        self.lines.append(played(mover, action))

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """Add the lines that ask for a move, and return the first legal action."""
        actions, concede = question_of(state, legal)
        self.lines += turn(written(state), (text for text in actions if text != concede), concede, self._left)
        return legal[0]

    def end(self, state: InformationState, result: Result | None) -> None:  # noqa: ARG002  # the lines name no seat
        """Add the lines of the end."""
        self.lines += ending(result)


def replay(record: Record, seat: int, player: Player, opening: int = 0) -> Iterator[Reply]:
    """Play the game of a record again. For each move of `seat`, yield the answer that `player` gives now, but continue the
    game with the recorded move.

    The player is not asked for the first `opening` moves of the game, which were chosen at random. Raises LudotecaError if
    the record cannot be replayed, and passes on the exceptions of the player.
    """
    game = open_record(record).game
    state = game.state_at(record.start)
    player.begin(state.information_state(seat), 0)
    for number, text in enumerate(record.actions, 1):
        action = state.string_to_action(text)
        if state.current_player() == seat and number > opening:
            begin = perf_counter()
            answer = player.choose(state.information_state(seat), state.legal_actions())
            yield Reply(number, text, state.action_to_string(answer), perf_counter() - begin)
        player.see(state.current_player(), text_for(seat, state, action))
        state.apply_action(action)
    player.end(state.information_state(seat), record.result)
