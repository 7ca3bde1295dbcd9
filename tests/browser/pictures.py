"""`python -m tests.browser.pictures [FOLDER]`: pictures of the pages, for `docs/pictures`, made again.

Every game under way, in light and in dark, at a desk and on a telephone. The lobby, the rules, a game that is over.
"""

import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ludoteca.core.spec import GameSpec
from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE, sync_api
from tests.browser.players import Mouse, drawn, play_to_the_end, situation, until_turn
from tests.browser.serving import Server

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
DESK = {"viewport": {"width": 1366, "height": 768}}
THEMES = ("light", "dark")
MOVES = 14
"""In the log, before a game is taken."""
SETTLED = 700


class Camera:
    """Takes pictures of the pages in one browser."""

    def __init__(self, browser: Any, server: Server, folder: Path) -> None:
        self._browser = browser
        self._server = server
        self._folder = folder

    def page(self, theme: str, place: dict[str, Any]) -> Any:
        return self._browser.new_context(color_scheme=theme, locale="en", **place).new_page()

    def take(self, page: Any, name: str) -> None:
        page.mouse.move(2, 2)
        page.wait_for_timeout(SETTLED)
        page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
        page.screenshot(path=self._folder / f"{name}.png")
        page.context.close()

    def address(self, address: str, name: str, theme: str, waits: str) -> None:
        page = self.page(theme, DESK)
        page.goto(self._server.address + address)
        page.wait_for_selector(waits)
        self.take(page, name)

    def dialog(self, spec: GameSpec) -> None:
        page = self.page("light", DESK)
        page.goto(self._server.address)
        page.locator(".card").filter(has_text=spec.title).locator(".card-main").click()
        page.wait_for_selector("dialog[open]")
        self.take(page, "new-game")

    def game(self, spec: GameSpec, theme: str, place: dict[str, Any], name: str) -> None:
        """A game that is not over after MOVES moves."""
        seats = self._seats(spec)
        for seed in count(1):
            page = self.page(theme, place)
            page.goto(self._server.new_room(spec.name, seats, parameters=self._parameters(spec))[1])
            player = Mouse(page, seed)
            while until_turn(page) and situation(page)["count"] < MOVES:
                player.step()
            if not situation(page)["over"]:
                break
            page.context.close()
        page.keyboard.press("Escape")
        self.take(page, name)

    def _parameters(self, spec: GameSpec) -> dict[str, Any]:
        several = {
            kind.name: min(3, kind.high) for kind in spec.parameters if kind.name == "players" and hasattr(kind, "high")
        }
        return several if not spec.conflict({kind.name: kind.default for kind in spec.parameters} | several) else {}

    def _seats(self, spec: GameSpec) -> list[dict[str, str]]:
        number = spec.players or self._parameters(spec).get("players", 1)
        return [{"kind": "person", "name": "Mireia"}, *[{"kind": "agent", "agent": "3"}] * (number - 1)]

    def ending(self, spec: GameSpec) -> None:
        page = self.page("light", DESK)
        seats = [{"kind": "person", "name": "Mireia"}, {"kind": "agent", "agent": "random"}]
        page.goto(self._server.new_room(spec.name, seats)[1])
        play_to_the_end(page, Mouse(page, 1))
        page.get_by_role("button", name="Analyse").click()
        page.wait_for_selector(".graph", timeout=300_000)
        page.keyboard.press("ArrowLeft")
        self.take(page, "analysis")


def take_all(camera: Camera) -> None:
    for theme in THEMES:
        camera.address("/", f"lobby-{theme}", theme, ".card")
    for spec in drawn():
        for theme in THEMES:
            camera.game(spec, theme, DESK, f"{spec.name}-{theme}")
        camera.game(spec, "light", PHONE, f"{spec.name}-phone")
    first = next(spec for spec in drawn() if spec.perfect_information)
    camera.address(f"/guide/{first.name}", "rules", "light", ".guide section")
    camera.dialog(first)
    camera.ending(first)


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
