"""`ludoteca bot replay`: the lines that a bot read in a finished game, and the answers of a program to them."""

from pathlib import Path

import pytest

from ludoteca.arena.matches.players import AgentPlayer, LinesPlayer
from ludoteca.arena.matches.referee import play
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.transcripts import Transcript, replay
from ludoteca.arena.programs.conversation import Left
from ludoteca.arena.programs.limits import Limits
from ludoteca.core.formats import Fixture
from ludoteca.core.game import load
from tests.processes import run_here, wait_until

FIRST = str(Path(__file__).parents[2] / "examples/bots/first.sh")
LOGGING = "sh", "-c", 'while read -r line; do echo "$line" >&2; echo "$line"; done | sh "$0"', FIRST


def played_and_read(name: str, opening: int) -> tuple[Played, list[str]]:
    """A game of a program in the first seat against random players, and the lines that the program read."""
    game = load(name, board="4x4") if name == "okupacio" else load(name)
    others = [AgentPlayer("random", game, seat) for seat in range(1, game.num_players())]
    program = LinesPlayer(LOGGING, Limits())
    played = play(game, Fixture("deal 1", tuple("abcd"[: game.num_players()])), [program, *others], b"", opening)
    wait_until(lambda: "end" in program.errors.splitlines())
    program.close()
    assert not any(seat.faults for seat in played.seats)
    return played, program.errors.splitlines()


@pytest.mark.parametrize(("name", "opening"), [("okupacio", 3), ("conclave", 0)])
def test_a_transcript_has_the_lines_that_the_program_read(name: str, opening: int) -> None:
    played, read = played_and_read(name, opening)
    transcript = Transcript(Left(5.0))
    numbers = [answer.number for answer in replay(played.record, 0, transcript, opening)]
    assert transcript.lines == read
    assert numbers[0] > opening


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a match of the first legal move against random ones, without openings."""
    folder = tmp_path_factory.mktemp("match") / "games"
    bots = "--bot", f"first={FIRST}", "--bot", "random"
    run_here("match", "okupacio", "--board", "4x4", "--opening", "0", "--deals", "1", *bots, "--out", str(folder))
    return folder


def test_the_program_of_a_game_gives_the_recorded_answers_again(saved: Path) -> None:
    same = run_here("bot", "replay", str(saved / "000001.json"), "--seat", "1", "--", FIRST)
    assert same.returncode == 0
    assert same.stdout.startswith("move 1: aa in 0.")
    assert "the record has" not in same.stdout
    other = run_here("bot", "replay", str(saved / "000002.json"), "--seat", "1", "--", FIRST)
    assert "; the record has " in other.stdout


def test_a_fault_ends_a_replay_with_the_last_lines(saved: Path) -> None:
    said = run_here(
        "bot", "replay", str(saved / "000001.json"), "--seat", "2", "--", "sh", "-c", "read x; echo no >&2; exit 3"
    )
    assert said.returncode == 1
    assert "> ludoteca 1" in said.stdout
    assert "exit: it ended with exit status 3" in said.stdout
    assert said.stderr.endswith("no\n")


def test_a_game_of_a_tournament_is_replayed_by_its_name(tmp_path: Path) -> None:
    cup = tmp_path / "cup.toml"
    cup.write_text(
        f'game = "okupacio"\ndeals = 1\nopening = 3\nparameters.board = "4x4"\n'
        f'[[entrants]]\nagent = "random"\n[[entrants]]\nname = "first"\ncommand = ["{FIRST}"]\n'
    )
    assert run_here("tournament", str(cup), "--no-page", "--not-isolated").returncode == 0
    game = "--game", "deal 1: first | random"
    said = run_here("bot", "replay", str(tmp_path / "cup"), *game, "--seat", "1", "--", FIRST)
    assert (said.returncode, said.stdout.split(":")[0]) == (0, "move 5")
    assert "the record has" not in said.stdout


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ((".", "--seat", "1"), "is a folder: --game NAME takes a game of its tournament"),
        (("000001.json", "--seat", "3"), "seat: read 3, expected 1 to 2"),
        (("results.csv", "--seat", "1"), "this is not a record"),
        ((".", "--seat", "1", "--game", "deal 9"), "tournament.sqlite"),
    ],
)
def test_what_cannot_be_replayed_is_refused(
    saved: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], part: str
) -> None:
    monkeypatch.chdir(saved)
    said = run_here("bot", "replay", *words)
    assert said.returncode != 0
    assert part in said.stderr
