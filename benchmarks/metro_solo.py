"""How many points players make alone in Metro, on the same tiles: `pick_move` by its number of games, and agents.

    python benchmarks/metro_solo.py pick_move:1000 pick_move:3000 7 0.025cpu --games 100 --save metro.jsonl

A player is `pick_move:TRIES`, or the name of an agent. Tiles are drawn uniformly, and are the same for all; #1, which has no
place then, does not come first. With `--save` the points of every game are written as they are known, and what a file
holds is not played again. Prints the points, 95 % intervals (bootstrap over the games), the milliseconds of CPU time a
move, and the difference to the first player on the same tiles.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from ludoteca.agents.agent import new_agent
from ludoteca.core.game import Game, load
from ludoteca.games.metro.play import strategy
from ludoteca.games.metro.tiles import IDS, turnable

TILES: Final = 60
RESAMPLES: Final = 10_000


class Played(NamedTuple):
    """A game that was played."""

    points: int
    moves: int
    seconds: float


def tiles_of(game: int, seed: int) -> list[int]:
    """The kinds that come in a game; the first is not #1."""
    drawn = np.random.default_rng([seed, game]).integers(1, IDS + 1, TILES + 1).tolist()
    return [turnable(tile) for tile in ([tile for tile in drawn[:1] if tile > 1] or [2 + game % 9]) + drawn[1:]]


def play(game: Game, name: str, tiles: Sequence[int]) -> Played:
    """One game on these tiles."""
    choose = chooser(game, name)
    state = game.new_initial_state(1)
    position = state.position
    raw, moves, start = position.raw, 0, time.process_time()
    for kind in tiles:
        raw.hands[0] = kind
        game.rules.begin_turn(raw, 0)
        if state.is_terminal() or moves == TILES:
            break
        action = choose(state, kind)
        game.rules.place(raw, action >> 5, action & 31)
        moves += 1
    return Played(int(raw.points[0]), moves, time.process_time() - start)


def chooser(game: Game, name: str) -> Callable[..., int]:
    """What chooses the place for a tile, in a state that has it."""
    if name.startswith("pick_move:"):
        tries = int(name.removeprefix("pick_move:"))
        return lambda state, kind: strategy.choose(state.position.copy(), kind, tries)
    agent = new_agent(name, game, seed=1)
    return lambda state, _: agent.choose(state.information_state(0)).action


def interval(values: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval of the mean, by bootstrap."""
    drawn = np.random.default_rng(1).choice(np.array(values), (RESAMPLES, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", help="pick_move:TRIES, or agents")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="a file of games, which are not played again")
    options = parser.parse_args()
    known: dict[tuple[str, int], Played] = {}
    if options.save and options.save.exists():
        for line in options.save.read_text().splitlines():
            name, seed, number, *played = json.loads(line)
            if seed == options.seed:
                known[name, number] = Played(*played)
    game = load("metro", compiled=True)
    numbers = range(options.first, options.first + options.games)
    for name in options.players:
        chooser(game, name)
        if name.startswith("pick_move:"):
            strategy.prepare()
        for number in numbers:
            if (name, number) not in known:
                known[name, number] = played = play(game, name, tiles_of(number, options.seed))
                if options.save:
                    with options.save.open("a") as file:
                        file.write(json.dumps([name, options.seed, number, *played]) + "\n")
    print("| player | mean | 95 % interval | median | 5th percentile | ms a move | games | difference to the first |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    first = [known[options.players[0], number].points for number in numbers]
    for name in options.players:
        games = [known[name, number] for number in numbers]
        points = [each.points for each in games]
        low, high = interval(points)
        less, more = interval([one - other for one, other in zip(points, first, strict=True)])
        pace = 1000 * sum(each.seconds for each in games) / sum(each.moves for each in games)
        print(
            f"| {name} | {np.mean(points):.1f} | {low:.1f} to {high:.1f} | {np.median(points):.0f} "
            f"| {np.quantile(points, 0.05):.0f} | {pace:.1f} | {len(points)} "
            f"| {np.mean(points) - np.mean(first):+.1f} ({less:+.1f} to {more:+.1f}) |",
            flush=True,
        )


if __name__ == "__main__":
    main()
