"""The judge's verdicts on right and wrong programs, checks of bots, and small tournaments."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tools.same.faces import ROOT, call, chance, empty_folder

RIGHT: Final = ROOT / "tests" / "judge" / "right"
PROGRAMS: Final = (
    ("okupacio", "", RIGHT / "okupacio" / "okupacio.py"),
    ("cartas", "guiao1", RIGHT / "cartas" / "guiao1.py"),
    ("cartas", "guiao2", RIGHT / "cartas" / "guiao2.py"),
    ("cartas", "guiao3", RIGHT / "cartas" / "guiao3_replay.py"),
    ("cartas", "guiao4", RIGHT / "cartas" / "guiao4.py"),
    ("cartas", "jogador", RIGHT / "cartas" / "jogador.py"),
    ("conclave", "", RIGHT / "conclave" / "conclave.py"),
    ("metro", "", ROOT / "tests" / "metro" / "student.pl"),
)
"""Games with their parts, and a right program for each."""
WRONG: Final = 5
"""The number of wrong programs that are made of each."""
CHANGES: Final = {
    "==": "!=",
    "!=": "==",
    "<": ">",
    ">": "<",
    " and ": " or ",
    " or ": " and ",
    " + ": " - ",
    " 1": " 2",
    "(0": "(1",
}
"""How one place of a program is changed."""
MEASURED: Final = ("seconds", "clock", "memory", "cpu", "milliseconds")
"""Names of measurements in results."""
TOURNAMENTS: Final = {
    "round robin": """
game = "okupacio"
format = "round robin"
deals = 3
seed = 7
[parameters]
board = "4x4"
[[entrants]]
agent = "greedy"
[[entrants]]
agent = "random"
[[entrants]]
name = "first"
command = ["sh", "first.sh"]
""",
    "gauntlet": """
game = "conclave"
format = "gauntlet"
deals = 1
seed = 8
[[entrants]]
agent = "greedy"
[[entrants]]
agent = "2"
[[entrants]]
agent = "random"
[[entrants]]
name = "first"
command = ["sh", "first.sh"]
""",
}


def changed(source: str, *purpose: object) -> str:
    """The program with one place changed."""
    some = chance(*purpose)
    places = list(re.finditer("|".join(map(re.escape, CHANGES)), source))
    place = some.choice([each for each in places if '"' not in source[source.rfind("\n", 0, each.start()) : each.start()]])
    return source[: place.start()] + CHANGES[place.group()] + source[place.end() :]


def without_measurements(value: Any) -> Any:
    """The value without measurements of the machine's speed."""
    if isinstance(value, dict):
        return {name: without_measurements(each) for name, each in value.items() if name not in MEASURED}
    return [without_measurements(each) for each in value] if isinstance(value, list) else value


def verdict_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Verdicts, with the short case and the sentence of each wrong program."""
    for number, (game, part, file) in enumerate(PROGRAMS):
        command = ["python3"] if file.suffix == ".py" else []
        all_of_them = ("right", *range(WRONG))
        for which in all_of_them[number % 2 :][:1] if short else all_of_them:
            source = file.read_text(encoding="utf-8")
            if which != "right":
                source = changed(source, file.name, which)
            with empty_folder() as folder:
                (folder / file.name).write_text(source, encoding="utf-8")
                options = ["--cases", "8", "--json", "--seed", str(number)]
                done = call(["judge", game, *filter(None, [part]), *options, "--", *command, file.name], folder)
                report = json.loads(done["out"]) if done["out"].startswith("{") else done["out"]
            yield f"judge/{game}/{file.name}/{which}", {"status": done["status"], "report": without_measurements(report)}


def tournament_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """The results of small tournaments."""
    for name, text in list(TOURNAMENTS.items())[: 1 if short else None]:
        with empty_folder() as folder:
            shutil.copy(ROOT / "examples" / "bots" / "first.sh", folder)
            Path(folder, "cup.toml").write_text(text, encoding="utf-8")
            done = call(["tournament", "cup.toml", "--processes", "1", "--no-page"], folder)
            results = (
                json.loads((folder / "cup" / "results.json").read_text(encoding="utf-8")) if not done["status"] else None
            )
        yield f"tournament/{name}", {"status": done["status"], "results": without_measurements(results)}


def check_cases() -> Iterator[tuple[str, Any]]:
    """Reports on a right program and two wrong ones."""
    right = (ROOT / "examples" / "bots" / "first.sh").read_text(encoding="utf-8")
    for name, answer in {"first": '"$first"', "illegal": '"?"', "empty": '""'}.items():
        with empty_folder() as folder:
            (folder / "bot.sh").write_text(right.replace('echo "$first"', f"echo {answer}"), encoding="utf-8")
            yield f"check/{name}", call(["bot", "check", "okupacio", "--", "sh", "bot.sh"], folder)


def cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """All of them."""
    yield from verdict_cases(short=short)
    yield from tournament_cases(short=short)
    yield from check_cases()
