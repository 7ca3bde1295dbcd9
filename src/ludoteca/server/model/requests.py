"""The requests of clients: each is checked as a whole, and then carried out or refused."""

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from ludoteca.core.levels import HINTS_BY
from ludoteca.core.words import ERROR_CHARACTERS, excerpt
from ludoteca.server import frames
from ludoteca.server.jobs import Thought
from ludoteca.server.model.effects import AskForHint, Client, MakeNext, Work
from ludoteca.server.model.events import PERSON, Asked, Declined, Rematched, Replaced, TakenBack, TimeGiven
from ludoteca.server.model.table import OPPONENT, REMATCH, REPLACEMENT, UNDO, replacement, takeback
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import LARGEST_FRAME, LONGEST_TEXT

if TYPE_CHECKING:
    from ludoteca.server.model.room import Room

MOST_TAKEN_BACK: Final = 200
"""How often actions of a room are taken back at most: its events do not grow without end."""
MOST_QUESTIONS: Final = 500
"""How often the players of a room ask each other or agree, at most."""
GIFT_MILLISECONDS: Final = 15_000
MOST_GIFTS: Final = 5
"""How often a player gives the opponent time, at most."""
PHRASES: Final = 10
"""The number of phrases that players can say."""
SECONDS_BETWEEN_PHRASES: Final = 5.0
ACTIONS: Final = 1 << 63
"""Actions are below this number."""

_ACTION: Final = re.compile(r"[0-9]{1,19}")


_decoder: Final = msgspec.json.Decoder(frames.Request)


class _Numbered(msgspec.Struct):
    id: int = -1


def read(text: str) -> frames.Request:
    """Return the request in the text of a client's frame.

    Raises RefusalError if the text is too long (`large`), if it is not JSON (`malformed`), or if its kind or fields are
    unknown, for example because the page has another version (`reload`).
    """
    if len(text.encode()) > LARGEST_FRAME:
        raise RefusalError("large", LARGEST_FRAME)
    try:
        request: frames.Request = _decoder.decode(text)
    except msgspec.ValidationError as error:
        raise RefusalError("reload", excerpt(str(error), ERROR_CHARACTERS)) from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RefusalError("malformed", str(error)) from None
    return request


def number_of(text: str) -> int:
    """Return the number of a request that is refused; -1 if it cannot be read."""
    try:
        found = msgspec.json.decode(text, type=_Numbered).id
    except (msgspec.MsgspecError, RecursionError):
        return -1
    return found if 0 <= found < 1 << 53 else -1


# moves


def play(room: "Room", client: Client, request: frames.Play) -> Work:
    """Play one of the choices."""
    yield from _try(room, client, request, _read_action(request.action))


def _read_action(text: str) -> int:
    """Return the action that a frame has as a text, because it has more bits than a number of JavaScript.

    Raises RefusalError (`malformed`) if the text is not a number from 0 to ACTIONS - 1.
    """
    if not _ACTION.fullmatch(text) or int(text) >= ACTIONS:
        raise RefusalError("malformed", f"action: {text[:40]!r}")
    return int(text)


def write(room: "Room", client: Client, request: frames.Write) -> Work:
    """Play a move that was typed in the game's notation."""
    if len(request.text) > LONGEST_TEXT:
        raise RefusalError("large", LONGEST_TEXT)
    seat, ply = _seat(room, client), room.table.ply_of(request.n)
    if ply is None:
        raise RefusalError("stale")
    yield from _try(room, client, request, room.table.history.at(ply).read_action(seat, request.text))


def _try(room: "Room", client: Client, request: frames.Play | frames.Write, action: int) -> Work:
    history, ply = room.table.history, room.table.ply_of(request.n)
    if ply is not None and (history.movers[ply : ply + 1], history.actions[ply : ply + 1]) == ([client.seat], [action]):
        raise RefusalError("duplicate")
    seat = yield from _mover(room, client, request.n)
    room.table.now.check_legal(seat, action)
    if action == room.table.game.rules.CONCEDE:
        yield from resign(room, client, request)
    else:
        yield from room.play(seat, action)


