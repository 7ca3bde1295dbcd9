"""The command line: help, wrong calls, and the documents' text programs."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from tools.same.faces import GAMES, ROOT, call, chance, empty_folder, files_in, played, seed_of_a_game, variants, walk

GOLDEN: Final = ROOT / "tests" / "golden"
EXAMPLES: Final = ROOT / "examples" / "okupacio"
RECORD: Final = "game.json"
FILES: Final[dict[str, str]] = {
    "empty.json": "", "other.json": '{"format": "other"}', "empty.toml": "", "wrong.toml": 'game = "chess"\n',
    "one.toml": 'game = "okupacio"\n[[entrants]]\nagent = "greedy"\n',
}  # fmt: skip
"""Files that wrong calls find in their folder, in addition to a record that was changed, and a whole one."""
WRONG: Final = (
    "", "nothing", "--nothing", "games chess", "console", "console chess", "console cartas guiao9", "console okupacio more",
    "console metro --side 5", "console qinto --rounds 0", "play", "play chess", "play okupacio --board 3x3",
    "play okupacio --players 11", "play okupacio --seat 3", "play okupacio --opponent nobody", "play okupacio --seed x",
    "play okupacio --opponent 0x", "play metro --players 2 --tiles stack", "play --resume missing.json",
    "play --resume empty.json", "play --resume other.json", "play --resume changed.json", "play --resume over.json",
    "play --seat 2 okupacio", "play okupacio --save game.json", "play cartas --language xx", "play qinto --variant x",
    "play conclave --deal x", "serve --port x", "serve --port 70000", "serve --host nowhere.invalid --port 0 --no-open",
    "serve --pace -1", "serve --metrics x --port 0 --no-open",
    "serve --data other.json --port 0 --no-open", "serve --allow-host a/b", "serve --rooms-of-address 1", "admin rooms",
    "admin --control missing rooms", "admin --control missing close x", "analyse", "analyse missing.json",
    "analyse empty.json", "analyse changed.json", "analyse game.json --simulations 0", "analyse game.json --graph x.png",
    "match", "match okupacio",
    "match okupacio --bot greedy", "match okupacio --bot nobody-here --bot greedy", "match okupacio --bot = --bot greedy",
    "match okupacio --bot greedy --bot random --deals 0", "match okupacio --bot greedy --bot random --limit x=1",
    "match okupacio --bot greedy --bot random --variant x", "judge", "judge chess -- true", "judge cartas",
    "judge okupacio", "judge okupacio -- ./missing", "judge okupacio guiao1 -- true", "judge cartas guiao9 -- true",
    "judge okupacio --cases 0 -- true", "judge okupacio --all missing --csv x.csv",
    "judge okupacio --export other x", "judge okupacio --form words -- true",
    "tournament", "tournament missing.toml", "tournament empty.toml", "tournament wrong.toml", "tournament one.toml",
    "tournament --show one.toml", "tournament --ray nowhere one.toml", "bot", "bot check", "bot check chess -- true",
    "bot check okupacio -- ./missing", "bot connect", "bot connect nothing -- true",
    "bot connect http://127.0.0.1:1/room/AAAAAAAAAAAA -- true", "warm chess", "bench chess", "bench --time 0",
    "record", "record show", "record show missing.json", "record show empty.json", "record show other.json",
    "record show changed.json", "record verify missing.json", "record verify empty.json", "record verify changed.json",
    "record svg game.json --move 99", "record svg game.json --move -1", "record svg game.json --seat 9",
    "record svg game.json --theme red", "record svg game.json -o missing/x.svg",
    "record png game.json --width 0", "record png game.json --plain", "record gif game.json --delay -1",
    "train", "train chess", "train okupacio --time x",
    "train okupacio --out other.json", "dataset", "dataset show missing.parquet", "dataset verify other.json",
    "dataset make chess x.parquet", "dataset make okupacio x.txt", "dataset from x.parquet missing",
    "dataset records x --out y",
)  # fmt: skip
"""Refused calls, in addition to those made from each command's help."""


