"""The files of compiled code: read whole or not at all, shared, deleted when old, and not needed."""

import errno
import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from ludoteca.core import codecache
from ludoteca.core.codecache import CodeFile
from ludoteca.core.errors import NativeCacheWarning

DAY = 86400
PIECES = {"simulate": bytes(1000), "move_root": b"machine code"}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(codecache.ENVIRONMENT, str(tmp_path / "cache"))
    return tmp_path / "cache"


def written(name: str) -> Path:
    file = CodeFile(name, "0123")
    file.write(PIECES)
    return file.path


def test_what_was_written_is_read(cache: Path) -> None:
    assert CodeFile("toy", "0123").read() is None
    path = written("toy")
    assert path == cache / "toy-0123.code"
    assert CodeFile("toy", "0123").read() == PIECES
    assert CodeFile("toy", "4567").read() is None
    assert list(cache.iterdir()) == [path]


def test_others_may_read_what_a_user_lets_them(cache: Path) -> None:
    before = os.umask(0o022)
    try:
        assert written("toy").stat().st_mode & 0o777 == 0o644
    finally:
        os.umask(before)


def test_a_long_name_is_cut(cache: Path) -> None:
    written("a.package." * 40)
    assert CodeFile("a.package." * 40, "0123").read() == PIECES


def test_ctrl_c_waits_until_code_is_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(path: Path, content: bytes) -> int:
        signal.raise_signal(signal.SIGINT)
        return _write(path, content)

    _write = Path.write_bytes
    monkeypatch.setattr(Path, "write_bytes", write)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            written("toy")
    finally:
        signal.signal(signal.SIGINT, handler)
    assert CodeFile("toy", "0123").read() == PIECES


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:100] + bytes(64) + content[164:-1] + b"?",
        lambda content: content + b"more",
    ],
    ids=["empty", "cut", "one byte", "longer"],
)
def test_a_damaged_file_is_thrown_away_and_made_again(cache: Path, damage: Callable[[bytes], bytes]) -> None:
    path = written("toy")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(NativeCacheWarning, match=r"the compiled code in .*toy-0123\.code is damaged, and is compiled again"):
        assert CodeFile("toy", "0123").read() is None
    assert not path.exists()
    written("toy")
    assert CodeFile("toy", "0123").read() == PIECES


def test_a_file_that_cannot_be_read_is_done_without(cache: Path) -> None:
    CodeFile("toy", "0123").path.mkdir(parents=True)
    with pytest.warns(NativeCacheWarning, match="compiled code cannot be read from .*toy.*, and is compiled again"):
        assert CodeFile("toy", "0123").read() is None


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(codecache.ENVIRONMENT, str(tmp_path / "file"))
    file = CodeFile("toy", "0123")
    assert file.read() is None
    with file.locked(), pytest.warns(NativeCacheWarning, match="cannot be kept in .*file.*Set LUDOTECA_CACHE to a folder"):
        file.write(PIECES)


def test_a_disk_that_fills_up_leaves_nothing_half_written(cache: Path) -> None:
    cache.mkdir()
    with files_of_at_most(500), pytest.warns(NativeCacheWarning, match=os.strerror(errno.EFBIG)):
        CodeFile("toy", "0123").write(PIECES)
    assert list(cache.iterdir()) == []


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_folder_that_can_only_be_read_is_read(cache: Path, read_only: Callable[[Path], None]) -> None:
    written("toy")
    read_only(cache)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert CodeFile("toy", "0123").read() == PIECES
    with CodeFile("toy", "4567").locked(), pytest.warns(NativeCacheWarning, match="cannot be kept"):
        CodeFile("toy", "4567").write(PIECES)


@pytest.fixture
def read_only() -> Iterator[Callable[[Path], None]]:
    """Make a folder read-only: by its mode, or by a mount for root, for whom modes do not count."""
    made: list[Path] = []

    def make(folder: Path) -> None:
        if os.geteuid() != 0:
            folder.chmod(0o500)
            return
        for options in ("bind", "remount,bind,ro"):
            if subprocess.run(["mount", "-o", options, folder, folder], capture_output=True, check=False).returncode:
                pytest.skip("root may write everywhere, and nothing can be mounted here")
            made[:] = [folder]

    yield make
    for folder in made:
        subprocess.run(["umount", folder], check=True)


def test_files_unused_for_thirty_days_are_removed(cache: Path) -> None:
    old, recent, half = written("old"), written("recent"), cache / "toy.1.part"
    half.write_bytes(b"half")
    old.with_suffix(".lock").touch()
    now = time.time()
    for path, days in ((old, 31), (old.with_suffix(".lock"), 31), (half, 31), (recent, 29)):
        os.utime(path, (now - days * DAY, now - days * DAY))
    new = written("new")
    assert sorted(cache.iterdir()) == sorted([recent, new])


def test_a_file_in_use_is_not_removed(cache: Path) -> None:
    old = written("old")
    os.utime(old, (0, 0))
    with FileLock(old.with_suffix(".lock")):
        codecache.sweep(cache)
        assert old.exists()
    codecache.sweep(cache)
    assert not old.exists()


def test_reading_a_file_keeps_it(cache: Path) -> None:
    path = written("toy")
    os.utime(path, (0, 0))
    assert CodeFile("toy", "0123").read()
    codecache.sweep(cache)
    assert path.exists()


def test_one_process_at_a_time(cache: Path) -> None:
    holder = (
        "from ludoteca.core.codecache import CodeFile\n"
        "with CodeFile('toy', '0123').locked():\n"
        "    print('in', flush=True)\n    input()\n    CodeFile('toy', '0123').write({})"
    )
    with subprocess.Popen([sys.executable, "-c", holder], stdin=-1, stdout=-1, text=True) as other:
        assert other.stdin
        assert other.stdout
        assert other.stdout.readline() == "in\n"
        with pytest.raises(TimeoutError), FileLock(CodeFile("toy", "0123").path.with_suffix(".lock"), timeout=0.1):
            pass
        other.stdin.write("\n")
        other.stdin.flush()
        with CodeFile("toy", "0123").locked():
            assert CodeFile("toy", "0123").read() == {}
