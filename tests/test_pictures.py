"""Pictures as pixels and files: games, seats, themes and sizes, and the commands that write them."""

import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image, ImageFont

import ludoteca
from ludoteca.cli.commands import command
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError, MissingExtraError
from ludoteca.core.extras import install_command
from ludoteca.core.game import Game, State
from ludoteca.core.messages import LANGUAGES, catalogue
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import paint
from ludoteca.pictures import files
from ludoteca.pictures.plain import plain_maker
from ludoteca.pictures.raster import rgb_array
from ludoteca.pictures.tiles import FONTS, FOREIGN, render

DRAWN = [spec for spec in registry.registered_games() if spec.has("scene")]
some_games = pytest.mark.parametrize("spec", DRAWN[::2], ids=lambda spec: spec.name)
TITLE = (
    "Okupació: player 2 wins. Cells: 8; captured from others: 1. Apart from that, row a is held by player 2: "
    "an honour, which does not change the winner."
)
EXAMPLE = ["ab", "bc", "db", "cc", "bd", "cd", "00", "dc", "bb", "ab"]


def played(spec: GameSpec, moves: int = 4) -> State:
    several = {"players": 2} if any(kind.name == "players" for kind in spec.parameters) else {}
    state, rng = Game(spec, several).new_initial_state(1), new_rng(1)
    for _ in range(moves):
        state.apply_action(state.random_action(rng))
    return state


def small() -> State:
    state = ludoteca.load("okupacio", players=3, board="4 4 2 1 1 1 3 2 5 1").new_initial_state(7)
    for action in EXAMPLE:
        state.apply_action(state.string_to_action(action))
    return state


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    file.write_text(small().serialize(), encoding="utf-8")
    return file


def run(*words: Any) -> Result:
    return CliRunner().invoke(command, ["record", *map(str, words)])


def refusal(*words: Any) -> str:
    result = run(*words)
    assert isinstance(result.exception, LudotecaError), result.output
    return str(result.exception)


# arrays


@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.name)
def test_every_game_is_an_array_of_the_requested_size(spec: GameSpec) -> None:
    state = played(spec)
    whole = rgb_array(state, width=120)
    assert str(whole.dtype) == "uint8"
    assert whole.shape[1:] == (120, 3)
    assert whole.std() > 10, "the picture is not empty"
    assert rgb_array(state, width=120, height=200).shape == (200, 120, 3)
    drawn = render(plain_maker(spec, "light").make(paint(spec, state.scene()), 120, len(whole))).convert("RGB")
    apart = abs(np.asarray(drawn).astype(int) - whole).max(axis=2)
    assert (apart.mean(), (apart > 64).mean()) < (2, 0.002), "the tiles make the same picture as the whole SVG"


def test_a_picture_of_another_shape_is_in_the_middle_of_the_ground() -> None:
    for theme, felt in (("light", "d8c9ac"), ("dark", "1d1a16")):
        picture = rgb_array(small(), width=200, height=100, theme=theme)
        assert {bytes(pixel).hex() for pixel in picture[:, :40].reshape(-1, 3)} == {felt}
        assert np.array_equal(picture[:, :40], picture[:, :-41:-1])


@pytest.mark.parametrize("sides", [(0, None), (10, 0)])
def test_impossible_sides_and_themes_are_refused(sides: tuple[int, int | None]) -> None:
    with pytest.raises(ValueError, match=f"width, height: read {sides[0]} and {sides[1]}, expected at least 1"):
        rgb_array(small(), -1, *sides)
    with pytest.raises(ValueError, match="theme 'blue': expected light or dark"):
        rgb_array(small(), theme="blue")


def test_arrays_show_the_view_of_a_seat_and_belong_to_the_caller() -> None:
    state = played(next(spec for spec in DRAWN if not spec.perfect_information))
    seen = [rgb_array(state, player, 100, 100) for player in (-1, 0, 1)]
    assert not np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[1], seen[2])
    seen[0][:] = 0
    assert rgb_array(state, -1, 100, 100).any()


def test_the_fonts_have_the_letters_of_all_texts() -> None:
    texts = {
        sign for spec in DRAWN for language in LANGUAGES for sign in "".join(catalogue(spec.package, language).values())
    }
    wanted = {sign for sign in texts | set("♠♥♦♣×∞−ășțçãõ·ü€") if not FOREIGN.match(sign) and sign.isprintable()}
    assert len(wanted) > 80
    for font in FONTS:
        letters = ImageFont.truetype(font, 20)
        missing = bytes(letters.getmask("\U0010fffe"))
        assert [sign for sign in wanted - {" ", "\xa0"} if bytes(letters.getmask(sign)) == missing] == []


# files


@some_games
def test_every_game_is_drawn_in_every_format(spec: GameSpec) -> None:
    state = played(spec)
    content = files.png(spec, paint(spec, state.scene()), "light", "Căpșuni: ça", 80)
    with Image.open(BytesIO(content)) as still:
        assert (still.format, still.mode, still.width) == ("PNG", "RGB", 80)
        assert still.info["Title"] == "Căpșuni: ça"
        assert still.info["Software"] == "Ludoteca"
    with Image.open(BytesIO(files.gif(state, width=120, delay=0.5, title="ça"))) as film:
        durations = []
        for number in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(number)
            durations.append(film.info["duration"])
        assert (film.format, film.width, film.info["comment"].decode()) == ("GIF", 120, "ça")
    assert sum(durations) == 4 * 500 + 3000, "moves that change nothing for a spectator are one frame that stays longer"
    assert durations[-1] >= 3000


