"""The law (required properties) of scenes, choices and messages, from which a player in a browser learns everything about
the game.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, groupby
from math import cos, radians, sin
from random import Random
from typing import Any, Final, cast
from xml.etree import ElementTree

import msgspec
from msgspec.structs import replace

from ludoteca.core import svg
from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.game import State
from ludoteca.core.messages import LANGUAGES
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Choice, Item, Placed, Preview, Scene, Scenes, flat, told
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import Effort, broken, positions, require, sparse
from ludoteca.testing.words import Words

MARGIN_SHARE: Final = 0.05
"""An item may extend beyond the edges of its scene by this share of the scene's longer side."""
SAMPLE_SIZE: Final = 12
"""The number of actions, and of random sets of touched items, that are tried in a position."""
PLAYER_NAMES: Final = tuple(f'<{letter}> & "{letter}\'s"' for letter in "ABCDEFGHIJ")
"""Names with characters that have a meaning in XML."""

_CLASSES: Final = re.compile(r"([a-z][a-z0-9-]*( [a-z][a-z0-9-]*)*)?")


def scenes_are_sound(spec: GameSpec, effort: Effort) -> None:
    """Require that scenes have all their symbols, and their texts in all languages. Every choice must be made by touching
    items that exist, and a set of touched items must mean only one action. A game without scenes passes.

    A scene must depend only on the view of its seat.
    """
    if not spec.has("scene"):
        return
    check = _SceneCheck(spec, Random(effort.seed))
    for state in sparse(positions(spec, effort)):
        check.check_position(state)