def why(room: "Room", client: Client, request: frames.Why) -> Work:
    """Refuse with the reason why items that were touched together are no legal action."""
    seat = yield from _mover(room, client, request.n)
    now = room.table.now
    now.check_legal(seat, now.interpret(seat, request.touched))
    raise RefusalError("nothing")  # it is legal


def preview(room: "Room", client: Client, request: frames.Preview) -> Work:
    """Show the effect of a choice before it is played. It may also be a choice for the seat's next turn."""
    action = _read_action(request.action)
    seat = yield from _player(room, client, request.n)
    shown, deed = room.table.now.preview(seat, action)
    room.audience.send(
        frames.Previewed(request.id, request.n, request.action, shown.items, shown.marked, shown.told, deed), [client]
    )


def plan(room: "Room", client: Client, request: frames.Plan) -> Work:
    """Send the choices that the seat would have if it were to move now."""
    seat = yield from _player(room, client, request.n)
    scene, choices = room.table.history.plan(seat)
    room.audience.send(frames.Planned(request.id, request.n, scene, frames.choice_frames(choices)), [client])


def resign(room: "Room", client: Client, request: frames.AboutPosition) -> Work:
    """Give the game up. If the rules have an action for this, and all persons have been here, play it. Otherwise give the
    seat to an agent.
    """
    seat, table = _seat(room, client), room.table
    _check_running(room, request.n)
    concede = int(table.game.rules.CONCEDE)
    if table.mover == seat and concede in table.now.legal and not table.missing():
        yield from room.play(seat, concede)
    else:
        yield from room.happen(table.resignation(seat))


def _seat(room: "Room", client: Client) -> int:
    """Return the seat of the client. Raises RefusalError for a spectator, and if an agent has taken the seat over."""
    if client.seat < 0 or room.table.seats[client.seat].kind != PERSON:
        raise RefusalError("seat")
    return client.seat


def _player(room: "Room", client: Client, n: int) -> Work:
    """Return the seat of the client. Raises RefusalError if it has no seat (`seat`), if the game is over (`over`), if a seat
    is open (`open`), or if `n` is not the present position (`stale`).
    """
    seat = _seat(room, client)
    yield from room.check_time()
    _check_running(room, n)
    return seat


def _mover(room: "Room", client: Client, n: int) -> Work:
    """Return the seat of the client if it is to move. Raises RefusalError if another player is to move (`turn`), and in the
    cases in which `_player` does.
    """
    seat = yield from _player(room, client, n)
    if seat != room.table.mover:
        raise RefusalError("turn")
    return seat


def _check_running(room: "Room", n: int) -> None:
    """Raise RefusalError if the game is over (`over`), a seat is open (`open`), or `n` is not the position now (`stale`)."""
    table = room.table
    if table.is_over:
        raise RefusalError("over")
    if table.mover < 0:
        raise RefusalError("open")
    if n != table.position_n:
        raise RefusalError("stale")


# what several agree to


def replace(room: "Room", client: Client, request: frames.Replace) -> Work:
    """Ask that an agent takes over an open seat, or the seat of a person who is away. It takes over when all players present
    have agreed.

    The maker of the room decides alone about open seats.
    """
    seat, table, audience = _seat(room, client), room.table, room.audience
    yield from room.check_time()
    if table.is_over:
        raise RefusalError("over")
    is_open = request.seat in table.open_seats
    if not is_open and request.seat not in table.people():
        raise RefusalError("replace", request.seat + 1)
    if request.seat in audience.present():
        raise RefusalError("present", ("@seat", request.seat))
    left = audience.keeps_seat(request.seat)
    if left > 0 and not is_open:
        raise RefusalError("away", ("@seat", request.seat), math.ceil(left))
    what, decides = replacement(request.seat), is_open and table.is_maker(seat)
    if not decides:
        _check_declined(room, what, seat)
    agreed = sorted({*table.asked.get(what, ()), seat})
    if decides or set(audience.present()) & set(table.people()) - {request.seat} <= set(agreed):
        used = room.used() if request.seat == table.mover else 0
        yield from room.happen(Replaced(request.seat, OPPONENT if is_open else REPLACEMENT, used))
    else:
        yield from _agree(room, what, agreed)


