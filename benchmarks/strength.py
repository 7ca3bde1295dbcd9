"""Measure how strong the agents play: all figures of one page. The command continues after an interruption.

    python -m benchmarks strength                  play all games that are missing, in two processes, and print the tables
    python -m benchmarks strength --time 90        end after 90 minutes. All matches have then lost the same share of games
    python -m benchmarks strength --plan           print only the estimated time
    python -m benchmarks strength --print          print only the tables
    python -m benchmarks strength --only cartas    only matches whose section, game or players contain this text

Each finished game is stored in the folder at once, with the commit, a hash of the game's weights, and the players in full.
A game counts as long as the weights and the players are the same. So after a training, or a change of a level, the command
plays the matches that this changes. Games without chance begin with balanced openings, as in the arena. All agents meet the
same deals. Shares are of the wins or, in a game for points, of the points. In a game for one player the result is the lead
in points, with the mean points of both. Intervals are of 95 %, by bootstrap over the deals.

Figures: docs/strength.md#the-ladder, docs/strength.md#among-greedy-players, docs/strength.md#more-time,
docs/strength.md#metro, docs/strength.md#the-documents-player-of-cartas,
docs/strength.md#other-boards-and-tables
"""

import hashlib
import json
import os
import signal
import subprocess
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from functools import cache
from itertools import count
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

from filelock import FileLock

from benchmarks import endgames
from benchmarks.matches import Match, matches
from benchmarks.measuring import print_header, print_row, share_bounds
from benchmarks.players import ROOT, new_player, written
from ludoteca.agents.openings import draw_opening, moves_of
from ludoteca.core.game import Game, State, load
from ludoteca.core.registry import find
from ludoteca.core.seeds import derived_seed

FILE: Final = "games.jsonl"
SEED: Final = 17


class Job(NamedTuple):
    """A game to be played."""

    match: Match
    key: str
    deal: int
    seat: int


@cache
def game_of(name: str, parameters: str) -> Game:
    """Return the compiled game. A worker has one of each."""
    return load(name, compiled=True, **json.loads(parameters))


def play(job: Job) -> dict[str, Any]:
    """Play a game, and return the line to store."""
    begin, match = time.perf_counter(), job.match
    game = game_of(match.game, json.dumps(dict(match.parameters)))
    seats = game.num_players()
    if seats == 1:
        names = [match.one if job.seat == 0 else match.other]
    else:
        names = [match.one if seat == job.seat else match.other for seat in range(seats)]
    deal, state = deal_of(game, job.deal)
    for action in draw_opening(game, moves_of(game, None), deal):
        state.apply_action(action)
    opening = len(state.history())
    players = [new_player(name, game, derived_seed(deal, name, seat), seat, deal) for seat, name in enumerate(names)]
    spent, turns = [0.0] * seats, [0] * seats
    while not state.is_terminal():
        seat = state.current_player()
        turns[seat] += not turns[seat] or state.view(seat).begins_turn()
        action, seconds = players[seat].choose(state)
        spent[seat] += seconds
        state.apply_action(action)
    for player in players:
        player.end(state)
    return {
        "key": job.key, "deal": job.deal, "seat": job.seat, "returns": state.returns(), "scores": state.scores(),
        "milliseconds": [round(1000 * part / max(1, number), 3) for part, number in zip(spent, turns, strict=True)],
        "opening": opening, "commit": commit(), "weights": weights_of(match.game), "load": round(os.getloadavg()[0], 1),
        "seconds": round(time.perf_counter() - begin, 3),
    }  # fmt: skip


def deal_of(game: Game, number: int) -> tuple[int, State]:
    """Return the seed and the first state of a deal. A deal in which each first action ends the game is drawn again."""
    for again in count():
        seed = derived_seed(SEED, game.name, number, again)
        state = game.new_initial_state(seed)
        if not all(state.child(action).is_terminal() for action in state.legal_actions()):
            break
    return seed, state


@cache
def commit() -> str:
    """Return the commit of the checkout, with `+` if files have changed since."""
    told = subprocess.run(["git", "describe", "--always", "--dirty=+"], cwd=ROOT, check=True, capture_output=True, text=True)
    return told.stdout.strip()


