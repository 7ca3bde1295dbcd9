"""Datasets: rows agree with the games that were played, and errors are refused in one line."""

import json
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import ludoteca
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.store import Store
from ludoteca.core.game import Game
from ludoteca.core.record import Player, Record
from ludoteca.envs import dataset
from ludoteca.envs.dataset import writing
from ludoteca.envs.dataset.columns import columns_of
from tests.processes import PATIENCE, run_here

SMALL: dict[str, dict[str, Any]] = {
    "okupacio": {"board": "4x4"}, "conclave": {}, "cartas": {}, "qinto": {"rounds": 1}, "metro": {"side": 4},
}  # fmt: skip
"""Parameters with which games are short."""


def everything(game: Game) -> tuple[str, ...]:
    """All columns that a game has without a search."""
    return tuple(column.name for column in columns_of(game) if not column.searched)


def small(name: str) -> Game:
    return ludoteca.load(name, **SMALL[name])


def written(recipe: dataset.Recipe, folder: Path, games: int = 2) -> Path:
    dataset.make(recipe, folder, games=games, processes=1)
    return folder


def table_of(folder: Path) -> Any:
    return dataset.open_dataset(folder).to_table()


def rewritten(folder: Path, table: str, change: Callable[[Any], Any], to: Path) -> Path:
    """A copy of a dataset with a changed table."""
    shutil.copytree(folder, to)
    file = to / table / "00000.parquet"
    pa.parquet.write_table(change(pa.parquet.read_table(file)), file)
    return to


