"""Games that are over: they run by themselves, and are saved as pictures."""

from pathlib import Path

from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.players import at_random
from tests.browser.rooms import OPEN
from tests.browser.serving import Server
from tests.missing import needs_pictures


def test_a_replay_runs_by_itself_to_the_end(server: Server, new_page: NewPage) -> None:
    ended = at_random(OPEN)
    record, last = server.record(ended), len(ended.history())
    page = new_page(f"{server.address}/room/{record}", **MOVING)
    page.wait_for_selector("#ending:not([hidden])")
    page.evaluate("localStorage.setItem('ludoteca.motion', 'fast')")
    run, pause = (page.get_by_role("button", name=name) for name in ("Run through the moves", "Pause"))
    run.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#log li.here[data-ply='2']")
    page.keyboard.press("Enter")
    run.wait_for()
    stopped = page.locator("#log li.here").get_attribute("data-ply")
    page.wait_for_timeout(700)
    assert page.locator("#log li.here").get_attribute("data-ply") == stopped
    page.locator(f"#log li[data-ply='{last - 2}'] button").click()
    run.click()
    pause.wait_for()
    page.locator("#replay .count").get_by_text(f"{last} / {last}", exact=True).wait_for()
    run.wait_for()
    run.click()
    pause.wait_for()
    page.locator("body").press("ArrowRight")  # the player goes on alone
    run.wait_for()


def test_the_move_that_led_to_a_position_is_marked_also_after_a_reload(server: Server, new_page: NewPage) -> None:
    ended = at_random(OPEN)
    page = new_page(f"{server.address}/room/{server.record(ended)}")
    for _ in range(2):
        page.wait_for_selector("#ending:not([hidden])")
        marked = [item.id for item in ended.scene().items if "last" in item.classes]
        assert page.locator("#board .item.last").evaluate_all("(found) => found.map((item) => item.dataset.id)") == marked
        page.locator("body").press("ArrowLeft")
        *_, earlier, _ = ended.states()
        (name,) = earlier.placed().items
        page.wait_for_selector(f"#board .item.last[data-id='{name}']")
        page.reload()


GIF_FRAME = b"\x21\xf9\x04"
"""The begin of each frame's control block."""


@needs_pictures
def test_a_picture_of_the_position_is_saved_in_pixels_on_telephones(server: Server, new_page: NewPage) -> None:
    ended = at_random(OPEN)
    record = server.record(ended)
    address, kept = f"{server.address}/room/{record}", []
    for settings in ({}, PHONE):
        page = new_page(address, **settings)
        with page.expect_download() as saved:
            page.get_by_role("link", name="Save picture").click()
        kept.append((saved.value.suggested_filename, Path(saved.value.path())))
    (vector, drawing), (pixels, file) = kept
    assert (vector, pixels) == (f"{OPEN.name}-{record}.svg", f"{OPEN.name}-{record}.png")
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert max(int.from_bytes(content[at : at + 4]) for at in (16, 20)) == 1600  # its width, its height
    assert len(content) > 20_000, "it is drawn"
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as GIF").click()
    assert saved.value.suggested_filename == f"{OPEN.name}-{record}.gif"
    assert Path(saved.value.path()).read_bytes().count(GIF_FRAME) >= len(ended.history()) + 1