def test_a_gif_shows_every_position_in_its_colours() -> None:
    state = small()
    with Image.open(BytesIO(files.gif(state, width=160))) as film:
        for number, now in enumerate(state.states()):
            film.seek(number)
            apart = abs(np.asarray(film.convert("RGB")).astype(int) - rgb_array(now, width=160)).max(axis=2)
            assert apart.mean() < 4, f"frame {number}"


def test_the_same_game_gives_the_same_bytes_in_another_process(record: Path) -> None:
    code = "from ludoteca.cli.commands import command; command(standalone_mode=False)"
    arguments = ["record", "gif", "--width", "60", str(record), "-o", "-"]
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    other = subprocess.run([sys.executable, "-c", code, *arguments], check=True, env=environment, capture_output=True)
    assert other.stdout == run(*arguments[1:]).stdout_bytes


# notebooks


def test_games_have_pictures_in_notebooks() -> None:
    start = small().game._repr_svg_()
    assert start is not None
    assert 'class="okupacio-item' in start


def test_a_game_without_scenes_has_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    state = small()
    monkeypatch.setattr(GameSpec, "has", lambda _, name: name != "scene")
    assert state.game._repr_svg_() is None


# commands


def test_a_picture_is_written_next_to_its_record(record: Path) -> None:
    for ending, says in (("svg", "the position after 10 moves"), ("gif", "the game in 10 moves")):
        beside = record.with_suffix(f".{ending}")
        narrow = [] if ending == "svg" else ["--width", 60]
        assert run(ending, record, *narrow).stdout == f"{beside}: {says}\n"
        assert refusal(ending, record) == f"{beside} exists already: use -o to write another file, or to replace this one"
    assert run("svg", record, "-o", record.with_suffix(".svg")).exit_code == 0
    assert record.with_suffix(".svg").read_text(encoding="utf-8") == small()._repr_svg_()


def test_positions_seats_themes_and_languages_are_chosen(record: Path) -> None:
    out = record.with_name("a.svg")
    words = ["--move", 2, "--seat", 3, "--theme", "dark", "--language", "ca", "-o", out]
    assert run("svg", record, *words).stdout == f"{out}: the position after 2 moves of 10\n"
    states = list(small().states())
    assert out.read_text(encoding="utf-8") == paint(small().game.spec, states[2].scene(2), "dark", language="ca")
    assert run("svg", record, "--move", 0, "-o", "-").stdout_bytes.decode() == states[0]._repr_svg_()
    assert "var(" not in run("svg", record, "--plain", "-o", "-").stdout_bytes.decode()


def test_png_goes_to_standard_output(record: Path) -> None:
    with Image.open(BytesIO(run("png", record, "--width", 100, "-o", "-").stdout_bytes)) as still:
        assert (still.width, still.info["Title"]) == (100, TITLE)


def test_the_documented_commands_and_python_do_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = Path(__file__).parents[1] / "docs"
    page = (docs / "records.md").read_text(encoding="utf-8")
    (session,) = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("game.json").write_text(small().serialize(), encoding="utf-8")
    for line, says in re.findall(r"\$ ludoteca record (.*)\n(.*)\n", session):
        assert run(*line.split()).stdout == f"{says}\n", line
    with Image.open("game.gif") as film:
        assert f"By default it is {film.width} pixels wide" in page
    found: dict[str, Any] = {}
    exec(code.replace("rgb_array(state", "picture = rgb_array(state"), found)
    assert found["picture"].shape == (480, 480, 3)


def test_impossible_pictures_are_refused(record: Path) -> None:
    assert refusal("svg", record, "--move", 11) == "move: read 11, expected 0 to 10"
    assert refusal("png", record, "--move", -1) == "move: read -1, expected 0 to 10"
    assert refusal("gif", record, "--seat", 0) == "seat: read 0, expected 1 to 3"
    assert refusal("png", record, "-o", "a.gif") == "out: read a.gif, expected a name that ends in .png"
    nowhere = record.parent / "nowhere" / "a.svg"
    assert refusal("svg", record, "-o", nowhere) == f"{nowhere} cannot be written: No such file or directory"
    record.write_text("{", encoding="utf-8")
    assert refusal("png", record).startswith(f"{record}: the record is cut off")
    assert sorted(file.name for file in record.parent.iterdir()) == ["game.json"]


def test_the_extra_that_is_missing_is_named(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("ludoteca.pictures")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(ludoteca, "pictures", raising=False)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    for words in (["png"], ["gif"], ["svg", "--plain"]):
        told = f"this needs resvg_py. To install it, run: {install_command('pictures')}"
        assert refusal(*words, record) == told
        assert isinstance(run(*words, record).exception, MissingExtraError)
    assert run("svg", record).exit_code == 0
