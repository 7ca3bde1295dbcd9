"""Unpacks zip archives of submissions. The limits hold for the real sizes of the unpacked files, whatever sizes the archive
states.
"""

import io
import re
import stat
import struct
import zlib
from pathlib import Path
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from ludoteca.core.words import escaped
from ludoteca.judge.snapshots import MEBIBYTE, MOST_BYTES, MOST_FILES, Allowance, is_ignored, refuse

ENTRY: Final = b"PK\x01\x02"
"""The beginning of each entry in the list of an archive."""
MOST_ENTRIES: Final = 20 * MOST_FILES
"""The most entries in an archive's list. Entries that are ignored later, and those of archives inside, count, too."""
ENCRYPTED: Final = 0x1
ABSOLUTE: Final = re.compile(r"/|[A-Za-z]:")


def unpack(archive: IO[bytes], name: str, target: Path, allowance: Allowance) -> None:
    """Unpack a zip archive with the given name into the folder `target`, within the limits of `allowance`.

    Raises SubmissionError if the archive is damaged, too large or malicious.
    """
    content = archive.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        refuse("submission.size", f"{MOST_BYTES / MEBIBYTE:g}")
    if content.count(ENTRY) > MOST_ENTRIES:
        refuse("submission.files", MOST_FILES)
    try:
        with ZipFile(io.BytesIO(content)) as file:
            for info in file.infolist():
                _unpack_entry(file, info, target, allowance)
    except (BadZipFile, EOFError, NotImplementedError, OverflowError, ValueError, struct.error, zlib.error):
        refuse("zip.damaged", escaped(name))


def _unpack_entry(file: ZipFile, info: ZipInfo, target: Path, allowance: Allowance) -> None:
    name, shown = info.orig_filename, escaped(info.orig_filename)
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ABSOLUTE.match(name) or ".." in parts or "\\" in name or "\0" in name or not parts:
        refuse("zip.path", shown)
    if any(map(is_ignored, parts)):
        return
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) == stat.S_IFLNK:
        refuse("submission.link", shown)
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        refuse("submission.special", shown)
    if info.flag_bits & ENCRYPTED:
        refuse("zip.encrypted", shown)
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        refuse("zip.method", shown)
    allowance.enter("/".join(parts))
    path = target.joinpath(*parts)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if info.is_dir():
            path.mkdir(exist_ok=True)
        else:
            with file.open(info) as source:
                allowance.write(source, path, runs=bool(mode & 0o111))
    except (FileExistsError, NotADirectoryError):
        refuse("zip.twice", shown)
