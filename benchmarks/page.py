"""What a page costs: bytes of the first and of the second visit, and how many exchanges come one after the other.

    python benchmarks/page.py [--round-trip SECONDS] [--chromium PROGRAM] [--python PYTHON]

A server is started, and real Chromium (Playwright) visits the lobby and a room of each game. Bytes are those that the
browser counts, headers included. For the exchanges it goes through a proxy that holds back all for half the round trip
each way: a request comes one exchange after the last answer that the browser had when it sent it. Handshakes of TCP are not
counted, that of the WebSocket is. Prints a Markdown table.
"""

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import BrowserContext, sync_playwright

GAMES = ("okupacio", "conclave", "cartas", "qinto", "metro")
SHOWN = {"/": ".card-picture img", "room": "#room:not([hidden]) #board > *"}
COVERS_ARE_THERE = """[...document.images].every((image) =>
  image.complete || !image.offsetParent || image.getBoundingClientRect().top > innerHeight)"""
SEATS = {"cartas": 4, "metro": 1}


class Proxy:
    """Passes on what comes, later, and counts how many exchanges came one after the other."""

    def __init__(self, port: int) -> None:
        self.seconds = 0.0
        """The delay, each way."""
        self.exchanges = 0
        """Those that lie behind the last answer that has come."""
        self._to = port
        self._ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True).start()
        self._ready.wait()

    async def _run(self) -> None:
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await server.serve_forever()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, requests = await asyncio.open_connection("127.0.0.1", self._to)
        number = [0]  # of the last request's exchange
        both = self._pass(reader, requests, number, asks=True), self._pass(answers, writer, number, asks=False)
        await asyncio.gather(*both, return_exceptions=True)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: list[int], *, asks: bool
    ) -> None:
        loop, queue = asyncio.get_running_loop(), asyncio.Queue[tuple[float, bytes]]()

        async def write() -> None:
            while True:
                due, data = await queue.get()
                await asyncio.sleep(max(0.0, due - loop.time()))
                if not data:
                    writer.close()
                    return
                if not asks:
                    self.exchanges = max(self.exchanges, number[0])
                writer.write(data)

        writing = asyncio.create_task(write())
        while True:
            data = await reader.read(65536)
            if asks:
                number[0] = self.exchanges + 1
            queue.put_nowait((loop.time() + self.seconds, data))
            if not data:
                await writing
                return


def visit(context: BrowserContext, address: str, shown: str, proxy: Proxy) -> tuple[int, int]:
    """Bytes that come, and the exchanges until it is shown."""
    page = context.new_page()
    network = context.new_cdp_session(page)
    received = [0]

    def count(event: dict[str, Any]) -> None:
        received[0] += int(event["encodedDataLength"])

    def hear(event: dict[str, Any]) -> None:
        received[0] += len(event["response"]["payloadData"])

    network.send("Network.enable")
    network.on("Network.loadingFinished", count)
    network.on("Network.webSocketFrameReceived", hear)
    proxy.exchanges = 0
    page.goto(address, wait_until="commit")
    page.wait_for_selector(shown, state="attached", timeout=120_000)
    while not page.evaluate(COVERS_ARE_THERE):
        time.sleep(0.02)
    exchanges = proxy.exchanges
    page.wait_for_load_state("networkidle")
    page.close()
    return received[0], exchanges


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--round-trip", type=float, default=1.0)
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="the browser's program")
    parser.add_argument("--python", default=sys.executable, help="of the environment in which the version is installed")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        command = [chosen.python, "-m", "ludoteca", "serve", "--port", "0", "--no-open", "--data", f"{data}/games"]
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                direct = server.stdout.readline().split()[-1]
                proxy = Proxy(int(direct.rstrip("/").rpartition(":")[2]))
                address = f"http://127.0.0.1:{proxy.port}/"
                browser = playwright.chromium.launch(executable_path=chosen.chromium, args=["--no-sandbox"])
                print(
                    "| page | first visit, kB | second visit, kB | exchanges, first visit |\n|---|---:|---:|---:|",
                    flush=True,
                )
                for name in ("the lobby", *GAMES):
                    where, shown = address, SHOWN["/"]
                    if name in GAMES:
                        people = [{"kind": "person"}, *[{"kind": "agent", "agent": "random"}] * (SEATS.get(name, 2) - 1)]
                        body = json.dumps({"game": name, "seats": people}).encode()
                        with urlopen(Request(f"{direct}api/rooms", body)) as answer:
                            made = json.load(answer)
                        where, shown = f"{address}room/{made['room']}#{made['token']}", SHOWN["room"]
                    contexts = [browser.new_context() for _ in range(2)]
                    (first, _), (second, _) = (visit(contexts[0], where, shown, proxy) for _ in range(2))
                    proxy.seconds = chosen.round_trip / 2
                    _, exchanges = visit(contexts[1], where, shown, proxy)
                    proxy.seconds = 0.0
                    for context in contexts:
                        context.close()
                    print(f"| {name} | {first / 1000:.0f} | {second / 1000:.0f} | {exchanges} |", flush=True)
                browser.close()
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
