"""A browser and a server for tests. They are skipped, with the reason, where Chromium or Playwright is missing."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.serving import Server

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")

BROWSERS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM = next((browser for browser in BROWSERS if browser.exists()), BROWSERS[0])
"""Both have the same engine. The one without windows takes two thirds of the other's processor time."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}

MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
"""Options of a page that shows movements, for tests of movements and for whole games."""

PATIENCE = 180_000
"""Milliseconds in which something has to happen, on a machine that others keep busy."""

NewPage = Callable[..., Any]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM.exists():
        return
    missing = pytest.mark.skip(reason=f"{CHROMIUM} is missing: as root, apt-get install chromium-headless-shell")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(missing)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server, too: it starts, and makes pages of their files, once."""
    server = Server(tmp_path_factory.mktemp("server") / "games.sqlite")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """One browser for all files that a process runs in a row. It ends before tests with a separate event loop."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def troubles() -> list[str]:
    """The complaints of pages: errors in scripts, missing texts, content that the policy forbids."""
    return []


@pytest.fixture
def new_page(chromium: Any, troubles: list[str]) -> Iterator[NewPage]:
    """Makes pages of separate browsers. A test fails if a page complains.

    Their person has asked for less motion: to draw what moves takes a quarter of the processor time.
    """
    contexts: list[Any] = []

    def make(address: str = "", **settings: Any) -> Any:
        settings.setdefault("locale", "en")
        settings.setdefault("reduced_motion", "reduce")
        settings.setdefault("viewport", {"width": 1280, "height": 800})
        context = chromium.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: troubles.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        if address:
            page.goto(address)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not troubles
