"""Large pages: memory that is joined is the same memory, and a server ends at once."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludoteca.server.large_pages import SIZE, large_pages
from tests.server.serving import PATIENCE

FILL = """
import re, sys
from pathlib import Path
from threading import Event
from ludoteca.server.large_pages import join_pages

def large():
    return int(re.search(r"AnonHugePages: +([0-9]+) kB", Path("/proc/self/smaps_rollup").read_text())[1])

kept = [(number, bytes([number % 251]) * 400) for number in range(100_000)]
before = large()
joined = join_pages(Event())
assert kept == [(number, bytes([number % 251]) * 400) for number in range(100_000)]
print(before, large(), joined)
"""


def can_join() -> bool:
    """True where the system joins pages at once: Linux from 6.1 on."""
    if sys.platform != "linux" or not SIZE.exists():
        return False
    major, minor, *_ = Path("/proc/sys/kernel/osrelease").read_text().replace("-", ".").split(".")
    return (int(major), int(minor)) >= (6, 1)


@pytest.mark.skipif(not can_join(), reason="this system does not join pages at once")
def test_memory_is_joined_and_holds_what_it_held() -> None:
    done = subprocess.run([sys.executable, "-c", FILL], capture_output=True, text=True, check=True)
    before, after, joined = map(int, done.stdout.split())
    assert after - before > 20_000, "of 50 MB, in kB"
    assert joined >= 10


def test_it_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoteca.server.large_pages.EVERY", 600.0)
    begun = time.monotonic()
    with large_pages():
        pass
    assert time.monotonic() - begun < PATIENCE


def test_memory_that_cannot_be_looked_at_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ludoteca.server.large_pages.EVERY", 0.0)
    monkeypatch.setattr("ludoteca.server.large_pages.SIZE", Path("/proc"))  # it is there, and cannot be read as a file
    end = time.monotonic() + PATIENCE
    with caplog.at_level("INFO"), large_pages():
        while sys.platform == "linux" and "no large pages are used" not in caplog.text:
            assert time.monotonic() < end
            time.sleep(0.02)  # between two looks at what another thread does
