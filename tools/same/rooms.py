"""Rooms of a server: every frame that is sent to every seat and to a spectator."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

from tools.same.faces import chance, played, public, variants
from tools.same.serving import Client, Server, serve

SPECTATOR: Final = -1
TOKEN: Final = "seat-{}-of-a-room-that-is-compared"
"""The secret of a seat that is taken, made by its client."""
CLOCKS: Final = (None, {"bank": 600, "increment": 100}, {"move": 1000})
AGENTS: Final = ("greedy", "random", "2")
"""Agents that do not search, so that results do not depend on compiled code."""
SEARCHING: Final = ("cartas", "okupacio")
"""Games in which the agent that replaces a person searches: for a limited time until its rules are compiled."""
WRONG: Final = ("", "?", "zz", "a1", "-")
LEFT: Final = {"cartas": (8, 7), "conclave": (2, 4), "metro": (2, 3), "okupacio": (3, 6), "qinto": (2, 4)}
"""The number of actions before the end of a random game at which a person begins to ask for hints."""
ONWARD: Final = 4
"""The number of actions in each of two worlds."""


class Room:
    """A room with a client in each seat of a person and one that watches. They act by turns, and wait for each other."""

    def __init__(self, server: Server, made: dict[str, Any], tokens: dict[int, str]) -> None:
        self.server, self.name, self.asked = server, made["room"], list[Any]()
        self.watching = Client(server, self.name)
        self.watching.follow()  # an agent may have the first move
        self.watching.frames.clear()
        self.watching.hello()
        self.clients: dict[int, Client] = {SPECTATOR: self.watching}
        for seat, token in tokens.items():
            self.clients[seat] = Client(server, self.name, token)
            self.settle()

    def settle(self, n: int = 0) -> None:
        """Wait until every client has all events. Then each asks for the position."""
        for client in self.clients.values():
            client.follow(n)
        for client in self.clients.values():
            client.ask("read")

    @property
    def mover(self) -> int:
        return int(self.watching.last["mover"])

    @property
    def position(self) -> int:
        """The identity of the position."""
        return int(self.watching.last["position"])

    @property
    def ply(self) -> int:
        return int(self.watching.last["ply"])

    @property
    def is_over(self) -> bool:
        return bool(self.watching.last.get("over"))

    def do(self, seat: int, kind: str, /, **fields: Any) -> None:
        """Have a seat ask for a change, and wait until all know of it."""
        answer = self.clients[seat].ask(kind, **fields)
        self.settle(answer.get("n", 0))

    def take_back(self, seat: int) -> None:
        """Have a seat ask for an undo, or agree to the one that another seat has asked for."""
        asked = [what for what in self.watching.last["asked"] if what.startswith(f"undo {self.position} ")]
        if asked:
            self.do(seat, "agree", what=asked[0])
        else:
            self.do(seat, "undo", n=self.position)

    def play(self, some: random.Random) -> None:
        """Play a random action other than giving up, by touch or in writing, for the seat that is to move."""
        client = self.clients[self.mover]
        if some.random() < 0.5:
            text = client.ask("read")
            moves = [move for move in text["moves"] if move != text["give_up"]]
            self.do(self.mover, "write", n=self.position, text=some.choice(moves))
        else:
            actions = [choice[0] for choice in client.last["choices"] if choice[0] != client.last["give_up"]]
            self.do(self.mover, "play", n=self.position, action=some.choice(actions))

    def inquire(self, some: random.Random) -> None:
        """Send requests that change nothing, and requests that are refused, for every client."""
        for seat, client in self.clients.items():
            items = [item[0] for item in client.ask("look", ply=self.ply)["scene"][2]]
            choices = client.last["choices"]
            client.ask("look", ply=some.randrange(self.ply + 2), player=some.randrange(-2, 5))
            client.ask("why", n=self.position, touched=some.sample(items, min(len(items), some.randrange(4))))
            client.ask("write", n=self.position, text=some.choice(WRONG))
            client.ask(
                "play", n=self.position + some.randrange(-1, 2) if self.position else 0, action=str(some.getrandbits(40))
            )
            client.ask("plan", n=self.position)
            if choices:
                client.ask("preview", n=self.position, action=some.choice(choices)[0])
            elif seat != SPECTATOR:
                client.ask("hint", n=self.position)

    def leave(self, seat: int) -> None:
        """Have a seat's client leave, and wait until all others know."""
        gone = self.clients.pop(seat)
        gone.close()
        for client in self.clients.values():
            client.until("note/present")
        self.gone = gone

    def come_back(self, seat: int) -> None:
        """Have it come back."""
        self.clients[seat] = self.gone
        self.gone.connect()
        self.settle(self.gone.last["n"])

    def get(self, path: str) -> None:
        """Send a request over HTTP, which has no seat."""
        self.asked.append([path, *self.server.ask(f"/api/rooms/{self.name}{path}")])

    def result(self) -> dict[str, Any]:
        """All frames and answers of the server."""
        for client in self.clients.values():
            client.close()
        named = {"spectator" if seat < 0 else f"seat {seat}": client.frames for seat, client in self.clients.items()}
        return named | {"http": self.asked}


