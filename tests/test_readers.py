"""Readers of what others write: whatever is made of a valid input, they read it, or refuse it with an error of Ludoteca that
fits on a line. They take little time and memory.
"""

import io
import json
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoteca
from ludoteca.arena.matches.players import LinesPlayer
from ludoteca.arena.matches.runner import ArenaError
from ludoteca.arena.matches.store import FILE, Store
from ludoteca.arena.matches.tournament import read_tournament
from ludoteca.arena.programs.conversation import BLANKS, is_ignored
from ludoteca.arena.programs.limits import FaultError, Limits
from ludoteca.cli.files import read_text, replay_record
from ludoteca.core import console, registry
from ludoteca.core.errors import ContractError, IllegalActionError, LudotecaError, NotationError, RecordError
from ludoteca.core.record import Record, read_record
from ludoteca.core.value import read_weights
from ludoteca.games.metro.text import engine
from ludoteca.games.okupacio import board
from ludoteca.judge.archives import unpack
from ludoteca.judge.snapshots import Allowance, SubmissionError
from ludoteca.server.model import requests
from ludoteca.server.refusals import RefusalError
from tests.stored_files import GAMES

HERE: Final = Path(__file__).parent
GOLDEN: Final = HERE / "golden"
OLD: Final = HERE / "data" / "1.0"
POSITIONS: Final = [json.loads(line) for line in (OLD / "positions.jsonl").read_text(encoding="utf-8").splitlines()]
MOST_SECONDS: Final = 20.0
"""Of the processor. The slowest reader takes less than two."""
MOST_KIB: Final = 512 << 10
"""Of memory that this file's tests add."""
MOST_PRINTED: Final = 1 << 20
"""Characters. A program of cartas may be asked for millions of lines."""
LONGEST_MESSAGE: Final = 2000
ODD: Final = (
    b"", b"\0", b"\n", b"\r", b"\t", b" ", b"\xff", b"\xc3", b"\xef\xbb\xbf", "é".encode(), "\u2028".encode(), "٣".encode(),
    "\U0001f0a1".encode(), "\u202e".encode(), b"\x1b[2J", b"'", b'"', b"\\", b"[", b"{" * 2000, b"[" * 2000, b"(" * 2000,
    b"-1", b"0", b"9" * 9, b"9" * 20, b"9" * 5000, b"1e999", b"nan", b"%s", b"../", b"x" * 3000, "a\u0301".encode(),
    "ß".encode(),
)  # fmt: skip
"""Pieces that are put into an input."""
STRANGE: Final[tuple[Any, ...]] = (
    None, True, -1, 0, 1, "\x1b[2J", 2**31, 2**63, 2**64, 10**400, 1e308, 0.5, "", " ", "\0", "\ud800", "\u202e", "-1",
    "9" * 5000, "x" * 3000, [], [[]], ["aa", "aa"], [0] * 3000, {}, {"": None}, json.loads("[" * 500 + "]" * 500),
)  # fmt: skip
"""Values that replace parts of JSON."""


class Reader(NamedTuple):
    """A reader of bytes that others have written. `folder` is an empty folder for its files."""

    examples: tuple[bytes, ...]
    read: Callable[[bytes, Path], object]
    errors: tuple[type[LudotecaError], ...] = ()


def files(*names: str) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for name in names for path in sorted(HERE.glob(name)))


def lines(*names: str) -> tuple[bytes, ...]:
    return tuple(line for content in files(*names) for line in content.splitlines())


