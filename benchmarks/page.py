"""Measure the bytes and the exchanges of a page, on the first and on the second visit.

Chromium visits the lobby, a room of each game, its rules and its guided first game. The browser counts the bytes, with
headers. It delays every answer by itself. A request is one exchange later than the last answer before it. The
number of a page is that of the last exchange before the page is shown. Handshakes of TCP do not count. The handshake of
the WebSocket counts, and its frames are one more exchange.

Figures: docs/speed.md#the-first-answer
"""

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.measuring import print_header, print_row
from benchmarks.servers import post, serving
from ludoteca.core import registry

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

SEATS = {"cartas": 4, "metro": 1}
BOARD = "#room:not([hidden]) #board > *"
SHOWN = {"lobby": ".card-picture img", "room": BOARD, "guide": "#sections svg > *", "learn": "#board > *"}
COVERS_ARE_THERE = """[...document.images].every((image) =>
  image.complete || !image.offsetParent || image.getBoundingClientRect().top > innerHeight)"""
PATIENCE_MS = 120_000


@dataclass
class Traffic:
    """The requests and answers of a page, as the browser's protocol reports them."""

    bytes: int = 0
    asked: dict[str, float] = field(default_factory=dict)
    """The browser's time in seconds at which each request was sent."""
    came: dict[str, float] = field(default_factory=dict)
    """The time at which its answer was complete."""

    def listen(self, network: Any) -> None:
        """Record what the page does from now on."""
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
        """Return the number of exchanges that followed each other."""
        after: dict[str, int] = {}
        for which in sorted(self.came.keys() & self.asked.keys(), key=lambda which: self.asked[which]):
            before = [depth for other, depth in after.items() if self.came[other] <= self.asked[which]]
            after[which] = 1 + max(before, default=0)
        return max(after.values(), default=0)


def visit(context: "BrowserContext", address: str, shown: str, latency: float) -> tuple[int, int]:
    """Open a page. Return its bytes, and the exchanges until it is shown."""
    page, traffic = context.new_page(), Traffic()
    network = context.new_cdp_session(page)
    traffic.listen(network)
    slow = {"offline": False, "latency": 1000 * latency, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    page.goto(address, wait_until="commit", timeout=PATIENCE_MS)
    page.wait_for_selector(shown, state="attached", timeout=PATIENCE_MS)
    while not page.evaluate(COVERS_ARE_THERE):
        time.sleep(0.02)
    exchanges = traffic.exchanges()
    page.wait_for_load_state("networkidle")
    page.close()
    return traffic.bytes, exchanges


def print_visits(browser: "Browser", name: str, address: str, shown: str, latency: float) -> None:
    """Print the figures of two visits to a page."""
    context = browser.new_context()
    (first, many), (second, few) = (visit(context, address, shown, latency) for _ in range(2))
    context.close()
    print_row(name, f"{first / 1000:.0f}", f"{second / 1000:.0f}", many, few)


def room(address: str, game: str) -> str:
    """Make a room, and return the address of its first seat."""
    people = [{"kind": "person"}, *[{"kind": "agent", "agent": "random"}] * (SEATS.get(game, 2) - 1)]
    made = post(address, "rooms", {"game": game, "seats": people})
    return f"{address}room/{made['room']}#{made['token']}"


def main(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    from playwright.sync_api import sync_playwright
    from tests.browser.conftest import CHROMIUM

    parser.add_argument("pages", nargs="*", default=list(SHOWN), metavar="PAGE", help=f"{', '.join(SHOWN)} (all)")
    parser.add_argument("--latency", type=float, default=1.0, help="delay of every answer in seconds (1)")
    options = parser.parse_args(arguments)
    print_header("page", "first visit, kB", "second visit, kB", "exchanges, first visit", "second visit")
    with serving() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        for page in options.pages:
            for game in [""] if page == "lobby" else registry.names():
                where = {"lobby": address, "guide": f"{address}guide/{game}", "learn": f"{address}learn/{game}"}
                to = where.get(page) or room(address, game)
                print_visits(browser, f"{page} {game}".strip(), to, SHOWN[page], options.latency)
        browser.close()