def new_room(server: Server, purpose: str, wished: dict[str, Any]) -> Room:
    """A room of which all open seats are taken."""
    made = server.make(purpose, **wished)
    tokens = {made["seat"]: made["token"]} if made["seat"] >= 0 else {}
    for seat in [number for number, each in enumerate(wished["seats"]) if each["kind"] == "open"]:
        tokens[seat] = TOKEN.format(seat)
        status, given = server.ask(f"/api/rooms/{made['room']}/seats", {"name": f"Guest {seat}", "token": tokens[seat]})
        assert (status, given["seat"]) == (201, seat), given
    return Room(server, made, tokens)


def seats_of(game: str, parameters: dict[str, Any], *kinds: dict[str, str]) -> list[dict[str, str]]:
    """The first of these seats, and the last one again and again for all others."""
    players = public("ludoteca:load")(game, **parameters).num_players()
    return [*kinds, *[kinds[-1]] * players][:players]


ME: Final = {"kind": "person", "name": "Ana"}
OPEN: Final = {"kind": "open"}


def among_people(server: Server, name: str, wished: dict[str, Any], most: int) -> dict[str, Any]:
    """A game among persons, with questions, undo, a resignation or an end, and a rematch."""
    some = chance(name)
    room = new_room(server, name, wished)
    people = [seat for seat in room.clients if seat != SPECTATOR]
    for number in range(most):
        if room.is_over:
            break
        room.play(some)
        if number % 5 == 2:
            room.inquire(some)
        if number % 6 == 4:
            for seat in some.sample(people, len(people)):
                room.take_back(seat)
    room.get("/record")
    for seat in people:
        if not room.is_over:
            room.do(seat, "resign", n=room.position)
    while not room.is_over and room.mover >= 0:
        room.play(some)
    after_the_end(room, name)
    return room.result()


