"""The preview of a choice agrees with the scene after it is played."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ludoteca.core import registry
from ludoteca.core.game import Game, State
from ludoteca.core.scene import Item
from ludoteca.core.spec import GameSpec

GAMES = {spec.name: spec for spec in registry.registered_games()}
MOVES = 40
SOME = 4


def positions(name: str, random: Random, **chosen: Any) -> Iterator[State]:
    """Yield the positions of a random game, without its end."""
    state = Game(GAMES[name], chosen).new_initial_state(random.getrandbits(64))
    for _ in range(MOVES):
        if state.is_terminal():
            return
        yield state
        state = state.child(
            random.choice([action for action in state.legal_actions() if action != state.game.rules.CONCEDE])
        )


def previews(state: State, random: Random) -> Iterator[tuple[int, Any]]:
    """Yield some of the mover's choices, with their previews."""
    spec, mover = state.game.spec, state.current_player()
    legal = state.legal_actions()
    for action in random.sample(legal, min(SOME, len(legal))):
        yield action, spec.module("scene").preview(state.view(mover).raw, mover, action)


def drawn(spec: GameSpec, state: State, seat: int) -> dict[str, Item]:
    scene = spec.module("scene").draw(state.view(seat).raw, seat)
    return {item.id: item for item in scene.items}


def look(item: Item) -> Item:
    """Return the look of an item, which is comparable between scenes."""
    return replace(item, id="", label="", start="", classes=" ".join(set(item.classes.split()) - {"last"}))


def gains(name: str, random: Random, **chosen: Any) -> Iterator[tuple[int, list[str]]]:
    """The effects of moves for all players, and the items that are shown during them."""
    for state in positions(name, random, **chosen):
        action, seat = random.choice(state.legal_actions()), random.randrange(-1, state.game.num_players())
        after, seen = state.child(action), state.seen_action(action, seat)
        scene = state.game.spec.module("scene").draw(after.view(seat).raw, seat)
        meanwhile = state.game.spec.module("scene").meanwhile
        shown = meanwhile(state.view(seat).raw, after.view(seat).raw, scene, seen)
        yield sum(after.scores()) - sum(state.scores()), [str(item.text) for item in shown]


@pytest.mark.parametrize(
    ("name", "chosen"), [("qinto", {"variant": "plus"}), ("metro", {"players": 1}), ("metro", {"players": 4})]
)
def test_what_a_move_brings_is_shown_while_it_is_done(name: str, chosen: dict[str, Any]) -> None:
    seen = [gain for seed in range(3) for gain in gains(name, Random(seed), **chosen)]
    assert all(gain == sum(int(text) for text in shown if text.startswith("+")) for gain, shown in seen)
    assert any(gain for gain, _ in seen)


def test_the_sums_of_an_emissary_are_shown_while_it_is_sent() -> None:
    """The items that are shown during a move are those of its preview, for all seats."""
    random, sent = Random(1), 0
    for state in positions("conclave", random, players=3):
        for action, foretold in previews(state, random):
            after, seat = state.child(action), random.randrange(-1, 3)
            scene = state.game.spec.module("scene").draw(after.view(seat).raw, seat)
            meanwhile = state.game.spec.module("scene").meanwhile
            shown = meanwhile(state.view(seat).raw, after.view(seat).raw, scene, action)
            assert shown == foretold.items[1:]
            sent += bool(shown)
    assert sent


@pytest.mark.parametrize(
    ("name", "chosen"), [("okupacio", {"players": 3}), ("metro", {"players": 1}), ("metro", {"players": 4})]
)
def test_what_is_shown_stands_in_the_next_scene(name: str, chosen: dict[str, int]) -> None:
    """A preview has all new items: pieces, tiles, tracks, trains that arrive, the homes that they leave."""
    random, coming = Random(1), re.compile(r"stone-|tile-|track-|train-|home-")
    for state in positions(name, random, **chosen):
        before = drawn(state.game.spec, state, state.current_player())
        for action, shown in previews(state, random):
            after = drawn(state.game.spec, state.child(action), state.current_player())
            ghosts = {look(item) for item in shown.items if item.classes != "gain"}
            assert ghosts <= {look(item) for item in after.values()}
            come = {
                look(item) for name, item in after.items() if coming.match(name) and not is_there(item, before.get(name))
            }
            assert come <= ghosts or action == state.game.rules.CONCEDE


def is_there(item: Item, before: Item | None) -> bool:
    """Return True if an item already has its place. The look of a track shows if its train has arrived."""
    return (
        before is not None
        and (before.x, before.y) == (item.x, item.y)
        and not (item.id[:6] == "track-" and look(before) != look(item))
    )


def test_the_wizards_that_are_marked_follow() -> None:
    random, follows = Random(2), 0
    for seed in range(4):
        for state in positions("conclave", random, players=2 + seed % 3):
            mover = state.current_player()
            before = followers(state, mover)
            for action, shown in previews(state, random):
                after = state.child(action)
                if shown.items and not after.is_terminal():
                    won = set(followers(after, mover)) - set(before)
                    assert set(shown.marked) == won
                    assert (shown.told[0] == "preview.nobody") == (not won)
                    follows += bool(won)
    assert follows > 3


def followers(state: State, seat: int) -> list[str]:
    """Return the names of the cards in a seat's zones of influence."""
    notation, raw = state.game.spec.module("notation"), state.view(seat).raw
    faces = raw.followers[8 * seat : 8 * seat + 6].tolist()
    return [
        notation.card_name(16 * magic + face)
        for magic, set_of in enumerate(faces)
        for face in range(15)
        if set_of >> face & 1
    ]


@pytest.mark.parametrize("variant", ["light", "classic", "plus"])
def test_the_tiles_that_are_marked_are_those_of_the_lines_that_are_made(variant: str) -> None:
    random, scenes = Random(3), GAMES["qinto"].module("scene")
    for state in positions("qinto", random, variant=variant):
        mover = state.current_player()
        tiles = {place(name) for name in drawn(state.game.spec, state, mover) if name.startswith("tile/")}
        choices = {choice.action: choice for choice in scenes.choices(state.view(mover).raw, mover, state.legal_actions())}
        for action, shown in previews(state, random):
            if shown.items:
                x, y = place(choices[action].touches[1])
                assert {place(name) for name in shown.marked} == line(tiles, x, y, 0, 1) | line(tiles, x, y, 1, 0)
            if shown.told[0] == "preview.points":
                assert shown.told[2] == state.child(action).scores()[mover] - state.scores()[mover]


def place(name: str) -> tuple[int, int]:
    """Return the coordinates of `tile/-1,2`, with the column first."""
    across, down = name.partition("/")[2].split(",")
    return int(across), int(down)


def line(tiles: set[tuple[int, int]], x: int, y: int, right: int, down: int) -> set[tuple[int, int]]:
    found = set()
    for sign in (-1, 1):
        at = (x + sign * right, y + sign * down)
        while at in tiles:
            found.add(at)
            at = (at[0] + sign * right, at[1] + sign * down)
    return found


def test_what_a_play_leaves() -> None:
    random = Random(4)
    for state in (state for _ in range(3) for state in positions("cartas", random)):
        mover = state.current_player()
        for action, shown in previews(state, random):
            after = state.child(action)
            if shown.told[0] == "preview.leaves":
                left = int(after.view(mover).raw.sizes[mover])
                assert shown.told[1] == left
                assert 1 <= shown.told[2] <= left
            else:
                assert after.is_terminal() if shown.told[0] == "preview.last" else action == state.game.rules.PASS
