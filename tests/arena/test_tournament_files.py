"""Tournament files: everything that is wrong with one is told at once, with its place."""

from pathlib import Path

import pytest

from ludoteca.arena.errors import ArenaError
from ludoteca.arena.limits import Limits
from ludoteca.arena.places import line_of, named, places
from ludoteca.arena.player import Entrant
from ludoteca.arena.tournament import Tournament, read_tournament

BAD = '''\
game = "okupacio"
fromat = "x"
deals = 0
seed = -1

[format]
name = "gauntlet"
first = ["nobody"]

[parameters]
board = "4x4x"
players = 99
colour = "red"

[[entrants]]
agent = "greedy"
[entrants.limits]
moves = 3
memory = "lots"

[[entrants]]
name = "greedy"
command = ["./nothing"]
colours = """
a
"""

[[entrants]]
name = "(x)"
'''


def read(tmp_path: Path, text: str) -> Tournament:
    file = tmp_path / "cup.toml"
    file.write_text(text)
    return read_tournament(file)


def problems(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ArenaError) as raised:
        read(tmp_path, text)
    return [line.removeprefix(f"{tmp_path}/") for line in str(raised.value).splitlines()]


def test_all_problems_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    found = problems(tmp_path, BAD)
    for line, begin in zip(
        found,
        [
            "13 problems with the tournament",
            "cup.toml:2: fromat: unknown; did you mean format?",
            "cup.toml:3: deals: read '0', expected a whole number from 1",
            "cup.toml:4: seed: read '-1'",
            "cup.toml:8: format.first: there is no entrant 'nobody'",
            "cup.toml:11: parameters.board: ",
            "cup.toml:12: parameters.players: players: read 99",
            "cup.toml:13: parameters.colour: okupacio has no parameter 'colour'",
            "cup.toml:18: entrants[1].limits.moves: there is no limit 'moves'",
            "cup.toml:19: entrants[1].limits.memory: read 'lots'",
            "cup.toml:22: entrants[2].name: 'greedy' is there twice",
            "cup.toml:23: entrants[2].command: missing: there is no file './nothing'",
            "cup.toml:24: entrants[2].colours: unknown",
            "cup.toml:28: entrants[3]: expected either an agent or a command",
        ],
        strict=True,
    ):
        assert line.startswith(begin)


AGENTS = '[[entrants]]\nagent = "random"\n[[entrants]]\nagent = "greedy"\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("game = ", "no TOML: "),
        ("", "game: missing: expected one of cartas, "),
        ('game = "chess"', "game: no game 'chess'"),
        ('game = "okupacio"', "entrants: read 0, expected at least 2"),
        ('game = "okupacio"\n[[entrants]]\nagent = "random"', "entrants: read 1, expected at least 2"),
        (
            f'game = "okupacio"\nformat = "swiss"\n{AGENTS}',
            "format: read 'swiss', expected one of round robin",
        ),
        (f'game = "okupacio"\nformat = 3\n{AGENTS}', "format: expected a name"),
        (f'game = "okupacio"\nformat = "pairs"\n{AGENTS}', "format.pairs: expected a list of pairs"),
        (f'game = "okupacio"\n[format]\nname = "pairs"\npairs = [["random", "x"]]\n{AGENTS}', "there is no entrant 'x'"),
        (f'game = "okupacio"\n[format]\nname = "gauntlet"\nfirst = "random"\n{AGENTS}', "expected a list of names"),
        (f'game = "okupacio"\n[format]\nname = "round robin"\nfirst = 1\n{AGENTS}', "this format has no options"),
        ('game = "okupacio"\nentrants = 3', "entrants: expected tables"),
        ('game = "okupacio"\n[[entrants]]\nagent = 3', "name, agent and protocol: expected texts"),
        ('game = "okupacio"\n[[entrants]]\nname = "a"\ncommand = "bot"', "entrants[1].command: expected a list of words"),
        ('game = "okupacio"\n[[entrants]]\nagent = "elephant"', "entrants[1].agent: agent: read 'elephant'"),
        ('game = "okupacio"\n[[entrants]]\nname = "(a"\nagent = "1"', "a name does not begin with '('"),
        ('game = "okupacio"\n[[entrants]]\nname = "a"\ncommand = ["true"]\nprotocol = "smoke"', "protocol: read 'smoke'"),
        ('game = "okupacio"\nparameters = 3', "parameters: expected a table"),
        ('game = "okupacio"\nlimits = 3', "limits: expected a table"),
        ('game = "okupacio"\n[limits]\nmove = true', "limits.move: read 'True', expected a number of seconds"),
    ],
)
def test_what_can_be_wrong(tmp_path: Path, text: str, problem: str) -> None:
    assert any(problem in line for line in problems(tmp_path, text))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_bytes(b"game = '\xff'")
    with pytest.raises(ArenaError, match="byte 8 is no UTF-8"):
        read_tournament(tmp_path / "cup.toml")
    with pytest.raises(ArenaError, match="No such file"):
        read_tournament(tmp_path / "nothing.toml")


def test_a_whole_file(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("")
    tournament = read(
        tmp_path,
        """
        game = "okupacio"
        format = "gauntlet"
        seed = 7
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
    assert first == Entrant(name="greedy", agent="greedy", limits=Limits(move=2, memory=256 << 20))
    assert second.command[1:] == (str(tmp_path / "bot.py"), "--fast")
    assert second.limits == Limits(move=0.5, memory=256 << 20)


def test_places() -> None:
    found = places(
        'a = 1\n\n# x\nb.c = [\n  1,\n  {d = 2},\n]\n[e.f]\ng = """\n[h]\n"""\n[[i]]\nj = 1\n[[i]]\n[i.k]\nl = 2\n'
    )
    lines = {named(path): line for path, line in found.items() if path}
    expected = {"a": 1, "b": 4, "b.c": 4, "b.c[1]": 4, "b.c[2]": 4, "b.c[2].d": 4, "e.f": 8, "e.f.g": 9}
    expected |= {"i[1]": 12, "i[1].j": 13, "i[2]": 14, "i[2].k": 15, "i[2].k.l": 16}
    assert lines == expected
    assert line_of(found, ("i", 1, "k", "m")) == 15
    assert line_of(found, ("z",)) == 1