def after_the_end(room: Room, name: str) -> None:
    """Requests after the end of a game, and a rematch."""
    people = [seat for seat, each in enumerate(room.watching.last["seats"]) if each["kind"] == "person"]
    for player in (SPECTATOR, *people):
        room.watching.ask("look", ply=room.ply // 2, player=player)
    for path in ("/record", "/picture.svg", f"/picture.svg?ply={room.ply // 2}&player=0&theme=dark", "/analysis"):
        room.get(path)
    room.server.draw_for(f"{name} again")
    for seat in people:
        room.do(seat, "rematch")
    if again := room.watching.last["over"].get("rematch"):
        for client in list(room.clients.values()):
            other = Client(room.server, again, client.token)
            if other.last:  # its seat goes on
                other.follow()
                other.frames.clear()
                other.hello()
            client.frames.append({"rematch": other.frames})
            other.close()


def among_agents(server: Server, name: str, wished: dict[str, Any], most: int) -> dict[str, Any]:
    """A person against agents: undo, questions, another connection, the end."""
    some = chance(name)
    room = new_room(server, name, wished)
    for number in range(most):
        if room.is_over:
            break
        room.play(some)
        if number == 2:
            room.do(0, "undo", n=room.position)
        if number == 4:
            room.leave(0)
            room.come_back(0)
        if number % 6 == 5 and not room.is_over:
            room.inquire(some)
    if not room.is_over:
        room.do(0, "resign", n=room.position)
        room.watching.follow()
    after_the_end(room, name)
    return room.result()


def with_absence(server: Server, name: str, wished: dict[str, Any], most: int) -> dict[str, Any]:
    """A person leaves, is replaced by an agent, and comes back: before a turn of the agent if it would search."""
    some, has_left = chance(name), False
    room = new_room(server, name, wished)
    others = [seat for seat in room.clients if seat not in (SPECTATOR, 0)]
    searches = wished["game"] in SEARCHING
    for number in range(most):
        if room.is_over:
            break
        room.play(some)
        if number and not has_left and not room.is_over and not (searches and room.mover == 0):
            room.do(others[0], "replace", seat=0)  # refused: the person is present
            room.leave(0)
            has_left = True
            for seat in others:
                room.do(seat, "replace", seat=0)
        if has_left and 0 not in room.clients and (searches or number >= most // 2):
            room.come_back(0)
    if 0 not in room.clients:
        room.come_back(0)
    return room.result()


def twins(server: Server, name: str, game: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Two rooms whose positions differ only in secrets of other seats: a seat's frames, and whether both have the same."""
    some, new_rng = chance(name), public("ludoteca:new_rng")
    state = public("ludoteca:load")(game, **parameters).new_initial_state(some.getrandbits(64))
    rng = new_rng(some.getrandbits(64))
    for _ in range(some.randrange(12)):
        if not state.child(action := state.random_action(rng)).is_terminal():
            state.apply_action(action)
    seat = some.randrange(SPECTATOR, state.game.num_players())
    told = list[list[Any]]()
    for world in (state, state.resample_from_infostate(seat, rng)):
        start = state.game.state_from_string(str(world))
        server.draw_for(f"{name} {len(told)}")
        status, opened = server.ask("/api/records", start.serialize())
        assert status == 201, opened
        wished = {"seats": seats_of(game, parameters, ME, OPEN), "from": {"room": opened["room"], "ply": 0}}
        room = new_room(server, f"{name}, room {len(told)}", wished)
        some_here = chance(name, "onward")
        room.inquire(some_here)
        room.get("/picture.svg")
        for _ in range(ONWARD):
            if room.mover == seat or room.is_over:  # actions of other seats may depend on their secrets
                break
            room.play(some_here)
        frames = [frame for frame in room.result()["spectator" if seat < 0 else f"seat {seat}"] if frame.get("ply", 0) == 0]
        told.append(
            [frame | dict.fromkeys(("room", "invitation"), "") if frame["t"] == "room" else frame for frame in frames]
        )
    return {"seat": seat, "frames": told[0], "the same in both": told[0] == told[1]}


def with_hints(server: Server, name: str, game: str, parameters: dict[str, Any], left: int) -> dict[str, Any]:
    """Hints near the end of a game. A search may be exact there before its time is up."""
    state = played(game, parameters, chance(name).getrandbits(64))
    server.draw_for(f"{name}, record")
    status, opened = server.ask("/api/records", state.serialize())
    assert status == 201, opened
    start = {"room": opened["room"], "ply": max(0, len(state.history()) - left)}
    wished = {"seats": seats_of(game, parameters, ME, {"kind": "agent", "agent": "random"}), "from": start}
    room = new_room(server, name, wished)
    while not room.is_over:
        room.do(0, "hint", n=room.position)
        room.play(chance(name, room.ply))
    return room.result()


def with_a_clock_that_ends(server: Server, name: str) -> dict[str, Any]:
    """A player's time is up."""
    wished = {"game": "okupacio", "parameters": {"board": "4x4"}, "seats": [ME, OPEN], "clock": {"move": 5}}
    room = new_room(server, name, wished)
    room.play(chance(name))
    room.settle(int(room.watching.last["n"]) + 1)
    return room.result()


def with_spectators(server: Server, name: str) -> dict[str, Any]:
    """Spectators come, and their number is sent. Then the maker deletes the room."""
    with ExitStack() as stack:
        made = server.make(name, game="cartas", seats=[ME, *[{"kind": "open"}] * 3], listed=True)
        maker = Client(server, made["room"], made["token"])
        for _ in range(3):
            stack.callback(Client(server, made["room"]).close)
        number = maker.until("note/spectators")["number"]
        listed = [{k: v for k, v in row.items() if k != "created"} for row in server.ask("/api/rooms")[1]]
        path = f"/api/rooms/{made['room']}"
        deleted = [server.ask(path, method="DELETE", authorization=f"Bearer {key}") for key in ("x" * 32, made["key"])]
        maker.drain()
    return {"number": number, "listed": listed, "deleted": deleted, "maker": maker.frames}


def refused(server: Server) -> Iterator[tuple[str, Any]]:
    """Refused requests over HTTP, and lists."""
    wrong: dict[str, dict[str, Any]] = {
        "game": {"game": "chess", "seats": [ME]},
        "seats": {"game": "cartas", "seats": [ME]},
        "persons": {"game": "okupacio", "seats": [ME, ME]},
        "agent": {"game": "okupacio", "seats": [ME, {"kind": "agent", "agent": "nobody"}]},
        "kind": {"game": "okupacio", "seats": [ME, {"kind": "ghost"}]},
        "clock": {"game": "okupacio", "seats": [ME, OPEN], "clock": {"move": 1}},
        "parameter": {"game": "okupacio", "seats": [ME, OPEN], "parameters": {"board": "3x3"}},
        "parameters": {"game": "metro", "seats": [ME, OPEN], "parameters": {"players": 2, "tiles": "stack"}},
        "name": {"game": "okupacio", "seats": [{"kind": "person", "name": "x" * 41}, OPEN]},
        "field": {"game": "okupacio", "seats": [ME, OPEN], "colour": "red"},
        "from": {"game": "", "seats": [ME, OPEN], "from": {"room": "nowhere", "ply": 0}},
    }
    for name, body in wrong.items():
        yield f"refused/{name}", server.ask("/api/rooms", body)
    for text in ("", "{}", "[]", "x"):
        yield f"refused/record {text}", server.ask("/api/records", text)
    for path in ("/api/games", "/api/openapi.json", "/api/rooms/nowhere/record", "/api/nothing", "/nothing", "/robots.txt"):
        status, content = server.ask(path)
        yield f"asked/{path}", [status, content]


def cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Play all rooms."""
    ways = {"people": (among_people, 14, OPEN), "agents": (among_agents, 200, None), "absence": (with_absence, 12, OPEN)}
    with serve() as server:
        yield from refused(server)
        for number, (variant, game, parameters) in enumerate(variants()):
            for shift, (kind, (way, most, other)) in enumerate(ways.items()):
                if short and (number + shift) % 3:
                    continue
                agent = {"kind": "agent", "agent": AGENTS[number % len(AGENTS)]}
                seats = seats_of(game, parameters, ME, other or agent)
                if kind == "absence" and len(seats) < 2:
                    continue
                clock = CLOCKS[(number // 3 + shift) % len(CLOCKS)]
                wished = {"game": game, "parameters": parameters, "seats": seats, "clock": clock}
                name = f"{kind}/{variant}"
                yield name, way(server, name, wished, most // 2 if short else most)
            for left in LEFT[game][: number % 2] if short else LEFT[game]:
                name = f"hints/{variant}/{left}"
                yield name, with_hints(server, name, game, parameters, left)
            if game not in ("metro", "okupacio"):
                for pair in range(1 if short else 3):
                    name = f"twins/{variant}/{pair}"
                    yield name, twins(server, name, game, parameters)
        yield "time", with_a_clock_that_ends(server, "time")
        yield "spectators", with_spectators(server, "spectators")
