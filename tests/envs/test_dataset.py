"""Datasets: what is written is what was played, it comes back as it was, and what does not fit is refused in a sentence."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import ludoteca
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.store import Store
from ludoteca.core.extras import install_command
from ludoteca.core.game import Game
from ludoteca.core.record import Record
from ludoteca.envs import dataset
from ludoteca.envs.dataset.about import KEY
from ludoteca.envs.dataset.columns import COLUMNS
from ludoteca.envs.dataset.workers import Job, in_order
from tests.processes import PATIENCE, run_here, workers_of_this_process

SMALL: dict[str, dict[str, Any]] = {
    "okupacio": {"board": "4x4"},
    "conclave": {},
    "cartas": {},
    "qinto": {"rounds": 1},
    "metro": {"side": 4},
}
"""Parameters with which games are short."""


def everything(game: Game) -> tuple[str, ...]:
    """All columns that a game has without a search."""
    return tuple(column.name for column in COLUMNS if not column.searched and column.needs(game))


def small(name: str) -> Game:
    return ludoteca.load(name, **SMALL[name])


def written(plan: dataset.Plan, file: Path, games: int = 2) -> dataset.Dataset:
    dataset.make(plan, file, games=games, processes=1)
    return dataset.open_dataset(file)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with datasets that tests only read."""
    folder = tmp_path_factory.mktemp("datasets")
    written(dataset.Plan(small("okupacio"), search=4, seed=3), folder / "okupacio.parquet", 2)
    written(dataset.Plan(small("conclave"), seed=3), folder / "conclave.parquet")
    return folder


@pytest.mark.parametrize("name", list(SMALL))
def test_rows_are_what_each_mover_knew(name: str, tmp_path: Path) -> None:
    game = small(name)
    data = written(dataset.Plan(game, seed=1, columns=everything(game)), tmp_path / "file.parquet", 1)
    (batch,) = data.batches(1000)
    (record,) = data.records()
    end = game.replay(record)
    state = game.state_at(record.start)
    for row, action in enumerate(end.history()):
        player = state.current_player()
        assert (batch["game"][row], batch["ply"][row], batch["player"][row]) == (0, row, player)
        assert batch["view"][row].tobytes() == state.view(player).tobytes()
        assert batch["secret_position"][row].tobytes() == state.position.tobytes()
        assert batch["secret_text"][row] == str(state)
        seen = ",".join(map(str, batch["seen"][row]))
        assert f"{player}|{batch['view_text'][row]}|{seen}" == state.information_state_string(player)
        assert batch["legal"][row].tolist() == state.legal_actions()
        assert batch["action"][row] == action
        assert batch["returns"][row].tolist() == np.array(end.returns(), np.float32).tolist()
        assert batch["number"][row] == state.encode_action(action)
        assert batch["legal_numbers"][row].tolist() == [state.encode_action(legal) for legal in state.legal_actions()]
        observed = state.observation(player)
        for part in ("planes", "numbers"):
            there: np.ndarray[Any, Any] = getattr(observed, part)
            assert (batch[f"observed_{part}"][row] == there).all() if there.size else f"observed_{part}" not in batch
        state.apply_action(action)
    assert len(data) == len(end.history()) == data.verify()


@pytest.mark.parametrize("name", ["conclave", "cartas", "metro", "qinto"])
def test_what_other_seats_hide_changes_only_columns_that_say_so(name: str, tmp_path: Path) -> None:
    """Two games that differ only in what the first mover cannot know have the same first row, but for the secret columns."""
    game = small(name)
    state = game.new_initial_state(5)
    mover = state.current_player()
    other = state.resample_from_infostate(mover, ludoteca.new_rng(1))
    assert state != other
    action = state.legal_actions()[0]
    first_rows = []
    for number, start in enumerate((state, other)):
        begun = game.state_from_string(str(start))
        begun.apply_action(action)
        file = tmp_path / f"{number}.parquet"
        dataset.convert(dataset.Plan(game, columns=everything(game)), [begun.to_record()], file, processes=1)
        first_rows.append(pa.parquet.read_table(file).to_pylist()[0])
    differing = {name for name in first_rows[0] if first_rows[0][name] != first_rows[1][name]}
    assert differing - {"returns"} == {
        "secret_position",
        "secret_text",
    }  # how it ends is told, and may hang on what is hidden


