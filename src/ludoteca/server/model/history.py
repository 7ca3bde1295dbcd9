"""A game from its start to now, and what each seat sees of it: nothing else is sent to the seat.

Everything that a seat sees is made from its concealed view of a position and from the actions as that seat saw them.
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
from ludoteca.core.scene import Choice, Item, Preview, Scene, Scenes
from ludoteca.core.spec import GameSpec
from ludoteca.server.frames import Line
from ludoteca.server.refusals import RefusalError

EVERY: Final = 8
"""One position in EVERY is kept; those between are played again from it."""
DEALS: Final = 8
"""So many deals that fit are tried to find out whether an action has brought something to light."""


def scenes_of(spec: GameSpec) -> Scenes:
    """The game's `scene.py`."""
    return cast(Scenes, spec.module("scene"))


def lead_of(state: State) -> Message:
    """By how much the winner is ahead of the next, in what the game counts; empty where nobody won alone."""
    won, scores = state.winners(), state.scores()
    if len(won) != 1 or len(scores) == 1:
        return ""
    best = scores.pop(won[0])
    ahead = min(abs(best - score) for score in scores)
    unit = getattr(scenes_of(state.game.spec), "unit", None)
    return (form_of(unit(state.raw) if unit else "point", ahead), ahead) if ahead else ""