@cache
def weights_of(game: str) -> str:
    """Return a hash of all weights of a game."""
    files = sorted(find(game).file("weights").glob("*.npz"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def key_of(match: Match) -> str:
    """Return the key of a match: with other weights or other levels it is another match."""
    game = match.load(compiled=False)
    players = [written(name, game) for name in (match.one, match.other)]
    return json.dumps([match.game, game.parameters, *players, weights_of(match.game)], sort_keys=True)


Games = dict[str, dict[tuple[int, int], dict[str, Any]]]


def stored(file: Path) -> Games:
    """Return the stored games by match, deal and seat. Remove a last line that was cut off, so that others can follow."""
    found: Games = defaultdict(dict)
    whole, newline, cut = (file.read_bytes() if file.exists() else b"").rpartition(b"\n")
    if cut:
        os.truncate(file, len(whole + newline))
    for line in whole.splitlines():
        game = json.loads(line)
        found[game["key"]][game["deal"], game["seat"]] = game
    return found


def rounds(match: Match) -> int:
    """Return the number of games of a deal."""
    return max(match.load(compiled=False).num_players(), 2)


def missing(chosen: Sequence[Match], games: Games) -> list[Job]:
    """Return the games to be played, so that at any time all matches have about the same share of their games."""
    jobs = []
    for match in chosen:
        key, seats = key_of(match), range(rounds(match))
        played = games.get(key, {})
        jobs += [
            ((deal + 0.5) / match.deals, Job(match, key, deal, seat))
            for deal in range(match.deals)
            for seat in seats
            if (deal, seat) not in played
        ]
    return [job for _, job in sorted(jobs, key=lambda one: one[0])]


def seconds_left(jobs: Sequence[Job], games: Games, processes: int) -> float:
    """Return the estimated time of games: of a match without games by its budgets, of others by its games."""
    means: dict[str, float] = {}
    for job in jobs:
        if job.key not in means:
            known = [game["seconds"] for game in games.get(job.key, {}).values()]
            means[job.key] = sum(known) / len(known) if len(known) > 1 else job.match.guess()
    return sum(means[job.key] for job in jobs) / processes


def print_tables(chosen: Sequence[Match], games: Games) -> None:
    """Print the result of each match, from its complete deals."""
    section = ""
    for match in chosen:
        if match.section != section:
            section = match.section
            print(f"\n## {section}\n")
            print_header("game", "player", "against", "share, %", "even", "interval", "deals", "ms a turn", "commits")
        print_row(match.title(), match.one, match.other, *result(match, list(games.get(key_of(match), {}).values())))


def result(match: Match, played: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the cells of a match: the share (alone: mean points), an even share, the interval, deals, times, and commits."""
    seats, by_deal = rounds(match), defaultdict[int, list[dict[str, Any]]](list)
    for game in played:
        by_deal[game["deal"]].append(game)
    complete = {deal: found for deal, found in by_deal.items() if len(found) == seats}
    own, everybody, times = list[float](), list[float](), ([list[float](), list[float]()])
    alone, means = match.load(compiled=False).num_players() == 1, [0.0, 0.0]
    for found in complete.values():
        taken = [0.0, 0.0]
        for game in found:
            for seat, points in enumerate(game["returns"]):
                side = game["seat"] if alone else int(seat != game["seat"])
                taken[side] += points
                means[side] += points / len(complete)
                times[side].append(game["milliseconds"][seat])
        own.append(taken[0] - taken[1] if alone else taken[0])
        everybody.append(1.0 if alone else sum(taken))
    if not own or not sum(everybody):
        yield from ("", "", "", "0", "", "")
        return
    whole = 1 if alone else 100
    low, high = (whole * bound for bound in share_bounds(own, everybody))
    share = whole * sum(own) / sum(everybody)
    yield f"{share:+.1f} points ({means[0]:.0f} for {means[1]:.0f})" if alone else f"{share:.1f}"
    yield "0" if alone else f"{100 / seats:.0f}"
    yield f"{low:.1f} to {high:.1f}"
    yield str(len(own))
    yield " / ".join(f"{sum(part) / len(part):.1f}" for part in times)
    yield ", ".join(dict.fromkeys(game["commit"] for game in played))


def ignore_interrupts() -> None:
    """Let only the first process see Ctrl-C. It ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(jobs: Sequence[Job], games: Games, file: Path, processes: int, until: float) -> None:
    """Play games and store each at once, until the time is over. A game that fails is reported, and the others go on.

    Raises BrokenExecutor if a process ends.
    """
    waiting, running = list(reversed(jobs)), set[Future[dict[str, Any]]]()
    shown = 0.0
    workers = ProcessPoolExecutor(processes, get_context("spawn"), ignore_interrupts)
    with file.open("a", encoding="utf-8") as out, workers as pool:
        try:
            while running or (waiting and time.time() < until):
                while waiting and len(running) < processes and time.time() < until:
                    running.add(pool.submit(play, waiting.pop()))
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    if error := future.exception():
                        if isinstance(error, BrokenExecutor):
                            raise error
                        print(f"a game failed: {type(error).__name__}: {error}", flush=True)
                        continue
                    game = future.result()
                    out.write(json.dumps(game) + "\n")
                    out.flush()
                    os.fsync(out.fileno())
                    games[game["key"]][game["deal"], game["seat"]] = game
                if time.time() > shown + 60:
                    shown = time.time()
                    left = seconds_left(waiting, games, processes)
                    print(
                        f"{len(jobs) - len(waiting):,} of {len(jobs):,} games, about {left / 60:.0f} minutes left",
                        flush=True,
                    )
        except KeyboardInterrupt:
            for worker in active_children():  # a game may take minutes
                worker.terminate()
            print("interrupted; the same command continues")


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "strength", help="the folder of the games (build/strength)"
    )
    parser.add_argument("--time", metavar="MINUTES", type=float, default=120.0, help="start no game after this time (120)")
    parser.add_argument("--processes", type=int, default=2, help="(2)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only matches with this text")
    parser.add_argument("--deals", type=int, help="at most this number of deals of each match")
    parser.add_argument("--plan", action="store_true", help="print only the matches and the estimated time")
    parser.add_argument("--print", action="store_true", help="print only the tables")
    options = parser.parse_args(arguments)
    chosen = [match for match in matches() if options.only in f"{match.section}: {match.title()} {match.one} {match.other}"]
    if options.deals:
        chosen = [match._replace(deals=min(match.deals, options.deals)) for match in chosen]
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / FILE
    with FileLock(options.out / "lock").acquire(timeout=0):
        games = stored(file)
        jobs = missing(chosen, games)
        if not options.print:
            print(f"{len(jobs):,} games, about {seconds_left(jobs, games, options.processes) / 60:.0f} minutes", flush=True)
        if options.plan:
            for section in dict.fromkeys(match.section for match in chosen):
                part = [job for job in jobs if job.match.section == section]
                print(f"  {section}: {len(part):,} games, {seconds_left(part, games, options.processes) / 60:.0f} minutes")
            return
        if jobs and not options.print:
            run(jobs, games, file, options.processes, time.time() + 60 * options.time)
    print_tables(chosen, games)
    if not options.print and not options.only and not missing(chosen, games):
        print("\n## exact endings of Okupació\n")
        endgames.main(ArgumentParser(), [])
