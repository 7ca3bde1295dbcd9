"""How a server runs, and every limit that it enforces, in one place.

A new limit is a field of `Settings`, with its reason below it, and a row of the table in `docs/server-limits.md`. A field
that is annotated with an `Option` is an option of `ludoteca serve` by that alone, named like the field.
"""

from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated, Final, TypeAlias

from ludoteca.core.workers import cores

QUEUE: Final = 256
"""Frames that may wait for a slow client before it is dropped."""
UNREAD: Final = 256
"""Frames of a client that may wait to be read; with more it is cut off, as no page and no honest program sends so many."""
ANSWER_WITHIN: Final = 10.0
"""Seconds after which a request over HTTP that a room has not answered is to be made again."""
KEPT_ALIVE: Final = 5
"""Seconds for which a connection is kept for another request: time for a page to ask for what it needs."""
Network: TypeAlias = IPv4Network | IPv6Network
"""A network of addresses. A single address is a network of one."""
LOOPBACK: Final[tuple[Network, ...]] = (ip_network("127.0.0.1"), ip_network("::1"))
"""Proxies on the same machine. They are always believed when they name their clients (`X-Forwarded-For`)."""
ACCEPTED: Final = 100
"""Connections that asyncio takes from the system at once, before they are counted."""
RESERVED: Final = 512
"""Open files that are no counted connections: the database, agents' processes, what is sent; and four times `ACCEPTED`, as
that many may be open before the first of them is counted and closed."""
LARGEST_HEAD: Final = 16 * 1024
"""Bytes of a request's head: a browser sends fewer than one thousand."""
LARGEST_RECORD: Final = 1024 * 1024
"""Bytes of a record from outside: the longest game's is a hundredth of it, and some write a line a move."""
LARGEST_BODY: Final = 64 * 1024
"""Bytes of any other body, which is decoded while all others wait: a board of 25x25 takes a hundredth of it."""
LARGEST_FRAME: Final = 16 * 1024
"""Bytes of a frame; one that is 16 times larger ends its connection."""
LONGEST_NAME: Final = 40
"""Characters of a person's name."""
LONGEST_TEXT: Final = 2000
"""Characters of a move in notation."""


@dataclass(frozen=True)
class Rate:
    """A rate that a token bucket enforces: so many at once, and then so many a second. Written as in `30,0.2`."""

    burst: float
    per_second: float

    def __str__(self) -> str:
        return f"{self.burst:g},{self.per_second:g}"


@dataclass(frozen=True)
class Option:
    """Marks a field of `Settings` that an option of `ludoteca serve` sets."""

    help: str
    """One line."""
    unit: str
    """The unit of its number, in the plural; of a `Rate`, the thing that is counted."""
    least: float = 1
    """The smallest number that makes sense; of a `Rate`, the smallest burst."""
    default: str = ""
    """The default in words, where it differs from machine to machine."""
    limit: bool = True
    """True for an option in `serve --limits` and not in `serve --help`, which is one screen."""