def test_secrets_are_left_out_where_there_are_none(shared: Path) -> None:
    names = dataset.open_dataset(shared / "okupacio.parquet").columns
    assert not [name for name in names if name.startswith("secret_")]
    assert "secret_position" in dataset.open_dataset(shared / "conclave.parquet").columns


def test_a_search_tells_of_every_legal_action(shared: Path) -> None:
    data = dataset.open_dataset(shared / "okupacio.parquet")
    for batch in data.batches(7):
        for row in range(len(batch["ply"])):
            visits, values = batch["visits"][row], batch["values"][row]
            assert len(visits) == len(values) == len(batch["solved"][row]) == len(batch["legal"][row])
            assert 0 < batch["simulations"][row] <= 4
            assert visits.sum() == batch["simulations"][row]
            assert (np.isnan(values) == (visits == 0)).all()
            assert batch["search_returns"][row].sum() == pytest.approx(1)
            played = batch["legal"][row].tolist().index(batch["action"][row])
            assert visits[played] > 0


def test_a_position_is_searched_from_scratch(tmp_path: Path, shared: Path) -> None:
    """Its findings depend on no other position: the first of each game is searched alike in a file of its own."""
    data = dataset.open_dataset(shared / "okupacio.parquet")
    plan = dataset.Plan(small("okupacio"), search=4, seed=3)
    dataset.convert(plan, list(data.records()), tmp_path / "again.parquet", processes=1)
    again = dataset.open_dataset(tmp_path / "again.parquet")
    for one, other in zip(data.batches(), again.batches(), strict=True):
        assert one["visits"].values.tolist() == other["visits"].values.tolist()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    plan = dataset.Plan(small("okupacio"), search=4, seed=9)
    for name, processes in (("one", 1), ("two", 2)):
        made = dataset.make(plan, tmp_path / f"{name}.parquet", positions=40, processes=processes)
        assert made.positions >= 40
    for suffix in ("parquet", "games.parquet"):
        one, two = (tmp_path / f"{name}.{suffix}" for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    other = written(dataset.Plan(small("okupacio"), search=4, seed=10), tmp_path / "other.parquet")
    assert next(other.records()) != next(dataset.open_dataset(tmp_path / "one.parquet").records())


@pytest.mark.soak
@pytest.mark.parametrize("name", list(SMALL))
def test_many_positions_of_every_game(name: str, tmp_path: Path) -> None:
    """Compiled, searched, in one process and in three: the same files, and every row as interpreted rules have it."""
    game = ludoteca.load(name, compiled=True)
    plan = dataset.Plan(game, search=60, seed=5)
    for processes in (1, 3):
        dataset.make(plan, tmp_path / f"{processes}.parquet", positions=600, processes=processes)
    for suffix in ("parquet", "games.parquet"):
        assert (tmp_path / f"1.{suffix}").read_bytes() == (tmp_path / f"3.{suffix}").read_bytes()
    data = dataset.open_dataset(tmp_path / "1.parquet")
    assert data.verify() == len(data) >= 600
    dataset.convert(plan, list(data.records()), tmp_path / "again.parquet")
    again = dataset.open_dataset(tmp_path / "again.parquet")
    assert list(again.records()) == list(data.records())
    for one, other in zip(data.batches(), again.batches(), strict=True):
        for column in ("visits", "values", "solved"):
            assert np.array_equal(one[column].values, other[column].values, equal_nan=True)
        for row in range(len(one["ply"])):
            assert one["visits"][row].sum() == one["simulations"][row] <= 60


@pytest.mark.slow
def test_a_process_that_ends_costs_no_game() -> None:
    plan = dataset.Plan(small("okupacio"))
    games = in_order(plan, (Job(number) for number in range(60)), 2)
    made = [next(games)]
    os.kill(workers_of_this_process()[-1], signal.SIGKILL)
    made += games
    assert [game.record for game in made] == [game.record for game in in_order(plan, map(Job, range(60)), 1)]


def test_positions_can_be_played_on(shared: Path) -> None:
    data = dataset.open_dataset(shared / "conclave.parquet")
    batch = next(data.batches(10, ["secret_position", "action"]))
    game = data.game
    for row in range(9):
        position = game.state_from_string(game.notation.position_to_string(batch["secret_position"][row]))
        game.rules.apply(batch["secret_position"][row], int(batch["action"][row]))
        position.apply_action(int(batch["action"][row]))
        assert str(position) == game.notation.position_to_string(batch["secret_position"][row + 1])


def test_the_page_reads_as_it_says(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs/dataset.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(shared)
    names: dict[str, Any] = {}
    exec(code, names)
    assert len(names["records"]) == 2
    assert names["boards"].shape == (len(names["data"]), 702)
    assert names["visits"].shape[1] <= 17  # 16 cells, and giving up
    assert names["ends"].shape[1] == 2


def test_every_column_is_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs/dataset.md").read_text(encoding="utf-8")
    listed = [name for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall(r"`(.*?)`", row)]
    assert {column.name for column in COLUMNS} <= set(listed)


def test_records_come_back_byte_for_byte(tmp_path: Path, shared: Path) -> None:
    folder = tmp_path / "records"
    run_here("dataset", "records", str(shared / "conclave.parquet"), str(folder))
    originals = sorted(folder.iterdir())
    unfinished = ludoteca.load("conclave").new_initial_state(2**255)
    unfinished.apply_action(unfinished.legal_actions()[0])
    (folder / "unfinished.json").write_text(unfinished.serialize(), encoding="utf-8")
    printed = run_here("dataset", "from", str(folder), "-o", str(tmp_path / "again.parquet"), "--processes", "1")
    assert printed.returncode == 0, printed.stderr
    again = tmp_path / "again"
    printed = run_here("dataset", "records", str(tmp_path / "again.parquet"), str(again))
    assert printed.stdout == f"{again}: {len(originals) + 1} records\n"
    assert [file.read_bytes() for file in sorted(again.iterdir())] == [
        file.read_bytes() for file in sorted(folder.iterdir())
    ]
    last = list(dataset.open_dataset(tmp_path / "again.parquet").batches())[-1]
    assert np.isnan(last["returns"][-1]).all()
    assert not np.isnan(last["returns"][0]).any()


def test_the_games_of_a_tournament(tmp_path: Path) -> None:
    state = small("okupacio").new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    played = Played(key="a-b", deal="1", record=state.to_record(), seats=[], seconds=0.0)
    with ExitStack() as stack:
        Store(tmp_path / "cup", stack).add(played)
    file = tmp_path / "cup.parquet"
    printed = run_here("dataset", "from", str(tmp_path / "cup"), "-o", str(file), "--processes", "1")
    assert printed.returncode == 0, printed.stderr
    assert list(dataset.open_dataset(file).records()) == [state.to_record()]


def test_make_show_verify(tmp_path: Path) -> None:
    file = tmp_path / "metro.parquet"
    printed = run_here(
        "dataset", "make", "metro", "--side", "4", "--games", "2", "--seed", "1", "--processes", "1", "-o", str(file)
    )
    assert printed.stdout.startswith(f"{file}: ")
    assert printed.stdout.endswith("; metro.parquet.md says how they were made\n")
    shown = run_here("dataset", "show", str(file)).stdout
    card = file.with_name("metro.parquet.md").read_text(encoding="utf-8")
    command = "ludoteca dataset make metro --players 1 --side 4 --tiles endless --rotate no --games 2 --play random --seed 1"
    for text in (command, "UTC", "not stated", "version 1 of its rules", "secret_position"):
        assert text in shown
        assert text in card
    assert pa.parquet.read_schema(file).field("legal").metadata[b"meaning"] == b"the legal actions, ascending"
    assert run_here("dataset", "verify", str(file)).stdout.endswith("as the rules have them\n")


# what is refused


def refused(*arguments: Any) -> str:
    """What the command says, in one line, before it ends with status 1."""
    result = run_here("dataset", *map(str, arguments))
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("ludoteca: ").removesuffix("\n")


def test_what_cannot_be_made(tmp_path: Path) -> None:
    make = ("make", "okupacio", "--board", "4x4", "--processes", "1", "-o")
    file = tmp_path / "file.parquet"
    assert refused(*make, tmp_path / "file.csv", "--games", "1").endswith("a name that ends in .parquet, .arrow or .feather")
    assert refused(*make, file).startswith("how many: read nothing, expected a number of games or of positions")
    assert refused(*make, file, "--games", 1, "--positions", 1).startswith("how many: read 1 games and 1 positions")
    assert refused(*make, file, "--games", 1, "--columns", "view,sight").startswith(
        "column: read 'sight', expected one of game"
    )
    assert "no search was asked for" in refused(*make, file, "--games", "1", "--columns", "visits")
    assert "visits goes by a search" in refused(*make, file, "--games", "1", "--play", "visits")
    for timed in ("1s", "1cpu"):
        assert "thinks for a time" in refused(*make, file, "--games", "1", "--play", timed)
    assert "read 'nobody'" in refused(*make, file, "--games", "1", "--play", "nobody")
    nowhere = tmp_path / "nowhere" / "file.parquet"
    assert refused(*make, nowhere, "--games", "1") == f"{nowhere}: No such file or directory"
    assert not list(tmp_path.iterdir())
    file.touch()
    assert refused(*make, file, "--games", "1").endswith("there is such a file already, and nothing is written over")
    assert list(tmp_path.iterdir()) == [file]


def test_what_cannot_be_converted(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(small("okupacio").new_initial_state(1).serialize(), encoding="utf-8")
    other.write_text(ludoteca.load("okupacio", board="5x5").new_initial_state(1).serialize(), encoding="utf-8")
    file = tmp_path / "file.parquet"
    assert refused("from", tmp_path / "empty", "-o", file).endswith(
        "there are no records: expected files that end in .json, or a tournament"
    )
    assert refused("from", one, other, "-o", file).startswith(f"{other}: the record is of okupacio with ")
    sealed = json.loads(one.read_text(encoding="utf-8"))
    wrong = msgspec_record(sealed | {"actions": ["zz"]})
    other.write_text(wrong.to_json(), encoding="utf-8")
    assert refused("from", one, other, "-o", file, "--processes", "1").startswith(f"{other}: action 1 of 1, 'zz': ")
    assert not [path for path in tmp_path.iterdir() if path.name not in ("empty", "one.json", "other.json")]
    with pytest.raises(dataset.DatasetError, match="there are no records"):
        dataset.convert(dataset.Plan(small("okupacio")), [], file)


def msgspec_record(content: dict[str, Any]) -> Record:
    import msgspec

    return msgspec.convert(content, Record).sealed()


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file can grow beyond 1000 bytes, as if the disk were full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_files")
def test_a_disk_that_is_full_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file.parquet"
    with pytest.raises(dataset.DatasetError, match=f"{file}: File too large"):
        dataset.make(dataset.Plan(small("okupacio")), file, games=1, processes=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_an_interruption_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludoteca", "dataset", "make", "okupacio", "--games", "490"]
    with subprocess.Popen([*command, "-o", str(tmp_path / "file.parquet")]) as process:
        while not list(tmp_path.iterdir()):
            assert process.poll() is None
            time.sleep(0.01)  # between two looks
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 128 + signal.SIGINT
    assert not list(tmp_path.iterdir())


def test_damaged_files(tmp_path: Path, shared: Path) -> None:
    content = (shared / "conclave.parquet").read_bytes()
    path = tmp_path / "conclave.parquet"
    for damaged in (b"", b"hello", content[: len(content) // 2], content[100:], content[:-20] + bytes(20)):
        path.write_bytes(damaged)
        with pytest.raises(dataset.DatasetError, match=f"{path}: "):
            list(dataset.open_dataset(path).batches())
    with pytest.raises(dataset.DatasetError, match="No such file"):
        dataset.open_dataset(tmp_path / "nothing.parquet")


def test_a_flipped_bit_is_found(tmp_path: Path, shared: Path) -> None:
    content = bytearray((shared / "conclave.parquet").read_bytes())
    content[len(content) // 3] ^= 1
    path = tmp_path / "conclave.parquet"
    path.write_bytes(content)
    with pytest.raises(dataset.DatasetError, match="the file is damaged"):
        list(dataset.open_dataset(path).batches())


def changed(file: Path, to: Path, **about: Any) -> Path:
    """A copy of a table with other metadata."""
    table = pa.parquet.read_table(file)
    said = json.loads(table.schema.metadata[KEY]) | about
    pa.parquet.write_table(table.replace_schema_metadata({KEY: json.dumps(said)}), to)
    return to


def test_files_of_other_versions(tmp_path: Path, shared: Path) -> None:
    file = shared / "conclave.parquet"
    newer = changed(file, tmp_path / "newer.parquet", version=2)
    assert refused("show", newer).endswith("reads versions up to 1: it was written by a newer one")
    other = changed(file, tmp_path / "other.parquet", rules=2)
    with pytest.raises(dataset.DatasetError, match="with version 2 of the rules of conclave, and this one has version 1"):
        next(dataset.open_dataset(other).batches())
    unknown = changed(file, tmp_path / "unknown.parquet", game="chess")
    with pytest.raises(ludoteca.LudotecaError, match="chess"):
        next(dataset.open_dataset(unknown).batches())
    pa.parquet.write_table(pa.table({"a": [1]}), tmp_path / "plain.parquet")
    assert "this is no dataset of Ludoteca" in refused("show", tmp_path / "plain.parquet")
    broken = changed(file, tmp_path / "broken.parquet", layout=5)
    assert "this is no well-formed dataset" in refused("show", broken)


def test_tables_that_do_not_belong_together(tmp_path: Path, shared: Path) -> None:
    assert "this is the table of games" in refused("show", shared / "conclave.games.parquet")
    for file, name in (("conclave.parquet", "a.parquet"), ("okupacio.games.parquet", "a.games.parquet")):
        (tmp_path / name).write_bytes((shared / file).read_bytes())
    assert "the games of another dataset" in refused("verify", tmp_path / "a.parquet")


def test_verify_finds_a_row_that_lies(tmp_path: Path, shared: Path) -> None:
    table = pa.parquet.read_table(shared / "conclave.parquet")
    at = table.schema.get_field_index("action")
    lies = pa.array([table["action"][0].as_py() + 1, *table["action"].to_pylist()[1:]], pa.int64())
    pa.parquet.write_table(table.set_column(at, table.schema.field(at), lies), tmp_path / "a.parquet")
    (tmp_path / "a.games.parquet").write_bytes((shared / "conclave.games.parquet").read_bytes())
    assert refused("verify", tmp_path / "a.parquet").endswith("game 0: the column action is not as the rules have it")


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("action", [None]),
        ("view", [None]),
        ("view_text", [None]),
        ("legal", [None]),
        ("legal", [[None]]),
        ("returns", [[0.0, 1.0, 0.0]]),
        ("returns", [[0.0, None]]),
    ],
)
def test_rows_without_what_every_row_has(column: str, values: list[Any], tmp_path: Path, shared: Path) -> None:
    table = pa.parquet.read_table(shared / "conclave.parquet")
    at = table.schema.get_field_index(column)
    holes = pa.array([*values, *table[column].to_pylist()[1:]], table.schema.field(at).type)
    pa.parquet.write_table(table.set_column(at, table.schema.field(at), holes), tmp_path / "a.parquet")
    with pytest.raises(dataset.DatasetError, match=f"a.parquet: the column {column} lacks values"):
        list(dataset.open_dataset(tmp_path / "a.parquet").batches())


def test_without_pyarrow_the_extra_is_named(tmp_path: Path) -> None:
    code = "import sys; sys.modules['pyarrow'] = None; import ludoteca.envs.dataset"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stderr.splitlines()[-1].endswith(f"this needs pyarrow. To install it, run: {install_command('dataset')}")
