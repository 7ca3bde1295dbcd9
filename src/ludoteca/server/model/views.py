"""What a seat may see, made from its concealed record and the actions as it saw them: nothing else is sent to it."""

from collections.abc import Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import Final, cast

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import NotationError
from ludoteca.core.game import State
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Choice, Item, Scene, Scenes
from ludoteca.core.spec import GameSpec
from ludoteca.server.frames import Change, Line
from ludoteca.server.refusals import RefusalError

ACTIONS: Final = 1 << 63
"""Actions are below this."""


@cache
def _module(package: str) -> Scenes:
    return cast(Scenes, import_module(f"{package}.scene"))


def scenes_of(spec: GameSpec) -> Scenes:
    """The game's `scene.py`."""
    return _module(spec.package)


class Sight:
    """One position as every seat sees it, each view and each drawing made once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._scenes = scenes_of(state.game.spec)
        self._views: dict[int, Position] = {}
        self._drawn: dict[tuple[int, tuple[int, ...]], Scene] = {}

    def view(self, seat: int) -> Position:
        """What the seat knows of the position; -1 for a spectator."""
        seat = self._alike(seat)
        if seat not in self._views:
            self._views[seat] = self.state.view(seat)
        return self._views[seat]

    def _alike(self, seat: int) -> int:
        """Where nothing is hidden, all see what a spectator does."""
        return SPECTATOR if self.state.game.spec.perfect_information else seat

    @cached_property
    def mover(self) -> int:
        """The player to move, or TERMINAL."""
        return self.state.current_player()

    @cached_property
    def legal(self) -> list[int]:
        """The legal actions of the player to move."""
        return self.state.legal_actions()

    def draw(self, seat: int, highlighted: tuple[int, ...]) -> Scene:
        """What the seat sees; `highlighted` are the last actions, as it saw them."""
        seat = self._alike(seat)
        if (seat, highlighted) not in self._drawn:
            self._drawn[seat, highlighted] = self._scenes.draw(self.view(seat).raw, seat, highlighted)
        return self._drawn[seat, highlighted]

    def line(self, seat: int, mover: int, seen: int) -> Line:
        """A line of the log: what is played in this position, as the seat sees it."""
        view = self.view(seat).raw
        text = str(self.state.game.notation.action_to_string(view, seen))
        return Line(mover, text, self._scenes.describe(view, seat, seen))

    @cached_property
    def choices(self) -> Sequence[Choice]:
        """What the player to move may choose."""
        return self._scenes.choices(self.view(self.mover).raw, self.mover, self.legal)

    # requests of a seat: answered from what it knows, so that refusals tell no more

    def check_legal(self, seat: int, action: int) -> None:
        """Raises RefusalError with the rules' reason, asked of one of the deals that fit the seat's view."""
        if action not in self.legal:
            some = self.state.resample_from_infostate(seat, new_rng(0))
            raise RefusalError("illegal", message=some.refused(action))

    def read_action(self, seat: int, text: str) -> int:
        """The action that a text writes. Raises RefusalError."""
        try:
            action = int(self.state.game.notation.string_to_action(self.view(seat).raw, text))
        except NotationError as error:
            raise RefusalError("notation", str(error)) from None
        return action

    def interpret(self, seat: int, touched: Sequence[str]) -> int:
        """The action that touching these items means. Raises RefusalError when it is none."""
        there = {item.id for item in self.draw(seat, ()).items}
        action = self._scenes.interpret(self.view(seat).raw, seat, touched) if there.issuperset(touched) else -1
        if action < 0:
            raise RefusalError("nothing")
        return action


class Shown:
    """A scene that is shown, and is compared with the one before it and the one after it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @cached_property
    def items(self) -> dict[str, Item]:
        """By id, from the lowest to the highest."""
        return {item.id: item for item in self.scene.items}


def change(old: Shown, new: Shown) -> Change:
    """What is different in the new scene."""
    before, after = old.items, new.items
    gone = [] if before.keys() <= after.keys() else [name for name in before if name not in after]
    stayed = [name for name in before if name in after] if gone else list(before)
    order, size = list(after), (new.scene.width, new.scene.height)
    return Change(
        changed=[item for name, item in after.items() if before.get(name) != item],
        gone=gone,
        order=order if order != stayed else None,
        size=size if size != (old.scene.width, old.scene.height) else None,
        standings=new.scene.standings,
        task=new.scene.task,
    )
