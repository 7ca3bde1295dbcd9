"""The settings of a server, and every limit that it enforces.

To add a limit, add a field to `Settings`, with its reason below it, and a row to the table in `docs/server-limits.md`. A
field that is annotated with an `Option` is also an option of `ludoteca serve`, with the same name.
"""

from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated, Final, TypeAlias

from ludoteca.core.workers import cores

QUEUE: Final = 256
"""Frames that may wait for a slow client before it is dropped."""
UNREAD: Final = 256
"""Frames of a client that may wait to be read. A client with more is disconnected: no page and no honest program sends so
many."""
ANSWER_WITHIN: Final = 10.0
"""Seconds that a room has to answer a request over HTTP. After that the client is asked to send the request again."""
KEPT_ALIVE: Final = 5
"""Seconds for which an idle connection stays open, so that a page can load its files over it."""
Network: TypeAlias = IPv4Network | IPv6Network
"""A network of addresses. A single address is a network of one."""
LOOPBACK: Final[tuple[Network, ...]] = (ip_network("127.0.0.1"), ip_network("::1"))
"""Proxies on the same machine. They are always believed when they name their clients (`X-Forwarded-For`)."""
ACCEPTED: Final = 100
"""Connections that asyncio takes from the system at once, before they are counted."""
RESERVED: Final = 512
"""Open files that are not counted as connections: those of the database, of agents' processes and of answers. They include
four times `ACCEPTED`, because so many connections may be open before the first of them is counted and closed."""
LARGEST_HEAD: Final = 16 * 1024
"""The most bytes of a request's head. A browser sends fewer than one thousand."""
LARGEST_RECORD: Final = 1024 * 1024
"""The most bytes of an uploaded record. The longest game needs a hundredth of them. Other programs may write more, such as
a line for each move."""
LARGEST_BODY: Final = 64 * 1024
"""The most bytes of any other body, because all clients wait while it is decoded. A board of 25x25 needs a hundredth."""
LARGEST_FRAME: Final = 16 * 1024
"""The most bytes of a frame. A larger one is refused, and one that is 16 times larger ends its connection."""
LONGEST_NAME: Final = 40
"""The most characters of a person's name."""
LONGEST_TEXT: Final = 2000
"""The most characters of a move in notation."""