@dataclass(frozen=True)
class Settings:
    """How a server runs; the defaults suit a server on one's own machine."""

    workers: Annotated[int, Option("processes for agents", "processes", default="one per core", limit=False)] = field(
        default_factory=cores
    )
    """A process that thinks uses a whole core."""
    pace: Annotated[float, Option("time between an event and the agent's next move", "seconds", 0, limit=False)] = 0.6
    """So that people can follow."""
    connections: Annotated[int, Option("all connections; fewer if the system allows few open files", "connections")] = 2000
    """Each takes up to 50 kB, and one core bears the moves of a few hundred people."""
    connections_of_address: Annotated[
        int, Option("connections from one address; at most half of --connections", "connections")
    ] = 300
    """A class of thirty: each browser opens six to load a page, and keeps one for each room. Half, so that one address keeps
    no other out."""
    head_within: float = 10.0
    """Seconds in which a connection sends the whole head of a request."""
    body_within: float = 60.0
    """Seconds in which the body follows: the longest record over a slow line."""
    read_within: float = 30.0
    """Seconds after which a client that reads nothing of what it is sent is gone; a bad line comes back sooner."""
    hello_within: float = 10.0
    """Seconds that a new WebSocket has to say `hello`."""
    allow_host: Annotated[
        tuple[str, ...],
        Option("a name under which clients reach the server; repeat the option for more", "name", limit=False),
    ] = ()
    """Besides the machine's own names and all addresses: a name that a proxy passes on, or that the network gives to it."""
    path: Annotated[str, Option("the path of the lobby; all other paths begin with it", "path", limit=False)] = "/"
    """For a proxy that serves other sites under the same name. It must forward the whole path of each request."""
    proxy: Annotated[
        tuple[Network, ...],
        Option(
            "a proxy that names its clients, or a network of proxies; repeat the option for more",
            "address[/bits]",
            limit=False,
        ),
    ] = ()
    """Proxies on other machines, in addition to `LOOPBACK`. `X-Forwarded-For` distinguishes their clients."""
    matchmaking: Annotated[bool, Option("find opponents for players who ask", "on|off", default="on")] = True
    """Strangers meet. A school may not want that."""
    phrases: Annotated[bool, Option("let players say ready-made phrases", "on|off", default="on")] = True
    """No player can write a text. A teacher may want silence all the same."""
    animated_pictures: Annotated[bool, Option("draw finished games as animated pictures", "on|off", default="on")] = True
    """A process takes up to 240 MB and ten seconds to draw a long game."""
    frames: Rate = Rate(60, 30)
    """Frames of each connection: more than anybody can click. As many more are refused in words, and who goes on is cut off:
    each refusal takes the server a tenth of a millisecond."""
    processor_of_address: Annotated[
        Rate, Option("processor time for one address: at once, and per second", "milliseconds")
    ] = Rate(5_000, 200)
    """Thirty people who play take 25 milliseconds a second, at 2 for a move and 1 for a look. The pages of the lobby and of
    a room take 60, so a class that begins at once takes 1,800. A machine may be three times slower. A fifth of a core is
    more than that, and leaves most of the core to other addresses."""
    rooms_of_address: Annotated[Rate, Option("rooms that one address may make: at once, and per second", "rooms")] = Rate(
        30, 0.2
    )
    """In a class that begins at once each makes a room; a program that makes rooms for ever fills the disk."""
    seats_taken_of_address: Annotated[Rate, Option("seats that one address may take: at once, and per second", "seats")] = (
        Rate(30, 0.2)
    )
    """A class sits down at once; nobody may sit down at all tables."""
    seats_of_address: Annotated[int, Option("seats that one address may take, uninvited, in a listed room", "seats")] = 1
    """One for a stranger, so that nobody takes all seats and leaves. Friends who share an address use the invitation."""
    record_bytes_of_address: Annotated[
        Rate, Option("bytes of records stored for one address: at once, and per second", "bytes")
    ] = Rate(500_000, 100)
    """A hundred of a long game at once, and 9 MB a day."""
    spectators: Annotated[int, Option("connections of spectators to each room", "connections")] = 100
    """Each is told every event. Connections of players do not count, so that no spectator keeps a player out."""
    spectators_of_address: Annotated[
        int, Option("connections of spectators to each room from one address", "connections")
    ] = 40
    """More than a class, and not all, so that one address keeps no other out."""
    screens: Annotated[int, Option("connections to each seat: the pages and devices of one person", "connections")] = 20
    """More than a person forgets to close."""
    absence: Annotated[float, Option("time away after which an agent may play for a person", "seconds", 0)] = 30.0
    """A reload, a tunnel and a restart of the server take less."""
    keep_unbegun: Annotated[
        float, Option("delete a room whose game never began after this time; 0: never", "days", 0, limit=False)
    ] = 30
    """Such a room has only an invitation that was not opened for that time, or moves without an answer."""
    keep_abandoned: Annotated[
        float, Option("delete an unfinished game after this time without a move; 0: never", "days", 0, limit=False)
    ] = 0
    """For ever, like the next two: on one's own machine they are one's own games."""
    keep_finished: Annotated[float, Option("delete a finished game after this time; 0: never", "days", 0, limit=False)] = 0
    """From when it was last looked at."""
    keep_records: Annotated[float, Option("delete an opened record after this time; 0: never", "days", 0, limit=False)] = 0
    """From when it was last looked at."""
    lease: Annotated[float, Option("time for which a server owns a room without a renewal", "seconds", 0.5)] = 3.0
    """Of several servers of one database: people of one that is gone wait for so long until another one has their rooms."""
    ping: Annotated[float, Option("time between two pings of each WebSocket", "seconds", 0.5)] = 20.0
    """A proxy that hears nothing for longer takes a server for gone."""
    idle: float = 60.0
    """Seconds after which a room in which nobody is and nothing runs is put to sleep."""
    thought: Annotated[float, Option("an agent's time for a move, in addition to its budget", "seconds")] = 30.0
    """A process that hangs is ended then. Ten times the seconds of its budget are added: others use the processor too."""
    analysis: Annotated[float, Option("time for an analysis", "seconds")] = 300.0
    """An analysis ends then with what it has found: others wait. Most games take less than a minute."""
    analyses: Annotated[int, Option("analyses that run or wait", "analyses")] = 10
    """One is under way at a time."""
    analyses_of_address: Annotated[int, Option("analyses for one address that run or wait", "analyses")] = 3
    """So that one address does not have them all."""
    reading: Annotated[float, Option("time to read an uploaded record", "seconds")] = 10.0
    """Twenty times what the longest game takes: 625 moves on a board of 25x25 take half a second."""
    records: int = 100
    """Records from outside that are read or wait: each may take LARGEST_RECORD of memory."""
    records_of_address: Annotated[int, Option("uploaded records of one address that are read or wait", "records")] = 40
    """A class opens one at once; and not all of them are for one address."""
    reads_of_address: Annotated[
        Rate, Option("records and pictures that one address may read: at once, and per second", "reads")
    ] = Rate(300, 30)
    """A class looks through a game at once; a picture that is not kept takes the server some 10 ms."""
    kept: int = 32 << 20
    """Bytes of records and pictures that are kept, as they never change: some thousand."""

    @property
    def root(self) -> str:
        """The prefix of the paths of all addresses: `path` without a slash at its end."""
        return self.path.rstrip("/")

    def proxies(self) -> tuple[Network, ...]:
        """Return all proxies that are believed when they name their clients."""
        return (*LOOPBACK, *self.proxy)

    def is_proxy(self, host: str) -> bool:
        """True for the address of a proxy that is believed when it names its clients."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.proxies())