def with_first(name: str, value: Any) -> Callable[[Any], Any]:
    """A change of a table: another value in a column's first row."""

    def change(table: Any) -> Any:
        at = table.schema.get_field_index(name)
        values = pa.array([value, *table[name].to_pylist()[1:]], table.schema.field(at).type)
        return table.set_column(at, table.schema.field(at), values)

    return change


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with datasets that tests only read."""
    folder = tmp_path_factory.mktemp("datasets")
    written(dataset.Recipe(small("okupacio"), search=4, seed=3), folder / "okupacio", 2)
    written(dataset.Recipe(small("conclave"), seed=3), folder / "conclave")
    return folder


@pytest.mark.parametrize("name", ["okupacio", "conclave", "qinto"])
def test_rows_are_what_each_mover_knew(name: str, tmp_path: Path) -> None:
    game = small(name)
    folder = written(dataset.Recipe(game, seed=1, columns=everything(game)), tmp_path / "data", 1)
    (record,) = dataset.read_records(folder)
    end = game.replay(record)
    state = game.state_at(record.start)
    table = table_of(folder)
    arrays = dataset.to_numpy(table, game)
    for row, there in enumerate(table.to_pylist()):
        player, action = state.current_player(), end.history()[row]
        assert (there["game"], there["ply"], there["player"]) == (0, row, player)
        assert arrays["view"][row].tobytes() == there["view"] == state.view(player).tobytes()
        assert arrays["secret_position"][row].tobytes() == there["secret_position"] == state.position.tobytes()
        assert there["secret_text"] == str(state)
        seen = ",".join(map(str, there["seen"]))
        assert f"{player}|{there['view_text']}|{seen}" == state.information_state_string(player)
        assert there["legal"] == state.legal_actions()
        assert there["action"] == action
        assert arrays["returns"][row].tolist() == there["returns"] == np.array(end.returns(), np.float32).tolist()
        assert arrays["number"][row] == there["number"] == state.encode_action(action)
        assert there["legal_numbers"] == [state.encode_action(legal) for legal in state.legal_actions()]
        observed = state.observation(player)
        for part in ("planes", "numbers"):
            expected: np.ndarray[Any, Any] = getattr(observed, part)
            name = f"observed_{part}"
            assert np.array_equal(arrays[name][row], expected) if expected.size else name not in arrays
        state.apply_action(action)
    assert dataset.verify(folder) == (1, len(end.history())) == (1, table.num_rows)


@pytest.mark.parametrize("name", ["conclave", "qinto"])
def test_what_other_seats_hide_changes_only_columns_that_say_so(name: str, tmp_path: Path) -> None:
    """Two games that differ only in hidden cards have the same first row, except the secret columns."""
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
        folder = tmp_path / str(number)
        dataset.convert(dataset.Recipe(game, columns=everything(game)), {"one": begun.to_record()}, folder, processes=1)
        first_rows.append(table_of(folder).to_pylist()[0])
    differing = {name for name in first_rows[0] if first_rows[0][name] != first_rows[1][name]}
    assert differing - {"returns"} == {"secret_position", "secret_text"}  # the returns may depend on hidden information


def test_secrets_are_left_out_where_there_are_none(shared: Path) -> None:
    assert "secret" not in " ".join(dataset.open_dataset(shared / "okupacio").schema.names)
    assert "secret_position" in dataset.open_dataset(shared / "conclave").schema.names


def test_a_search_has_findings_for_every_legal_action(shared: Path) -> None:
    for row in table_of(shared / "okupacio").to_pylist():
        visits, values = row["visits"], row["values"]
        assert len(visits) == len(values) == len(row["solved"]) == len(row["legal"])
        assert 0 < row["simulations"] == sum(visits) <= 4
        assert (np.isnan(values) == (np.array(visits) == 0)).all()
        assert sum(row["search_returns"]) == pytest.approx(1)
        assert visits[row["legal"].index(row["action"])] > 0


def test_a_position_is_searched_from_scratch(tmp_path: Path, shared: Path) -> None:
    """Its findings depend on no other position: a replayed game has the same findings."""
    records = {str(number): record for number, record in enumerate(dataset.read_records(shared / "okupacio"))}
    recipe = dataset.Recipe(small("okupacio"), search=4, seed=3)
    dataset.convert(recipe, records, tmp_path / "again", processes=1)
    assert table_of(tmp_path / "again")["visits"] == table_of(shared / "okupacio")["visits"]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of processes. Each file has one group of rows, of whole games."""
    monkeypatch.setattr(writing, "SHARD_BYTES", 10_000)
    recipe = dataset.Recipe(small("okupacio"), search=4, seed=9)
    for name, processes in (("one", 1), ("two", 2)):
        made = dataset.make(recipe, tmp_path / name, positions=40, processes=processes)
        assert made.positions >= 40
    files = sorted((tmp_path / "one").rglob("*.parquet"))
    assert len(files) > 3
    for file in files:
        assert file.read_bytes() == (tmp_path / "two" / file.relative_to(tmp_path / "one")).read_bytes()
        assert pa.parquet.ParquetFile(file).num_row_groups == 1
    games = [set(shard.to_table()["game"].to_pylist()) for shard in dataset.open_dataset(tmp_path / "one").get_fragments()]
    assert sum(map(len, games)) == len(set().union(*games)) == made.games
    assert dataset.verify(tmp_path / "one") == (made.games, made.positions)
    other = written(dataset.Recipe(small("okupacio"), search=4, seed=10), tmp_path / "other")
    assert next(dataset.read_records(other)) != next(dataset.read_records(tmp_path / "one"))


@pytest.mark.soak
@pytest.mark.parametrize("name", list(SMALL))
def test_many_positions_of_every_game(name: str, tmp_path: Path) -> None:
    """Compiled, searched, in one process and in three: the same files, and every row as interpreted rules have it."""
    game = ludoteca.load(name, compiled=True)
    recipe = dataset.Recipe(game, search=60, seed=5)
    for processes in (1, 3):
        dataset.make(recipe, tmp_path / str(processes), positions=600, processes=processes)
    for file in (tmp_path / "1").rglob("*.parquet"):
        assert file.read_bytes() == (tmp_path / "3" / file.relative_to(tmp_path / "1")).read_bytes()
    table = table_of(tmp_path / "1")
    assert dataset.verify(tmp_path / "1")[1] == len(table) >= 600
    records = {str(number): record for number, record in enumerate(dataset.read_records(tmp_path / "1"))}
    dataset.convert(recipe, records, tmp_path / "again")
    assert list(dataset.read_records(tmp_path / "again")) == list(records.values())
    again = table_of(tmp_path / "again")
    for column in ("visits", "values", "solved"):
        assert repr(again[column].to_pylist()) == repr(table[column].to_pylist())
    assert [sum(visits) for visits in table["visits"].to_pylist()] == table["simulations"].to_pylist()
    assert max(table["simulations"].to_pylist()) <= 60


