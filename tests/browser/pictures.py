"""`python -m tests.browser.pictures [FOLDER]`: the pictures of `docs/browser.md`, made again.

The lobby, the dialog for a new game, two games under way, and a game that is over.
"""

import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ludoteca.core import registry
from ludoteca.core.spec import GameSpec
from tests.browser.conftest import ARGUMENTS, CHROMIUM, sync_api
from tests.browser.players import Mouse, play_to_the_end, situation, until_turn
from tests.browser.serving import Server

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
DESK = {"viewport": {"width": 1366, "height": 768}}
MOVES = 14
"""In the log, before a game is taken."""
SETTLED = 700


class Camera:
    """Takes pictures of the pages in one browser."""

    def __init__(self, browser: Any, server: Server, folder: Path) -> None:
        self._browser = browser
        self._server = server
        self._folder = folder

    def page(self, theme: str) -> Any:
        return self._browser.new_context(color_scheme=theme, locale="en", **DESK).new_page()

    def take(self, page: Any, name: str) -> None:
        page.mouse.move(2, 2)
        page.wait_for_timeout(SETTLED)
        page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
        page.screenshot(path=self._folder / f"{name}.png")
        page.context.close()

    def lobby(self) -> None:
        page = self.page("light")
        page.goto(self._server.address)
        page.wait_for_selector(".card")
        self.take(page, "lobby-light")

    def dialog(self, spec: GameSpec) -> None:
        page = self.page("light")
        page.goto(self._server.address)
        page.locator(".card").filter(has_text=spec.title).locator(".card-main").click()
        page.wait_for_selector("dialog[open]")
        self.take(page, "new-game")

    def game(self, spec: GameSpec, theme: str) -> None:
        """A game that is not over after MOVES moves."""
        seats = self._seats(spec)
        for seed in count(1):
            page = self.page(theme)
            page.goto(self._server.new_room(spec.name, seats, parameters=self._parameters(spec))[1])
            player = Mouse(page, seed)
            while until_turn(page) and situation(page)["count"] < MOVES:
                player.step()
            if not situation(page)["over"]:
                break
            page.context.close()
        page.keyboard.press("Escape")
        self.take(page, f"{spec.name}-{theme}")

    def _parameters(self, spec: GameSpec) -> dict[str, Any]:
        several = {
            kind.name: min(3, kind.high) for kind in spec.parameters if kind.name == "players" and hasattr(kind, "high")
        }
        return several if not spec.conflict({kind.name: kind.default for kind in spec.parameters} | several) else {}

    def _seats(self, spec: GameSpec) -> list[dict[str, str]]:
        number = spec.players or self._parameters(spec).get("players", 1)
        return [{"kind": "person", "name": "Mireia"}, *[{"kind": "agent", "agent": "3"}] * (number - 1)]

    def ending(self, spec: GameSpec) -> None:
        page = self.page("light")
        seats = [{"kind": "person", "name": "Mireia"}, {"kind": "agent", "agent": "random"}]
        page.goto(self._server.new_room(spec.name, seats)[1])
        play_to_the_end(page, Mouse(page, 1))
        page.get_by_role("button", name="Analyse").click()
        page.wait_for_selector(".graph", timeout=300_000)
        page.keyboard.press("ArrowLeft")
        self.take(page, "analysis")


def take_all(camera: Camera) -> None:
    camera.lobby()
    camera.dialog(registry.find("okupacio"))
    camera.game(registry.find("metro"), "light")
    camera.game(registry.find("cartas"), "dark")
    camera.ending(registry.find("okupacio"))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data, sync_api.sync_playwright() as playwright:
        server = Server(Path(data) / "games.sqlite")
        server.start()
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        try:
            take_all(Camera(browser, server, folder))
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