class Views:
    """One position as every seat sees it; each view and each drawing is made once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._scenes = scenes_of(state.game.spec)
        self._shared = state.game.spec.all_see_the_same
        self._views: dict[int, Position] = {}
        self._drawn: dict[tuple[int, tuple[int, ...]], Scene] = {}

    @cached_property
    def mover(self) -> int:
        """The player to move, or TERMINAL."""
        return self.state.current_player()

    @cached_property
    def legal(self) -> list[int]:
        """The legal actions of the player to move."""
        return self.state.legal_actions()

    def choices(self) -> Sequence[Choice]:
        """The choices of the player to move. They are not kept: they are told once, and are many things to keep."""
        return self._scenes.choices(self.view(self.mover).raw, self.mover, self.legal)

    def view(self, seat: int) -> Position:
        """The position as the seat knows it; seat -1 is the spectator's."""
        if self._shared:
            seat = SPECTATOR
        view = self._views.get(seat)
        if view is None:
            view = self._views[seat] = self.state.view(seat)
        return view

    def draw_open(self, seat: int, highlighted: tuple[int, ...]) -> Scene:
        """The scene that the seat sees when the game is over, and nothing is a secret any more."""
        reveal = getattr(self._scenes, "reveal", None)
        if reveal is None:
            return self.draw(seat, highlighted)
        view = self.state.view(seat).raw
        reveal(self.state.raw, view)
        return self._scenes.draw(view, seat, highlighted)

    def draw(self, seat: int, highlighted: tuple[int, ...]) -> Scene:
        """The scene that the seat sees; `highlighted` are the last actions, as it saw them."""
        key = seat, highlighted = self.shown_to(seat), highlighted
        scene = self._drawn.get(key)
        if scene is None:
            scene = self._drawn[key] = self._scenes.draw(self.view(seat).raw, seat, highlighted)
        return scene

    def shown_to(self, seat: int) -> int:
        """Whose view the seat is shown: the spectator's, where no seat ever knows more."""
        return SPECTATOR if self._shared else seat

    def line(self, seat: int, mover: int, seen: int) -> Line:
        """The line of the log for an action that is played in this position, as the seat sees it."""
        view = self.view(seat).raw
        text = str(self.state.game.notation.action_to_string(view, seen))
        return Line(mover, text, self._scenes.describe(view, seat, seen))

    def preview(self, seat: int, action: int) -> tuple[Preview, Message]:
        """What a legal action of the seat would do, and what it is in words. Raises RefusalError.

        While others move it is one of those that it could play if it were its turn. Where the game shows no more, there are
        words alone.
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
        """What the seat would see if it were its turn; None where it is, or where it would have none."""
        spec, position = self.state.game.spec, self.view(seat).copy()
        if seat == self.mover or not spec.has("plan"):
            return None
        spec.module("plan").begin_turn(position.raw, seat)
        return position if position.current_player() == seat else None

    # requests of a seat: answered from what it knows, so that a refusal tells no more than that

    def check_legal(self, seat: int, action: int) -> None:
        """Raise RefusalError with the rules' reason, asked of one of the deals that fit the seat's view."""
        if action not in self.legal:
            some = self.state.resample_from_infostate(seat, new_rng(0))
            raise RefusalError("illegal", message=some.refused(action))

    def read_action(self, seat: int, text: str) -> int:
        """The action that a text in the game's notation stands for. Raises RefusalError."""
        try:
            return int(self.state.game.notation.string_to_action(self.view(seat).raw, text))
        except NotationError as error:
            raise RefusalError("notation", error.message) from None

    def interpret(self, seat: int, touched: Sequence[str]) -> int:
        """The action that touching these items means. Raises RefusalError when they mean none."""
        there = {item.id for item in self.draw(seat, ()).items}
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
        self._meanwhile: dict[int, Sequence[Item]] = {}
        """What the last action showed for a moment, by whose view it was made of."""

    @classmethod
    def of_record(cls, text: str) -> "History":
        """The game of a record that was checked when it was stored."""
        last = open_record(Record.from_json(text))
        history = cls(last.game.state_at(last.start))
        for action in last.history():
            history.add(history.now.state.child(action))
        return history

    @property
    def ply(self) -> int:
        """How many actions were played."""
        return len(self.movers)

    @property
    def actions(self) -> list[int]:
        """The actions that were played."""
        return self.now.state.history()

    def add(self, after: State) -> None:
        """Add the position after an action of the player to move."""
        self.movers.append(self.now.mover)
        self._before, self.now = self.now, Views(after)
        self._meanwhile.clear()
        if len(self.movers) % EVERY == 0:
            self._kept.append(after)

    def cut(self, ply: int) -> None:
        """Take the actions from `ply` on back."""
        now = self.at(ply)
        before = self.at(ply - 1) if ply else now
        del self.movers[ply:]
        del self._kept[ply // EVERY + 1 :]
        for lines in self._lines.values():
            del lines[ply:]
        self._before, self.now = before, now
        self._meanwhile.clear()

    def undo_to(self, seat: int) -> int | None:
        """The number of actions before the seat's last one, if that can be taken back; None if it cannot.

        Where all is open, it can be, with all that others have played since. Where something is hidden, it can be while
        nobody else has played since, and nothing has come to light to the seat: then the seat sees the same after that
        action, whatever deal fits what it knew before.
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
        """The position after `ply` actions."""
        if (since := len(self.movers) - ply) <= 1:
            return self._before if since else self.now
        state = self._kept[ply // EVERY].clone()
        for action in self.now.state.history(ply - ply % EVERY)[: ply % EVERY]:
            state.apply_action(action)
        return Views(state)

    def scene(self, ply: int, seat: int, *, is_open: bool = False) -> Scene:
        """The scene that the seat sees after `ply` actions, its news highlighted; `is_open` hides nothing."""
        is_last = ply == len(self.movers)
        begin = news(self.movers if is_last else self.movers[:ply], seat, self.now.state.game.num_players())
        highlighted = tuple(self.now.state.seen_actions(seat, begin)[: ply - begin])
        views = self.now if is_last else self.at(ply)
        return views.draw_open(seat, highlighted) if is_open else views.draw(seat, highlighted)

    def meanwhile(self, seat: int, scene: Scene) -> Sequence[Item]:
        """What the seat is shown for a moment while the last action, which has led to this scene, is done."""
        if self._shows is None or not self.movers:
            return ()
        seat = self.now.shown_to(seat)
        if seat not in self._meanwhile:
            (action,) = self.now.state.seen_actions(seat, -1)
            self._meanwhile[seat] = self._shows(self._before.view(seat).raw, self.now.view(seat).raw, scene, action)
        return self._meanwhile[seat]

    def plan(self, seat: int) -> tuple[Scene, Sequence[Choice]]:
        """The scene and the choices that the seat would have if it were its turn now. Raises RefusalError."""
        planned, scenes = self.now.planned(seat), scenes_of(self.now.state.game.spec)
        if planned is None:
            raise RefusalError("plan")
        seen = self.now.state.seen_actions(seat)
        begin = news(self.movers, seat, self.now.state.game.num_players())
        legal = planned.choices().tolist()
        return scenes.draw(planned.raw, seat, tuple(seen[begin:])), scenes.choices(planned.raw, seat, legal)

    def written(self, seat: int) -> list[Line]:
        """The lines of the seat's log that are written already."""
        return self._lines.setdefault(self.now.shown_to(seat), [])

    def lines(self, seat: int) -> list[Line]:
        """The whole log as the seat saw it; lines that are missing are written now."""
        seat = self.now.shown_to(seat)
        lines, ply = self._lines.setdefault(seat, []), len(self.movers)
        if (first := len(lines)) < ply:
            state, views = self.now.state, self.at(first)
            for mover, action, seen in zip(
                self.movers[first:], state.history(first), state.seen_actions(seat, first), strict=True
            ):
                lines.append(views.line(seat, mover, seen))
                if len(lines) < ply:
                    views = Views(views.state.child(action))
        return lines


def news(movers: Sequence[int], seat: int, players: int) -> int:
    """Where in the history begins what is news for the seat, a round at most.

    News are the actions since the seat's own last turn, or that turn itself if it was the last; for a spectator, the last
    turn of anybody.
    """
    if not movers:
        return 0
    if players == 1:
        return len(movers) - 1
    own = movers[-1] == seat
    turns = 1 if own or seat == SPECTATOR else players - 1
    start, last = len(movers), -2
    while start > 0 and (own or movers[start - 1] != seat):
        if movers[start - 1] != last:
            if turns == 0:
                break
            last = movers[start - 1]
            turns -= 1
        start -= 1
    return start
