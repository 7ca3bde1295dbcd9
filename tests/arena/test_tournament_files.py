"""Tournament files, and the possible faults of one."""

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ludoteca.arena.matches.players import Entrant
from ludoteca.arena.matches.runner import ArenaError
from ludoteca.arena.matches.store import FILE, Store
from ludoteca.arena.matches.tournament import Tournament, read_tournament
from ludoteca.arena.programs.limits import Limits


def read(tmp_path: Path, text: str) -> Tournament:
    file = tmp_path / "cup.toml"
    file.write_text(text)
    return read_tournament(file)


AGENTS = '[[entrants]]\nagent = "random"\n[[entrants]]\nagent = "greedy"\n'
BOT = '[[entrants]]\nname = "a"\ncommand = ["true"]\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("game = ", "Invalid value"),
        (f"deals = {5000 * '9'}", r"Exceeds the limit \(4300 digits\)"),
        (f"{1000 * 'x'} = 1", "unknown field `x+…$"),
        ("", "Object missing required field `game`"),
        ("fromat = 3", "Object contains unknown field `fromat`"),
        ('game = "chess"', r"no game 'chess'.* - at `\$\.game`"),
        ('game = "okupacio"\ndeals = 0', r"Expected `int` >= 1 - at `\$\.deals`"),
        ('game = "okupacio"\nseed = -1', r"read -1, expected a number from 0 to 2\^256 - 1 - at `\$\.seed`"),
        ('game = "okupacio"\nopening = 3.5', r"Expected `int \| null`, got `float` - at `\$\.opening`"),
        ('game = "okupacio"\n[[entrants]]\nagent = "random"', r"read 1, expected at least 2 - at `\$\.entrants`"),
        (f'game = "okupacio"\nformat = "swiss"\n{AGENTS}', "read 'swiss', expected one of round robin"),
        (f'game = "okupacio"\nformat = "pairs"\n{AGENTS}', r"expected a list of pairs.* - at `\$\.format\.pairs`"),
        (f'game = "okupacio"\n[format]\nname = "pairs"\npairs = [["random", "x"]]\n{AGENTS}', "there is no entrant 'x'"),
        (f'game = "okupacio"\n[format]\nname = "gauntlet"\nfirst = "random"\n{AGENTS}', "expected a list of names"),
        (f'game = "okupacio"\n[format]\nname = "round robin"\nfirst = 1\n{AGENTS}', "this format has no options"),
        ('game = "okupacio"\n[[entrants]]\nagent = 3', r"Expected `str`, got `int` - at `\$\.entrants\[0\]\.agent`"),
        ('game = "okupacio"\n[[entrants]]\nname = "x"', r"either an agent or a command - at `\$\.entrants\[0\]`"),
        (f'game = "okupacio"\n{BOT}{BOT}', r"'a' is there twice.* - at `\$\.entrants\[1\]`"),
        ('game = "okupacio"\n[[entrants]]\nname = "a"\ncommand = ["./none"]', r"missing: there is no file /.*/none"),
        ('game = "okupacio"\n[[entrants]]\nagent = "elephant"', "read 'elephant'"),
        ('game = "okupacio"\n[[entrants]]\nname = "(a"\nagent = "1"', r"a name does not begin with '\('"),
        (f'game = "okupacio"\n{BOT}protocol = "smoke"', "protocol: read 'smoke'"),
        ('game = "okupacio"\n[parameters]\nplayers = 99', r"players: read 99.* - at `\$\.parameters`"),
        ('game = "okupacio"\n[limits]\nmove = true', r"got `bool` - at `\$\.limits"),
        (
            'game = "okupacio"\n[limits]\nmemory = "lots"',
            r"limit memory: read 'lots', expected a size, .*1G - at `\$\.limits`",
        ),
        ('game = "okupacio"\n[limits]\nmemory = 268435456', "limit memory: read '268435456', expected a size, such as 512 "),
        (
            'game = "okupacio"\n[limits]\nmove = "5w"',
            "limit move: read '5w', expected a time, such as 5 \\(seconds\\), 0.5s or 2m",
        ),
        ('game = "okupacio"\n[limits]\nfiles = 1.5', "limit files: read '1.5', expected a whole number"),
        (f'game = "okupacio"\n{BOT}limits.moves = 3', r"there is no limit 'moves'.* - at `\$\.entrants\[0\]`"),
    ],
)
def test_the_first_problem_of_a_file_is_reported_with_its_place(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ArenaError, match=f"^{tmp_path}/cup.toml: .*{problem}"):
        read(tmp_path, text)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_bytes(b"game = '\xff'")
    with pytest.raises(ArenaError, match="byte 8 is no UTF-8"):
        read_tournament(tmp_path / "cup.toml")
    with pytest.raises(ArenaError, match="No such file"):
        read_tournament(tmp_path / "nothing.toml")


def test_a_damaged_store_is_an_error_with_the_name_of_its_file(tmp_path: Path) -> None:
    with ExitStack() as stack:
        store = Store(tmp_path, stack)
        store.begin(read(tmp_path, f'game = "okupacio"\n{AGENTS}'), seed=1)
    with closing(sqlite3.connect(store.file)) as damaged, damaged:
        damaged.execute("UPDATE about SET seed = 'x'")
    with ExitStack() as stack, pytest.raises(ArenaError, match=f"{FILE}: its games cannot be read: invalid literal"):
        Store.reading(tmp_path, stack).about()


def test_a_whole_file(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("")
    tournament = read(
        tmp_path,
        """
        game = "okupacio"
        format = "gauntlet"
        seed = 7
        thinking = true
        [limits]
        move = 2
        memory = "256M"
        [[entrants]]
        agent = "greedy"
        [[entrants]]
        name = "theirs"
        command = ["python3", "bot.py", "--fast"]
        limits.move = 0.5
        """,
    )
    first, second = tournament.entrants
    assert (tournament.deals, tournament.seed, tournament.format, tournament.options) == (0, 7, "gauntlet", {})
    assert first == Entrant(name="greedy", agent="greedy", limits=Limits(move=2, memory=256 << 20), thinking=True)
    assert second.command[1:] == (str(tmp_path / "bot.py"), "--fast")
    assert second.limits == Limits(move=0.5, memory=256 << 20)
