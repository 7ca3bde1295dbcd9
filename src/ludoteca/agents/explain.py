"""What an agent thinks, in the game's notation, for the seat that it thinks for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ludoteca.agents.agent import Decision
from ludoteca.core.game import Game
from ludoteca.core.messages import ENGLISH, catalogue, form_of, in_words
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.search.searcher import RootMove

DEALS: Final = 20
"""A line is written as it goes in one of this many deals: the one in which most of it can be played."""
ALTERNATIVES: Final = 2
"""How many actions are named besides the best one."""


def explain(state: InformationState, decision: Decision, language: str = ENGLISH) -> str:
    """A few lines: the action, what it is worth to whom, how the game may go on, and what else was looked at."""
    texts = catalogue("ludoteca.agents", language)
    findings = decision.findings
    if findings is None:
        alone = len(state.redeal(new_rng(0)).choices()) == 1
        key = "explain.only" if alone else "explain.unsearched"
        return in_words((key, write_line(state, [decision.action])[0]), texts)
    best, *others = findings.choices
    first, *then = write_line(state, findings.line)
    number = f"{findings.simulations:,}".replace(",", texts["sign.thousands"])
    sure = ("explain.certain",) if best.solved else (form_of("simulation", findings.simulations), number)
    key = "explain.follows" if then else "explain.found"
    lines = [in_words((key, first, _worth(state, best, texts), sure, ", ".join(then)), texts)]
    if others:
        looked_at = [
            f"{write_line(state, [choice.action])[0]} {_worth(state, choice, texts)}" for choice in others[:ALTERNATIVES]
        ]
        lines.append(in_words(("explain.next", ", ".join(looked_at)), texts))
    return "\n".join(lines)


def _worth(state: InformationState, choice: RootMove, texts: Mapping[str, str]) -> str:
    value = choice.values[state.player]
    if state.game.utility() == "win":
        return in_words(("worth.win", f"{100 * value:.0f} %"), texts)
    return in_words(("worth.points", f"{value:.1f}".replace(".", texts["sign.decimal"])), texts)


def write_value(game: Game, value: float) -> str:
    """What a player may expect, in words: a share of a win, or points."""
    return f"{100 * value:.0f} %" if game.utility() == "win" else f"{value:.1f} points"


def write_line(state: InformationState, line: Sequence[int]) -> list[str]:
    """A line of play, as the state's player sees it, in the game's notation: as far as one of the deals allows it."""
    rng = new_rng(0)
    best: list[str] = []
    for _ in range(DEALS):
        found = list(_play_line(state.redeal(rng), state.player, line))
        best = max(best, found, key=len)
        if len(best) == len(line):
            break
    return best


def _play_line(deal: Position, player: int, line: Sequence[int]) -> Iterator[str]:
    """The texts of the line's actions, as the player sees them, up to the first that is not possible in this deal."""
    for seen in line:
        action = next((one for one in deal.legal_actions().tolist() if deal.seen_action(one, player) == seen), None)
        if action is None:
            return
        yield str(deal.game.notation.action_to_string(deal.raw, seen))
        deal.apply(action)
