"""What a page costs: bytes, and how many exchanges come one after the other, on the first and on the second visit.

    python benchmarks/page.py [--latency SECONDS] [--chromium PROGRAM] [--python PYTHON] [--pages NAME...]

A server is started, and real Chromium (Playwright) visits the lobby, a room of each game, its rules and its guided first
game. Bytes are those that the browser counts, headers included. For the exchanges the browser itself holds every answer
back (`Network.emulateNetworkConditions` of its protocol): a request comes one exchange after the last answer that had come
when it was sent, and what counts is the last one before the page is shown. Handshakes of TCP are not counted, that of the
WebSocket is, whose frames are an exchange more. Prints a Markdown table.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, BrowserContext, sync_playwright

GAMES = ("okupacio", "conclave", "cartas", "qinto", "metro")
SEATS = {"cartas": 4, "metro": 1}
BOARD = "#room:not([hidden]) #board > *"
SHOWN = {"lobby": ".card-picture img", "room": BOARD, "guide": "#paragraphs svg > *", "learn": "#board > *"}
COVERS_ARE_THERE = """[...document.images].every((image) =>
  image.complete || !image.offsetParent || image.getBoundingClientRect().top > innerHeight)"""
PATIENCE = 120_000


@dataclass
class Traffic:
    """What a page asks for and gets, as the browser's protocol tells it."""

    bytes: int = 0
    asked: dict[str, float] = field(default_factory=dict)
    """When each request was sent, in the browser's seconds."""
    came: dict[str, float] = field(default_factory=dict)
    """When its answer was there."""

    def listen(self, network: Any) -> None:
        """Hear what the page does from now on."""
        for name, what in {
            "requestWillBeSent": self._ask,
            "responseReceived": self._answer,
            "requestServedFromCache": lambda event: self.asked.pop(event["requestId"], None),
            "loadingFinished": self._load,
            "webSocketWillSendHandshakeRequest": self._ask,
            "webSocketHandshakeResponseReceived": self._come,
            "webSocketFrameSent": lambda event: self.asked.setdefault(f"{event['requestId']} frames", event["timestamp"]),
            "webSocketFrameReceived": self._hear,
        }.items():
            network.on(f"Network.{name}", what)
        network.send("Network.enable")

    def _ask(self, event: dict[str, Any]) -> None:
        self.asked[event["requestId"]] = event["timestamp"]

    def _come(self, event: dict[str, Any]) -> None:
        self.came[event["requestId"]] = event["timestamp"]

    def _answer(self, event: dict[str, Any]) -> None:
        response, which = event["response"], event["requestId"]
        if response.get("fromDiskCache") or response["url"].startswith("data:"):
            self.asked.pop(which, None)
        elif timing := response.get("timing"):  # a request may have waited for a free connection
            self.asked[which] = timing["requestTime"] + timing["sendStart"] / 1000

    def _load(self, event: dict[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])
        self._come(event)

    def _hear(self, event: dict[str, Any]) -> None:
        self.bytes += len(event["response"]["payloadData"])
        self.came.setdefault(f"{event['requestId']} frames", event["timestamp"])

    def exchanges(self) -> int:
        """How many exchanges came one after the other."""
        after: dict[str, int] = {}
        for which in sorted(self.came.keys() & self.asked.keys(), key=lambda which: self.asked[which]):
            before = [depth for other, depth in after.items() if self.came[other] <= self.asked[which]]
            after[which] = 1 + max(before, default=0)
        return max(after.values(), default=0)


def visit(context: BrowserContext, address: str, shown: str, latency: float) -> tuple[int, int]:
    """Bytes that come, and the exchanges until it is shown."""
    page, traffic = context.new_page(), Traffic()
    network = context.new_cdp_session(page)
    traffic.listen(network)
    slow = {"offline": False, "latency": 1000 * latency, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    page.goto(address, wait_until="commit", timeout=PATIENCE)
    page.wait_for_selector(shown, state="attached", timeout=PATIENCE)
    while not page.evaluate(COVERS_ARE_THERE):
        time.sleep(0.02)
    exchanges = traffic.exchanges()
    page.wait_for_load_state("networkidle")
    page.close()
    return traffic.bytes, exchanges


def row(browser: Browser, name: str, address: str, shown: str, latency: float) -> str:
    """The line of the table for a page."""
    context = browser.new_context()
    (first, many), (second, few) = (visit(context, address, shown, latency) for _ in range(2))
    context.close()
    return f"| {name} | {first / 1000:.0f} | {second / 1000:.0f} | {many} | {few} |"


def room(address: str, game: str) -> str:
    """The address of a seat in a new room."""
    people = [{"kind": "person"}, *[{"kind": "agent", "agent": "random"}] * (SEATS.get(game, 2) - 1)]
    with urlopen(Request(f"{address}api/rooms", json.dumps({"game": game, "seats": people}).encode())) as answer:
        made = json.load(answer)
    return f"{address}room/{made['room']}#{made['token']}"


@contextmanager
def served(python: str) -> Iterator[str]:
    """The address of a server of its own."""
    with tempfile.TemporaryDirectory() as data:
        command = [python, "-m", "ludoteca", "serve", "--port", "0", "--no-open", "--data", f"{data}/games"]
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                yield server.stdout.readline().split()[-1]
            finally:
                server.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds for which every answer is held back")
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="the browser's program")
    parser.add_argument("--python", default=sys.executable, help="of the environment in which the version is installed")
    parser.add_argument("--pages", nargs="+", default=tuple(SHOWN), choices=tuple(SHOWN))
    chosen = parser.parse_args()
    print("| page | first visit, kB | second visit, kB | exchanges, first visit | second visit |\n|---|---:|---:|---:|---:|")
    with served(chosen.python) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chosen.chromium, args=["--no-sandbox"])
        for page in chosen.pages:
            for game in [""] if page == "lobby" else GAMES:
                where = {"lobby": address, "guide": f"{address}guide/{game}", "learn": f"{address}learn/{game}"}
                to = where.get(page) or room(address, game)
                line = row(browser, f"{page} {game}".strip(), to, SHOWN[page], chosen.latency)
                print(line, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
