"""Submissions are read without links to anything outside of them, and one program is found in each."""

import io
import os
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from ludoteca.arena.programs.box import Box
from ludoteca.arena.programs.isolation import no_bubblewrap
from ludoteca.arena.programs.limits import Limits
from ludoteca.core.messages import catalogue
from ludoteca.judge.snapshots import SubmissionError
from ludoteca.judge.submissions import Snapshot, Submission, executable_in, opened, submissions
from ludoteca.judge.tables import TableError

SECRET = "the secret of the teacher"


def write(path: Path, text: str = "x", mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(mode)


def read(path: Path) -> list[str]:
    """The content of a snapshot."""
    with opened(Submission(path.name, (path,))) as files:
        return [(files.folder / name).read_text("utf-8") for name in files.names]


def listen(path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as made:
        made.bind(str(path))


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("ana", lambda path: path.symlink_to(path.parent.parent / "secret"), "ana is a link"),
        ("ana/main.c", lambda path: path.symlink_to("/etc/passwd"), "main.c is a link"),
        ("ana/src/main.c", lambda path: path.symlink_to("../../../secret"), "src/main.c is a link"),
        ("ana/src", lambda path: path.symlink_to("../.."), "src is a link"),
        ("ana", os.mkfifo, "ana is a pipe"),
        ("ana/src/pipe", os.mkfifo, "src/pipe is a pipe"),
        ("ana/sock", listen, "sock is a pipe, a socket or a device"),
        ("ana/" + "a/" * 32 + "x", write, "more than 32 folders"),
        ("ana/src/.hidden", write, "it has no files"),
        ("ana/src/", lambda _: None, "it has no files"),
    ],
)
def test_a_submission_is_refused_in_words(name: str, make: Callable[[Path], None], why: str, tmp_path: Path) -> None:
    write(tmp_path / "secret", SECRET, 0o600)
    path = tmp_path / "class" / name
    (path if name.endswith("/") else path.parent).mkdir(parents=True)
    make(path)
    with pytest.raises(SubmissionError, match=why):
        read(tmp_path / "class" / "ana")


def test_a_device_is_refused() -> None:
    with pytest.raises(SubmissionError, match="zero is a pipe, a socket or a device"):
        read(Path("/dev/zero"))


def test_a_folder_has_the_limits_of_an_archive(tmp_path: Path) -> None:
    write(tmp_path / "large" / "hole")
    os.truncate(tmp_path / "large" / "hole", 1 << 40)
    for number in range(2001):
        write(tmp_path / "many" / str(number), "")
    with pytest.raises(SubmissionError, match="it has more than 64 MiB"):
        read(tmp_path / "large")
    with pytest.raises(SubmissionError, match="it has more than 2000 files"):
        read(tmp_path / "many")


def test_a_snapshot_is_private_and_keeps_its_files(tmp_path: Path) -> None:
    write(tmp_path / "ana" / "main.c", "before")
    with opened(Submission("ana", (tmp_path / "ana",))) as files:
        before = files.digest()
        write(tmp_path / "ana" / "main.c", "after")
        assert (files.folder / "main.c").read_text("utf-8") == "before"
        assert files.digest() == before
        assert files.folder.parents[1].stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("change", ["content", "name", "mode"])
def test_a_change_of_a_file_is_seen(change: str, tmp_path: Path) -> None:
    path = tmp_path / "ana"
    write(path / "main.c")

    def digest() -> bytes:
        with opened(Submission("ana", (path,))) as files:
            return files.digest()

    before = digest()
    if change == "name":
        (path / "main.c").rename(path / "main.cc")
    else:
        write(path / "main.c", *(["y"] if change == "content" else ["x", 0o755]))
    assert digest() != before


def zipped(*names: str) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w") as file:
        for name in names:
            file.writestr(name, "text")
    return made.getvalue()


