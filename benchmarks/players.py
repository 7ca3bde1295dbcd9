"""The players of `benchmarks.strength`: agents, the programs of documents, students' bots, and agents of older commits.

    7, greedy, 500x, 0.05cpu    agents, as for `ludoteca play --opponent`
    0.3                         a level that no game has, which notices 0.3 of the actions
    80:0.5:1                    one that searches with 80 simulations in half of its turns, and else notices all actions
    b6abbdbf:0.05cpu            the agent of that commit
    jogador, long, low, high    the tournament player of cartas, and three bots as students write them
    pick_move:500               the player of Metro alone, with this number of games a move

`new_player` returns them by their names.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from ludoteca.agents.agent import agent_of, budget_of, new_agent
from ludoteca.core.bits import size
from ludoteca.core.game import Game, State
from ludoteca.core.levels import Level, is_name, levels_of
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.text import jogador
from ludoteca.games.metro.play import strategy

ROOT: Final = Path(__file__).parents[1]
OLD: Final = re.compile(r"([0-9a-f]{7,40}):(.+)")

Choose = Callable[[State], int]
Taste = Callable[[int], tuple[int, ...]]

LOWEST: Final[Taste] = lambda play: (-cards.highest(play), size(play))  # noqa: E731  # a table of tastes
TASTES: Final[dict[str, Taste]] = {
    "long": lambda play: (size(play), -cards.highest(play)),
    "low": LOWEST,
    "high": lambda play: (size(play), cards.highest(play)),
}
"""The order in which a bot prefers plays when it leads. It answers with the lowest play whenever it can."""


class Player(Protocol):
    """A player of one game in one seat."""

    def choose(self, state: State) -> tuple[int, float]:
        """Return the action, and the processor seconds that it took."""

    def end(self, state: State) -> None:
        """End the game."""


class Here(NamedTuple):
    """A player in this process."""

    choice: Choose

    def choose(self, state: State) -> tuple[int, float]:
        """Return the action, and the processor seconds that it took."""
        begin = time.process_time()
        return self.choice(state), time.process_time() - begin

    def end(self, state: State) -> None:
        """End the game."""


def written(name: str, game: Game) -> str:
    """Return the player of that name in full, so that stored games of a level do not count if the level changes."""
    return repr(levels_of(game.spec, game.parameters)[name]) if name.isdigit() else name


def seconds_of(name: str, game: Game) -> float:
    """Return roughly the seconds of a turn."""
    name = found[2] if (found := OLD.fullmatch(name)) else name
    if name == "jogador":
        return jogador.SECONDS
    if name.isdigit() or is_name(name):
        budget = budget_of(name, game)
        if budget is None:
            return 0.001
        return 10e-6 * budget.simulations if budget.simulations else budget.seconds or budget.cpu or 0.0
    return 0.005


def new_player(name: str, game: Game, seed: int, seat: int, deal: int) -> Player:
    """Return the player of that name in a seat, for a game with this deal."""
    if old := OLD.fullmatch(name):
        return OldPlayer(server_of(old[1]), old[2], game, seed, seat, deal)
    return Here(_choice(name, game, seed))


def _choice(name: str, game: Game, seed: int) -> Choose:
    if name == "jogador":
        return lambda state: jogador.choose(
            int(state.view(state.current_player()).raw["hands"][state.current_player()]), state.history(), jogador.SECONDS
        )
    if name in TASTES:
        return lambda state: max(
            (play for play in state.legal_actions() if play),
            key=LOWEST if int(state.raw["play"]) else TASTES[name],
            default=0,
        )
    if name.startswith("pick_move:"):
        tries = int(name.removeprefix("pick_move:"))
        return lambda state: strategy.choose(state.position.copy(), int(state.raw.tile), tries)
    if is_name(name):
        agent = new_agent(name, game, seed)
    else:
        simulations, careless, notices = [*name.split(":"), "0", "0"][:3] if not name.startswith("0.") else ["0", "0", name]
        agent = agent_of(Level(int(simulations), float(careless), float(notices)), game, seed)
    return lambda state: agent.choose(state.information_state(state.current_player())).action


# Agents of older commits


def checkout(commit: str) -> Path:
    """Return the sources of a commit. Raises CalledProcessError if git does not know it."""
    folder = ROOT / "build" / "versions" / commit
    if not (folder / "src").exists():
        folder.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder / "src"


class Server:
    """A process with the sources of an older commit, in which agents play."""

    def __init__(self, commit: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(checkout(commit))}
        peer = [sys.executable, str(Path(__file__).with_name("older.py"))]
        self._process = subprocess.Popen(peer, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question: Mapping[str, Any]) -> Any:
        """Return the answer to a question. Raises EOFError if the process has ended."""
        process = self._process
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        if not (line := process.stdout.readline()):
            raise EOFError("the process of an older version has ended")
        return json.loads(line)


@cache
def server_of(commit: str) -> Server:
    """Return the process of a commit. A worker has one of each."""
    return Server(commit)


class OldPlayer:
    """An agent of an older commit. It has its own copy of the game, and both copies must end with the same scores."""

    def __init__(self, server: Server, agent: str, game: Game, seed: int, seat: int, deal: int) -> None:
        self._server, self._seat, self._seen = server, seat, 0
        about = {"game": game.name, "parameters": game.parameters, "agent": agent, "seed": seed, "deal": deal}
        server.ask({"seat": seat, "begin": about})

    def _ask(self, state: State, wanted: str) -> Any:
        actions, self._seen = state.history()[self._seen :], len(state.history())
        return self._server.ask({"seat": self._seat, "actions": actions, "wanted": wanted})

    def choose(self, state: State) -> tuple[int, float]:
        """Return the action, and the processor seconds that it took."""
        action, seconds = self._ask(state, "action")
        return action, seconds

    def end(self, state: State) -> None:
        """Compare the scores of both copies. Raises ValueError if they differ."""
        if (scores := self._ask(state, "scores")) != state.scores():
            raise ValueError(f"after the same actions, an older version has the scores {scores}, expected {state.scores()}")
