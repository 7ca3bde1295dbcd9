"""Play agents of an older commit: the process that `benchmarks.players` starts with the sources of that commit.

It uses only what all commits since July 2026 have in common. Each line of input is a question in JSON, each line of output
is its answer.
"""

import json
import sys
import time
from typing import Any

import ludoteca
from ludoteca.agents.agent import new_agent


def answer(seats: dict[int, Any], question: dict[str, Any]) -> Any:
    """Return the answer to a question. `seats` has the state and the agent of each seat."""
    if about := question.get("begin"):
        game = ludoteca.load(about["game"], compiled=True, **about["parameters"])
        seats[question["seat"]] = game.new_initial_state(about["deal"]), new_agent(about["agent"], game, about["seed"])
        return None
    state, agent = seats[question["seat"]]
    for action in question["actions"]:
        state.apply_action(action)
    if question["wanted"] == "scores":
        return state.scores()
    begin = time.process_time()
    action = agent.choose(state.information_state(question["seat"])).action
    return action, time.process_time() - begin


def main() -> None:
    """Answer all questions of standard input."""
    seats: dict[int, Any] = {}
    for line in sys.stdin:
        print(json.dumps(answer(seats, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