def written(content: bytes, folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def text_of(content: bytes) -> str:
    """Return a text as a program reads its input."""
    return content.decode("utf-8", "surrogateescape")


# readers


def read_sealed(content: bytes, folder: Path) -> None:
    """Read and replay a record, with the digest of what it now contains."""
    with suppress(ValueError, RecursionError):  # it is no JSON, or no record, which the reader shall find out
        record = msgspec.convert(json.loads(content), Record)
        content = record.sealed().to_json().encode()
    replay_record(written(content, folder, "game.json"))


def positions(game: str) -> Reader:
    """Return the reader of a game's positions."""
    known = ludoteca.load(game, **GAMES[game])
    examples = tuple(old["position"].encode() for old in POSITIONS if old["game"] == game)
    return Reader(examples, lambda content, _: known.state_from_string(text_of(content)), (NotationError,))


def actions(game: str) -> Reader:
    """Return the reader of a game's actions, which plays them if they are legal."""
    old = next(old for old in POSITIONS if old["game"] == game)
    state = ludoteca.load(game, **GAMES[game]).state_from_string(old["position"])

    def read(content: bytes, _: Path) -> None:
        played = state.clone()
        played.apply_action(played.string_to_action(text_of(content)))

    return Reader(tuple(text.encode() for text in old["legal"]), read, (NotationError, IllegalActionError))


class TooMuchError(Exception):
    """A program has printed enough."""


def program(game: str, *arguments: str) -> Callable[[bytes, Path], None]:
    """Return a reader that runs the program of a game's document with an input."""

    def read(content: bytes, folder: Path) -> None:
        typed = io.StringIO(text_of(content), newline="\n")
        printed, complaints = 0, list[str]()

        def write(text: str) -> None:
            nonlocal printed
            printed += len(text)
            text.encode("utf-8", "surrogateescape")
            if printed > MOST_PRINTED:
                raise TooMuchError

        def read_file(name: str) -> str:
            return read_text(str(GOLDEN / game / name))

        with suppress(TooMuchError):
            console.run(registry.find(game), [*arguments], read_file, typed.readline, write, complaints.append)
        for complaint in complaints:
            check_message(complaint)

    return read


def read_terms(content: bytes, _: Path) -> None:
    """Ask the engine of T3.pl about a state and a move. A term of Prolog has no tabs and is one line."""
    question, state, move = [*text_of(content).replace("\n", "\t").split("\t"), "", ""][:3]
    arguments = {"apply_move": [state, move], "is_available": [state, move], "base": [state]}
    name = question if question in arguments else "open_paths"
    answer = engine.answer("\t".join(["7", name, *arguments.get(name, [state])]))
    assert answer.startswith(("7:yes(", "7:no", "7:error("))


BOT: Final = """
i=0
while read -r word rest; do
    case $word in ludoteca | move) cat "$0.$i" && i=$((i + 1)) && [ -e "$0.$i" ] || exit ;; esac
done
"""
"""A bot that answers with one file after another, and then ends."""
SMALL: Final = ludoteca.load("okupacio", board="4x4")


def bot() -> bytes:
    """Return the answers of a bot in the first seat of a game in which all play the second legal action, if there is one."""
    state, said = SMALL.new_initial_state(1), ["# a remark", "ludoteca 1 mine"]
    while not state.is_terminal():
        action = state.legal_actions()[:2][-1]
        if state.current_player() == 0:
            said.append(state.action_to_string(action))
        state.apply_action(action)
    return "".join(f"{line}\n" for line in said).encode()


def read_bot(content: bytes, folder: Path) -> None:
    """Play a game against the lines of a bot. Each answer is a line, with the remarks before it."""
    written(BOT.encode(), folder, "bot")
    answers = [b""]
    for line in content.splitlines(keepends=True):
        answers[-1] += line
        if not is_ignored(line.decode("utf-8", "replace").strip(BLANKS)):
            answers.append(b"")
    for number, answer in enumerate(filter(None, answers)):
        written(answer, folder, f"bot.{number}")
    state = SMALL.new_initial_state(1)
    player = LinesPlayer(["sh", str(folder / "bot")], Limits())
    try:
        player.begin(state.information_state(0), 1)
        while not state.is_terminal():
            legal = state.legal_actions()
            is_its_turn = state.current_player() == 0
            state.apply_action(player.choose(state.information_state(0), legal) if is_its_turn else legal[:2][-1])
        player.end(state.information_state(0), state.to_record().result)
    finally:
        player.close()


def read_archive(content: bytes, folder: Path) -> None:
    (folder / "in").mkdir()
    unpack(io.BytesIO(content), "ana.zip", folder / "in", Allowance())
    assert [path.name for path in folder.iterdir()] == ["in"]


def archives() -> Iterator[bytes]:
    """Archives as systems make them."""
    for names in (["main.c"], ["src/", "src/main.c", "src/é.h", "__MACOSX/._main.c"], ["a.zip", "b/c/d"]):
        made = io.BytesIO()
        with ZipFile(made, "w", ZIP_DEFLATED) as file:
            for name in names:
                file.writestr(name, b"" if name.endswith("/") else b"int main(void) { return 0; }\n" * 9)
        yield made.getvalue()


def database(name: str) -> bytes:
    """Return the SQLite file whose content was written as SQL."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript((OLD / name).read_text(encoding="utf-8"))
        return made.serialize()


def read_store(content: bytes, folder: Path) -> None:
    written(content, folder, FILE)
    with ExitStack() as stack:
        store = Store.reading(folder, stack)
        store.about()
        store.outcomes()


READERS: Final[dict[str, Reader]] = {
    "board": Reader(
        (*files("golden/okupacio/[a-z]*.txt"), b"6x8", b"..#./..../..../....", b"....\n..#.\n....\n...."),
        lambda content, folder: board.canonical(read_text(str(written(content, folder, "board.txt")))),
        (NotationError,),
    ),
    "record": Reader(
        files("data/1.0/[!a]*.json"),
        lambda content, folder: read_record(written(content, folder, "game.json")),
        (RecordError,),
    ),
    "sealed record": Reader(files("data/1.0/[!a]*.json"), read_sealed, (RecordError, NotationError)),
    "frame": Reader(
        tuple(json.dumps(json.loads(line)["sent"]).encode() for line in lines("data/1.0/frames.jsonl")[1:]),
        lambda content, _: requests.read(content.decode("utf-8", "replace")),
        (RefusalError,),
    ),
    "tournament": Reader(
        (
            *files("data/1.0/cup.toml"),
            b'game = "metro"\nparameters = { players = 2 }\n[[entrants]]\nagent = "1"\n[[entrants]]\nagent = "2"\n',
        ),
        lambda content, folder: read_tournament(written(content, folder, "cup.toml")),
        (ArenaError,),
    ),
    "prolog": Reader(
        (
            b"apply_move\tmetro([])\tmove((2,1),'#5','R0')",
            b"is_available\tmetro([((2,1),'#5','R0'),((2,2),'#7','R2')])\tmove((3,2),'#2','R1')",
            b"open_paths\tmetro(10,[((1,1),'#9','R0')])",
            b"base\t8-8",
        ),
        read_terms,
    ),
    "archive": Reader((*archives(),), read_archive, (SubmissionError,)),
    "games of a tournament": Reader((database("cup.sql"),), read_store, (ArenaError,)),
    "weights": Reader(
        files("data/1.0/weights.npz"),
        lambda content, folder: read_weights(written(content, folder, "weights.npz"), 3),
        (ContractError,),
    ),
    "console okupacio": Reader(files("golden/okupacio/*.in"), program("okupacio")),
    "console conclave": Reader(files("golden/conclave/*.in"), program("conclave")),
    "console qinto": Reader(files("golden/qinto/two*.in", "golden/qinto/passing*.in"), program("qinto", "--seed", "11")),
    "console qinto grid": Reader(files("golden/qinto/figure*.txt"), program("qinto", "grid")),
    "console metro": Reader((b"1 5 0\n2\n", b"3 1 R0\n"), program("metro", "--seed", "1")),
    "console metro moves": Reader((b"2 1 #5 R0\n2 2 #7 R2\n3 2 #2 R1\n",), program("metro", "moves")),
    **{
        f"console {name}": Reader(files(f"golden/cartas/{name}.*.in"), program("cartas", name))
        for name in ("guiao1", "guiao2", "guiao3", "guiao4")
    },
    "console jogador": Reader(files("golden/cartas/jogador.*.in"), program("cartas", "jogador", "--seconds", "0.001")),
    **{f"position {game}": positions(game) for game in GAMES},
    **{f"action {game}": actions(game) for game in GAMES},
    "bot": Reader((bot(), bot().replace(b"\n", b"\r\n").upper()), read_bot, (FaultError,)),  # which takes longest
}


# the changes


@st.composite
def spoilt(draw: st.DrawFn, examples: tuple[bytes, ...]) -> bytes:
    """Return an example with some changes: of bytes, of lines, or of values of JSON."""
    content = draw(st.sampled_from(examples))
    for _ in range(draw(st.integers(1, 4))):
        change = draw(st.sampled_from((bytes_changed, bytes_changed, lines_changed, value_changed)))
        content = change(draw, content, examples)
    return content


def bytes_changed(draw: st.DrawFn, content: bytes, _: tuple[bytes, ...]) -> bytes:
    """Replace some bytes by an odd piece, by their double, or by their complement."""
    start = draw(st.integers(0, len(content)))
    end = min(len(content), start + draw(st.integers(0, 6)))
    piece = content[start:end]
    new = draw(st.sampled_from((*ODD, piece * 2, piece * 500, bytes(byte ^ 0xFF for byte in piece), piece[::-1])))
    return content[:start] + new + content[end:]


def lines_changed(draw: st.DrawFn, content: bytes, examples: tuple[bytes, ...]) -> bytes:
    """Remove, repeat or cut lines, or put in those of another example."""
    parts = content.splitlines(keepends=True)
    start = draw(st.integers(0, len(parts)))
    end = min(len(parts), start + draw(st.integers(0, 3)))
    other = draw(st.sampled_from(examples)).splitlines(keepends=True)
    new = draw(st.sampled_from(([], parts[start:end] * 2, parts[start:end] * 300, other[: end + 1], parts[:start])))
    return b"".join([*parts[:start], *new, *parts[end:]])


def value_changed(draw: st.DrawFn, content: bytes, _: tuple[bytes, ...]) -> bytes:
    """Replace, remove or repeat a value of JSON. Another text is returned as it is."""
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        return content
    inside = whole
    while isinstance(inside, dict | list) and inside:
        keys: list[Any] = [*inside] if isinstance(inside, dict) else [*range(len(inside))]
        key = draw(st.sampled_from(keys))
        if isinstance(inside[key], dict | list) and inside[key] and draw(st.booleans()):
            inside = inside[key]
            continue
        match draw(st.sampled_from(("replace", "replace", "remove", "repeat"))):
            case "replace":
                inside[key] = draw(st.sampled_from(STRANGE))
            case "remove":
                del inside[key]
            case _ if isinstance(inside, list):
                inside += [inside[key]] * draw(st.sampled_from((1, 300)))
            case _:
                inside[draw(st.sampled_from(("", "\x1b[2J", "x" * 3000, key.upper())))] = inside[key]
        break
    try:
        return json.dumps(whole, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    except RecursionError:
        return content


# the property


def check_message(message: str) -> None:
    """Check that a message can be printed on a line of bounded length."""
    assert message.strip()
    assert message.isprintable(), ascii(message)
    assert len(message) < LONGEST_MESSAGE, message


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=settings().max_examples // 5)  # for each reader
@given(st.data())
def test_what_others_write_is_read_or_refused(name: str, data: st.DataObject) -> None:
    reader = READERS[name]
    content = data.draw(spoilt(reader.examples))
    began, most = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        try:
            reader.read(content, Path(folder))
        except reader.errors as error:
            check_message(str(error))
    assert time.process_time() - began < MOST_SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < MOST_KIB


@pytest.mark.parametrize("name", READERS)
def test_the_examples_are_read(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    for number, content in enumerate(reader.examples):
        folder = tmp_path / str(number)
        folder.mkdir()
        reader.read(content, folder)