def folder_of(*files: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        for name in files:
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(zipped("project/main.c", "project/lib/a.c") if name.endswith(".zip") else b"text")

    return make


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda path: path.write_bytes(zipped("main.c")), ("main.c",)),
        (lambda path: path.write_bytes(zipped("ana/main.c", "ana/a.h", "__MACOSX/ana/._main.c")), ("a.h", "main.c")),
        (lambda path: path.write_bytes(zipped("inner.zip")), ("inner.zip",)),
        (folder_of("main.c", "lib/a.c"), ("lib/a.c", "main.c")),
        (folder_of("ana/main.c", ".DS_Store"), ("main.c",)),
        (folder_of("hand-in.ZIP", "hand-in.zip"), ("hand-in.ZIP", "hand-in.zip")),
        (folder_of("hand-in.zip", "__MACOSX/x", ".DS_Store"), ("lib/a.c", "main.c")),
        (folder_of("ana/hand-in.zip"), ("lib/a.c", "main.c")),
    ],
    ids=["zip", "zip-of-folder", "zip-in-zip", "folder", "folder-in-folder", "two-zips", "zip-in-folder", "both"],
)
def test_a_submission_is_what_is_in_it(make: Callable[[Path], None], names: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "Ana Silva_12345_assignsubmission_file_.zip"
    make(path)
    with opened(Submission("Ana", (path,))) as files:
        assert files.names == names
        assert all((files.folder / name).is_file() for name in names)
    assert not os.path.lexists(files.folder)


# The list of a class


def test_every_file_folder_and_archive_is_a_submission(tmp_path: Path) -> None:
    for name in ("carla/main.c", "anna.c", "bernat.zip", "Dolors.ZIP", ".hidden", "=1.c"):
        write(tmp_path / name)
    (tmp_path / "\udcff").mkdir()
    found = {each.name: each.paths[0].name for each in submissions(tmp_path)}
    assert found == {
        "'=1.c": "=1.c",
        "Dolors": "Dolors.ZIP",
        "anna.c": "anna.c",
        "bernat": "bernat.zip",
        "carla": "carla",
        "\\xff": "\udcff",
    }


def test_a_download_of_moodle_has_one_submission_for_each_student(tmp_path: Path) -> None:
    for name in ("main.c", "u.h"):
        write(tmp_path / f"Ana Silva_4711_assignsubmission_file_{name}", name)
    (tmp_path / "Rui_12_assignsubmission_file_tp_1.ZIP").write_bytes(zipped("tp/a.c", "tp/b.c"))
    write(tmp_path / "Eva_13_assignsubmission_file_" / "main.c")
    write(tmp_path / "Zé_14_assignsubmission_file" / "main.c")
    for name in ("grades.csv", "Notas.XLSX", "submission_metadata.yml", "__MACOSX/x"):
        write(tmp_path / name)
    found = {}
    for each in submissions(tmp_path):
        with opened(each) as files:
            found[each.name] = files.names
    assert found == {
        "Ana Silva_4711": ("main.c", "u.h"),
        "Eva_13": ("main.c",),
        "Rui_12": ("a.c", "b.c"),
        "Zé_14": ("main.c",),
    }


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ([], "is empty: expected a file or folder for each submission"),
        ([".gitignore"], "is empty"),
        (["ana.zip", "ana/main.c"], "ana and ana.zip are submissions of the same name: rename or remove one"),
        (
            ["ana_assignsubmission_file_a.c", "ana.zip"],
            "ana.zip and ana_assignsubmission_file_a.c are submissions of the same",
        ),
        (["ana.zip", "ana.ZIP"], "ana.ZIP and ana.zip are submissions of the same name"),
    ],
)
def test_a_folder_is_refused_before_anything_runs(names: list[str], why: str, tmp_path: Path) -> None:
    for name in names:
        write(tmp_path / name)
    with pytest.raises(TableError, match=why):
        submissions(tmp_path)


def test_a_folder_that_every_program_can_read_is_refused() -> None:
    for folder in ("/usr/share", "/etc/../usr", str(Path(__file__).parents[2] / "src")):
        with pytest.raises(TableError, match="is in a folder that every program can read"):
            submissions(Path(folder))


# The program


def program(folder: Path, *files: tuple[str, str, int]) -> str:
    for name, text, mode in files:
        write(folder / name, text, mode)
    found = executable_in(Snapshot(folder, tuple(sorted(name for name, _, _ in files))))
    assert os.access(found, os.X_OK)
    return str(found.relative_to(folder))


SCRIPT = "#!/bin/sh\n"


