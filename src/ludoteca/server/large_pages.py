"""Large pages: what a busy server has in memory is found sooner by the processor, above all in a virtual machine.

Memory comes in pages of 4 kB. A processor remembers where a few thousand of them are, and looks for all others in tables;
the objects of a server lie in a hundred thousand. Linux joins 512 of them into one where `madvise` asks for it: from
Linux 6.1 on at once, before that when it has time. `docs/server-load.md` has what it is worth.
"""

import ctypes
import logging
import mmap
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Final

import numpy as np

EVERY: Final = 5.0
"""Seconds between two looks for memory that has been filled since."""
FILLED: Final = 7 / 8
"""The part of a large page that is in use before it is joined: the rest is taken from the system with that."""
LONG: Final = 0.0005
"""Seconds from which on something has been joined: where all has been before, it takes no time."""
PAUSE: Final = 0.02
"""Seconds until the next is joined, for whoever waits for the processor or for new memory."""
ADVISED: Final = 14
"""MADV_HUGEPAGE: the system may join the pages, and gives large ones at first."""
COLLAPSED: Final = 25
"""MADV_COLLAPSE: it joins them now."""
PRESENT: Final = np.uint64(1 << 63)
"""Of a page's entry in /proc/self/pagemap: it is in memory."""
SIZE: Final = Path("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")

log: Final = logging.getLogger(__name__)


@contextmanager
def large_pages() -> Iterator[None]:
    """Have a thread join this process's memory into large pages, again and again; nothing is done where there are none."""
    if sys.platform != "linux" or not SIZE.exists():
        yield
        return
    ends = Event()
    thread = Thread(target=_join_again_and_again, args=(ends,), name="large pages", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


def _join_again_and_again(ends: Event) -> None:
    try:
        while not ends.wait(EVERY):
            join_pages(ends)
    except OSError as error:  # as where the files of /proc may not be read: the memory stays as it is
        log.info("no large pages are used: %s", error)


def join_pages(ends: Event) -> int:
    """Have the pages joined that are nearly full, until that is set; returns how many large pages there are now.

    Raises OSError where this process may not read how its memory is used.
    """
    size, joined = int(SIZE.read_text()), 0
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    with Path("/proc/self/pagemap").open("rb", buffering=0) as pages:
        for start, end in _allocated():
            first, last = -(-start // size) * size, end // size * size
            if first >= last:
                continue
            pages.seek(first // mmap.PAGESIZE * 8)
            entries = np.frombuffer(pages.read((last - first) // mmap.PAGESIZE * 8), np.uint64)
            if entries.size * mmap.PAGESIZE != last - first:  # it was given back meanwhile
                continue
            used = (entries & PRESENT != 0).reshape(-1, size // mmap.PAGESIZE).mean(1)
            madvise(first, last - first, ADVISED)
            for number in np.flatnonzero(used >= FILLED).tolist():
                begun = time.monotonic()
                joined += int(madvise(first + number * size, size, COLLAPSED) == 0)
                if time.monotonic() - begun > LONG and ends.wait(PAUSE):
                    return joined
    return joined


def _allocated() -> list[tuple[int, int]]:
    """Where memory begins and ends that belongs to no file and to no stack that has a name."""
    found = []
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights == "rw-p" and inode == "0" and (not name or name[0] == "[heap]" or name[0].startswith("[anon")):
            start, _, end = place.partition("-")
            found.append((int(start, 16), int(end, 16)))
    return found
