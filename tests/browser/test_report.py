"""The page with a tournament's results in a browser, opened from the disk: nothing runs in it but its own script."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludoteca.arena.figures import report
from ludoteca.arena.figures.ratings import game_of, results
from ludoteca.arena.figures.replays import eyes_of
from ludoteca.arena.matches.results import Played
from ludoteca.core import registry
from ludoteca.core.messages import LANGUAGES
from ludoteca.core.record import Record
from ludoteca.core.spec import GameSpec
from tests.arena.finished import HOSTILE, some_games
from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.players import drawn
from tests.browser.test_access import AXE, serious_in_both_themes

IDS = "() => [...document.querySelectorAll('.board > g:first-of-type .item')].map((item) => item.dataset.id)"
HOLDS_THE_PAGE = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"

OpenReport = Callable[..., Any]


@pytest.fixture
def open_report(new_page: NewPage, tmp_path: Path, troubles: list[str]) -> OpenReport:
    """Opens the page with some games. The page may request only that file, and may open no dialog."""

    def opened(games: list[Played], **settings: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(report.html(results(games, 50), games, f"Cup {HOSTILE}", {"seed": 7}), encoding="utf-8")
        page = new_page(**settings)
        page.on("request", lambda request: None if request.url.startswith(file.as_uri()) else troubles.append(request.url))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.goto(file.as_uri())
        return page

    return opened


def shown_ids(record: Record, ply: int, eye: int) -> list[str]:
    state = game_of(record).state_at(record.start)
    for action in record.actions[:ply]:
        state.apply_action(state.string_to_action(action))
    return [item.id for item in state.scene(eye).items]


def look_through(page: Any, game: Played, number: int, every: int) -> None:
    """Every position with the arrow key. Some are compared with the scene. Then the last one, as each seat sees it."""
    page.locator("#list a").nth(number).click()
    page.wait_for_selector(f"#replay:has(h2:text-is('Game {game.key}'))")
    last, eyes = len(game.record.actions), eyes_of(game_of(game.record))
    first = eyes[len(eyes) > 1]
    for ply in range(last + 1):
        assert page.locator("#slider").input_value() == str(ply)
        if ply % every == 0 or ply == last:
            assert page.evaluate(IDS) == shown_ids(game.record, ply, first)
        page.keyboard.press("ArrowRight")
    assert page.locator(".moves .here").count() == min(last, 1)
    for place, eye in enumerate(eyes if len(eyes) > 1 else ()):
        page.select_option("#eyes", str(place))
        assert page.evaluate(IDS) == shown_ids(game.record, last, eye)


@pytest.mark.parametrize("spec", [registry.find(name) for name in ("cartas", "okupacio")], ids=lambda spec: spec.name)
def test_a_game_is_looked_through_move_by_move(open_report: OpenReport, spec: GameSpec) -> None:
    games = some_games(spec, 2)
    page = open_report(games)
    look_through(page, games[1], 1, every=7)


@pytest.mark.soak
@pytest.mark.parametrize("spec", drawn(), ids=lambda spec: spec.name)
def test_all_games_are_looked_through_move_by_move(open_report: OpenReport, spec: GameSpec) -> None:
    games = some_games(spec, 4)
    page = open_report(games, **MOVING)
    for number, game in enumerate(games):
        look_through(page, game, number, every=3)


def test_the_list_of_moves_shows_small_pictures_and_how_long_each_move_took(open_report: OpenReport) -> None:
    game = some_games(registry.find("okupacio"), 2)[1]
    times = [0.0, 0.0, *(1.25 for _ in game.record.actions[2:])]
    page = open_report([msgspec.structs.replace(game, opening=2, times=times)])
    page.locator("#list a").click()
    page.wait_for_selector("#replay .moves")
    assert page.locator(".moves small").all_inner_texts()[1:4] == ["drawn", "1.250\u00a0s", "1.250\u00a0s"]
    assert page.locator(".moves svg").first.bounding_box()["height"] < 30


def test_names_and_errors_run_nothing_in_any_language(open_report: OpenReport) -> None:
    games = some_games(registry.find("okupacio"), 2)
    page = open_report(games)
    page.locator("#faults a").click()
    page.wait_for_selector("#replay .steps")
    assert HOSTILE in page.locator("#replay td pre").inner_text()
    assert page.locator("#replay .bad").first.inner_text() == "The game was stopped here."
    for language in LANGUAGES:  # a text that is missing is an error in the console
        page.select_option("#language", language)
        assert page.evaluate("document.documentElement.lang") == language
    assert page.locator("#table-title").inner_text() == "Shares"
    page.select_option("#language", "ca")
    assert page.locator("#table-title").inner_text() == "Parts"
    assert page.locator("#replay .task").inner_text().startswith("Ocupa")
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("main script, main img").count() == 0


def test_the_keyboard_is_enough(open_report: OpenReport) -> None:
    games = some_games(registry.find("okupacio"), 2)
    page = open_report(games, **PHONE)
    page.locator("#list a").nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#replay .steps")
    assert page.evaluate("document.activeElement.id") == "replay-title"
    for key, ply in (("End", len(games[1].record.actions)), ("ArrowLeft", len(games[1].record.actions) - 1), ("Home", 0)):
        page.keyboard.press(key)
        assert page.locator("#slider").input_value() == str(ply)
    page.locator(".moves").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".moves .here").count() == 1
    assert page.locator("[aria-live]").inner_text().startswith("Move 1 of")
    page.locator("#only").focus()
    page.select_option("#only", HOSTILE)
    assert page.locator("#list tbody tr:visible").count() == 2
    assert page.evaluate(HOLDS_THE_PAGE)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing: npm ci --prefix web")
def test_axe_finds_nothing_serious(open_report: OpenReport) -> None:
    page = open_report(some_games(registry.find("okupacio"), 2), bypass_csp=True, **PHONE)
    page.locator("#list a").nth(1).click()
    page.wait_for_selector("#replay .steps")
    assert serious_in_both_themes(page) == []
    assert page.evaluate(HOLDS_THE_PAGE)