@pytest.mark.parametrize(
    "files",
    [
        [("run", SCRIPT, 0o755), ("lib", "x", 0o644)],
        [("run", SCRIPT, 0o755), ("other", SCRIPT, 0o644)],
        [("run", SCRIPT, 0o644), ("readme", "x", 0o644)],
        [("run", SCRIPT, 0o755), ("readme", "x", 0o755)],
        [("run", "#!/usr/bin/env python3\n", 0o644)],
        [("run", "#!/usr/bin/env -S python3 -I\n", 0o644)],
        [("run", Path("/bin/true").read_bytes().decode("latin-1"), 0o755)],
    ],
    ids=["may-run", "may-run-first", "begins", "all-may-run", "env", "env-s", "no-text"],
)
def test_the_only_program_is_found(files: list[tuple[str, str, int]], tmp_path: Path) -> None:
    if files[0][1].startswith("\x7fELF"):
        (tmp_path / "run").write_bytes(files[0][1].encode("latin-1"))
        (tmp_path / "run").chmod(0o755)
        assert executable_in(Snapshot(tmp_path, ("run",))) == tmp_path / "run"
    else:
        assert program(tmp_path, *files) == "run"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "run cannot be run on this machine"),
        ("print(1)\n", "run cannot be run on this machine"),
        ("\x7fELF", "run cannot be run on this machine"),
        ("\ufeff#!/bin/sh\n", "run begins with a byte order mark before #!"),
        ("#!/bin/sh\r\n", "the first line of run ends in CR LF"),
        ("#!\n", "the first line of run names : expected an interpreter of this system"),
        ("#!/bin/no-such-shell\n", "names /bin/no-such-shell: expected an interpreter"),
        ("#!/usr/bin/env no-such-shell\n", "names /usr/bin/env no-such-shell: expected an interpreter"),
        ("#!/etc/passwd\n", "names /etc/passwd: expected an interpreter"),
        ("#!bin/sh\n", "names bin/sh: expected an interpreter"),
    ],
)
def test_a_program_that_cannot_run_is_refused_in_words(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=why):
        program(tmp_path, ("run", text, 0o755))


@pytest.mark.parametrize(
    "line", ["{0}", "/usr/bin/env {0}", "/usr/bin/env -i {0}", "/usr/bin/../../{0}", "/proc/self/root{0}"]
)
def test_no_script_names_the_program_of_a_neighbour(line: str, tmp_path: Path) -> None:
    write(tmp_path / "class" / "alice", SCRIPT, 0o755)
    with pytest.raises(SubmissionError, match="expected an interpreter of this system"):
        program(tmp_path / "mallory", ("run", f"#!{line.format(tmp_path / 'class' / 'alice')}\n", 0o755))


def test_more_or_fewer_programs_than_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="found the programs a, b: expected one"):
        program(tmp_path, ("a", SCRIPT, 0o755), ("b", SCRIPT, 0o755))
    names = [(f"{number:02}.txt", "x", 0o644) for number in range(9)]
    with pytest.raises(SubmissionError, match=r"found 00\.txt, .*, 07\.txt, …: expected an executable program"):
        program(tmp_path / "none", *names)


@pytest.mark.skipif(bool(no_bubblewrap()), reason="only bubblewrap keeps programs from reading what all users may read")
def test_no_submission_runs_another(tmp_path: Path) -> None:
    write(tmp_path / "class" / "anna", "#!/bin/sh\necho hers\n", 0o755)
    write(tmp_path / "class" / "bernat", f"#!/bin/sh\ncat {tmp_path}/class/anna ../anna $(dirname $0)/anna\n", 0o755)
    with (
        opened(Submission("bernat", (tmp_path / "class" / "bernat",))) as files,
        Box([str(executable_in(files))], Limits()) as box,
    ):
        assert "hers" not in box.run(b"").output.decode()


def test_reasons_are_in_the_chosen_language(tmp_path: Path) -> None:
    (tmp_path / "ana").symlink_to("x")
    with pytest.raises(SubmissionError) as caught:
        read(tmp_path / "ana")
    assert caught.value.text("ro") == catalogue("ludoteca.judge", "ro")["submission.link"].replace("{0}", "ana")
