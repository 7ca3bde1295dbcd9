"""This version reads the files of release 1.0, as `docs/compatibility.md` promises. `tests/stored_files.py` wrote the
files in `tests/data/1.0` at that release. Never write them again.
"""

import json
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

import pytest

import ludoteca
from ludoteca.arena.matches.store import FILE, Store, changes
from ludoteca.arena.matches.tournament import read_tournament
from ludoteca.arena.programs.conversation import check_greeting
from ludoteca.core.record import read_record
from ludoteca.core.value import read_card, read_weights
from tests.server.serving import serve
from tests.stored_files import CARD, CUP, GAMES, WEIGHTS, addresses, bot_lines, exchange

OLD: Final = Path(__file__).parent / "data" / "1.0"
BOT_WORDS: Final = (
    "ludoteca", "game", "parameter", "seat", "players", "time", "position", "played", "legal", "concede", "move", "scores",
    "returns", "end",
)  # fmt: skip
"""The words with which the lines to a bot begin in release 1.0. Bots ignore lines that begin with another word."""
DRAWN: Final = ("scene", "change", "line", "log", "items", "choices", "message", "told", "deed")
"""Fields of frames for pictures and texts. Later versions may draw and say something else."""


def lines_of(name: str) -> list[Any]:
    return [json.loads(line) for line in (OLD / name).read_text(encoding="utf-8").splitlines()]


def from_sql(name: str, to: Path) -> Path:
    """Make the SQLite file whose content was written as SQL."""
    with closing(sqlite3.connect(to)) as database:
        database.executescript((OLD / name).read_text(encoding="utf-8"))
    return to


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_read_replayed_and_written_as_it_was(name: str) -> None:
    record = read_record(OLD / f"{name}.json")
    state = ludoteca.open_record(record)
    assert state.is_terminal()
    assert state.serialize() == record.to_json() == (OLD / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("old", lines_of("positions.jsonl"), ids=lambda old: f"{old['game']}-{len(old['legal'])}")
def test_positions_and_actions_are_read_and_written_as_they_were(old: dict[str, Any]) -> None:
    state = ludoteca.load(old["game"], **GAMES[old["game"]]).state_from_string(old["position"])
    assert str(state) == old["position"]
    assert [state.action_to_string(action) for action in state.legal_actions()] == old["legal"]
    assert [state.string_to_action(text) for text in old["legal"]] == state.legal_actions()
    seat_and_view = state.information_state_string(state.current_player()).split("|")[:2]
    assert seat_and_view == old["view"].split("|")[:2]


def test_a_bot_reads_the_lines_that_it_read() -> None:
    known = [line for line in bot_lines(OLD / "cartas.json") if line.split()[0] in BOT_WORDS]
    assert known == (OLD / "bot.txt").read_text(encoding="utf-8").splitlines()
    check_greeting("ludoteca 1 a bot of release 1.0")


def test_a_tournament_and_its_games_are_read(tmp_path: Path) -> None:
    from_sql("cup.sql", tmp_path / FILE)
    with ExitStack() as stack:
        store = Store(tmp_path, stack)
        about, games = store.about(), [*store.games()]
    assert about
    stored, seed, fingerprints = about
    tournament = read_tournament(OLD / "cup.toml")
    assert changes(tournament, stored, fingerprints) == []
    assert (seed, tournament.opening, tournament.entrants[0].limits.memory) == (7, 2, 512 << 20)
    assert (OLD / "cup.toml").read_text(encoding="utf-8") == CUP
    assert [game.key for game in games] == ["deal 1: dice | greedy", "deal 1: greedy | dice"]
    assert all(ludoteca.open_record(game.record).is_terminal() for game in games)


def test_weights_are_read() -> None:
    assert read_weights(OLD / "weights.npz", len(WEIGHTS))[0].tolist() == WEIGHTS
    assert read_card(OLD / "weights.npz") == CARD


def test_a_dataset_is_read_and_verified() -> None:
    dataset = pytest.importorskip("ludoteca.envs.dataset")
    games, positions = dataset.verify(OLD / "dataset")
    assert (games, positions) == (2, dataset.open_dataset(OLD / "dataset").count_rows())
    assert all(ludoteca.open_record(record).is_terminal() for record in dataset.read_records(OLD / "dataset"))


def covers(now: Any, then: Any) -> bool:
    """Return True if a value of a frame is what it was. There may be new fields."""
    if isinstance(then, dict) and isinstance(now, dict):
        return all(
            name in now and (type(now[name]) is type(old) if name in DRAWN else covers(now[name], old))
            for name, old in then.items()
        )
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(covers, now, then))
    return type(now) is type(then) and now == then


def test_a_room_of_the_database_goes_on_with_the_frames_of_then(tmp_path: Path) -> None:
    about, *old = lines_of("frames.jsonl")
    with serve(from_sql("room.sql", tmp_path / "rooms.sqlite")) as server:
        with server.connect(about["room"]) as client:
            now = [*exchange(client, [each["sent"] for each in old])]
        record = server.http.get(f"/api/rooms/{about['room']}/record").json()
    for then, found in zip(old, now, strict=True):
        received = iter(found["received"])
        assert all(any(covers(frame, known) for frame in received) for known in then["received"]), then["sent"]
    assert record["actions"] == ["aa", "dd", "bb"]


def test_every_address_of_the_api_has_the_fields_that_it_had() -> None:
    now = addresses()
    for address, then in json.loads((OLD / "api.json").read_text(encoding="utf-8")).items():
        assert {*now[address]["takes"]} >= {*then["takes"]}, address
        assert {*now[address]["gives"]} >= {*then["gives"]}, address