def test_positions_can_be_played_on(shared: Path) -> None:
    data = dataset.open_dataset(shared / "conclave")
    game = dataset.game_of(data)
    batch = dataset.to_numpy(data.head(10, columns=["secret_position", "action"]), game)
    for row in range(9):
        position = game.state_from_string(game.notation.position_to_string(batch["secret_position"][row]))
        game.rules.apply(batch["secret_position"][row], int(batch["action"][row]))
        position.apply_action(int(batch["action"][row]))
        assert str(position) == game.notation.position_to_string(batch["secret_position"][row + 1])


def test_parts_of_batches_become_arrays(shared: Path) -> None:
    """Of slices, of rows in another order, of no rows, and of the types that Polars gives to the columns."""
    data = dataset.open_dataset(shared / "conclave")
    game, table = dataset.game_of(data), data.to_table()
    whole = dataset.to_numpy(table, game)
    assert set(whole) == {"game", "ply", "player", "view", "action", "number", "returns", "secret_position"}
    polars = table.set_column(3, "view", table["view"].cast(pa.large_binary()))
    for part, rows in (
        (table.slice(5, 4), range(5, 9)),
        (table.take([7, 2]), [7, 2]),
        (table.slice(0, 0), []),
        (table.to_batches()[0].slice(3, 2), [3, 4]),
        (polars, range(len(table))),
    ):
        for name, array in dataset.to_numpy(part, game).items():
            assert array.tobytes() == whole[name][list(rows)].tobytes()
            assert array.shape == (len(rows), *whole[name].shape[1:])