def undo(room: "Room", client: Client, request: frames.Undo) -> Work:
    """Take back the last action of the seat, or ask the other players for that. If another player has asked
    already, agree.
    """
    seat = yield from _player(room, client, request.n)
    asker = next((asked[0] for what, asked in room.table.asked.items() if what.startswith(UNDO)), seat)
    yield from _take_back(room, seat, asker)


def _take_back(room: "Room", seat: int, asker: int) -> Work:
    """Take back the last action of the seat that asked, if all agree now. Otherwise store that one more seat agrees."""
    table, what = room.table, takeback(room.table.position_n, asker)
    _check_declined(room, what, seat)
    ply = table.history.undo_to(asker)
    if ply is None:
        raise RefusalError("undo")
    if table.taken_back >= MOST_TAKEN_BACK:
        raise RefusalError("undos", MOST_TAKEN_BACK)
    if absent := sorted(set(table.owners()) - set(room.audience.present())):
        raise RefusalError("away", message=("error.away.undo", ("@seat", absent[0])))
    if table.clocks and table.left_after_undo(ply, room.used())[asker] <= 0:
        raise RefusalError("undo", message=("error.undo.time",))
    asked = table.asked.get(what, [])
    agreed = asked if seat in asked else [*asked, seat]
    if set(table.owners()) <= set(agreed):
        yield from room.happen(TakenBack(ply, room.used()))
    else:
        yield from _agree(room, what, agreed)


def agree(room: "Room", client: Client, request: frames.Agree) -> Work:
    """Agree to what another player has asked for."""
    seat, table = _seat(room, client), room.table
    yield from room.check_time()
    asked = table.asked.get(request.what)
    if asked is None:
        raise RefusalError("nobody")
    if request.what == REMATCH:
        yield from rematch(room, client, frames.Rematch(request.id))
    elif request.what == takeback(table.position_n, asked[0]):
        yield from _take_back(room, seat, asked[0])
    elif missing := [each for each in range(len(table.seats)) if request.what == replacement(each)]:
        yield from replace(room, client, frames.Replace(request.id, missing[0]))
    else:
        raise RefusalError("nobody")  # an older server stored the question


def rematch(room: "Room", client: Client, _: frames.Rematch) -> Work:
    """Ask for another game with the same seats. It begins once all players present agree."""
    table = room.table
    if client.seat < 0:
        raise RefusalError("seat")
    if not table.is_over or table.is_record:
        raise RefusalError("running")
    if table.rematch:
        raise RefusalError("duplicate")
    _check_declined(room, REMATCH, client.seat)
    agreed = sorted({*table.asked.get(REMATCH, ()), client.seat})
    if {seat for seat in room.audience.present() if table.seats[seat].kind == PERSON} <= set(agreed):
        name: str = yield MakeNext(client.address)
        yield from room.happen(Rematched(name))
    else:
        yield from _agree(room, REMATCH, agreed)


def _agree(room: "Room", what: str, agreed: list[int]) -> Work:
    """Store that a player agrees to what another one has asked for.

    Raises RefusalError (`duplicate`) if the player has agreed before, and (`questions`) if the room has had MOST_QUESTIONS,
    because otherwise a client could fill the disk by repeating questions.
    """
    if agreed == room.table.asked.get(what):
        raise RefusalError("duplicate")
    if room.table.questions >= MOST_QUESTIONS:
        raise RefusalError("questions", MOST_QUESTIONS)
    yield from room.happen(Asked(what, agreed))


def _check_declined(room: "Room", what: str, seat: int) -> None:
    """Raise RefusalError (`declined`) if another player has declined this question in this position and is present."""
    by = room.table.declined.get(what, seat)
    if by != seat and by in room.audience.present():
        raise RefusalError("declined", ("@seat", by))


