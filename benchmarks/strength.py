"""How strong the agents are: matches on paired deals, with 95 % intervals by bootstrap over the deals.

    python benchmarks/strength.py [MATCH ...] [--deals 50] [--processes 2] [--minutes 10] [--save FILE] [--show FILE]

A match is written GAME:VARIANT:AGENT[:AGENT], such as `conclave:2p:8:greedy` or `okupacio:8x8-2p:5:4`; a variant is one of
`ludoteca bench`, or parameters such as `players=2,board=14x10`; agents are those of `ludoteca play --opponent`. The first
agent sits once in every seat of a deal, the second in all the others; a deal counts once, with the mean over the seats. Of a
game for one player there is one agent, and what is reported is its score. Without matches the whole table of
docs/strength.md is played. Results are saved game by game, and a run that is given the same file goes on where the last one
ended.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca.agents.agent import new_agent
from ludoteca.core import registry
from ludoteca.core.game import Game

RESAMPLES: Final = 4000
LADDER: Final = tuple(str(level) for level in range(1, 9))


class Match(NamedTuple):
    """Who plays what against whom."""

    game: str
    variant: str
    agent: str
    other: str = ""

    @classmethod
    def read(cls, text: str) -> "Match":
        """From `GAME:VARIANT:AGENT[:AGENT]`."""
        parts = text.split(":")
        if len(parts) not in (3, 4):
            sys.exit(f"strength: read {text!r}, expected GAME:VARIANT:AGENT or GAME:VARIANT:AGENT:AGENT")
        return cls(*parts)

    def __str__(self) -> str:
        return ":".join(part for part in self if part)


class Played(NamedTuple):
    """One game: what the first agent got, and what all got together."""

    match: str
    seed: int
    seat: int
    own: float
    all: float
    score: int
    """The document's points of the first agent."""
    seconds: float


@cache
def game_of(match: Match) -> Game:
    """Compiled, once a process."""
    spec = registry.find(match.game)
    named = spec.variants.get(match.variant)
    chosen = dict(part.split("=", 1) for part in match.variant.split(",")) if named is None else named
    return Game(spec, chosen, compiled=True)


def play(match: Match, seed: int, seat: int) -> Played:
    """One game of a deal, the first agent in that seat."""
    game, begin = game_of(match), time.perf_counter()
    agents = [
        new_agent(match.agent if player == seat else match.other, game, seed * 16 + player)
        for player in range(game.num_players())
    ]
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(agents[player].choose(state.information_state(player)).action)
    got, seconds = state.returns(), time.perf_counter() - begin
    return Played(str(match), seed, seat, got[seat], sum(got), state.scores()[seat], seconds)


def whole_table() -> Iterator[Match]:
    """Every level against the one below, and the best against greedy, in every game."""
    for spec in registry.games():
        for variant in spec.variants:
            solo = Game(spec, spec.variants[variant]).num_players() == 1
            if solo:
                yield from (Match(spec.name, variant, agent) for agent in ("random", "greedy", *LADDER))
            else:
                yield from (Match(spec.name, variant, upper, lower) for lower, upper in pairwise(LADDER))
                yield Match(spec.name, variant, "greedy", "random")
                yield Match(spec.name, variant, "8", "greedy")


def run(matches: Sequence[Match], deals: int, processes: int, minutes: float, done: list[Played], save: Path | None) -> None:
    """Play what is missing, a deal of each match in turn, until time is up."""
    finished = {played[:3] for played in done}
    wanted = [
        (match, seed, seat)
        for seed in range(1, deals + 1)
        for match in matches
        for seat in range(game_of(match).num_players())
    ]
    tasks = [task for task in wanted if (str(task[0]), *task[1:]) not in finished]
    end = time.monotonic() + 60 * minutes
    with ProcessPoolExecutor(processes) as pool:
        waiting = {pool.submit(play_until, end, *task) for task in tasks}
        for number, future in enumerate(as_completed(waiting), 1):
            played = future.result()
            if played is not None:
                done.append(played)
                print(f"\r{number} of {len(tasks)}: {played.match} deal {played.seed}   ", end="", file=sys.stderr)
                if save:
                    with save.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(played._asdict()) + "\n")