PLAYED: Final = ("match okupacio --board 4x4 --bot greedy --bot random --deals 4 --seed 7 --out games",)


@cache
def help_of(command: str) -> str:
    """The help of a command. Only some options of the documents' programs know `--help` alone."""
    with empty_folder() as folder:
        return str(call([*command.split(), "--help"], folder)["out"])


def commands(command: str = "") -> Iterator[str]:
    """Every command, with those below it, as their help lists them."""
    yield command
    _, *below = re.split(r"^(?:Commands|Play):$", help_of(command), maxsplit=1, flags=re.MULTILINE)
    if below:
        command += " --control missing" if command == "admin" else ""
        for name in re.findall(r"^  ([a-z]\S*)", below[0], re.MULTILINE):
            yield from commands(f"{command} {name}".strip())


def wrong_values(command: str) -> Iterator[list[str]]:
    """Calls of a command with an option that it lacks, and with a wrong value of each option that its help describes."""
    if command.split()[-1:] in ([game] for game in GAMES if game != "okupacio"):
        return  # the options of one game show how they are read
    yield [*command.split(), "--no-such-option"]
    option = ""
    for option, kind in re.findall(r"^  (?:-\w, )?(--[a-z-]+) (\[\S*\||[A-Z]+(?: RANGE)?)", help_of(command), re.MULTILINE):
        if kind.startswith(("[", "INTEGER", "FLOAT")):
            yield [*command.split(), option, "wrong"]
        if kind.endswith("RANGE"):
            yield [*command.split(), option, "-7"]
    if option:
        yield [*command.split(), option]


def help_cases(found: list[str]) -> Iterator[tuple[str, Any]]:
    """The help of every command, of the documents' programs, and the lists of the games."""
    for command in found:
        yield f"help/{command}", help_of(command)
    programs = ["cartas", *(f"cartas {name}" for name in ("guiao1", "guiao2", "guiao3", "guiao4", "jogador")), "conclave",
                "metro", "metro moves", "okupacio", "qinto", "qinto grid"]  # fmt: skip
    asked = [f"console {program} --help" for program in programs] + ["--version", "serve --limits", "games"]
    asked += [f"games {game}" for game in ("cartas", "conclave", "metro", "okupacio", "qinto")]
    asked += [f"judge {game} --list" for game in ("cartas", "conclave", "metro", "okupacio")]
    for words in asked:
        with empty_folder() as folder:
            yield f"shown/{words}", call(words.split(), folder)


def wrong_cases(found: list[str], *, short: bool) -> Iterator[tuple[str, Any]]:
    """Exit statuses and messages of wrong calls."""
    calls = [words.split() for words in WRONG] + [words for command in found for words in wrong_values(command)]
    with empty_folder() as folder:
        for name, content in files().items():
            (folder / name).write_text(content, encoding="utf-8")
        for words in calls[:: 4 if short else 1]:
            yield f"wrong/{' '.join(words)}", call(words, folder)


@cache
def files() -> dict[str, str]:
    """The files that wrong calls find."""
    parameters = {"board": "4x4"}
    begun, over = (played("okupacio", parameters, 1, most).serialize() for most in (5, 1000))
    return FILES | {RECORD: begun, "over.json": over, "changed.json": begun.replace('"seed": "0', '"seed": "1')}


def record_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Records, shown and verified."""
    for variant, game, parameters in variants():
        for most in (7,) if short else (0, 7, 10_000):
            with empty_folder() as folder:
                (folder / RECORD).write_text(played(game, parameters, 5, most).serialize(), encoding="utf-8")
                for what in ("show", "verify"):
                    yield f"record/{variant}/{most}/{what}", call(["record", what, RECORD], folder)


def console_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Sessions of the documents' programs: those of the golden files, and random ones."""
    for file in sorted(GOLDEN.glob("*/*.in"))[:: 3 if short else 1]:
        yield (
            f"console/{file.parent.name}/{file.name}",
            _session(file.parent.name, golden_arguments(file), file.read_bytes()),
        )
    for game, arguments, typed in random_sessions(4 if short else 12):
        yield (
            f"console/{game}/random/{' '.join(arguments)}/{chance(typed).getrandbits(32)}",
            _session(game, arguments, typed.encode()),
        )


