"""Pictures of scenes, and the look that all games share. The requirements for scenes are a law, `scenes_are_sound`."""

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludoteca
import mutants
from duel import GAME as DUEL
from kuhn import GAME as KUHN
from ludoteca.core import registry, svg
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game, State
from ludoteca.core.guide import Picture, picture_of
from ludoteca.core.messages import LANGUAGES, PICTURE, Message, catalogue, in_words
from ludoteca.core.scene import Item, Placed, Scene, flat, marked
from ludoteca.core.spec import GameSpec

SVG = "{http://www.w3.org/2000/svg}"
CSS = (Path(ludoteca.__file__).parent / "core" / "scene.css").read_text(encoding="utf-8")
DRAWN = [spec for spec in registry.registered_games() if spec.has("scene")]


def duel(*texts: str) -> State:
    state = Game(DUEL).new_initial_state(2)
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def scene_of(*items: Item) -> Scene:
    return Scene(10, 5, items, (), ("end.won", ("@seat", 1)))


def painted(scene: Scene, theme: str = "light", seats: tuple[str, ...] = (), language: str = "en") -> ElementTree.Element:
    return ElementTree.fromstring(svg.paint(DUEL, scene, theme, seats, language))


def groups(picture: ElementTree.Element) -> list[ElementTree.Element]:
    return picture.findall(f"{SVG}g")


def test_a_picture_of_the_guide_is_cut_to_its_items_and_a_margin() -> None:
    scene = Scene(40, 20, (Item("a", "duel-card", 10, 10, 4, 6), Item("b", "duel-card", 30, 10, 4, 6)), (), ("end",))
    cut = picture_of(scene, Picture("", ("shown",), around=("a",), margin=0.5))
    assert (cut.width, cut.height) == (4 + 2 * 2, 6 + 2 * 2), "the margin is half of the shorter side"
    assert [(item.id, item.x, item.y) for item in cut.items] == [("a", 4, 5)]


def test_an_item_is_a_group_with_its_symbol_and_its_text_in_the_middle() -> None:
    item = Item("a/1", "duel-card", 2, 3.5, 0.9, 1.4, 90, "player-3 last", ("card", 7), "7")
    (group,) = groups(painted(scene_of(item)))
    assert group.attrib == {
        "class": "duel-item duel-player-3 duel-last",
        "data-id": "a/1",
        "transform": "translate(2 3.5) rotate(90)",
    }
    title, use, halo, text = group
    assert title.text == "card 7"
    assert use.attrib == {"href": "#duel-duel-card", "x": "-0.45", "y": "-0.7", "width": "0.9", "height": "1.4"}
    assert halo.get("class") == "duel-halo"
    assert (text.text, text.get("font-size")) == ("7", "0.7")


def test_a_picture_says_in_which_language_its_texts_are(tmp_path: Path) -> None:
    scene = scene_of(Item("a", "duel-card", 1, 1, label=("card", 7)))
    assert painted(scene, language="ro").get("lang") == "ro"
    english = svg.paint(mutants.load_english(tmp_path), scene, language="ro")
    assert ElementTree.fromstring(english).get("lang") == "en"
    assert "<title>card 7</title>" in english


def test_what_an_item_lacks_is_not_drawn() -> None:
    (group,) = groups(painted(scene_of(Item("a", "", 1, 1, text="b"))))
    assert [part.tag for part in group] == [f"{SVG}rect", f"{SVG}text"]
    assert group.get("transform") == "translate(1 1)"


def test_names_of_players_are_text_whatever_they_are() -> None:
    names = ("A", "<b title='x'>\"&amp;\x00\ud800")
    title = painted(scene_of(), seats=names).find(f"{SVG}title")
    assert title is not None
    assert title.text == "Duel: <b title='x'>\"&amp; wins"


def test_a_picture_has_its_language_its_theme_and_its_proportions() -> None:
    picture = painted(scene_of(), "dark", ("A", "B"), "ro")
    assert [picture.get(name) for name in ("lang", "data-theme", "viewBox", "width", "height")] == [
        "ro", "dark", "0 0 10 5", "720", "360",
    ]  # fmt: skip
    title = picture.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Duel: câștigă B"


def test_themes_are_two() -> None:
    with pytest.raises(ValueError, match="theme 'blue': expected light or dark"):
        svg.paint(DUEL, scene_of(), "blue")


def test_a_game_without_symbols_is_named() -> None:
    spec = GameSpec("flat", "Flat", "no symbols", "ludoteca.core.messages", 1, players=2)
    with pytest.raises(ContractError, match=r"flat has no sprites\.svg in ludoteca\.core\.messages"):
        svg.sprites(spec)


