"""Measure a folder that plays without a server, made by `ludoteca web`.

The first table has the bytes of each part, as they lie in the folder and compressed by gzip. The second one has each game's
start, from "Play now" in the lobby until the board is shown and the person may move, in Chromium with nothing cached: by the
clock, and in seconds of a processor, which hardly depend on other work. Then the page's process is stopped for three
quarters of the time, because Chromium's own way to slow a page does not slow its worker. The memory is that of the page's
process. A move's time is a mean in Node.

Figures: docs/speed.md#without-a-server
"""

import gzip
import os
import signal
import subprocess
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from benchmarks.measuring import print_header, print_row
from ludoteca.core.levels import names_for
from ludoteca.core.registry import find

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT: Final = Path(__file__).parents[1]
TURN: Final = "#board.mine"
PATIENCE_MS: Final = 300_000
SLICE: Final = 0.01
"""Seconds that a slowed browser runs at a time."""


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    from playwright.sync_api import sync_playwright
    from tests.browser.conftest import CHROMIUM

    parser.add_argument("folder", type=Path, metavar="DIR", help="what `ludoteca web DIR` has written")
    parser.add_argument("--slower", type=int, default=4, help="how much to slow Chromium (4)")
    folder: Path = (options := parser.parse_args(arguments)).folder
    games = sorted(file.stem for file in (folder / "python").glob("*.json") if file.with_suffix(".wasm").exists())
    print_sizes(folder, games)
    print()
    slowed_to = f"slowed to 1/{options.slower}, s"
    print_header("game", "start, s", "processor, s", slowed_to, "memory, MB", "highest level, ms a move")
    with serving(folder) as address, sync_playwright() as playwright:
        for game in games:
            browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
            seconds, used, memory = start(browser, address, game)
            slowly, *_ = start(browser, address, game, options.slower)
            browser.close()
            print_row(game, f"{seconds:.1f}", f"{used:.1f}", f"{slowly:.1f}", f"{memory / 1e6:.0f}", thinking(folder, game))


def print_sizes(folder: Path, games: Sequence[str]) -> None:
    """Print the bytes of all parts that the first game of a page loads."""
    python = folder / "python"
    own = [python / f"{game}.{kind}" for game in games for kind in ("wasm", "json")]
    parts = {
        "Pyodide": [file for file in python.iterdir() if file.name.startswith("pyodide")],
        "Python's library": [python / "python_stdlib.zip"],
        "Ludoteca": [python / "ludoteca.zip"],
        "msgspec": [python / "msgspec.whl"],
        "a room's page": [folder / "room.html", folder / "static/room.js", folder / "static/room.css"],
    } | {game: [file for file in own if file.stem == game] for game in games}
    print_header("part", "kB", "compressed, kB")
    for name, files in parts.items():
        contents = [file.read_bytes() for file in files]
        sizes = sum(map(len, contents)), sum(len(gzip.compress(content)) for content in contents)
        print_row(name, *(f"{size / 1000:,.0f}" for size in sizes))


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve the folder while the block runs."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def start(browser: "Browser", address: str, game: str, slower: int = 1) -> tuple[float, float, int]:
    """Return the seconds from "Play now" until the person may move, those of a processor, and the bytes of the memory."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    button = page.locator(f'.card:has(a[href$="?{game}"]) .primary')
    button.wait_for()
    before = max(map(processor, renderers()))
    with slowed(slower):
        began = time.perf_counter()
        button.click()
        page.wait_for_selector(TURN, state="attached", timeout=PATIENCE_MS)
        seconds = time.perf_counter() - began
    used, memory = max(map(processor, renderers())) - before, max(map(resident, renderers()))
    context.close()
    return seconds, used, memory


def renderers() -> set[int]:
    """Return the processes of pages that this process's Chromium has."""
    found = subprocess.run(["pgrep", "-f", "--", "--type=renderer"], capture_output=True, text=True, check=False)
    return {int(line) for line in found.stdout.split() if descends(int(line))}


def descends(process: int) -> bool:
    while process > 1:
        try:
            stat = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            return False
        process = int(stat.rpartition(")")[2].split()[1])
        if process == os.getpid():
            return True
    return False


def processor(process: int) -> float:
    """Return the seconds of a processor that a process has used."""
    used = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> int:
    """Return the bytes of a process's memory."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def slowed(slower: int) -> Iterator[None]:
    """Let the pages' processes run for a part of the time only."""
    over = Event()

    def stop_and_go() -> None:
        while slower > 1 and not over.is_set():
            some = renderers()
            for number in range(50):
                send(some, signal.SIGCONT if number % 2 else signal.SIGSTOP)
                time.sleep(SLICE if number % 2 else SLICE * (slower - 1))

    thread = Thread(target=stop_and_go)
    thread.start()
    yield
    over.set()
    thread.join()


def send(processes: set[int], number: int) -> None:
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            continue


def thinking(folder: Path, game: str) -> str:
    """Return the milliseconds of a move of the highest level in Node."""
    program, level = Path(__file__).with_name("thinking_in_page.py"), names_for(find(game))[-1]
    command = [*map(str, ("node", ROOT / "web/run.mjs", folder / "python", game, program, game, level))]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
