"""What an agent thinks, in the game's notation, for the seat that it thinks for."""

from collections.abc import Iterator, Sequence

from ludoteca.agents.agent import Decision
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.search.searcher import Choice, Findings

DEALS = 20
"""A line is written as it goes in one of so many deals: the one in which most of it can be played."""
ALTERNATIVES = 2


def explain(state: InformationState, decision: Decision) -> str:
    """A few lines: the action, what it is worth to whom, how the game may go on, and what else was looked at."""
    if decision.findings is None:
        alone = len(state.redeal(new_rng(0)).choices()) == 1
        why = "nothing else can be played" if alone else "chosen without a search"
        return f"{write_line(state, [decision.action])[0]}: {why}."
    return "\n".join(_lines(state, decision.findings))


def write_value(game: Game, value: float) -> str:
    """What a player may expect."""
    return f"{100 * value:.0f} %" if game.utility() == "win" else f"{value:.1f} points"


def write_line(state: InformationState, line: Sequence[int]) -> list[str]:
    """Actions as the state's player sees them, from that state on: as many as one deal has, each in the game's notation."""
    rng = new_rng(0)
    best: list[str] = []
    for _ in range(DEALS):
        found = list(_play_line(state.redeal(rng), state.player, line))
        best = max(best, found, key=len)
        if len(best) == len(line):
            break
    return best


def _lines(state: InformationState, findings: Findings) -> Iterator[str]:
    best, *others = findings.choices
    first, *then = write_line(state, findings.line)
    certain = "for certain" if best.solved else f"after {findings.simulations:,} simulations"
    yield f"{first}: {_worth(state, best)} {certain}{_follows(then)}."
    if others:
        looked_at = [f"{write_line(state, [choice.action])[0]} {_worth(state, choice)}" for choice in others[:ALTERNATIVES]]
        yield f"Next best: {', '.join(looked_at)}."


def _worth(state: InformationState, choice: Choice) -> str:
    won = " to win" if state.game.utility() == "win" else ""
    return f"{write_value(state.game, choice.values[state.player])}{won}"


def _follows(then: list[str]) -> str:
    return f", and then {', '.join(then)}" if then else ""


def _play_line(deal: Position, player: int, line: Sequence[int]) -> Iterator[str]:
    """The texts of the line's actions, as the player sees them, until one is not possible in this deal."""
    for seen in line:
        action = next((one for one in deal.legal_actions().tolist() if deal.seen_action(one, player) == seen), None)
        if action is None:
            return
        yield str(deal.game.notation.action_to_string(deal.raw, seen))
        deal.apply(action)
