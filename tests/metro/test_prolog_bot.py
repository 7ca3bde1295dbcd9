"""`bot.pl` in a real SWI-Prolog: a program for the assignment plays as a bot, over the line protocol."""

import shutil
from pathlib import Path

import pytest

from ludoteca.arena.matches.check import check
from ludoteca.arena.matches.defaults import LINES
from ludoteca.arena.matches.players import Entrant, LinesPlayer
from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.games.metro.text import engine
from tests.arena.test_bots import PATIENCE, play

FOLDER = Path(engine.__file__).parent / "prolog"
SWIPL = shutil.which("swipl")
pytestmark = pytest.mark.skipif(not SWIPL, reason="SWI-Prolog is missing: as root, apt-get install swi-prolog-nox")

PROGRAM = f"""
:- use_module('{FOLDER / "T3.pl"}', except([pick_move/3])).
% its own choice: the last place that there is for the tile
pick_move(State, TileId, Move) :-
    findall(M, ( available_move(State, M), get_move_tile_id(M, TileId) ), Moves),
    last(Moves, Move).
"""


def command(program: Path) -> tuple[str, ...]:
    return ("swipl", "-g", "ludoteca_bot", "-t", "halt", str(FOLDER / "bot.pl"), str(program))


def test_a_program_with_a_choice_of_its_own_plays_the_documents_game_and_with_others(tmp_path: Path) -> None:
    program = tmp_path / "program.pl"
    program.write_text(PROGRAM, encoding="utf-8")
    bot = LinesPlayer(command(program), Limits(start=PATIENCE, move=PATIENCE))
    try:
        spec = registry.find("metro")
        alone = play(Game(spec), [bot], seed=2, before=45)
        assert alone.is_terminal()
        assert bot.errors == ""
        moves = [line[2:] for line in bot.exchange if line.startswith("< ")]
        assert moves
        assert set(moves) <= {line.removeprefix("> played 1 ") for line in bot.exchange}
        two = play(Game(spec, {"players": 2}), [bot, bot], before=58)
        assert two.is_terminal()
    finally:
        bot.close()


@pytest.mark.soak
def test_our_own_predicates_pass_the_check() -> None:
    entrant = Entrant(
        name="T3", command=command(FOLDER / "T3.pl"), protocol=LINES, limits=Limits(start=PATIENCE, move=PATIENCE)
    )
    assert check(registry.find("metro"), entrant, {"side": "8"}, 1).findings == []
