"""A game from its start to now, as each seat sees it. The server sends a seat nothing about the game that does not come from
here.

Everything for a seat is computed from its concealed view of a position, and from the actions as that seat saw them.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, cast

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import NotationError
from ludoteca.core.game import State, open_record
from ludoteca.core.messages import Message, form_of
from ludoteca.core.position import Position
from ludoteca.core.record import Record
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Choice, Item, Preview, Scene, Scenes, told
from ludoteca.core.spec import GameSpec
from ludoteca.server.frames import Line
from ludoteca.server.refusals import RefusalError

EVERY: Final = 8
"""One position in EVERY is kept. The positions after it are played again from there."""
DEALS: Final = 8
"""The number of fitting deals to try, to find out whether an action has revealed something."""


def scenes_of(spec: GameSpec) -> Scenes:
    """Return the game's `scene.py`."""
    return cast(Scenes, spec.module("scene"))


def lead_of(state: State) -> Message:
    """Return the winner's lead in the unit of the game. It is empty if no player won alone, or without a lead."""
    won, scores = state.winners(), state.scores()
    if len(won) != 1 or len(scores) == 1:
        return ""
    best = scores.pop(won[0])
    ahead = min(abs(best - score) for score in scores)
    unit = getattr(scenes_of(state.game.spec), "unit", None)
    return (form_of(unit(state.raw) if unit else "point", ahead), ahead) if ahead else ""


class Views:
    """One position as every seat sees it. Each view and each scene is made once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._scenes = scenes_of(state.game.spec)
        self._shared = state.game.spec.all_see_the_same
        self._views: dict[int, Position] = {}
        self._drawn: dict[int, Scene] = {}

    @cached_property
    def mover(self) -> int:
        """Return the player to move, or TERMINAL if the game is over."""
        return self.state.current_player()

    @cached_property
    def legal(self) -> list[int]:
        """Return the legal actions of the player to move."""
        return self.state.legal_actions()

    def choices(self) -> Sequence[Choice]:
        """Return the choices of the player to move. They are not stored here, because they are many and are sent
        only once.
        """
        return self._scenes.choices(self.view(self.mover).raw, self.mover, self.legal)

    def view(self, seat: int) -> Position:
        """Return the position as the seat knows it. Seat -1 is the spectator."""
        if self._shared:
            seat = SPECTATOR
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = self.state.view(seat)
        return view

    def draw_open(self, seat: int) -> Scene:
        """Return the seat's scene of a game that is over, with everything revealed."""
        reveal = getattr(self._scenes, "reveal", None)
        if reveal is None:
            return self.draw(seat)
        view = self.state.view(seat).raw
        reveal(self.state.raw, view)
        return self._scenes.draw(view, seat)

    def draw(self, seat: int) -> Scene:
        """Return the seat's scene."""
        seat = self.shown_to(seat)
        scene = self._drawn.get(seat)
        if scene is None:
            scene = self._drawn[seat] = self._scenes.draw(self.view(seat).raw, seat)
        return scene

    def shown_to(self, seat: int) -> int:
        """Return the seat of the view: the spectator if all seats always see the same, else the seat itself."""
        return SPECTATOR if self._shared else seat

    def line(self, seat: int, seen: int, after: "Views") -> Line:
        """Return the line of the log for an action in this position, as the seat sees it. `after` is the next position."""
        view, later = self.view(seat).raw, after.view(seat).raw
        text = str(self.state.game.notation.action_to_string(view, seen))
        placed = self._scenes.placed(view, later, seat, seen)
        return Line(self.mover, text, told(self._scenes, view, later, seat, seen), placed)

    def preview(self, seat: int, action: int) -> tuple[Preview, Message]:
        """Return the effect of an action of the seat before it is played, as items and in words. A game without previews has
        only words.

        Raises RefusalError (`illegal`) if the action is illegal. While another player moves, raises RefusalError (`turn`)
        unless the action would be legal if it were the seat's turn.
        """
        view = self.view(seat).raw
        if seat != self.mover:
            planned = self.planned(seat)
            if planned is None or action not in planned.choices():
                raise RefusalError("turn")
            view = planned.raw
        else:
            self.check_legal(seat, action)
        deed = self._scenes.describe(view, seat, action)
        shown = self._scenes.preview(view, seat, action) if hasattr(self._scenes, "preview") else Preview((), (), deed)
        return shown, deed

    def planned(self, seat: int) -> Position | None:
        """Return the seat's view as if it were its turn. Return None if it is its turn already, or if it will
        not have one.
        """
        position = self.view(seat).copy()
        if seat == self.mover or not hasattr(self._scenes, "begin_turn"):
            return None
        self._scenes.begin_turn(position.raw, seat)
        return position if position.current_player() == seat else None

    # requests of a seat: the answers come from its knowledge only, so that a refusal reveals nothing else

    def check_legal(self, seat: int, action: int) -> None:
        """Raise RefusalError if an action is illegal. The reason comes from a deal that fits the seat's view, so that it
        reveals nothing.
        """
        if action not in self.legal:
            some = self.state.resample_from_infostate(seat, new_rng(0))
            raise RefusalError("illegal", message=some.refused(action))

    def read_action(self, seat: int, text: str) -> int:
        """Return the action that a text names, legal or not. Raises RefusalError (`notation`) if it names none."""
        try:
            return int(self.state.game.notation.string_to_action(self.view(seat).raw, text))
        except NotationError as error:
            raise RefusalError("notation", error.message) from None

    def interpret(self, seat: int, touched: Sequence[str]) -> int:
        """Return the action for these touched items. Raises RefusalError if there is none."""
        there = {item.id for item in self.draw(seat).items}
        action = self._scenes.interpret(self.view(seat).raw, seat, touched) if there.issuperset(touched) else -1
        if action < 0:
            raise RefusalError("nothing")
        return action


