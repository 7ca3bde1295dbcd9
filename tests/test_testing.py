"""The package `ludoteca.testing`: the names that other packages import, and the command that writes playthroughs."""

from pathlib import Path

import pytest

import mutants
from duel import GAME as DUEL
from kuhn import GAME as KUHN
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.testing import BrokenLawError, Effort, check
from ludoteca.testing.__main__ import USAGE, main
from ludoteca.testing.playthrough import FILE, read, write

LITTLE = Effort(games=2, compared=2, compiled=False)


@pytest.mark.slow
def test_all_laws_are_checked_at_once() -> None:
    check(DUEL, LITTLE)


def test_the_first_broken_law_is_raised(tmp_path: Path) -> None:
    with pytest.raises(BrokenLawError, match="DERIVED names a field"):
        check(mutants.load(tmp_path, "rules.py", "DERIVED: Final = ()", 'DERIVED: Final = ("order",)'), LITTLE)


def test_a_playthrough_is_written_where_the_game_keeps_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(GameSpec, "file", lambda spec, name: tmp_path / f"{spec.name} {name}")
    main(["playthrough", "okupacio", "seed=3", "players=3", "board=4x4"])
    written = (tmp_path / f"okupacio {FILE}").read_text(encoding="utf-8")
    assert written.startswith('game: okupacio\nparameters: {"players": 3, "board": "')
    assert "\nseed: 3\nplayers: 3\n" in written


@pytest.mark.parametrize(("spec", "seed"), [(DUEL, 2), (KUHN, 1)])
def test_a_playthrough_can_be_written_again(spec: GameSpec, seed: int) -> None:
    assert write(Game(spec), seed) == read(spec)


@pytest.mark.parametrize("arguments", [[], ["playthrough"], ["okupacio", "seed=1"], ["playthrough", "okupacio", "4x4"]])
def test_what_cannot_be_done_is_answered_with_the_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(arguments)
    assert error.value.code == USAGE


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["playthrough", "chess"], "no game 'chess'"),
        (["playthrough", "okupacio", "players=11"], "players: read '11'"),
        (["playthrough", "okupacio", "seed=one"], "invalid literal"),
    ],
)
def test_what_is_wrong_with_a_value_is_said(arguments: list[str], says: str) -> None:
    with pytest.raises(SystemExit, match=says):
        main(arguments)
