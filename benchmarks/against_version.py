"""Agents of this version against those of another one, at equal processor time a move, each deal from every seat.

The other version is installed in a venv of its own, and each has a process (`agents_of_version.py`) that deals from the same
seed and is told every action; the agents see what their seats see. In the end both must have the same position and returns.

    git worktree add ../before 8dd2f91
    python -m venv ../before/.venv && ../before/.venv/bin/pip install -e ../before
    python benchmarks/against_version.py okupacio-8x8 --python ../before/.venv/bin/python --games 400 --save 8x8.jsonl

All that is usual, with `--python` as above and `--save` where it is to go on after it was broken off:

    python benchmarks/against_version.py okupacio-8x8 --games 400
    python benchmarks/against_version.py okupacio-14x10 --games 400
    python benchmarks/against_version.py conclave-2p --games 400
    python benchmarks/against_version.py conclave-4p --games 400
    python benchmarks/against_version.py conclave-4p --theirs greedy --games 400
    python benchmarks/against_version.py qinto-2p --games 400
    python benchmarks/against_version.py cartas --games 400
    python benchmarks/against_version.py cartas --theirs greedy --games 400
    python benchmarks/against_version.py metro-4p --games 400
    python benchmarks/against_version.py metro --games 100
    python benchmarks/against_version.py metro --ours pick_move:4000 --theirs pick_move --games 100

One of ours sits among theirs, or with `--alone theirs` one of theirs among ours. Where nothing is dealt, games begin with
four random moves. Printed is the share of the wins (in cartas: of the points) that the one takes, in Metro for one player
the mean of the points, all with 95 % intervals by bootstrap over the deals. Deals that are over before the first move are
left out.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Lock, local
from typing import Any, Final

import msgspec
import numpy as np

from ludoteca.arena.figures.likelihood import Floats
from ludoteca.arena.figures.ratings import without_exception
from ludoteca.core.game import Game, load
from ludoteca.games.okupacio.board import DOCUMENT

MATCHES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "okupacio-8x8": ("okupacio", {"players": 2, "board": "8x8"}),
    "okupacio-14x10": ("okupacio", {"players": 2, "board": DOCUMENT}),
    "okupacio-14x10-4p": ("okupacio", {"players": 4, "board": DOCUMENT}),
    "conclave-2p": ("conclave", {"players": 2}),
    "conclave-3p": ("conclave", {"players": 3}),
    "conclave-4p": ("conclave", {"players": 4}),
    "qinto-2p": ("qinto", {"players": 2, "variant": "light"}),
    "cartas": ("cartas", {}),
    "metro": ("metro", {}),
    "metro-4p": ("metro", {"players": 4}),
}
OPENING: Final = 4
RESAMPLES: Final = 4000
NEWS: Final = 15.0
"""Seconds between two lines of progress."""


class Plan(msgspec.Struct, frozen=True):
    """What is played; results of different plans are not put together."""

    match: str
    ours: str
    theirs: str
    alone: str
    opening: int
    seed: int

    def game(self) -> Game:
        name, parameters = MATCHES[self.match]
        return load(name, compiled=True, **parameters)

    def sides(self, seat: int, players: int) -> list[str]:
        """Who has each seat when the one that is alone has this one."""
        other = "theirs" if self.alone == "ours" else "ours"
        return [self.alone if at == seat else other for at in range(players)]


class Deal(msgspec.Struct, frozen=True):
    """The games of one deal, one for each seat; for one player, one for each side."""

    deal: int
    games: int
    own: float
    """What the one that is alone got, in all games; for one player, what ours got."""
    everybody: float
    """What all got; for one player, what theirs got."""
    moves: dict[str, int]
    """The decisions of each side, forced ones left out."""
    seconds: dict[str, float]
    """The processor time that they took."""


class Side:
    """The process of one version."""

    def __init__(self, python: str, plan: Plan, agent: str) -> None:
        self._python = python
        program = str(Path(__file__).with_name("agents_of_version.py"))
        self._process = subprocess.Popen(
            [python, "-P", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for this process; that one ends with its input
        )
        game, parameters = MATCHES[plan.match]
        self.ask("load", game=game, parameters=parameters, warm=agent)

    def ask(self, what: str, **details: Any) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps({"do": what, **details}), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert answer, f"{self._python}: the agents' process ended with {self._process.wait()} when asked to {what}"
        found: dict[str, Any] = json.loads(answer)
        return found

    def close(self) -> None:
        with self._process:  # closes its input and output, and waits
            pass


class Table:
    """Both versions at one table, and what is played there."""

    def __init__(self, plan: Plan, python: str) -> None:
        self.plan = plan
        self.game = plan.game()
        self.sides = {"ours": Side(sys.executable, plan, plan.ours), "theirs": Side(python, plan, plan.theirs)}

    def play_deal(self, deal: int) -> Deal | None:
        """Play a deal from every seat; None if it is over before the first move."""
        seed, players = self.plan.seed + deal, self.game.num_players()
        if self.game.new_initial_state(seed).is_terminal():
            return None
        self.moves, self.seconds = dict.fromkeys(self.sides, 0), dict.fromkeys(self.sides, 0.0)
        if players == 1:
            own, everybody = (self._play(seed, [side])[0] for side in self.sides)
        else:
            returns = [self._play(seed, self.plan.sides(seat, players)) for seat in range(players)]
            own, everybody = sum(got[seat] for seat, got in enumerate(returns)), sum(map(sum, returns))
        return Deal(deal, max(2, players), own, everybody, self.moves, self.seconds)

    def _play(self, seed: int, seats: list[str]) -> list[float]:
        """The returns of one game, in which these sides have the seats."""
        state, playing = self.game.new_initial_state(seed), {name: self.sides[name] for name in dict.fromkeys(seats)}
        for name, side in playing.items():
            agents = {str(seat): getattr(self.plan, name) for seat, of in enumerate(seats) if of == name}
            begun = side.ask("begin", seed=seed, agents=agents)
            assert begun["position"] == str(state), f"{name}: seed {seed} deals {begun['position']} and not {state}"
        random = Random(seed)
        while not state.is_terminal():
            choices = state.position.choices().tolist()
            if len(state.history()) < self.plan.opening:
                action = random.choice(choices)
            elif len(choices) == 1:
                action = choices[0]
            else:
                action = self._ask(seats[state.current_player()])
            state.apply_action(action)
            for side in playing.values():
                side.ask("apply", action=action)
        for name, side in playing.items():
            ended = side.ask("end")
            assert ended == {"position": str(state), "returns": state.returns()}, f"{name}: {ended} and not {state}"
        return state.returns()

    def _ask(self, name: str) -> int:
        answer = self.sides[name].ask("choose")
        self.moves[name] += 1
        self.seconds[name] += answer["seconds"]
        return int(answer["action"])

    def close(self) -> None:
        for side in self.sides.values():
            side.close()


def read_saved(path: Path, plan: Plan) -> list[Deal]:
    """The deals that the file holds; a last line that was broken off is dropped. A new file is begun with the plan."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        whole = msgspec.json.encode(plan).decode() + "\n"
    path.write_text(whole, encoding="utf-8")
    first, *lines = whole.splitlines()
    if msgspec.json.decode(first, type=Plan) != plan:
        raise SystemExit(f"{path}: holds games of {first}, not of {msgspec.json.encode(plan).decode()}")
    return [msgspec.json.decode(line, type=Deal) for line in lines]