@dataclass(frozen=True)
class Rate:
    """A rate that a token bucket enforces. `30,0.2` allows 30 at once, and then one every five seconds."""

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
    """The unit of its number, in the plural. For a `Rate`, the thing that is counted."""
    least: float = 1
    """The smallest number that makes sense. For a `Rate`, the smallest burst."""
    default: str = ""
    """The default in words, if it differs from machine to machine."""
    limit: bool = True
    """True for an option in `serve --limits` and not in `serve --help`, which is one screen."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server. The defaults suit a server on your own machine."""

    workers: Annotated[int, Option("processes for agents", "processes", default="one per core", limit=False)] = field(
        default_factory=cores
    )
    """A process uses a whole core while its agent thinks."""
    pace: Annotated[float, Option("time between an event and the agent's next move", "seconds", 0, limit=False)] = 0.6
    """Without a pause, people could not follow the moves of agents."""
    connections: Annotated[int, Option("all connections; fewer if the system allows few open files", "connections")] = 2000
    """Each takes up to 50 kB. One core can serve the moves of a few hundred people."""
    connections_of_address: Annotated[
        int, Option("connections from one address; at most half of --connections", "connections")
    ] = 300
    """Enough for a class of thirty behind one address: each browser opens six connections to load a page, and keeps one for
    each room. It is at most half of all connections, so that one address cannot use them up."""
    head_within: float = 10.0
    """Seconds that a client has to send the whole head of a request."""
    body_within: float = 60.0
    """Seconds that a client then has to send the body, enough for the longest record over a slow line."""
    read_within: float = 30.0
    """Seconds after which a client that reads nothing is disconnected. A bad line usually recovers sooner."""
    hello_within: float = 10.0
    """Seconds that a new WebSocket has to say `hello`."""
    allow_host: Annotated[
        tuple[str, ...],
        Option("a name under which clients reach the server; repeat the option for more", "name", limit=False),
    ] = ()
    """Names in addition to the machine's own names and all addresses, for a name that a proxy passes on or that the network
    gives to the machine."""
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
    """Strangers meet in such games. A school may not want that."""
    phrases: Annotated[bool, Option("let players say ready-made phrases", "on|off", default="on")] = True
    """Players cannot write texts of their own, so phrases are harmless. But a teacher may want silence."""
    animated_pictures: Annotated[bool, Option("draw finished games as animated pictures", "on|off", default="on")] = True
    """A process takes up to 240 MB and ten seconds to draw a long game."""
    frames: Rate = Rate(60, 30)
    """Frames of each connection, more than a person can click. As many again are refused with a message. Then the client is
    disconnected, because each refusal takes the server a tenth of a millisecond."""
    processor_of_address: Annotated[
        Rate, Option("processor time for one address: at once, and per second", "milliseconds")
    ] = Rate(5_000, 200)
    """Thirty people at play need 25 ms of processor time a second: 2 ms for a move, and 1 ms to look at a room. The pages of
    the lobby and of a room need 60 ms, so a class that begins at once needs 1,800 ms. Another machine may be three times
    slower. Even there a fifth of a core is enough for play, and four fifths are left to other addresses."""
    rooms_of_address: Annotated[Rate, Option("rooms that one address may make: at once, and per second", "rooms")] = Rate(
        30, 0.2
    )
    """Everyone in a class may make a room at once. But a program that makes rooms without end would fill the disk."""
    seats_taken_of_address: Annotated[Rate, Option("seats that one address may take: at once, and per second", "seats")] = (
        Rate(30, 0.2)
    )
    """A class may take its seats at once. But one client must not take the seats of all rooms."""
    seats_of_address: Annotated[int, Option("seats that one address may take, uninvited, in a listed room", "seats")] = 1
    """A stranger gets one seat, and cannot take all seats and leave. Friends who share an address use the invitation."""
    record_bytes_of_address: Annotated[
        Rate, Option("bytes of records stored for one address: at once, and per second", "bytes")
    ] = Rate(500_000, 100)
    """A hundred records of long games at once, and then 9 MB a day."""
    spectators: Annotated[int, Option("connections of spectators to each room", "connections")] = 100
    """The server sends every event to each of them. Players are not counted, so spectators cannot keep a player out."""
    spectators_of_address: Annotated[
        int, Option("connections of spectators to each room from one address", "connections")
    ] = 40
    """More than a class, but fewer than all, so that one address cannot keep others out."""
    screens: Annotated[int, Option("connections to each seat: the pages and devices of one person", "connections")] = 20
    """More pages than a person forgets to close."""
    absence: Annotated[float, Option("time away after which an agent may play for a person", "seconds", 0)] = 30.0
    """A person comes back sooner after a reload, a tunnel or a restart of the server."""
    keep_unbegun: Annotated[
        float, Option("delete a room whose game never began after this time; 0: never", "days", 0, limit=False)
    ] = 30
    """In such a room nobody has opened the invitation for that time, or nobody has answered the first moves."""
    keep_abandoned: Annotated[
        float, Option("delete an unfinished game after this time without a move; 0: never", "days", 0, limit=False)
    ] = 0
    """Games are kept for ever by default, as by the next two options: on your own machine they are your own games."""
    keep_finished: Annotated[float, Option("delete a finished game after this time; 0: never", "days", 0, limit=False)] = 0
    """The time begins anew whenever a client looks at the game."""
    keep_records: Annotated[float, Option("delete an opened record after this time; 0: never", "days", 0, limit=False)] = 0
    """The time begins anew whenever a client looks at the record."""
    lease: Annotated[float, Option("time for which a server owns a room without a renewal", "seconds", 0.5)] = 3.0
    """If one of several servers with one database stops, its clients wait this long until another server has their rooms."""
    ping: Annotated[float, Option("time between two pings of each WebSocket", "seconds", 0.5)] = 20.0
    """Many proxies close a connection on which nothing is sent for longer."""
    idle: float = 60.0
    """Seconds after which a room sleeps if it has no clients and no agent thinks for it."""
    thought: Annotated[float, Option("an agent's time for a move, in addition to its budget", "seconds")] = 30.0
    """A process that hangs is killed after this time and ten times the seconds of its budget. The budget counts tenfold,
    because other processes use the processor too."""
    analysis: Annotated[float, Option("time for an analysis", "seconds")] = 300.0
    """An analysis then ends with the moves that it has valued, because others wait. Most games take less than a minute."""
    analyses: Annotated[int, Option("analyses that run or wait", "analyses")] = 10
    """Only one runs at a time."""
    analyses_of_address: Annotated[int, Option("analyses for one address that run or wait", "analyses")] = 3
    """Less than all, so that one address cannot keep others out."""
    reading: Annotated[float, Option("time to read an uploaded record", "seconds")] = 10.0
    """Twenty times as long as the longest game needs: 625 moves on a board of 25x25 are read in half a second."""
    records: int = 100
    """Uploaded records that are read or wait. Each may take LARGEST_RECORD bytes of memory."""
    records_of_address: Annotated[int, Option("uploaded records of one address that are read or wait", "records")] = 40
    """Everyone in a class may open a record at once. But it is less than all, so that one address cannot keep others out."""
    reads_of_address: Annotated[
        Rate, Option("records and pictures that one address may read: at once, and per second", "reads")
    ] = Rate(300, 30)
    """A class may look through a game at once. A picture that is not kept takes the server about 10 ms."""
    kept: int = 32 << 20
    """Bytes of records and pictures that are kept in memory, because they never change. About a thousand of them fit."""

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
