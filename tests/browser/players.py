"""Players who know no game: they do at random what the page lets them do, with the mouse, a finger or the keyboard alone."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from ludoteca.core import registry
from ludoteca.core.game import State, load
from ludoteca.core.spec import GameSpec, Integer, OneOf, Text

MOST_STEPS = 1500
LAST_MOVES = 5
TURN = 180_000
"""Milliseconds in which all others move."""
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
SITUATION = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const inSight = (item) => {
    const window = item.closest(".field")?.querySelector(".sheet") ?? item;
    const [box, field] = [item.querySelector(".halo"), window].map((part) => part.getBoundingClientRect());
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return field.left < x && x < field.right && field.top < y && y < field.bottom;
  };
  const shown = (selector) => all(selector).filter((found) => !found.disabled && found.offsetParent);
  return {
    over: !document.getElementById("ending").hidden,
    mine: document.getElementById("board").matches(".mine"),
    lit: all("#board .lit").filter(inSight).map((item) => item.dataset.id),
    touched: document.querySelectorAll("#board .touched").length,
    choices: shown(".controls .choice").length,
    whole: shown(".controls .primary").length > 0,
    count: document.querySelectorAll("#log li").length,
  };
}"""


IS_THERE = """selector => document.activeElement.matches(selector) || !document.querySelector("#board.mine")"""
"""True if the focus is on such an element, or if no player of this page is to move any more."""
MIDDLE = """([selector, number]) => {
  const found = document.querySelectorAll(selector)[number];
  found?.scrollIntoView({block: "center", inline: "center"});
  document.querySelector(".field > g")?.getAnimations().forEach((slide) => slide.finish());
  const sheet = found?.closest(".field")?.querySelector(".sheet");
  const [box, field] = [found, sheet].map((part) => part?.getBoundingClientRect());
  if (!box?.width) return null;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const seen = !field || (field.left < x && x < field.right && field.top < y && y < field.bottom);
  return seen ? [x, y] : null;
}"""
"""The middle of one of such elements, which is scrolled into view. It is null if there is none, or if it is hidden or has
slid out of its field."""


def small(spec: GameSpec) -> dict[str, Any]:
    """Parameters with which the game is soon over: the smallest of everything."""
    return {kind.name: value for kind in spec.parameters if (value := _smallest(kind)) is not None}


def _smallest(kind: Any) -> Any:
    if isinstance(kind, Integer):
        return kind.low
    if isinstance(kind, Text) and kind.presets:
        return min(kind.presets.values(), key=len)
    assert isinstance(kind, OneOf | Text)
    return None


def players(spec: GameSpec, parameters: dict[str, Any]) -> int:
    return spec.players or int(parameters["players"])


def drawn() -> list[GameSpec]:
    """The games that can be played in the browser."""
    return [spec for spec in registry.registered_games() if spec.has("scene")]


def playable_by(count: int) -> list[GameSpec]:
    return [spec for spec in drawn() if players(spec, small(spec)) == count]


def one_of_each_kind() -> Iterator[GameSpec]:
    """A game of two in which nothing is hidden, and one in which something is."""
    for perfect in (True, False):
        yield next(spec for spec in playable_by(2) if spec.perfect_information == perfect)


def each_kind_of(games: list[GameSpec]) -> pytest.MarkDecorator:
    """Run a test with one game of each kind, and in `make soak` with the others: the page knows no game."""
    kinds = list(one_of_each_kind())
    marked = [pytest.param(spec, id=spec.name, marks=[] if spec in kinds else pytest.mark.soak) for spec in games]
    return pytest.mark.parametrize("spec", marked)


each_kind = each_kind_of(drawn())


def at_random(spec: GameSpec, seed: int = 1, parameters: Mapping[str, Any] | None = None) -> State:
    """The end of a game that went at random, and of a small one without parameters."""
    state, random = load(spec.name, **small(spec) if parameters is None else parameters).new_initial_state(seed), Random(1)
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    return state


