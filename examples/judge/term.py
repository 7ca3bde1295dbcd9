"""A term of a course: from a checker for students to a tournament of their programs.

usage: python examples/judge/term.py FOLDER

The course is that of Jogo de Cartas (`cartas`). The script makes FOLDER and writes the checker, 30 submissions for guião 1
as zip files, their marks and pages, and a tournament of the students' players. It makes the submissions itself: right
programs, and programs with a typical mistake. Replace `make_class` by your own files.
"""

import csv
import io
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

RIGHT = Path(__file__).parents[2] / "tests" / "judge" / "right" / "cartas"
LUDOTECA = (sys.executable, "-m", "ludoteca")
LANGUAGES = """\
".c" = ["gcc", "-O2", "-w", "-o", "{program}", "{source}"]
".py" = ["sh", "-c", "(echo '#!/usr/bin/env python3'; cat {source}) > {program}"]
"""

WRONG, RIGHT_ANSWER = "Wrong Answer", "Accepted"
CLASS = {
    # name: (program, text to replace, new text, verdict)
    "alice": ("guiao1.c", "", "", RIGHT_ANSWER),
    "bruno": ("guiao1.py", "", "", RIGHT_ANSWER),
    "carla": ("guiao1.c", "return 0;\n}\n", "return 3;\n}\n", RIGHT_ANSWER),
    "duarte": ("guiao1.py", "sys.exit(1)", "sys.exit(0)", RIGHT_ANSWER),
    "eva": ("guiao1.c", "#define MAX 1024", "#define MAX 4096", RIGHT_ANSWER),
    "filipe": ("guiao1.c", "values >= 3 && times[first] == 1", "values >= 2 && times[first] == 1", WRONG),
    "graça": ("guiao1.c", "times[first] == 2", "times[first] == 3", WRONG),
    "hugo": ("guiao1.c", "suit(*line) > suit(best)", "suit(*line) < suit(best)", WRONG),
    "inês": ("guiao1.c", "value(*line) > value(best)", "value(*line) < value(best)", WRONG),
    "joão": ("guiao1.c", "Nada!", "Nada", WRONG),
    "katia": ("guiao1.c", "sequência com", "sequencia com", WRONG),
    "luís": ("guiao1.c", "left > 0", "left > 1", WRONG),
    "marta": ("guiao1.c", "even = 0", "even = 1", WRONG),
    "nuno": ("guiao1.c", "conjunto com %d cartas", "conjunto com  %d cartas", "Presentation Error"),
    "olga": ("guiao1.c", "v <= 14", "v <= 13", WRONG),
    "paulo": ("guiao1.py", "n >= 3 and", "n >= 2 and", WRONG),
    "quim": ("guiao1.py", "n //= 2", "pass", WRONG),
    "rita": ("guiao1.py", "{max(cards", "{min(cards", WRONG),
    "sara": ("guiao1.py", "values[0] == values[-1]", "values[0] == values[1]", "Runtime Error"),
    "tiago": ("guiao1.py", "return value, suit", "return value, -suit", WRONG),
    "ulisses": ("guiao1.py", "0x1F0A0, 16", "0x1F0A0, 14", WRONG),
    "vera": ("guiao1.c", "int main(void) {", "int main(void) {{", "Compile Error"),
    "xavier": ("guiao1.c", "left--", "left -= 2", WRONG),
    "zita": ("guiao1.py", "number, *rest", "while True: pass\nnumber, *rest", "Time Limit Exceeded"),
    "ana": ("guiao1.py", "import sys", "import sys, no_such_module", "Runtime Error"),
    "beto": ("guiao1.c", "wchar_t line[MAX];", "wchar_t line[MAX]; abort();", "Runtime Error"),
}
STRANGE = {
    # name: (files of an archive without a program, verdict). A content that begins with `->` makes a symbolic link
    "cíntia": ({"report.txt": "see you next week"}, "No Program"),
    "dinis": ({}, "No Program"),
    "elsa": ({"../alice/guiao1.c": "int main;"}, "No Program"),
    "fábio": ({"guiao1.c": "-> ../alice/guiao1.c"}, "No Program"),
}
PLAYERS = {
    "alice": ("", ""),
    "bruno": ("(-len(play), play[-1])", "(len(play), play[-1])"),
    "carla": ('(show(play) if play else "PASSO")', '"PASSO"'),
    "duarte": ("possible.sort(key=lambda play: (play[-1], len(play)))", "possible.sort(reverse=True)"),
    "eva": ("play[-1] > last[-1]", "play[-1] < last[-1]"),
}