def play(plan: Plan, python: str, games: int, parallel: int, save: Path | None) -> list[Deal]:
    """Play what is left of so many games."""
    done = read_saved(save, plan) if save else []
    players, known, lock, here = plan.game().num_players(), {deal.deal for deal in done}, Lock(), local()
    tables, told = list[Table](), [time.monotonic()]

    def take(deal: int) -> None:
        if not hasattr(here, "table"):
            here.table = Table(plan, python)
            tables.append(here.table)
        found = here.table.play_deal(deal)
        if found is None:
            return
        with lock:
            done.append(found)
            if save:
                with save.open("ab") as file:
                    file.write(msgspec.json.encode(found) + b"\n")
            if time.monotonic() > told[0] + NEWS:
                told[0] = time.monotonic()
                print(
                    f"{sum(one.games for one in done)} of {games} games: {report(plan, done)[0]}",
                    file=sys.stderr,
                    flush=True,
                )

    deals = (deal for deal in going_on(plan, -(-games // max(2, players))) if deal not in known)
    with ThreadPoolExecutor(parallel) as pool:
        try:
            list(pool.map(take, deals))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    for table in tables:
        table.close()
    return sorted(done, key=lambda deal: deal.deal)


def going_on(plan: Plan, number: int) -> Iterator[int]:
    """The first deals that are not over before the first move."""
    game, deal = plan.game(), 0
    while number:
        if not game.new_initial_state(plan.seed + deal).is_terminal():
            yield deal
            number -= 1
        deal += 1


# What came of it


def interval(own: Floats, everybody: Floats) -> tuple[float, float]:
    """The 95 % interval of the share, by bootstrap over the deals."""
    if np.ptp(own / everybody) < 1e-12:
        return without_exception(float(own[0] / everybody[0]), len(own))
    return resampled(own, everybody)


def resampled(points: Floats, of: Floats | None) -> tuple[float, float]:
    """The 95 % interval of the points' mean, or of their share in the others."""
    drawn = np.random.default_rng(1).integers(0, len(points), (RESAMPLES, len(points)))
    parts = of[drawn].sum(axis=1) if of is not None else len(points)
    low, high = np.percentile(points[drawn].sum(axis=1) / parts, (2.5, 97.5))
    return float(low), float(high)


def report(plan: Plan, deals: Sequence[Deal]) -> tuple[str, dict[str, Any]]:
    """The results in a line, and as figures."""
    game = plan.game()
    own, everybody = (np.array([getattr(deal, what) for deal in deals]) for what in ("own", "everybody"))
    took = {}
    for side in ("ours", "theirs"):
        took[side] = 1000 * sum(deal.seconds[side] for deal in deals) / max(1, sum(deal.moves[side] for deal in deals))
    figures: dict[str, Any] = {**msgspec.to_builtins(plan), "deals": len(deals), "games": sum(deal.games for deal in deals)}
    figures["cpu_ms_a_move"] = took
    if game.num_players() == 1:
        figures |= {
            name: dict(zip(("mean", "low", "high"), (float(points.mean()), *resampled(points, None)), strict=True))
            for name, points in (("ours_points", own), ("theirs_points", everybody), ("difference", own - everybody))
        }
        text = ", ".join(f"{name.partition('_')[0]} {spread(figures[name], 1, '')}" for name in list(figures)[-3:])
    else:
        low, high = interval(own, everybody)
        figures |= {"share": own.sum() / everybody.sum(), "low": low, "high": high, "even": 1 / game.num_players()}
        what = "wins" if game.utility() == "win" else "points"
        text = f"{plan.alone} {spread({**figures, 'mean': figures['share']}, 100, ' %')} of the {what}"
        text += f" (even: {100 * figures['even']:.0f} %)"
    return f"{text}, {len(deals)} deals; CPU ms a move: ours {took['ours']:.1f}, theirs {took['theirs']:.1f}", figures


def spread(figures: dict[str, Any], unit: int, after: str) -> str:
    mean, low, high = (unit * figures[name] for name in ("mean", "low", "high"))
    return f"{mean:.1f}{after} ({low:.1f} to {high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("match", choices=MATCHES)
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the other version's venv (this one's)")
    parser.add_argument("--ours", default="0.025s", metavar="AGENT", help="(0.025s, of processor time)")
    parser.add_argument("--theirs", default="0.025s", metavar="AGENT", help="(0.025s, of processor time)")
    parser.add_argument("--alone", choices=("ours", "theirs"), default="ours", help="who has one seat, the other all others")
    parser.add_argument("--games", type=int, default=20, help="about so many, whole deals (20)")
    parser.add_argument("--opening", type=int, help="random moves before (4 where nothing is dealt, else 0)")
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first deal; the next ones follow")
    parser.add_argument("--parallel", type=int, default=1, help="games at once (1)")
    parser.add_argument("--save", type=Path, help="add each deal to this file, and go on from what it holds")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    chosen = parser.parse_args()
    opening = chosen.opening
    if opening is None:
        opening = OPENING if MATCHES[chosen.match][0] == "okupacio" else 0
    plan = Plan(chosen.match, chosen.ours, chosen.theirs, chosen.alone, opening, chosen.seed)
    text, figures = report(plan, play(plan, chosen.python, chosen.games, chosen.parallel, chosen.save))
    print(json.dumps(figures, indent=2) if chosen.json else f"{chosen.match}: {text}")


if __name__ == "__main__":
    main()
