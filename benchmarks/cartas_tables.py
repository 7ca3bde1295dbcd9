r"""One agent of cartas among three others of a kind, each deal from every seat.

    python benchmarks/cartas_tables.py 0.025cpu [OTHERS ...] [--deals 100] [--seed 1000000] [--settings explore=0.25]

Others are agents by their names, `beginner`, or the five-line players of `benchmarks/jogador.py`: `long`, `low`, `high`.
Printed is the share of the points that the one takes, with its 95 % interval by bootstrap over the deals; an even share is
25 %.
"""

import argparse
import time
from collections.abc import Callable

from benchmarks.jogador import TASTES, game, share, student
from benchmarks.settings import read_settings
from ludoteca.agents.agent import new_agent
from ludoteca.core.game import State
from ludoteca.games.cartas.play import beginner

Chooser = Callable[[State], int]


def other(name: str, seed: int) -> Chooser:
    """A player by its name."""
    if name in TASTES:
        return lambda state: student(name, state)
    if name == "beginner":
        return play_of_beginner
    agent = new_agent(name, game(), seed)
    return lambda state: agent.choose(state.information_state(state.current_player())).action


def play_of_beginner(state: State) -> int:
    """What beginners play."""
    raw = state.position.raw
    hand = int(raw.hands[raw.mover])
    return beginner.answer(hand, int(raw.play), int(raw.kind), int(raw.higher)) if raw.play else beginner.lead(hand)


def play_deal(one: str, settings: str, name: str, seed: int) -> tuple[int, int]:
    """The points of the one in a deal, from every seat, and those of all."""
    own = everybody = 0
    for seat in range(4):
        state = game().new_initial_state(seed)
        agent = new_agent(one, game(), seed * 16 + seat, read_settings(settings))
        others = [other(name, seed * 16 + player) for player in range(4)]
        while not state.is_terminal():
            player = state.current_player()
            mine = player == seat
            legal = state.legal_actions()
            if len(legal) == 1:
                state.apply_action(legal[0])
            else:
                state.apply_action(agent.choose(state.information_state(player)).action if mine else others[player](state))
        own += state.scores()[seat]
        everybody += sum(state.scores())
    return own, everybody


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one", metavar="AGENT")
    parser.add_argument("others", nargs="*", default=["greedy"], metavar="OTHERS")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--settings", default="")
    chosen = parser.parse_args()
    for name in chosen.others:
        begin = time.process_time()
        seeds = range(chosen.seed, chosen.seed + chosen.deals)
        deals = [play_deal(chosen.one, chosen.settings, name, seed) for seed in seeds]
        took = time.process_time() - begin
        print(f"{chosen.one} {chosen.settings} among three {name}: {share(deals)} in {took:.0f} s", flush=True)


if __name__ == "__main__":
    main()
