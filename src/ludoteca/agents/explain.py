"""What an agent thinks, for the seat that it thinks for: as messages, which the reader's language puts into words."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

from ludoteca.agents.agent import Decision
from ludoteca.core.game import Game
from ludoteca.core.messages import LIST, SEAT, Message, catalogue, form_of, in_words
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Scenes
from ludoteca.search.searcher import Findings, RootMove

DEALS: Final = 20
"""A line is written as it goes in one of this many deals: the one in which most of it can be played."""
ALTERNATIVES: Final = 2
"""How many actions are named besides the best one."""
FOLLOWING: Final = 3
"""How many actions are told of how the game may go on."""


class Step(NamedTuple):
    """An action of a line of play, as the reader's seat sees it."""

    player: int
    text: str
    """In the game's notation."""
    told: Message
    """In words, without its subject."""


class Advice(NamedTuple):
    """An action, why it was chosen, and what else was looked at."""

    line: list[Step]
    """The action, and how the game may go on after it."""
    worth: Message
    others: list[tuple[Step, Message]]
    """The next best actions, and what they are worth."""


def advise(state: InformationState, decision: Decision) -> Advice:
    """What an agent has decided, and why, for the seat that it has thought for."""
    findings = decision.findings
    if findings is None:
        alone = len(state.redeal(new_rng(0)).choices()) == 1
        return Advice(tell_line(state, [decision.action]), ("advice.only" if alone else "advice.unsearched",), [])
    best, *others = findings.choices
    looked_at = [(tell_line(state, [choice.action])[0], _worth(state, choice)) for choice in others[:ALTERNATIVES]]
    key = "advice.win" if state.game.utility() == "win" else "advice.points"
    worth = (key, _number(state, best), _how_sure(best, findings))
    return Advice(tell_line(state, findings.line), worth, looked_at)


def explain(state: InformationState, decision: Decision, language: str = "en") -> str:
    """A few lines: the action, what it is worth, how the game may go on, and what else was looked at.

    In words, and in notation where one types it.
    """
    texts = {**catalogue("ludoteca.agents", language), **catalogue(state.game.spec.package, language)}
    advice = advise(state, decision)

    def written(step: Step) -> str:
        told = in_words(step.told, texts)
        return told if step.text.replace(" ", "") in told.replace(" ", "") else f"{told} ({step.text})"

    first, *then = advice.line
    lines = [f"{in_words(('advice.move', written(first)), texts)} {in_words(advice.worth, texts)}"]
    if then:
        steps = [("advice.step", (SEAT, step.player), written(step)) for step in then[:FOLLOWING]]
        lines.append(in_words(("advice.then", (LIST, *steps)), texts))
    if advice.others:
        others = [("advice.other", written(step), worth) for step, worth in advice.others]
        lines.append(in_words(("advice.next", (LIST, *others)), texts))
    return "\n".join(lines)


def _worth(state: InformationState, choice: RootMove) -> Message:
    number = _number(state, choice)
    return number if state.game.utility() == "win" else ("worth.points", number)


def _number(state: InformationState, choice: RootMove) -> Message:
    """What the action is worth to its player: a share of a win, or points."""
    value = choice.values[state.player]
    if state.game.utility() == "win":
        return f"{100 * value:.0f} %"
    whole, _, tenth = f"{value:.1f}".partition(".")
    return "sign.decimal", whole, tenth


def _how_sure(best: RootMove, findings: Findings) -> Message:
    if best.solved:
        return ("advice.certain",)
    first, *groups = f"{findings.simulations:,}".split(",")
    number: Message = first
    for group in groups:
        number = ("sign.thousands", number, group)
    return form_of("simulation", findings.simulations), number


def write_value(game: Game, value: float) -> str:
    """What a player may expect, in words: a share of a win, or points."""
    return f"{100 * value:.0f} %" if game.utility() == "win" else f"{value:.1f} points"


def write_line(state: InformationState, line: Sequence[int]) -> list[str]:
    """A line of play, as the state's player sees it, in the game's notation: as far as one of the deals allows it."""
    return [step.text for step in tell_line(state, line)]


def tell_line(state: InformationState, line: Sequence[int]) -> list[Step]:
    """A line of play, as the state's player sees it: as far as one of the deals allows it."""
    rng = new_rng(0)
    best: list[Step] = []
    for _ in range(DEALS):
        found = list(_play_line(state.redeal(rng), state.player, line))
        best = max(best, found, key=len)
        if len(best) == len(line):
            break
    return best


def _play_line(deal: Position, player: int, line: Sequence[int]) -> Iterator[Step]:
    """The line's actions, as the player sees them, up to the first that is not possible in this deal."""
    spec = deal.game.spec
    scenes = cast(Scenes, spec.module("scene")) if spec.has("scene") else None
    for seen in line:
        action = next((one for one in deal.legal_actions().tolist() if deal.seen_action(one, player) == seen), None)
        if action is None:
            return
        text = str(deal.game.notation.action_to_string(deal.raw, seen))
        told = scenes.describe(deal.conceal(player).raw, player, seen) if scenes else ("move.plays", text)
        yield Step(deal.current_player(), text, told)
        deal.apply(action)