def play_until(end: float, match: Match, seed: int, seat: int) -> Played | None:
    """One game, or nothing when time is up. The clock is the machine's, the same in all processes."""
    return None if time.monotonic() > end else play(match, seed, seat)


def table(games: Iterable[Played]) -> Iterator[str]:
    """Markdown: a line for each match."""
    by_match: dict[str, list[Played]] = {}
    for played in games:
        by_match.setdefault(played.match, []).append(played)
    yield "| game | agent | against | deals | games | share, % | 95 % interval | score: mean, median, 5 % | seconds a game |"
    yield "|---|---|---|---:|---:|---:|---|---|---:|"
    for text in sorted(by_match):
        yield row(Match.read(text), by_match[text])


def row(match: Match, games: Sequence[Played]) -> str:
    """One line of the table, over the deals that were played from every seat."""
    deals = whole_deals(games, game_of(match).num_players())
    if not deals:
        return f"| {match.game} `{match.variant}` | {match.agent} | {match.other} | 0 | | | | | |"
    own, total = (np.array([sum(getattr(one, name) for one in deal) for deal in deals]) for name in ("own", "all"))
    scores = np.array([one.score for deal in deals for one in deal])
    low, high = interval(own, total)
    share = f"{100 * own.sum() / total.sum():.1f} | {100 * low:.1f} to {100 * high:.1f}" if match.other else "|"
    points = f"{scores.mean():.1f}, {np.median(scores):.0f}, {np.percentile(scores, 5):.0f}"
    seconds = sum(one.seconds for deal in deals for one in deal) / len(scores)
    name = f"{match.game} `{match.variant}`"
    return f"| {name} | {match.agent} | {match.other} | {len(deals)} | {len(scores)} | {share} | {points} | {seconds:.1f} |"


def whole_deals(games: Sequence[Played], seats: int) -> list[list[Played]]:
    """The games by deal, those deals that lack one left out."""
    by_seed: dict[int, list[Played]] = {}
    for played in games:
        by_seed.setdefault(played.seed, []).append(played)
    return [deal for _, deal in sorted(by_seed.items()) if len(deal) == seats]


def interval(own: npt.NDArray[np.float64], total: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Where the share lies, by drawing as many deals again and again."""
    chosen = np.random.default_rng(1).integers(0, len(own), (RESAMPLES, len(own)))
    shares = own[chosen].sum(axis=1) / np.maximum(total[chosen].sum(axis=1), 1e-9)
    return float(np.percentile(shares, 2.5)), float(np.percentile(shares, 97.5))


def compile_all(matches: Sequence[Match]) -> None:
    """Once, before the processes start."""
    for match in {match[:2]: match for match in matches}.values():
        play(match._replace(agent="10x", other="greedy"), 0, 0)


def read_saved(path: Path | None) -> list[Played]:
    if path is None or not path.exists():
        return []
    return [Played(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    options = _options(arguments)
    matches = [Match.read(text) for text in options.matches] or list(whole_table())
    done = read_saved(options.save)
    if not options.show:
        compile_all(matches)
        run(matches, options.deals, options.processes, options.minutes, done, options.save)
    print("\n".join(table(done)))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("matches", nargs="*", metavar="MATCH", help="GAME:VARIANT:AGENT[:AGENT]; all by default")
    parser.add_argument("--deals", type=int, default=50, help="for each match (50)")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="at once (all cores)")
    parser.add_argument("--minutes", type=float, default=10, help="begin no game after so many (10)")
    parser.add_argument("--save", type=Path, help="keep results in this file, and go on from it")
    parser.add_argument("--show", action="store_true", help="only print what the file holds")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