def decline(room: "Room", client: Client, request: frames.Decline) -> Work:
    """End a request for the agreement of all players, such as a rematch."""
    seat = _seat(room, client)
    if request.what not in room.table.asked:
        raise RefusalError("nobody")
    yield from room.happen(Declined(request.what, seat))


def give(room: "Room", client: Client, _: frames.Give) -> Work:
    """Give the opponent time."""
    seat, table = _seat(room, client), room.table
    yield from room.check_time()
    _check_running(room, table.position_n)
    if table.clocks is None or len(table.seats) != 2 or len(table.people()) != 2:
        raise RefusalError("give")
    if table.given[seat] >= MOST_GIFTS:
        raise RefusalError("given", MOST_GIFTS)
    yield from room.happen(TimeGiven(seat, GIFT_MILLISECONDS))


# what changes nothing


def say(room: "Room", client: Client, request: frames.Say) -> None:
    """Send all clients a phrase of the player."""
    seat, now = _seat(room, client), room.audience.now
    if not room.settings.phrases:
        raise RefusalError("off")
    if request.phrase >= PHRASES:
        raise RefusalError("malformed", f"phrase: {request.phrase}")
    if now < room.spoken.get(seat, -SECONDS_BETWEEN_PHRASES) + SECONDS_BETWEEN_PHRASES:
        raise RefusalError("rate")
    room.spoken[seat] = now
    room.audience.send(frames.Note("said", player=seat, number=request.phrase))


def look(room: "Room", client: Client, request: frames.Look) -> None:
    """Show an earlier position. After the end, also as another seat saw it."""
    table = room.table
    player = client.seat if request.player is None else request.player
    if request.ply > table.ply:
        raise RefusalError("ply", request.ply, table.ply)
    if player not in range(-1, len(table.seats)):
        raise RefusalError("player", player)
    if player not in (client.seat, -1) and not table.is_over:
        raise RefusalError("running")
    room.audience.send(frames.Past(request.id, request.ply, player, table.scene(request.ply, player)), [client])


def text(room: "Room", client: Client, request: frames.Read) -> None:
    """Send the position and the legal moves as texts."""
    room.audience.send(room.table.text(client.seat, request.id), [client])


def hint(room: "Room", client: Client, request: frames.Hint) -> Work:
    """Ask an agent for a hint. The game may go on until the agent answers."""
    seat = yield from _mover(room, client, request.n)
    if not room.table.may_ask(seat):
        raise RefusalError("hint")
    if room.is_hinting:
        raise RefusalError("busy")
    room.is_hinting = True
    room.effects.append(AskForHint(client, request, seat, room.job(seat, HINTS_BY, explain=True)))


def give_hint(room: "Room", client: Client, request: frames.Hint, found: Thought | RefusalError) -> None:
    """Send a hint that was found, unless the game has gone on meanwhile."""
    table = room.table
    room.is_hinting = False
    if isinstance(found, RefusalError):
        room.refuse(client, request.id, found)
    elif table.position_n != request.n or table.is_over:
        room.refuse(client, request.id, RefusalError("stale"))
    else:
        touches = next(choice.touches for choice in table.now.choices() if choice.action == found.action)
        about = str(found.action), touches, found.value, found.line, found.worth, found.others, found.is_guess
        room.audience.send(frames.Hinted(request.id, request.n, *about), [client])


Handler: TypeAlias = Callable[["Room", Client, Any], Work | None]
"""Carries out a request. If it raises RefusalError, it has changed nothing."""

CHANGES: Final[dict[type, Handler]] = {
    frames.Play: play,
    frames.Write: write,
    frames.Resign: resign,
    frames.Undo: undo,
    frames.Replace: replace,
    frames.Agree: agree,
    frames.Decline: decline,
    frames.Rematch: rematch,
    frames.Give: give,
    frames.Say: say,
}
"""The handlers of requests that are answered with `done`."""
QUESTIONS: Final[dict[type, Handler]] = {
    frames.Why: why,
    frames.Preview: preview,
    frames.Plan: plan,
    frames.Look: look,
    frames.Read: text,
    frames.Hint: hint,
}
"""The handlers that send their own answers."""