def golden_arguments(file: Path) -> list[str]:
    """The arguments that are part of the name of a golden file."""
    words = file.name.split(".")[:-1]
    if file.parent.name == "cartas":
        return words[:1]
    return [word if "=" not in word else f"--{word}" for word in words[1:]] if file.parent.name == "qinto" else []


def random_sessions(count: int) -> Iterator[tuple[str, list[str], str]]:
    """Games, arguments and inputs."""
    cards = [chr(0x1F0A0 + 16 * suit + rank) for suit in range(4) for rank in range(1, 15) if rank != 12]
    for number in range(count):
        some = chance("console", number)
        board, players = some.choice(("tauler4x4.txt", "tauler14x10.txt")), some.randint(2, 5)
        letters = "abcdefgh" if "14" in board else "abcd"
        moves = [some.choice(letters) + some.choice(letters) for _ in range(300)]
        yield "okupacio", [], f"{players}\n{board}\n" + "\n".join(moves)
        words = [f"J {some.randrange(4)} {some.randrange(4)} {some.randrange(4)} {some.choice('ed')}" for _ in range(150)]
        words[::9] = ["P"] * len(words[::9])
        yield "conclave", [], f"{some.randrange(10**6)} {some.randint(2, 4)}\nA\nB\nC\nD\n" + "\n".join(words)
        side = some.choice((4, 6, 8))
        laid = [f"{some.randrange(side)} {some.randrange(side)} R{some.randrange(4)}" for _ in range(400)]
        tiles = some.choice(("endless", "stack"))
        typed = "\n".join(["?", *laid[:9], "m", "t", *laid])
        yield "metro", ["--side", str(side), "--seed", str(number), "--tiles", tiles], typed
        dealt = ["\n".join("".join(sorted(some.sample(cards, some.randint(1, 6)))) for _ in range(20)) for _ in range(2)]
        yield "cartas", ["guiao1"], f"20\n{dealt[0]}\n"
        yield "cartas", ["guiao4"], f"10\n{dealt[1]}\n"
        variant, seed = some.choice(("light", "classic", "plus")), seed_of_a_game("qinto", {}, number)
        players = some.randint(2, 4)
        names = ", ".join(["Ana", "Bruno", "Carla", "Duarte"][:players])
        turns = ["?", "- 1G", *qinto_turns({"variant": variant, "players": players}, seed), "+ 1G@1,1", "q"]
        yield (
            "qinto",
            [variant, "--seed", str(seed)],
            "\n".join([names, *turns, ""]),
        )


def qinto_turns(parameters: dict[str, Any], seed: int) -> Iterator[str]:
    """The moves of a game that begins with the same deal, in the notation of records, and passes."""
    for number, (state, action) in enumerate(walk("qinto", parameters, seed, 8)):
        if action is not None:
            yield "-" if number % 3 == 2 else state.action_to_string(action)


def _session(game: str, arguments: list[str], typed: bytes) -> dict[str, Any]:
    with empty_folder() as folder:
        for place in (GOLDEN / "okupacio", EXAMPLES):
            for board in place.glob("*.txt"):
                (folder / board.name).write_bytes(board.read_bytes())
        return call(["console", game, *arguments], folder, typed)


def cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """All of them."""
    found = list(commands())
    yield from help_cases(found)
    yield from wrong_cases(found, short=short)
    yield from record_cases(short=short)
    yield from console_cases(short=short)
    for words in PLAYED:
        with empty_folder() as folder:
            given = words if "--out" in help_of("match okupacio") else words.replace("--out", "--save")
            done = call(given.split(), folder)
            out = re.sub(r"\d+\.\d+(?= s$| $)", "TIME", done["out"], flags=re.MULTILINE)
            yield words, done | {"out": out, "err": "", "files": sorted(files_in(folder))}  # progress depends on the clock