def main(folder: Path) -> None:
    """Run the term. Stop if a verdict is not the expected one."""
    folder.mkdir(parents=True)
    folder.chmod(0o755)  # submissions are judged as other users

    heading("1. Students get a checker")
    checker = folder / "checker.py"
    ludoteca("judge", "cartas", "guiao1", "--export", "checker", str(checker), "--language", "pt")

    heading("2. Two of them check themselves at home")
    for name in ("bruno", "paulo"):
        program, old, new, verdict = CLASS[name]
        at_home = folder / f"{name}.py"
        at_home.write_text(changed(program, old, new), encoding="utf-8")
        done = subprocess.run([sys.executable, str(checker), "--", sys.executable, str(at_home)], check=False)
        assert (done.returncode == 0) == (verdict == RIGHT_ANSWER), name

    heading("3. All students submit, and the class is judged with other cases")
    submissions = folder / "guiao1"
    make_class(submissions)
    (folder / "languages.toml").write_text(LANGUAGES, encoding="utf-8")
    marks = folder / "marks.csv"
    words = ("--languages", str(folder / "languages.toml"), "--csv", str(marks), "--html", str(folder / "pages"))
    ludoteca("judge", "cartas", "guiao1", "--all", str(submissions), *words, "--seed", "2026")
    expected = {name: verdict for name, (*_, verdict) in [*CLASS.items(), *STRANGE.items()]}
    for row in rows_of(marks):
        print(f"{row['submission']:8} {row['verdict']:20} {row['mark']:>6}  {row['why'][:70]}")
        assert row["verdict"] == expected.pop(row["submission"]), row
    assert not expected

    heading("4. The players are judged")
    players = folder / "players"
    for name, (old, new) in PLAYERS.items():
        (players / name).mkdir(parents=True)
        source = f"#!/usr/bin/env python3\n{changed('jogador.py', old, new)}"
        (players / name / "jogador.py").write_text(source, encoding="utf-8")
    ludoteca("judge", "cartas", "jogador", "--all", str(players), "--csv", str(folder / "players.csv"), "--seed", "2026")

    heading("5. The accepted players meet in a tournament")
    entrants = [row["submission"] for row in rows_of(folder / "players.csv") if row["verdict"] == RIGHT_ANSWER]
    assert len(entrants) == len(PLAYERS) - 1
    tables = (
        f'[[entrants]]\nname = "{name}"\ncommand = ["python3", "players/{name}/jogador.py"]\nprotocol = "jogador"\n'
        for name in entrants
    )
    (folder / "cup.toml").write_text(f'game = "cartas"\ndeals = 2\nseed = 2026\n{"".join(tables)}', encoding="utf-8")
    ludoteca("tournament", str(folder / "cup.toml"))
    print(f"\nOpen {folder / 'pages' / 'index.html'} and {folder / 'cup' / 'results.html'}.")


def make_class(folder: Path) -> None:
    """Write the submissions as zip files, with the folders and extra files that students' archives have."""
    folder.mkdir()
    for number, (name, (program, old, new, _)) in enumerate(CLASS.items()):
        source = changed(program, old, new)
        inside = ("", f"{name}/", f"projeto/{name}/"[: 8 * (number % 2)])[number % 3]
        files = {f"{inside}{program}": source}
        if number % 4 == 0:
            files |= {f"__MACOSX/._{program}": "", ".DS_Store": "", f"{inside}README.md": "Guião 1"}
        write_zip(folder / f"{name}.zip", files)
    for name, (files, _) in STRANGE.items():
        write_zip(folder / f"{name}.zip", files)


def changed(program: str, old: str, new: str) -> str:
    """Return the source of a right program with one change."""
    text = (RIGHT / program).read_text(encoding="utf-8")
    assert old in text, (program, old)
    return text.replace(old, new) if old else text


def write_zip(path: Path, files: dict[str, str]) -> None:
    """Write an archive."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            if text.startswith("-> "):
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, text.removeprefix("-> "))
    path.write_bytes(content.getvalue())


def rows_of(table: Path) -> list[dict[str, str]]:
    """Return the rows of a table of marks."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def ludoteca(*words: str) -> None:
    """Run a command of Ludoteca and show it."""
    print("$ ludoteca", *words, flush=True)
    subprocess.run([*LUDOTECA, *words], check=True)


def heading(text: str) -> None:
    """Print the heading of a step."""
    print(f"\n{text}\n", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
