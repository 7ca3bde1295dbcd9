"""Zip archives of submissions: files that are unpacked, and archives that are refused."""

import io
import re
import stat
import struct
import warnings
import zlib
from contextlib import suppress
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from ludoteca.judge.archives import unpack
from ludoteca.judge.snapshots import Allowance, SubmissionError


def entry(name: str, mode: int = 0, method: int = ZIP_DEFLATED) -> ZipInfo:
    info = ZipInfo(name)
    info.external_attr = mode << 16
    info.compress_type = method
    return info


def archive(*entries: ZipInfo | str, content: str = "text") -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are there twice
        for each in entries:
            file.writestr(each if isinstance(each, ZipInfo) else entry(each), content)
    return made.getvalue()


def raw(name: bytes, content: bytes, *, flags: int = 0, declared: int | None = None) -> bytes:
    """An archive with one entry, as no library would write it."""
    packed = zlib.compress(content, wbits=-15)
    size = len(content) if declared is None else declared
    common = struct.pack("<HHHHHLLLHH", 20, flags, 8, 0, 33, zlib.crc32(content), len(packed), size, len(name), 0)
    local = b"PK\x03\x04" + common + name + packed
    central = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHLL", 0, 0, 0, 0, 0) + name
    return local + central + b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, 1, 1, len(central), len(local), 0)


def unpacked(content: bytes, target: Path, allowance: Allowance | None = None) -> dict[str, str]:
    target.mkdir()
    unpack(io.BytesIO(content), "ana.zip", target, allowance or Allowance())
    return {str(path.relative_to(target)): path.read_text("utf-8") for path in target.rglob("*") if path.is_file()}


def test_an_archive_is_unpacked_without_what_systems_add(tmp_path: Path) -> None:
    made = archive("main.c", "src/a.h", "__MACOSX/._main.c", ".DS_Store", "src/.git/config", "Main.c", "inner.zip")
    assert unpacked(made, tmp_path / "a").keys() == {"main.c", "Main.c", "src/a.h", "inner.zip"}


def test_programs_in_archives_may_be_run(tmp_path: Path) -> None:
    unpacked(archive(entry("run", 0o100750), entry("text", 0o100640), entry("windows")), tmp_path / "a")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a").iterdir()}
    assert modes == {"run": 0o755, "text": 0o644, "windows": 0o644}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (archive(entry("main.c", stat.S_IFLNK | 0o777), content="/etc/passwd"), "main.c is a link"),
        (archive(entry("main.c", stat.S_IFIFO | 0o644)), "main.c is a pipe"),
        (archive("/etc/main.c"), "the path /etc/main.c"),
        (archive("C:/main.c"), "the path C:/main.c"),
        (archive("src/../../main.c"), "the path src/../../main.c"),
        (archive("src\\main.c"), r"the path src\main.c"),
        (raw(b"main.c\0.zip", b"x"), r"the path main.c\x00.zip"),
        (archive("main.c", "main.c"), "has main.c twice"),
        (archive("main.c", "./main.c"), "has ./main.c twice"),
        (archive("src", "src/main.c"), "has src/main.c twice"),
        (raw(b"main.c", b"x" * 99, flags=1), "main.c is encrypted"),
        (archive(entry("main.c", method=ZIP_BZIP2)), "main.c is compressed by an unusual method"),
        (raw(b"main.c", b"x" * 99, declared=1), "ana.zip is damaged"),
        (b"#include <stdio.h>\n", "ana.zip is damaged or not a zip archive"),
        (b"", "ana.zip is damaged or not a zip archive"),
        (archive("a/" * 33 + "main.c"), "more than 250 bytes or more than 32 folders"),
        (archive("a" * 251), "more than 250 bytes or more than 32 folders"),
        (archive(*(f"{number}.c" for number in range(2001))), "it has more than 2000 files"),
    ],
    ids=[
        "link", "pipe", "absolute", "drive", "above", "backslash", "zero", "twice", "same", "file-and-folder", "encrypted",
        "method", "declared", "no-zip", "empty", "deep", "long", "many",
    ],
)  # fmt: skip
def test_an_archive_is_refused_in_words(content: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match=re.escape(why)):
        unpacked(content, tmp_path / "a")
    assert not [path for path in tmp_path.iterdir() if path.name != "a"]


def test_real_bytes_count(tmp_path: Path) -> None:
    bomb = raw(b"main.c", bytes(65 << 20))
    assert len(bomb) < 1 << 17
    with pytest.raises(SubmissionError, match="it has more than 64 MiB"):
        unpacked(bomb, tmp_path / "a")


def test_unpacking_has_a_time_limit(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="it could not be read within 0 seconds"):
        unpacked(archive("main.c"), tmp_path / "a", Allowance(seconds=0))


def test_a_long_list_of_entries_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="it has more than 2000 files"):
        unpacked(b"PK\x01\x02" * 40_001, tmp_path / "a")


def test_a_damaged_archive_never_raises_anything_else(tmp_path: Path) -> None:
    right = archive("src/main.c", "b.c", content="int main(void) { return 0; }\n")
    cut = (right[:place] for place in range(len(right)))
    flipped = (right[:place] + bytes([byte ^ 0xFF]) + right[place + 1 :] for place, byte in enumerate(right))
    for number, content in enumerate((*cut, *flipped)):
        (tmp_path / str(number)).mkdir()
        with suppress(SubmissionError):
            unpack(io.BytesIO(content), "ana.zip", tmp_path / str(number), Allowance())
