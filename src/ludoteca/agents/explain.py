"""Explains an agent's decision to people: the action, its worth, a likely continuation and other actions, in the reader's
language.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

from ludoteca.agents.agent import Decision
from ludoteca.agents.intervals import Interval, is_guess
from ludoteca.core.game import Game
from ludoteca.core.messages import LIST, SEAT, Message, catalogue, form_of, in_words
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Scenes
from ludoteca.search.searcher import Findings, RootMove

DEALS: Final = 20
"""A likely continuation is played in this many deals of the hidden cards, and shown from the one that allows most of it."""
ALTERNATIVES: Final = 2
"""The number of other actions that an explanation names after the best one."""
FOLLOWING: Final = 3
"""The number of further actions in the likely continuation that a text shows."""
NOTHING_KNOWN: Final = (0.0, 1.0)
"""The bounds of a share of a win if the searches say nothing about the winner."""


class Step(NamedTuple):
    """One action of a sequence of moves, as the reader's seat sees it."""

    player: int
    text: str
    """The action in the game's notation."""
    told: Message
    """The action in words, without a subject."""


class Advice(NamedTuple):
    """The explanation of a decision, in parts that a page or a text can arrange."""

    line: list[Step]
    """The chosen action, followed by a likely continuation."""
    worth: Message
    others: list[tuple[Step, Message]]
    """The next best actions and their worth."""
    is_guess: bool = False
    """True if too little was searched: `worth` then only says how the action was chosen, and `others` is empty."""


def advise(state: InformationState, decision: Decision, interval: Interval | None = None) -> Advice:
    """Return the explanation of a decision for the seat of the agent. `state` is the information state in which it was made.
    `interval` has the bounds of the value of the action, if they are known.
    """
    findings = decision.findings
    if findings is None:
        alone = len(state.redeal(new_rng(0)).choices()) == 1
        line = tell_line(state, [decision.action])
        return Advice(line, ("advice.only" if alone else "advice.unsearched",), [], is_guess=not alone)
    line, (best, *others) = tell_line(state, findings.line), findings.choices
    how_sure = _how_sure(best, findings)
    if is_guess(decision):
        return Advice(line, ("advice.rough", how_sure), [], is_guess=True)
    looked_at = [(tell_line(state, [choice.action])[0], _worth(state, choice)) for choice in others[:ALTERNATIVES]]
    if interval == NOTHING_KNOWN and state.game.utility() == "win":
        return Advice(line, ("advice.open", how_sure), looked_at)
    key = "advice.win" if state.game.utility() == "win" else "advice.points"
    worth = (key, _between(state, interval) if interval else _number(state, best.values[state.player]), how_sure)
    return Advice(line, worth, looked_at)


def explain(state: InformationState, decision: Decision, language: str = "en", interval: Interval | None = None) -> str:
    """Return the explanation of a decision as a few lines of text: the action, its worth, a likely continuation and other
    actions.

    The text describes the action in words. Its notation follows, unless the words contain it. `language` is one of
    `messages.LANGUAGES`. `interval` has the bounds of the value of the action, if they are known.

    >>> from ludoteca import load
    >>> from ludoteca.agents.agent import new_agent
    >>> game = load("okupacio", board="4x4")
    >>> known = game.new_initial_state(seed=1).information_state(0)
    >>> print(explain(known, new_agent("greedy", game, seed=1).choose(known)))
    A quick guess: takes bd (row 2, column 4). It was chosen at first sight, without looking ahead.
    """
    texts = {**catalogue("ludoteca.agents", language), **catalogue(state.game.spec.package, language)}
    advice = advise(state, decision, interval)

    def written(step: Step) -> str:
        told = in_words(step.told, texts)
        return told if step.text.replace(" ", "") in told.replace(" ", "") else f"{told} ({step.text})"

    first, *then = advice.line
    move = "advice.guess" if advice.is_guess else "advice.move"
    lines = [f"{in_words((move, written(first)), texts)} {in_words(advice.worth, texts)}"]
    if then:
        steps = [("advice.step", (SEAT, step.player), written(step)) for step in then[:FOLLOWING]]
        lines.append(in_words(("advice.then", (LIST, *steps)), texts))
    if advice.others:
        others = [("advice.other", written(step), worth) for step, worth in advice.others]
        lines.append(in_words(("advice.next", (LIST, *others)), texts))
    return "\n".join(lines)


def _worth(state: InformationState, choice: RootMove) -> Message:
    number = _number(state, choice.values[state.player])
    return number if state.game.utility() == "win" else ("worth.points", number)


def _number(state: InformationState, value: float) -> Message:
    """Return an expected result as a message: a share of a win as a percentage, or points with one decimal."""
    if state.game.utility() == "win":
        return f"{_percentage(value)} %"
    whole, _, tenth = f"{value:.1f}".partition(".")
    return "sign.decimal", whole, tenth


def _between(state: InformationState, interval: Interval) -> Message:
    """Return the two bounds of an expected result as a message, or a single number if both would be written alike."""
    low, high = (_number(state, bound) for bound in interval)
    if low == high:
        return low
    if state.game.utility() == "win":
        return ("advice.shares", *map(_percentage, interval))
    return "advice.range", low, high


def _percentage(share: float) -> str:
    return f"{100 * share:.0f}"


def _how_sure(best: RootMove, findings: Findings) -> Message:
    if best.solved:
        return ("advice.certain",)
    first, *groups = f"{findings.simulations:,}".split(",")
    number: Message = first
    for group in groups:
        number = ("sign.thousands", number, group)
    return form_of("simulation", findings.simulations), number


def write_value(game: Game, value: float) -> str:
    """Return an expected result in English: a share of a win as a percentage, or points.

    >>> from ludoteca import load
    >>> write_value(load("okupacio"), 0.6), write_value(load("metro", players=1), 23.4)
    ('60 %', '23.4 points')
    """
    return f"{100 * value:.0f} %" if game.utility() == "win" else f"{value:.1f} points"


def write_line(state: InformationState, line: Sequence[int]) -> list[str]:
    """Return a sequence of actions in the game's notation, as the state's player would see them. It ends before the first
    action that no deal of the hidden cards allows.

    >>> from ludoteca import load
    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> write_line(state.information_state(0), [state.string_to_action(text) for text in ("ab", "dd")])
    ['ab', 'dd']
    """
    return [step.text for step in tell_line(state, line)]


def tell_line(state: InformationState, line: Sequence[int]) -> list[Step]:
    """Return a sequence of actions as the state's player would see them, in notation and in words.

    Hidden cards are dealt at random up to DEALS times, and the result is from the deal in which most of the sequence can be
    played. It ends before the first action that is not legal in that deal.
    """
    rng = new_rng(0)
    best: list[Step] = []
    for _ in range(DEALS):
        found = list(_play_line(state.redeal(rng), state.player, line))
        best = max(best, found, key=len)
        if len(best) == len(line):
            break
    return best


def _play_line(deal: Position, player: int, line: Sequence[int]) -> Iterator[Step]:
    """Yield the actions of a sequence as the player sees them, up to the first one that is not legal in this deal. The
    position `deal` changes.
    """
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