@pytest.mark.slow
def test_the_page_reads_and_writes_as_it_says(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs/dataset.md").read_text(encoding="utf-8")
    shutil.copytree(shared / "okupacio", tmp_path / "okupacio")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(code, names)
    assert len(names["records"]) == 2
    assert names["boards"].shape == (names["data"].count_rows(), 702)
    assert names["policy"].sum(axis=1) == pytest.approx(1)
    assert names["ends"].shape[1] == 2
    assert list(dataset.read_records("converted")) == names["records"][:1]


def test_every_column_is_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs/dataset.md").read_text(encoding="utf-8")
    listed = [name for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall(r"`(.*?)`", row)]
    assert {column.name for name in SMALL for column in columns_of(small(name))} <= set(listed)


def test_records_come_back_byte_for_byte(tmp_path: Path, shared: Path) -> None:
    folder = tmp_path / "records"
    run_here("dataset", "records", str(shared / "conclave"), "--out", str(folder))
    unfinished = ludoteca.load("conclave").new_initial_state(2**255)
    unfinished.apply_action(unfinished.legal_actions()[0])
    record = msgspec.structs.replace(unfinished.to_record(), players=(Player("Ada"), Player(agent="greedy"))).sealed()
    (folder / "unfinished.json").write_text(record.to_json(), encoding="utf-8")
    printed = run_here("dataset", "from", str(folder), "-o", str(tmp_path / "data"), "--processes", "1")
    assert printed.returncode == 0, printed.stderr
    again = tmp_path / "again"
    printed = run_here("dataset", "records", str(tmp_path / "data"), "--out", str(again))
    assert printed.stdout == f"{again}: 3 records\n"
    assert [file.read_bytes() for file in sorted(again.iterdir())] == [
        file.read_bytes() for file in sorted(folder.iterdir())
    ]
    table = table_of(tmp_path / "data")
    assert table["returns"].null_count == 1
    returns = dataset.to_numpy(table, small("conclave"))["returns"]
    assert np.isnan(returns[-1]).all()
    assert not np.isnan(returns[:-1]).any()
    assert dataset.verify(tmp_path / "data")[0] == 3
    assert "is not empty" in refused("records", tmp_path / "data", "--out", again)


def test_the_games_of_a_tournament(tmp_path: Path) -> None:
    state = small("okupacio").new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    played = Played(key="a-b", deal="1", record=state.to_record(), seats=[], seconds=0.0)
    with ExitStack() as stack:
        Store(tmp_path / "cup", stack).add(played)
    folder = tmp_path / "data"
    printed = run_here("dataset", "from", str(tmp_path / "cup"), "-o", str(folder), "--processes", "1")
    assert printed.returncode == 0, printed.stderr
    assert list(dataset.read_records(folder)) == [state.to_record()]


def test_make_show_verify(tmp_path: Path) -> None:
    folder = tmp_path / "metro"
    printed = run_here(
        "dataset", "make", "metro", "--side", "4", "--games", "2", "--seed", "1", "--processes", "1", "-o", str(folder)
    )
    assert printed.stdout.startswith(f"{folder}: ")
    assert printed.stdout.endswith(" README.md says how they were made\n")
    shown = run_here("dataset", "show", str(folder)).stdout
    facts = ("| rules | 1 |", "| play | random |", "| seed | 1 |", "| search | none |", "| games | 2 |", "UTC")
    for text in (*facts, "`secret_position`", "`secret_record`"):
        assert text in shown
    assert shown == (folder / "README.md").read_text(encoding="utf-8")
    schema = pa.parquet.read_schema(folder / "positions" / "00000.parquet")
    assert schema.field("legal").metadata[b"meaning"] == b"the legal actions, sorted"
    assert run_here("dataset", "verify", str(folder)).stdout.endswith("as the rules have them\n")


def refused(*arguments: Any) -> str:
    """Return the error message, one line, of a command that fails or refuses a wrong value."""
    result = run_here("dataset", *map(str, arguments))
    assert result.returncode in (1, 2)
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("ludoteca: ").removesuffix("\n")


def test_what_cannot_be_made(tmp_path: Path) -> None:
    make = ("make", "okupacio", "--board", "4x4", "--processes", "1", "-o")
    folder = tmp_path / "data"
    assert refused(*make, folder) == "how many: expected a number of games or of positions, from 1"
    assert refused(*make, folder, "--games", 1, "--positions", 1).startswith("how many: expected a number")
    assert refused(*make, folder, "--games", 1, "--columns", "view,sight").startswith(
        "column: read 'sight', expected one of game"
    )
    assert "no search was asked for" in refused(*make, folder, "--games", "1", "--columns", "visits")
    assert "visits needs a search" in refused(*make, folder, "--games", "1", "--play", "visits")
    assert "thinks for a time" in refused(*make, folder, "--games", "1", "--play", "1cpu")
    assert "read 'nobody'" in refused(*make, folder, "--games", "1", "--play", "nobody")
    nowhere = tmp_path / "nowhere" / "data"
    assert refused(*make, nowhere, "--games", "1") == f"{nowhere}: No such file or directory"
    assert not list(tmp_path.iterdir())
    folder.mkdir()
    assert refused(*make, folder, "--games", "1").endswith("it exists already, and nothing is written over")
    assert list(tmp_path.rglob("*")) == [folder]


def test_what_cannot_be_converted(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(small("okupacio").new_initial_state(1).serialize(), encoding="utf-8")
    other.write_text(ludoteca.load("okupacio", board="5x5").new_initial_state(1).serialize(), encoding="utf-8")
    folder = tmp_path / "data"
    assert refused("from", tmp_path / "empty", "-o", folder).endswith(
        "there are no records: expected files that end in .json, or a tournament"
    )
    assert refused("from", one, other, "-o", folder).startswith(f"{other}: the record is of okupacio with ")
    sealed = json.loads(one.read_text(encoding="utf-8"))
    wrong = msgspec.convert(sealed | {"actions": ["zz"]}, Record).sealed()
    other.write_text(wrong.to_json(), encoding="utf-8")
    assert refused("from", one, other, "-o", folder, "--processes", "1").startswith(f"{other}: action 1 of 1, 'zz': ")
    assert not [path for path in tmp_path.iterdir() if path.name not in ("empty", "one.json", "other.json")]
    with pytest.raises(dataset.DatasetError, match="there are no records"):
        dataset.convert(dataset.Recipe(small("okupacio")), {}, folder)


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file can grow beyond 1000 bytes, as if the disk were full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_files")
def test_a_disk_that_is_full_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with pytest.raises(dataset.DatasetError, match=f"{folder}: File too large"):
        dataset.make(dataset.Recipe(small("okupacio")), folder, games=1, processes=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_an_interruption_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ludoteca", "dataset", "make", "okupacio", "--games", "490"]
    with subprocess.Popen([*command, "-o", str(tmp_path / "data")]) as process:
        while not list(tmp_path.glob("*/*")):
            assert process.poll() is None
            time.sleep(0.01)  # between two looks
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 128 + signal.SIGINT
    assert not list(tmp_path.iterdir())


def test_damaged_files(tmp_path: Path, shared: Path) -> None:
    shutil.copytree(shared / "conclave", tmp_path / "data")
    file = tmp_path / "data" / "positions" / "00000.parquet"
    content = file.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 3] ^= 1
    for damaged in (b"", b"hello", content[: len(content) // 2], content[100:], content[:-20] + bytes(20), flipped):
        file.write_bytes(damaged)
        with pytest.raises(dataset.DatasetError, match=str(tmp_path / "data")):
            dataset.verify(tmp_path / "data")
    file.unlink()
    assert "positions: this is no dataset of Ludoteca" in refused("show", tmp_path / "data")
    for path in (tmp_path, file.parents[1] / "README.md"):
        assert refused("show", path).endswith("positions: expected a folder with Parquet files")


def described(**changes: str) -> Callable[[Any], Any]:
    """A change of a table: other facts in its metadata."""

    def change(table: Any) -> Any:
        return table.replace_schema_metadata(table.schema.metadata | {name.encode(): text for name, text in changes.items()})

    return change


def test_datasets_of_other_versions(tmp_path: Path, shared: Path) -> None:
    changes = (
        (described(parameters="5"), "the metadata have no parameters of a game"),
        (described(layout="[]", features="null"), "with other layout and features than here"),
        (lambda table: table.replace_schema_metadata({}), "this is no dataset of Ludoteca"),
        (described(rules="2"), "with other rules than here: only the records can be read"),
        (described(game="chess"), "chess"),
    )
    for number, (change, message) in enumerate(changes):
        folder = rewritten(shared / "conclave", "positions", change, tmp_path / str(number))
        assert message in refused("verify", folder)


def other_record(table: Any) -> Any:
    """A change of the table of games: the second game has the record of the first one."""
    records = table["secret_record"].to_pylist()
    return table.set_column(3, table.schema.field(3), pa.array([records[0], records[0], *records[2:]]))


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        ("positions", with_first("action", 0), "game 0: the column action differs from the replayed game"),
        ("positions", with_first("view", bytes(334)), "game 0: the column view differs from the replayed game"),
        ("positions", with_first("legal", None), "game 0: the column legal differs from the replayed game"),
        ("positions", with_first("returns", [9.0, 9.0]), "game 0: the column returns differs from the replayed game"),
        ("positions", lambda table: table.slice(0, len(table) - 1), "game 1: the column "),
        ("positions", lambda table: pa.concat_tables([table, table.slice(0, 1)]), "there are more positions than"),
        ("positions", lambda table: table.select([1, 0, *range(2, len(table.schema))]), "another order"),
        ("positions", described(seed="9"), "those of another dataset"),
        ("games", lambda table: table.slice(0, 1), "there are more positions than the 1 games have"),
        ("games", other_record, "game 1: the column "),
        ("games", with_first("scores", [9, 9]), "game 0: the column scores differs from the replayed game"),
        ("games", with_first("secret_record", None), "game 0: "),
    ],
)
def test_verify_finds_errors(table: str, change: Callable[[Any], Any], message: str, tmp_path: Path, shared: Path) -> None:
    wrong = rewritten(shared / "conclave", table, change, tmp_path / "wrong")
    assert message in refused("verify", wrong)
