"""How exactly searches keep budgets in seconds: the whole time of an agent's decision, beside what it was given.

    python benchmarks/budgets.py [GAME ...] [--decisions 20] [--seconds 0.1 0.5 2]

Decisions from the first half of random games, in every variant of `ludoteca bench`; the agent goes on from one to the next
as in a game. Decisions that are known for certain end early, and are left out.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from ludoteca.agents.agent import SearchAgent
from ludoteca.core import registry
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.search.findings import Budget

NEAR: Final = 0.05
"""What a budget is to be kept within."""


def positions(game: Game) -> Iterator[State]:
    """Positions with something to choose, from random games, for ever."""
    for seed in range(1, 1_000_000):
        state, rng = game.new_initial_state(seed), new_rng(seed)
        for _ in range(game.max_game_length() // 2):
            if state.is_terminal():
                break
            if len(state.legal_actions()) > 1:
                yield state
            state.apply_action(state.random_action(rng))


def times(game: Game, seconds: float, decisions: int) -> list[float]:
    """How long each decision took, in seconds."""
    agents = [SearchAgent(game, Budget(seconds=seconds), seed=player) for player in range(game.num_players())]
    found: list[float] = []
    for state in positions(game):
        known = state.information_state(state.current_player())
        start = time.perf_counter()
        decision = agents[known.player].choose(known)
        spent = time.perf_counter() - start
        if decision.findings and not decision.findings.choices[0].solved:
            found.append(spent)
        if len(found) == decisions + 1:
            return found[1:]  # the first one loads what it needs
    raise AssertionError("positions never end")


def row(game: Game, variant: str, seconds: float, spent: Sequence[float]) -> str:
    """A line of the table."""
    shares = np.array(spent) / seconds
    near = (np.abs(shares - 1) <= NEAR).mean()
    figures = f"{np.median(shares):.3f} | {np.percentile(shares, 95):.3f} | {shares.max():.3f} | {100 * near:.0f}"
    return f"| {game.name} `{variant}` | {seconds:g} | {figures} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--decisions", type=int, default=20)
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.1, 0.5, 2.0])
    options = parser.parse_args()
    print("| game | budget, s | time / budget, median | 95 % | most | within 5 %, % |\n|---|---:|---:|---:|---:|---:|")
    for name in options.games or registry.names():
        spec = registry.find(name)
        for variant, parameters in spec.variants.items():
            game = Game(spec, parameters, compiled=True)
            for seconds in options.seconds:
                print(row(game, variant, seconds, times(game, seconds, options.decisions)), flush=True)


if __name__ == "__main__":
    main()
