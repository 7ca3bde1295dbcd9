"""Finished games for tests of reports: played at random, by bots with names that would like to be more than names."""

from random import Random

from ludoteca.arena.matches.results import Played, Seat
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from tests.browser.players import small

HOSTILE = "</script><script>hacked = 1</script><img src=x onerror=hacked=1>&lt;'\""
NAMES = ("greedy", HOSTILE, "0.5s", "\u202eturned\x1b[31m", "niu", "sis", "set", "vuit", "nou", "deu")


def some_games(spec: GameSpec, number: int, seed: int = 1) -> list[Played]:
    """Two games a deal, with the bots in other seats. A fault of the hostile bot ends the first game."""
    game, random = Game(spec, small(spec)), Random(seed)
    seats = game.num_players()
    found = []
    for at in range(number):
        state = game.new_initial_state(seed + at // 2)
        broken = at == 0 and seats > 1
        while not state.is_terminal() and not (broken and len(state.history()) == 2):
            legal = state.legal_actions()
            state.apply_action(random.choice(legal[:-1] if len(legal) > 1 else legal))
        winners, returns, scores = state.winners(), state.returns(), state.scores()
        bots = [NAMES[(seat + at) % seats] if seats > 1 else NAMES[at % 2] for seat in range(seats)]
        played = [
            Seat(
                bot=bot,
                points=returns[seat],
                score=scores[seat],
                won=(seat in winners) / max(1, len(winners)),
                seconds=0.25,
                faults=int(broken and bot == HOSTILE),
                fault="time" if broken and bot == HOSTILE else "",
                detail=f"no answer within 5 s {HOSTILE}" if broken and bot == HOSTILE else "",
                errors=f"Traceback\n{HOSTILE}\x00\x1b[2J" if broken and bot == HOSTILE else "",
                isolation="bubblewrap" if bot == HOSTILE else "in this process",
            )
            for seat, bot in enumerate(bots)
        ]
        deal = f"deal {at // 2 + 1}"
        found.append(
            Played(key=f"{deal}, game {at % 2 + 1}", deal=deal, record=state.to_record(), seats=played, seconds=1.0)
        )
    return found
