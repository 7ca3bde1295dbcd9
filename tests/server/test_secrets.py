"""What a seat is sent depends on nothing that it may not know: the hidden is dealt again, and not a byte changes."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from ludoteca.core import registry
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.server.frames import Past, Previewed, Refused
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.events import PERSON, Moved, Options, Resigned, SeatMade, StoredEvent
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.history import Views
from ludoteca.server.model.rows import RoomRow
from ludoteca.server.model.table import Table
from ludoteca.server.model.teller import Teller, common_event
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.connection import encoded
from ludoteca.testing import sample_game
from tests.server.serving import OPEN, Served, me

GAMES = [spec for spec in registry.games() if spec.has("scene")]
POSITIONS = 4
DEALS = 40
"""So often the hidden is dealt again to find a deal in which an action brings the same to light."""
ONWARD = 6
"""So many actions are played after the hidden was dealt again."""


class Watched:
    """A table, and every byte that one audience is sent of it."""

    def __init__(self, row: RoomRow, seat: int) -> None:
        self.table = Table(row)
        self.seat = seat
        self.teller = Teller(self.table)
        self.sent = [encoded(self.teller.whole(seat, [], None))]

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def views(self) -> Views:
        return self.table.now

    def happen(self, event: StoredEvent) -> None:
        step = self.table.prepare(event)
        self.table.commit(step)
        common = common_event(self.table, step, [], None)
        self.sent.append(encoded(self.teller.event(event, self.seat, common)))

    def play(self, action: int) -> None:
        self.happen(Moved(self.state.current_player(), self.state.action_to_string(action)))

    def look(self) -> None:
        """Ask for everything that there is to ask for."""
        for ply in range(self.table.ply + 1):
            self.sent.append(encoded(Past(0, ply, self.seat, self.table.history.scene(ply, self.seat))))
        self.sent.append(encoded(self.table.text(self.seat, 0)))
        self.sent.append(encoded(self.teller.whole(self.seat, [], None)))

    def ask(self, action: int, text: str, touched: list[str]) -> None:
        """Requests of the player to move that are mostly refused."""
        self._try(lambda: action)
        self._try(lambda: self.views.read_action(self.seat, text))
        self._try(lambda: self.views.interpret(self.seat, touched))

    def foresee(self, action: int) -> None:
        """Ask what a choice would do, as the player to move."""
        shown, deed = self.views.preview(self.seat, action)
        self.sent.append(encoded(Previewed(0, self.table.ply, str(action), shown.items, shown.marked, shown.told, deed)))

    def _try(self, action: Callable[[], int]) -> None:
        try:
            self.views.check_legal(self.seat, action())
        except RefusalError as refusal:
            self.sent.append(encoded(Refused(0, refusal.code, refusal.message)))
        else:
            self.sent.append(b"legal")


def row_of(state: State) -> RoomRow:
    seats = [SeatMade(PERSON, f"P{seat}") for seat in range(state.game.num_players())]
    return new_row(state.game, Options(seats, start=str(state)), Draw(b"", b""))


def some_states(spec: GameSpec, random: Random) -> Iterator[State]:
    """Positions of random games of random parameters."""
    for number in range(POSITIONS):
        state = sample_game(spec, random).new_initial_state(random.getrandbits(256))
        rng = new_rng(number)
        for _ in range(random.randrange(40)):
            after = state.child(state.random_action(rng)) if not state.is_terminal() else state
            if after.is_terminal():
                break
            state = after
        if not state.is_terminal():
            yield state


def two_alike(state: State, seat: int, random: Random) -> tuple[Watched, Watched, int]:
    """Two tables that the seat cannot tell apart, and an action that looks the same in both, if one was found."""
    action = some_action(state, random)
    for _ in range(DEALS):
        other = state.resample_from_infostate(seat, new_rng(random.getrandbits(64)))
        if alike(state, other, action, seat):
            break
    row = row_of(state)
    return Watched(row, seat), Watched(msgspec.structs.replace(row, options=row_of(other).options), seat), action


def some_action(state: State, random: Random) -> int:
    """Any but giving up, if there is another."""
    legal = state.legal_actions()
    return random.choice([option for option in legal if option != state.game.rules.CONCEDE or len(legal) == 1])


def alike(one: State, two: State, action: int, seat: int) -> list[int]:
    """The actions of the second state that look to the seat like the given one of the first, and tell it the same.

    There is none when the action brings to light what was hidden, such as the next tile of a pile.
    """
    seen, known = one.seen_action(action, seat), one.child(action).view(seat).tobytes()
    same = [other for other in two.legal_actions() if two.seen_action(other, seat) == seen]
    return [other for other in same if two.child(other).view(seat).tobytes() == known]


def play_alike(one: Watched, two: Watched, action: int, random: Random) -> bool:
    """Play an action in one, and in the other one that looks the same; False when there is none."""
    others = alike(one.state, two.state, action, one.seat)
    if not others:
        return False
    one.play(action)
    two.play(random.choice(others))
    return True


def items_of(text: bytes) -> list[str]:
    return [item[0] for item in json.loads(text)["scene"][2]]


def ask_alike(one: Watched, two: Watched, random: Random) -> None:
    ids = items_of(one.sent[0])
    for _ in range(6):
        action = random.choice([random.randrange(5000), random.getrandbits(56), random.getrandbits(63)])
        text = random.choice(["", "?", "aa", "a1", "x", *[line.text for line in one.table.history.lines(one.seat)]])
        touched = random.sample(ids, min(len(ids), random.randrange(1, 4)))
        one.ask(action, text, touched)
        two.ask(action, text, touched)
    if one.seat == one.table.mover:
        for choice in random.sample(one.views.legal, min(3, len(one.views.legal))):
            one.foresee(choice)
            two.foresee(choice)


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 10))])
def test_what_is_sent_does_not_depend_on_what_is_hidden(spec: GameSpec, seed: int) -> None:
    random = Random(seed)
    for state in some_states(spec, random):
        for seat in range(-1, state.game.num_players()):
            one, two, action = two_alike(state, seat, random)
            for _ in range(ONWARD):
                if one.table.mover == seat:
                    ask_alike(one, two, random)
                if not play_alike(one, two, action, random) or one.table.is_over:
                    break
                action = some_action(one.state, random)
            one.look()
            two.look()
            assert without_end(one) == without_end(two), (state.game, seat, str(state))


def without_end(watched: Watched) -> list[bytes]:
    """All that was sent before the end: with it, everything may be told, and hands are laid open."""
    return watched.sent if not watched.table.is_over else [text for text in watched.sent[:-2] if b'"over":{' not in text]


def test_the_test_bites(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scene that shows whole positions is found out."""
    spec = next(spec for spec in GAMES if not spec.perfect_information)
    monkeypatch.setattr(State, "view", lambda state, _: state.position.copy())
    with pytest.raises(AssertionError):
        test_what_is_sent_does_not_depend_on_what_is_hidden(spec, 0)


def test_who_gives_up_tells_nothing(server: Served) -> None:
    """The end by giving up shows the deal's seed, but no seat's scene changes before the game is over."""
    random = Random(5)
    spec = next(spec for spec in GAMES if not spec.perfect_information)
    state = next(some_states(spec, random))
    one, two, _ = two_alike(state, 1, random)
    for watched in (one, two):
        watched.happen(Resigned(0, "random"))
    assert one.sent == two.sent


def test_the_maker_of_a_room_is_told_one_secret_once(server: Served) -> None:
    made = server.make("conclave", me(), OPEN, listed=True)
    taken = server.take(made["room"], "Bru")
    with server.join(made["room"], made["token"]) as ana, server.join(made["room"]) as watcher:
        ana.ask("play", action=ana.whole["choices"][0][0])
        watcher.event(2)
        heard = [*ana.texts, *watcher.texts, server.http.get("/api/rooms").text]
        table = server.rooms._awake[made["room"]].table
    secrets: list[Any] = [made["token"], taken["token"], *(occupant.token for occupant in table.seats)]
    assert not any(secret in text for secret in secrets for text in heard)