class History:
    """A game from its start to now."""

    def __init__(self, start: State) -> None:
        self._shows = getattr(scenes_of(start.game.spec), "meanwhile", None)
        self.now = Views(start)
        self.movers: list[int] = []
        """The player of each action."""
        self._before = self.now
        self._kept = [start]
        self._lines: dict[int, list[Line]] = {}

    @classmethod
    def of_record(cls, text: str) -> "History":
        """Return the game of a record that was checked when it was stored."""
        last = open_record(Record.from_json(text))
        history = cls(last.game.state_at(last.start))
        for action in last.history():
            history.add(history.now.state.child(action))
        return history

    @property
    def ply(self) -> int:
        """Return the number of actions played."""
        return len(self.movers)

    @property
    def actions(self) -> list[int]:
        """Return the actions played."""
        return self.now.state.history()

    def add(self, after: State) -> None:
        """Add the position after an action of the player to move."""
        self.movers.append(self.now.mover)
        self._before, self.now = self.now, Views(after)
        if len(self.movers) % EVERY == 0:
            self._kept.append(after)

    def cut(self, ply: int) -> None:
        """Take back the actions from number `ply` on. The first action is number 0."""
        now = self.at(ply)
        before = self.at(ply - 1) if ply else now
        del self.movers[ply:]
        del self._kept[ply // EVERY + 1 :]
        for lines in self._lines.values():
            del lines[ply:]
        self._before, self.now = before, now

    def undo_to(self, seat: int) -> int | None:
        """Return the number of actions before the seat's last one, or None if the seat cannot take that action back.

        In a game without hidden information a seat always can, and later actions of other players are taken back too. In a
        game with hidden information, a seat can only if no other player has acted since, and the action revealed nothing. An
        action reveals nothing if the seat, in all deals that fit its knowledge before the action, would see the same after
        it.
        """
        if self.now.state.game.spec.perfect_information:
            return len(self.movers) - 1 - self.movers[::-1].index(seat) if seat in self.movers else None
        if seat not in self.movers[-1:] or self.now.mover != seat:
            return None
        ply = self.ply - 1
        known, view, (action,) = self.now.view(seat), self.at(ply).view(seat), self.now.state.history(ply)
        rng = new_rng(ply)
        for _ in range(DEALS):
            other = view.redeal(seat, rng)
            if not other.apply(action) or other.conceal(seat) != known:
                return None
        return ply

    def at(self, ply: int) -> Views:
        """Return the position after `ply` actions."""
        if (since := len(self.movers) - ply) <= 1:
            return self._before if since else self.now
        state = self._kept[ply // EVERY].clone()
        for action in self.now.state.history(ply - ply % EVERY)[: ply % EVERY]:
            state.apply_action(action)
        return Views(state)

    def scene(self, ply: int, seat: int, *, is_open: bool = False) -> Scene:
        """Return the seat's scene after `ply` actions. `is_open` reveals everything."""
        views = self.at(ply)
        return views.draw_open(seat) if is_open else views.draw(seat)

    def meanwhile(self, seat: int, scene: Scene) -> Sequence[Item]:
        """Return the items that the seat sees only for a moment, during the last action."""
        if self._shows is None or not self.movers:
            return ()
        seat = self.now.shown_to(seat)
        (action,) = self.now.state.seen_actions(seat, -1)
        items: Sequence[Item] = self._shows(self._before.view(seat).raw, self.now.view(seat).raw, scene, action)
        return items

    def plan(self, seat: int) -> tuple[Scene, Sequence[Choice]]:
        """Return the scene and the choices that the seat would have if it were its turn now, so that a player can choose in
        advance.

        Raises RefusalError (`plan`) if it is the seat's turn, if the seat has no further turn, or if the game has no such
        choices.
        """
        planned, scenes = self.now.planned(seat), scenes_of(self.now.state.game.spec)
        if planned is None:
            raise RefusalError("plan")
        return scenes.draw(planned.raw, seat), scenes.choices(planned.raw, seat, planned.choices().tolist())

    def written(self, seat: int) -> list[Line]:
        """Return the lines of the seat's log that are written already."""
        return self._lines.setdefault(self.now.shown_to(seat), [])

    def lines(self, seat: int) -> list[Line]:
        """Write the missing lines of the seat's log. Return the whole log."""
        seat = self.now.shown_to(seat)
        lines, ply = self._lines.setdefault(seat, []), len(self.movers)
        if (first := len(lines)) < ply:
            state, views = self.now.state, self.at(first)
            for action, seen in zip(state.history(first), state.seen_actions(seat, first), strict=True):
                after = Views(views.state.child(action)) if len(lines) + 1 < ply else self.now
                lines.append(views.line(seat, seen, after))
                views = after
        return lines
