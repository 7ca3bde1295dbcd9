"""Programs of bot authors as opponents in the terminal."""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from ludoteca.arena.matches.defaults import LINES
from ludoteca.arena.matches.players import LinesPlayer, text_for
from ludoteca.arena.matches.tournament import read_bot, with_whole_paths
from ludoteca.arena.programs.limits import Limits
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import State
from ludoteca.core.words import escaped

SHOWN_LINES: Final = 14
"""The number of lines of the exchange, and of standard error, that are shown with a fault."""


class BotOpponents:
    """Opponents in the terminal that are programs: one process of the program `command` for each of these seats, with the
    limits of a tournament. It is a context manager.

    A program gets the position in which it joins, and then each move that is played in `state`.
    """

    def __init__(self, command: str, state: State, seats: Iterable[int]) -> None:
        """Raises ParameterError for an agent's name, and FaultError for a program that cannot be run."""
        entrant = read_bot(f"bot={command}", LINES, Limits())
        if entrant.agent:
            why = f"read {command!r}, expected a program's command line. --opponent takes agents."
            raise ParameterError(f"opponent-bot: {why}")
        words = with_whole_paths(entrant, Path.cwd()).command
        self._players: Final = {seat: LinesPlayer(words, entrant.limits) for seat in seats}
        self._state: Final = state
        self._seen: Final = state.clone()

    def __enter__(self) -> Self:
        for seat, player in self._players.items():
            player.begin(self._state.information_state(seat), 0)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._catch_up()
        for seat, player in self._players.items():
            player.end(self._state.information_state(seat), self._state.result())
            player.close()

    def choose(self) -> int:
        """Return the action of the program that is to move. Raises FaultError if its answer is late, or is not a legal
        action.
        """
        self._catch_up()
        seat = self._state.current_player()
        return self._players[seat].choose(self._state.information_state(seat), self._state.legal_actions())

    def _catch_up(self) -> None:
        """Send the programs the moves that were played since the last call."""
        for action in self._state.history(len(self._seen.history())):
            for seat, player in self._players.items():
                player.see(self._seen.current_player(), text_for(seat, self._seen, action))
            self._seen.apply_action(action)

    def last_lines(self, seat: int) -> list[str]:
        """Return the last lines exchanged with the program in this seat, followed by the last lines of its stderr. Control
        characters are escaped.
        """
        player = self._players[seat]
        lines = [*list(player.exchange)[-SHOWN_LINES:], *player.errors.splitlines()[-SHOWN_LINES:]]
        return [escaped(line) for line in lines]
