"""The folders of compiled code: named by content, private when they must be, swept when old."""

import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest
from filelock import FileLock

from ludoteca.core import store
from ludoteca.core.errors import NativeCacheWarning

DAY = 86400


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(store.ENVIRONMENT, str(tmp_path / "cache"))
    return tmp_path / "cache"


def source(folder: Path, text: str) -> Path:
    path = folder / "rules.py"
    path.write_text(text)
    return path


def folder_for(sources: list[Path]) -> Path:
    with store.folder("toy", sources) as path:
        return path


def test_the_folder_follows_the_sources(cache: Path, tmp_path: Path) -> None:
    names = []
    for text in ("BEST = 1", "BEST = 2", "BEST = 1"):
        with store.folder("toy", [source(tmp_path, text)]) as path:
            names.append(path.name)
    assert names[0] == names[2] != names[1]
    assert all(name.startswith("toy-") for name in names)


def test_folders_unused_for_thirty_days_are_removed(cache: Path, tmp_path: Path) -> None:
    with store.folder("old", [source(tmp_path, "a")]) as old:
        (old / "code.nbc").write_text("machine code")
    with store.folder("recent", [source(tmp_path, "b")]) as recent:
        pass
    now = time.time()
    os.utime(old / "used", (now - 31 * DAY, now - 31 * DAY))
    os.utime(recent / "used", (now - 29 * DAY, now - 29 * DAY))
    with store.folder("new", [source(tmp_path, "c")]) as new:
        pass
    assert not old.exists()
    assert recent.exists()
    assert new.exists()


def test_a_folder_in_use_is_not_removed(cache: Path, tmp_path: Path) -> None:
    with store.folder("old", [source(tmp_path, "a")]) as old:
        pass
    os.utime(old / "used", (0, 0))
    with FileLock(f"{old}.lock"):
        store.sweep(cache)
        assert old.exists()
    store.sweep(cache)
    assert not old.exists()


def test_using_a_folder_keeps_it(cache: Path, tmp_path: Path) -> None:
    paths = [source(tmp_path, "a")]
    with store.folder("toy", paths) as path:
        os.utime(path / "used", (0, 0))
    with store.folder("toy", paths) as path:
        pass
    store.sweep(cache)
    assert path.exists()


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_written_to_gives_a_private_one_and_says_so(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(store.ENVIRONMENT, str(tmp_path / name))
    with pytest.warns(NativeCacheWarning, match="compiled code cannot be kept in .*file.*LUDOTECA_CACHE"):
        path = folder_for([source(tmp_path, "a")])
    assert path.is_dir()
    assert tmp_path not in path.parents


def test_a_private_folder_goes_with_its_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code = "from ludoteca.core import store\nwith store.folder('toy', []) as path: print(path)"
    environment = os.environ | {store.ENVIRONMENT: str(tmp_path / "file")}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "NativeCacheWarning" in result.stderr
    assert not Path(result.stdout.strip()).exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_gives_a_private_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.setenv(store.ENVIRONMENT, str(tmp_path))
    with pytest.warns(NativeCacheWarning):
        path = folder_for([])
    assert tmp_path not in path.parents


def test_a_folder_that_can_be_written_to_is_used_in_silence(cache: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with store.folder("toy", [source(tmp_path, "a")]) as path:
            assert path.parent == cache


def test_one_process_at_a_time(cache: Path, tmp_path: Path) -> None:
    # the other process holds the lock so long that we come to wait for it
    holder = (
        "import time\nfrom ludoteca.core import store\n"
        "with store.folder('toy', []) as path:\n    print('in', flush=True)\n    time.sleep(1)\n    print('out', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", holder], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        start = time.monotonic()
        with store.folder("toy", []):
            assert other.stdout.readline() == "out\n"
        assert time.monotonic() - start > 0.5
