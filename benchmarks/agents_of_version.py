"""The agents of one version of Ludoteca, told what is played: `against_version.py` starts one such process a version.

It runs under Pythons that have this version or commit 8dd2f91, so it uses what both have. A request is a line of JSON, and
so is its answer. Time is processor time: the clock is replaced before Ludoteca is imported, so that an agent's "0.025s" is
25 ms of this process on the processor, however busy the machine is.

    {"do": "load", "game": "cartas", "parameters": {}, "warm": "0.025s"}    compiles, and says which game it is
    {"do": "begin", "seed": 7, "agents": {"2": "0.025s"}}                     deals; the agents by their seats
    {"do": "apply", "action": 3}
    {"do": "choose"}                                                          the mover's action, and its seconds
    {"do": "end"}                                                             the position and the returns

An agent is one of Ludoteca's, or for one player of Metro `pick_move`, or `pick_move:N` with N games a move where it takes a
number of games.
"""

import time

time.perf_counter = time.process_time

import json  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable  # noqa: E402
from importlib import import_module  # noqa: E402
from importlib.util import find_spec  # noqa: E402
from typing import Any, Final  # noqa: E402

import ludoteca  # noqa: E402

WARM: Final = 12
"""Decisions before the first game, so that nothing is loaded while time is taken."""

Chooser = Callable[[Any], int]
"""From a state to the mover's action."""


class Side:
    """One version's state of the game and its agents."""

    def load(self, game: str, parameters: dict[str, Any], warm: str) -> dict[str, Any]:
        self.game = ludoteca.load(game, compiled=True, **parameters)
        left, seed = WARM, 0
        while left:
            self.begin(seed, {})
            choosers: dict[int, Chooser] = {}
            while left and not self.state.is_terminal():
                player = self.state.current_player()
                choosers[player] = choosers.get(player) or self._chooser(warm, player)
                self.state.apply_action(choosers[player](self.state))
                left -= 1
            seed += 1
        return {"game": repr(self.game)}

    def begin(self, seed: int, agents: dict[str, str]) -> dict[str, Any]:
        self.state: Any = self.game.new_initial_state(seed)
        self.choosers = {int(seat): self._chooser(name, seed * 16 + int(seat)) for seat, name in agents.items()}
        return {"position": str(self.state)}

    def apply(self, action: int) -> dict[str, Any]:
        self.state.apply_action(action)
        return {}

    def choose(self) -> dict[str, Any]:
        chooser = self.choosers[self.state.current_player()]
        start = time.process_time()
        action = chooser(self.state)
        return {"action": action, "seconds": time.process_time() - start}

    def end(self) -> dict[str, Any]:
        return {"position": str(self.state), "returns": self.state.returns()}

    def _chooser(self, name: str, seed: int) -> Chooser:
        kind, _, tries = name.partition(":")
        if kind == "pick_move":
            return picker(int(tries) if tries else None)
        catalogue = find_spec("ludoteca.agents.catalogue") and import_module("ludoteca.agents.catalogue")
        agent = (catalogue or import_module("ludoteca.agents.agent")).new_agent(name, self.game, seed)
        return lambda state: int(agent.choose(state.information_state(state.current_player())).action)


def picker(tries: int | None) -> Chooser:
    """Metro's `pick_move`; without a number of games as the version does it that has a limit of time."""
    strategy = import_module("ludoteca.games.metro.play.strategy")

    def pick(state: Any) -> int:
        if tries is None:
            return int(strategy.choose(state.records.copy(), int(state.record["tile"])))
        return int(strategy.choose(state.position.copy(), int(state.raw["tile"]), tries))

    return pick


def main() -> None:
    side = Side()
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        print(json.dumps(getattr(side, request.pop("do"))(**request)), flush=True)


if __name__ == "__main__":
    main()