def short(server: Any, spec: GameSpec, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The start of a room shortly before the end of a random game, if the game has hidden information.

    The page takes half a minute for a whole game of this kind, which is for the soak. A game without secrets takes a second.
    """
    if spec.perfect_information:
        return {}
    games = (at_random(spec, seed, parameters) for seed in range(1, 20))
    whole = next((game for game in games if len(game.history()) > LAST_MOVES), None) or at_random(spec)  # no game is longer
    ply = max(0, len(whole.history()) - LAST_MOVES)
    return {"from": {"room": server.record(whole), "ply": ply}}


def against_agents(server: Any, spec: GameSpec, **wished: Any) -> str:
    """A seat in a small game against agents that play at random."""
    parameters = small(spec)
    others = [{"kind": "agent", "agent": "random"}] * (players(spec, parameters) - 1)
    seats = [{"kind": "person", "name": "Mireia"}, *others]
    seat: str = server.new_room(spec.name, seats, parameters=parameters, **wished)[1]
    return seat


def situation(page: Any) -> dict[str, Any]:
    """The visible state of a room's page."""
    found: dict[str, Any] = page.evaluate(SITUATION)
    return found


def until_turn(page: Any) -> bool:
    """Wait for the player's turn. Return False if the game is over."""
    page.wait_for_selector("#ending:not([hidden]), #board.mine", state="attached", timeout=TURN)
    return not situation(page)["over"]


class Mouse:
    """Clicks, or taps with a finger."""

    def __init__(self, page: Any, seed: int, *, taps: bool = False) -> None:
        self.page = page
        self.random = Random(seed)
        self.taps = taps

    def step(self) -> None:
        """One touch, or one button."""
        seen = situation(self.page)
        if seen["whole"] and (not seen["lit"] or self.random.random() < 0.6):
            self.press(".controls .primary")
        elif seen["choices"] and (not seen["lit"] or self.random.random() < 0.15):
            self.press(".controls .choice", self.random.randrange(seen["choices"]))
        elif seen["lit"]:
            self.touch(self.random.choice(seen["lit"]))
        elif seen["touched"]:
            self.press(".controls button:not(.resign)")

    def press(self, selector: str, number: int = 0) -> None:
        """Press the middle of the element that the selector finds, unless it has gone. Another element may cover it."""
        if place := self.page.evaluate(MIDDLE, [selector, number]):
            self.at(*place)

    def touch(self, name: str) -> None:
        """The middle of an item."""
        self.press(f'#board [data-id="{name}"] .halo')

    def at(self, x: float, y: float) -> None:
        if self.taps:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)


class Keyboard:
    """Presses keys and nothing else."""

    def __init__(self, page: Any, seed: int) -> None:
        self.page = page
        self.random = Random(seed)

    def step(self) -> None:
        """Press a lit item with the arrow keys and Enter, or a button with the Tab key and Enter."""
        seen = situation(self.page)
        if seen["whole"] and (not seen["lit"] or self.random.random() < 0.6):
            self.tab_to(".controls .primary")
        elif seen["choices"] and (not seen["lit"] or self.random.random() < 0.15):
            self.tab_to(".controls .choice")
        elif seen["lit"]:
            self.tab_to("#board :is(.lit, .touched)")
            for _ in range(self.random.randrange(5)):
                self.page.keyboard.press(self.random.choice(ARROWS))
        else:
            self.page.keyboard.press("Escape")
            return
        self.page.keyboard.press("Enter")

    def tab_to(self, selector: str) -> None:
        """Press Tab, or Shift+Tab, until the focus is there."""
        for key in ("Tab", "Shift+Tab"):
            for _ in range(40):
                if self.page.evaluate(IS_THERE, selector):
                    return
                self.page.keyboard.press(key)
        raise AssertionError(f"no way to {selector} with the Tab key")


def play_to_the_end(page: Any, player: Mouse | Keyboard) -> None:
    for _ in range(MOST_STEPS):
        if not until_turn(page):
            return
        player.step()
    raise AssertionError(f"the game is not over after {MOST_STEPS} steps")
