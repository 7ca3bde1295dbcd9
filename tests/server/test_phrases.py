"""Phrases: who says them, how often, and that they leave nothing behind."""

import re
from dataclasses import replace

from ludoteca.core.messages import LANGUAGES
from ludoteca.server import frames
from ludoteca.server.model.effects import Client
from ludoteca.server.model.requests import PHRASES
from ludoteca.server.settings import Settings
from tests.browser.test_static import STATIC, texts
from tests.server.machine import Machine, machine_of, play, row_of, say


def heard(machine: Machine, client: Client) -> list[tuple[int, int]]:
    """The seats and the numbers of the phrases that a client was sent."""
    notes = [frame for frame in machine.sent[client] if isinstance(frame, frames.Note) and frame.kind == "said"]
    return [(note.player, note.number) for note in notes]


def test_all_clients_hear_a_phrase_of_a_player() -> None:
    machine = machine_of()
    one, two, spectator = machine.join(0), machine.join(1), machine.join()
    assert say(machine, one, frames.Say, 0) == "done"
    assert say(machine, two, frames.Say, PHRASES - 1) == "done"
    assert [heard(machine, client) for client in (one, two, spectator)] == [[(0, 0), (1, PHRASES - 1)]] * 3


def test_spectators_and_unknown_phrases_are_refused() -> None:
    machine = machine_of()
    one, spectator = machine.join(0), machine.join()
    assert say(machine, spectator, frames.Say, 0) == "seat"
    assert say(machine, one, frames.Say, PHRASES) == "malformed"
    assert say(machine, one, frames.Say, 0) == "done"


def test_a_seat_says_one_phrase_in_five_seconds() -> None:
    machine = machine_of()
    one, same, two = machine.join(0), machine.join(0), machine.join(1)
    assert [say(machine, client, frames.Say, 1) for client in (one, same, two)] == ["done", "rate", "done"]
    machine.wait(4.9)
    assert say(machine, same, frames.Say, 1) == "rate"
    machine.wait(0.1)
    assert say(machine, same, frames.Say, 1) == "done"


def test_a_phrase_is_not_stored_and_changes_nothing() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    play(machine, one)
    table = machine.room.table
    before = table.n, table.position_n, list(machine.stored)
    assert say(machine, two, frames.Say, 2) == "done"
    assert (table.n, table.position_n, machine.stored) == before
    machine.leave(one)
    machine.sent[one].clear()
    machine.join(0, one)
    assert heard(machine, one) == []


def test_the_operator_can_switch_them_off() -> None:
    machine = Machine(row_of(machine_of().room.table.state), replace(Settings(), phrases=False))
    assert say(machine, machine.join(0), frames.Say, 0) == "off"


def test_the_page_has_each_phrase_in_all_languages() -> None:
    listed = re.search(r"PHRASES = \[(.*)\]", (STATIC / "js" / "phrases.js").read_text(encoding="utf-8"))
    assert listed
    names = re.findall(r'"(\w+)"', listed[1])
    assert len(names) == PHRASES
    assert all(f"phrase.{name}" in texts(language) for name in names for language in LANGUAGES)