def test_every_player_has_a_colour_and_one_to_write_on_it() -> None:
    for player in range(10):
        assert re.search(rf"--player-{player}: #", CSS)
        assert re.search(rf"\.player-{player} {{ --player: var\(--player-{player}\); --on-player: #", CSS)


# States


@pytest.mark.parametrize(("played", "lit"), [([], []), (["0"], ["card/0"]), (["0", "1"], ["card/1"])])
def test_a_state_has_scenes_in_which_the_last_action_is_marked(played: list[str], lit: list[str]) -> None:
    assert [item.id for item in duel(*played).scene(0).items if "last" in item.classes] == lit


def test_items_of_several_moves_are_marked_and_have_their_starts() -> None:
    scene = Scene(1, 1, (Item("a", "s", 0, 0, classes="x"), Item("b", "s", 0, 0), Item("c", "s", 0, 0)), (), "")
    drawn = marked(scene, [(0, Placed(("a",))), (2, Placed(("gone", "b"), {"b": "a", "c": "b"}))])
    assert [(item.classes, item.start) for item in drawn.items] == [("x last by-0", ""), ("last by-2", "a"), ("", "b")]


def test_scenes_are_of_seats() -> None:
    state = duel()
    assert "card/0" in [item.id for item in state.scene(0).items]
    assert "card/0" not in [item.id for item in state.scene(1).items]
    assert "card/0" not in [item.id for item in state.scene().items]


def test_a_notebook_shows_what_one_who_watches_sees() -> None:
    picture = duel()._repr_svg_()
    assert picture is not None
    assert "hand/0/0" in picture
    assert "card/0" not in picture


def test_a_game_without_scenes_has_no_picture() -> None:
    state = Game(KUHN).new_initial_state(1)
    assert state._repr_svg_() is None
    with pytest.raises(ContractError, match="kuhn has no module scene in kuhn"):
        state.scene()


@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.name)
def test_every_game_is_painted_in_every_language(spec: GameSpec) -> None:
    state = Game(spec).new_initial_state(1)
    scene = state.scene(0)
    for language in LANGUAGES:
        picture = ElementTree.fromstring(svg.paint(spec, scene, "dark", ("Ana", "Ion", "Eva", "Joan"), language))
        assert [group.get("data-id") for group in groups(picture)] == [item.id for item in scene.items]


@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.name)
def test_a_touch_sends_a_choice_only_where_all_choices_have_as_many(spec: GameSpec) -> None:
    scenes, sizes = spec.module("scene"), set()
    for seed in range(1, 4):
        state = Game(spec).new_initial_state(seed)
        while not state.is_terminal():
            seat, legal = state.current_player(), state.legal_actions()
            choices = scenes.choices(state.view(seat).raw, seat, legal)
            sizes.add(len({len(choice.touches) for choice in choices if choice.touches}))
            state.apply_action(legal[len(legal) * seed // 4])
    assert getattr(scenes, "SENDS_AT_ONCE", True) == (max(sizes) == 1)


def as_shown(message: Message) -> Message:
    """Return the message for a player who wants no codes, with the look of a picture in place of its words.

    A code without a picture is the name of a place, which the board marks. Screen readers say it.
    """
    if not isinstance(message, tuple):
        return message
    if message[0] == PICTURE and message[2] and "named" not in message[4].split():
        return " ".join(map(str, message[2:]))
    return (message[0], *(as_shown(part) for part in message[1:]))


@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.name)
def test_without_codes_what_is_told_of_moves_still_tells_one_from_another(spec: GameSpec) -> None:
    """A scene shows all facts of the notation to every seat: in pictures, and in words for screen readers."""
    state, texts = ludoteca.load(spec.name).new_initial_state(2), catalogue(spec.package, "en")
    scenes = spec.module("scene")
    rng = random.Random(1)
    while not state.is_terminal() and len(state.history()) < 60:
        legal = state.legal_actions()
        some = rng.sample(legal, min(len(legal), 40))
        for seat in range(SPECTATOR, state.game.num_players()):
            view = state.view(seat).raw
            seen = {state.seen_action(action, seat) for action in some}
            told = [scenes.describe(view, seat, action) for action in seen]
            assert len({in_words(message, texts) for message in told}) == len(seen)
            assert len({as_shown(message) for message in told}) == len(seen)
        state.apply_action(rng.choice(some))


def test_a_picture_shows_the_whole_field_in_its_window() -> None:
    tiles = (Item("a", "tile", 0, 0, classes="field"), Item("b", "tile", 19, 4, classes="field"), Item("c", "tile", 1, 1))
    drawn = flat(Scene(10, 8, tiles, (), "", (2, 5)))
    assert [(item.id, item.x, item.y, item.w) for item in drawn.items] == [
        ("a", 0.25, 3.5, 0.5), ("b", 9.75, 5.5, 0.5), ("c", 1, 1, 1),
    ]  # fmt: skip
    assert drawn.field is None