class _SceneCheck:
    """Checks the scenes of one game."""

    def __init__(self, spec: GameSpec, random: Random) -> None:
        self._spec = spec
        self._random = random
        self._scenes = spec.module("scene")
        self._words = Words(spec)
        self._styles = cycle((theme, language) for theme in svg.THEMES for language in LANGUAGES)
        self._earlier: list[int] = []
        """Actions that were legal in the position that was checked before."""

    def check_position(self, state: State) -> None:
        """Check the scenes and messages of every seat, and the choices of the player to move.

        Raises BrokenLawError if one of them breaks the contract of `core.scene`, for example by showing a hidden card.
        """
        seats = range(SPECTATOR, state.game.num_players())
        scenes = {seat: self._check_scene(state, seat) for seat in seats}
        if self._spec.all_see_the_same:
            alike = all(scene == scenes[SPECTATOR] for scene in scenes.values())
            require(alike, self._spec, "every seat must see the scene of a spectator, but their scenes differ", state)
        legal = state.legal_actions()
        reach = self._spec.module("rules").ACTIONS or 1 << 40
        tried = {-1, reach, *self._earlier, *(self._random.randrange(reach) for _ in range(SAMPLE_SIZE))}
        for action in tried - set(legal):
            self._words.check_sentence(state.refused(action), f"the reason to refuse action {action}", state)
        if not legal:
            self._check_picture(state)
            return
        for seat in seats:
            for action in self._sample(legal):
                self._check_messages(state, seat, action)
        seat = self._random.choice(seats)
        other = state.resample_from_infostate(seat, new_rng(self._random.getrandbits(64)))
        scene = self._scenes.draw(other.view(seat).raw, seat)
        require(scene == scenes[seat], self._spec, f"the scene of seat {seat} depends on hidden information", state)
        self._check_choices(state, legal, scenes[state.current_player()])
        self._check_placed(state, other, self._random.choice(legal), seat)
        if hasattr(self._scenes, "preview"):
            self._check_previews(state, legal, scenes[state.current_player()])
        if hasattr(self._scenes, "meanwhile"):
            self._check_meanwhile(state, self._random.choice(legal), self._random.choice(seats))
        if hasattr(self._scenes, "begin_turn"):
            self._check_plans(state, seats)
        self._earlier = self._sample(legal)

    def _check_messages(self, state: State, seat: int, action: int) -> None:
        """Check the texts that a seat reads about an action, before and after it is played."""
        view, after, seen = state.view(seat).raw, state.child(action).view(seat).raw, state.seen_action(action, seat)
        message = self._scenes.describe(view, seat, seen)
        if self._spec.all_see_the_same:
            alike = message == self._scenes.describe(view, SPECTATOR, state.seen_action(action, SPECTATOR))
            require(alike, self._spec, f"seat {seat} gets another message than a spectator", state)
        for each in {message, told(cast(Scenes, self._scenes), view, after, seat, seen)}:
            self._words.check_sentence(each, f"the message to seat {seat} about {state.action_to_string(action)!r}", state)

    def _sample(self, actions: Sequence[int]) -> list[int]:
        return self._random.sample(actions, min(SAMPLE_SIZE, len(actions)))

    # scenes

    def _check_scene(self, state: State, seat: int) -> Scene:
        view = state.view(seat)
        before = view.tobytes()
        scene: Scene = self._scenes.draw(view.raw, seat)
        require(view.tobytes() == before, self._spec, f"drawing changes the view of seat {seat}", state)
        require(
            self._scenes.draw(view.raw, seat) == scene,
            self._spec,
            f"seat {seat}: drawing its view again gives another scene",
            state,
        )
        self._check_types(scene, Scene, f"the scene of seat {seat}", state)
        self._check_items(scene, state)
        self._check_standings(scene, state)
        self._words.check_sentence(scene.task, "the task", state)
        return scene

    def _check_types(self, thing: Any, kind: Any, what: str, state: State) -> None:
        try:
            msgspec.json.decode(msgspec.json.encode(thing), type=kind)
        except (TypeError, msgspec.ValidationError) as error:
            raise broken(self._spec, f"{what} cannot be sent: {error}", state) from None

    def _check_items(self, scene: Scene, state: State) -> None:
        doubled = [name for name, number in Counter(item.id for item in scene.items).items() if number > 1 or not name]
        require(not doubled, self._spec, f"items have no id, or the same id: {doubled}", state)
        for item in flat(scene).items:
            what = f"item {item.id!r}"
            known = not item.sprite or item.sprite in self._words.symbols
            require(known, self._spec, f"{what}: {svg.SPRITES} has no symbol {item.sprite!r}", state)
            require(bool(item.sprite or item.text), self._spec, f"{what} has neither sprite nor text", state)
            if not _is_within(item, scene):
                raise broken(self._spec, f"{what} is outside the scene, or has no size: {item}", state)
            classes = _CLASSES.fullmatch(item.classes)
            require(
                classes is not None,
                self._spec,
                f"{what} has the classes {item.classes!r}: expected small letters, digits and hyphens",
                state,
            )
            require(item.start != item.id, self._spec, f"{what} comes from itself", state)
            self._words.check(item.label, f"the label of {what}", state.game.num_players(), state)
            self._words.check(item.text, f"the text on {what}", state.game.num_players(), state)
            self._words.check(item.zone, f"the zone of {what}", state.game.num_players(), state)
        zones = [zone for zone, _ in groupby(item.zone for item in scene.items) if zone]
        require(len(zones) == len(set(zones)), self._spec, f"items of a zone are not consecutive: {zones}", state)

    def _check_standings(self, scene: Scene, state: State) -> None:
        players = [standing.player for standing in scene.standings]
        everybody = list(range(state.game.num_players()))
        require(
            sorted(players) == everybody,
            self._spec,
            f"there are standings of players {players}: expected each player once",
            state,
        )
        headings = {tuple(heading for heading, _ in standing.facts) for standing in scene.standings}
        require(len(headings) == 1, self._spec, f"standings have different headings: {headings}", state)
        for standing in scene.standings:
            known = not standing.sprite or standing.sprite in self._words.symbols
            require(known, self._spec, f"{svg.SPRITES} has no symbol {standing.sprite!r}", state)
            for heading, value in standing.facts:
                self._words.check_sentence(heading, "a heading", state)
                self._words.check(value, "a value", len(players), state)

    def _check_picture(self, state: State) -> None:
        theme, language = next(self._styles)
        scene = self._scenes.draw(state.view(SPECTATOR).raw, SPECTATOR)
        try:
            picture = ElementTree.fromstring(svg.paint(self._spec, scene, theme, PLAYER_NAMES, language))  # noqa: S314  # our own
        except ElementTree.ParseError as error:
            raise broken(self._spec, f"its picture is no XML: {error}", state) from None
        drawn = [element.get("data-id") for element in picture if element.get("data-id")]
        require(drawn == [item.id for item in scene.items], self._spec, "its picture lacks items", state)

    # choices

    def _check_choices(self, state: State, legal: list[int], scene: Scene) -> None:
        mover = state.current_player()
        choices: list[Choice] = list(self._scenes.choices(state.view(mover).raw, mover, legal))
        self._check_types(choices, list[Choice], "the choices", state)
        offered = sorted(choice.action for choice in choices)
        if offered != legal:
            raise broken(self._spec, f"its choices are {offered}, and the legal actions are {legal}", state)
        ways = self._check_touches(choices, scene, state)
        self._check_meanings(state, ways, sorted(item.id for item in scene.items if item.label))

    def _check_touches(self, choices: Sequence[Choice], scene: Scene, state: State) -> dict[frozenset[str], int]:
        """Return the actions by the sets of their touched items. Require that no two choices have the same set, and that all
        touched items are in the scene and have labels.
        """
        labelled = {item.id for item in scene.items if item.label}
        for choice in choices:
            what = f"the choice of {choice.action}"
            require(bool(choice.touches or choice.label), self._spec, f"{what} has neither touches nor a label", state)
            strange = set(choice.touches) - labelled
            require(not strange, self._spec, f"{what} touches {strange}: expected items with labels", state)
            twice = len(choice.touches) - len(set(choice.touches))
            require(not twice, self._spec, f"{what} touches an item twice: {choice.touches}", state)
            self._words.check(choice.label, f"the label of {what}", state.game.num_players(), state)
        ways = {frozenset(choice.touches): choice.action for choice in choices if choice.touches}
        alike = sum(1 for choice in choices if choice.touches) - len(ways)
        require(not alike, self._spec, f"{alike} choices have the same touches as others", state)
        return ways

    def _check_previews(self, state: State, legal: Sequence[int], scene: Scene) -> None:
        """Check that previews show new items, and do not depend on information that is hidden from the player to move."""
        mover = state.current_player()
        other = state.resample_from_infostate(mover, new_rng(self._random.getrandbits(64)))
        there = {item.id for item in scene.items}
        for action in self._sample(legal):
            shown: Preview = self._scenes.preview(state.view(mover).raw, mover, action)
            what = f"the preview of {state.action_to_string(action)!r}"
            self._check_types(shown, Preview, what, state)
            self._check_items(replace(scene, items=shown.items), state)
            own = {item.id for item in shown.items}
            require(not own & there, self._spec, f"{what} has items of the scene: {own & there}", state)
            strange = set(shown.marked) - there
            require(not strange, self._spec, f"{what} marks {strange}, which the scene does not have", state)
            self._words.check_sentence(shown.told, what, state)
            same = self._scenes.preview(other.view(mover).raw, mover, action) == shown
            require(same, self._spec, f"{what} depends on information that is hidden from the mover", state)

    def _check_placed(self, state: State, other: State, action: int, seat: int) -> None:
        """Check that the items that an action places on the board are in the scene after it, and that they are the same in
        another deal that fits the seat's view.
        """
        after, seen = state.child(action), state.seen_action(action, seat)
        placed: Placed = self._scenes.placed(state.view(seat).raw, after.view(seat).raw, seat, seen)
        what = f"seat {seat}: {state.action_to_string(action)!r} places"
        self._check_types(placed, Placed, what, state)
        there = {item.id for item in self._scenes.draw(after.view(seat).raw, seat).items}
        strange = set(placed.items) - there
        require(not strange, self._spec, f"{what} {strange}, which the scene does not have", state)
        later = after.resample_from_infostate(seat, new_rng(self._random.getrandbits(64)))
        same = self._scenes.placed(other.view(seat).raw, later.view(seat).raw, seat, seen) == placed
        require(same, self._spec, f"{what} items that depend on hidden information", state)

    def _check_meanwhile(self, state: State, action: int, seat: int) -> None:
        """Check that the items that the page shows during an action can be drawn on the scene after the action."""
        after, seen = state.child(action), state.seen_action(action, seat)
        scene: Scene = self._scenes.draw(after.view(seat).raw, seat)
        items = tuple(self._scenes.meanwhile(state.view(seat).raw, after.view(seat).raw, scene, seen))
        self._check_types(items, tuple[Item, ...], "the result of meanwhile", state)
        self._check_items(replace(scene, items=items), state)

    def _check_plans(self, state: State, seats: Sequence[int]) -> None:
        """Check the choices that a waiting player makes in advance for the next turn: their scene can be drawn, their
        touched items exist, and they depend only on the view of that player.
        """
        waiting = [seat for seat in seats if seat not in (SPECTATOR, state.current_player())]
        if not waiting:
            return
        seat = self._random.choice(waiting)
        other = state.resample_from_infostate(seat, new_rng(self._random.getrandbits(64)))
        planned, same = state.view(seat).copy(), other.view(seat).copy()
        for position in (planned, same):
            self._scenes.begin_turn(position.raw, seat)
        alike = planned.content() == same.content()
        require(alike, self._spec, f"the plan of seat {seat} depends on hidden information", state)
        mover = planned.current_player()
        require(mover in (seat, TERMINAL), self._spec, f"in the plan of seat {seat}, it is the turn of {mover}", state)
        if mover == seat:
            scene: Scene = self._scenes.draw(planned.raw, seat)
            self._check_items(scene, state)
            self._check_touches(self._scenes.choices(planned.raw, seat, planned.choices().tolist()), scene, state)

    def _check_meanings(self, state: State, ways: Mapping[frozenset[str], int], names: Sequence[str]) -> None:
        """Check `Scenes.interpret` for random sets of touched items: each means no action, or an illegal action that the
        rules refuse with a reason, or the choice that has exactly this set.
        """
        view, mover = state.view(state.current_player()).raw, state.current_player()
        legal = state.legal_actions()
        for touched in self._random_touches(list(ways), names):
            action = self._scenes.interpret(view, mover, touched)
            require(type(action) is int, self._spec, f"touching {touched} means {action!r}: expected an int", state)
            if action in legal:
                same = ways.get(frozenset(touched)) == action
                require(same, self._spec, f"touching {touched} means {action}, which has other touches", state)
            elif action >= 0:
                self._words.check_sentence(state.refused(action), f"the reason to refuse {touched}", state)

    def _random_touches(self, ways: Sequence[frozenset[str]], names: Sequence[str]) -> Iterator[list[str]]:
        """Yield random sets of items, and the touched items of a random choice with one of them replaced."""
        for _ in range(SAMPLE_SIZE):
            yield self._random.sample(names, min(len(names), self._random.randrange(1, 5)))
            if ways:
                way = sorted(self._random.choice(ways))
                way[self._random.randrange(len(way))] = self._random.choice(names)
                yield sorted(set(way))


def _is_within(item: Item, scene: Scene) -> bool:
    """Return True if an item has a size and is inside the scene, except for a margin."""
    if item.w <= 0 or item.h <= 0:
        return False
    turn, margin = radians(item.angle), MARGIN_SHARE * max(scene.width, scene.height)
    across = abs(item.w * cos(turn)) + abs(item.h * sin(turn))
    down = abs(item.w * sin(turn)) + abs(item.h * cos(turn))
    room = [(item.x, across / 2, scene.width), (item.y, down / 2, scene.height)]
    return all(half - margin <= at <= size - half + margin for at, half, size in room)
