"""The settings of a server, and every limit that it enforces.

To add a limit, add a field to `Settings`, with its reason below it, and a row to the table in `docs/server-limits.md`. A
field that is annotated with an `Option` is also an option of `ludoteca serve`, with the same name.
"""

from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated, Final, TypeAlias

from ludoteca.core.workers import cores

QUEUE: Final = 256
"""The number of frames that may wait for a slow client. If more wait, the client is disconnected."""
UNREAD: Final = 256
"""The number of frames from a client that may wait until the server reads them. A client with more is disconnected. No page
and no honest program sends so many."""
ANSWER_WITHIN: Final = 10.0
"""Seconds in which a room has to answer a request over HTTP. Then the client is asked to send the request again."""
KEPT_ALIVE: Final = 5
"""Seconds for which an idle connection stays open, so that a page can load its files over it."""
Network: TypeAlias = IPv4Network | IPv6Network
"""A network of addresses. A single address is a network of one."""
LOOPBACK: Final[tuple[Network, ...]] = (ip_network("127.0.0.1"), ip_network("::1"))
"""The addresses of proxies on the same machine. The server always believes the client's address that such a proxy gives in
`X-Forwarded-For`."""
ACCEPTED: Final = 100
"""The number of connections that asyncio accepts from the operating system at once, before the server counts them."""
RESERVED: Final = 512
"""The number of open files that are reserved for other uses than clients' connections: for the database, the processes of
agents and files that are sent. It includes four times `ACCEPTED`, because so many connections may be open before the server
counts the first of them and closes it."""
LARGEST_HEAD: Final = 16 * 1024
"""The most bytes of the head of a request over HTTP. A browser sends fewer than one thousand."""
LARGEST_RECORD: Final = 1024 * 1024
"""The most bytes of an uploaded record. The longest game needs a hundredth of them in this server's form. Other programs may
write more, such as a line for each move."""
LARGEST_BODY: Final = 64 * 1024
"""The most bytes of the body of any other request, because all clients wait while a body is decoded. The position of a board
of 25x25 needs a hundredth of them."""
LARGEST_FRAME: Final = 16 * 1024
"""The most bytes of a client's frame. A larger one is refused, and one that is 16 times larger ends its connection."""
LONGEST_NAME: Final = 40
"""The most characters of a person's name."""
LONGEST_TEXT: Final = 2000
"""The most characters of a move in notation."""


@dataclass(frozen=True)
class Rate:
    """A rate that a token bucket enforces. On the command line, `30,0.2` means `burst` 30 and 0.2 `per_second`: 30 are
    allowed at once, and then one every five seconds.
    """

    burst: float
    per_second: float

    def __str__(self) -> str:
        return f"{self.burst:g},{self.per_second:g}"


@dataclass(frozen=True)
class Option:
    """Describes the option of `ludoteca serve` that sets a field of `Settings`. It is put into the field's annotation."""

    help: str
    """The help text of the option, in one line."""
    unit: str
    """The unit of its number in the plural, such as `seconds`. For a `Rate`, the things that are counted: `rooms`."""
    least: float = 1
    """The smallest number that the option allows. For a `Rate`, the smallest `burst`."""
    default: str = ""
    """The default in words, if it differs from machine to machine."""
    limit: bool = True
    """True if the option is listed in `serve --limits` instead of `serve --help`, which has to fit on one screen."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server. The defaults suit a server on your own machine. The text below each field is the reason for
    its default.
    """

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
    """Enough for a class of thirty behind one internet address: each browser opens six connections to load a page, and then
    keeps one for each room. The server never allows more than half of `connections`, so that one address cannot use up all
    connections."""
    head_within: float = 10.0
    """Seconds that a client has to send the whole head of a request."""
    body_within: float = 60.0
    """Seconds that a client then has to send the body of the request, enough for the longest record over a slow line."""
    read_within: float = 30.0
    """Seconds after which a client that reads no data is disconnected. A bad line usually recovers sooner."""
    hello_within: float = 10.0
    """Seconds that a new WebSocket has to say `hello`."""
    allow_host: Annotated[
        tuple[str, ...],
        Option("a name under which clients reach the server; repeat the option for more", "name", limit=False),
    ] = ()
    """The server always accepts the machine's own names, and numeric addresses. This field adds names that a proxy passes on
    or that the network gives to the machine."""
    path: Annotated[str, Option("the path of the lobby; all other paths begin with it", "path", limit=False)] = "/"
    """For a proxy that serves other sites under the same name. The proxy must forward the whole path of each request."""
    proxy: Annotated[
        tuple[Network, ...],
        Option(
            "a proxy that names its clients, or a network of proxies; repeat the option for more",
            "address[/bits]",
            limit=False,
        ),
    ] = ()
    """Proxies on other machines, in addition to those in `LOOPBACK`. The server believes the client's address that such a
    proxy gives in `X-Forwarded-For`."""
    matchmaking: Annotated[bool, Option("find opponents for players who ask", "on|off", default="on")] = True
    """It can be switched off because strangers meet in games that are found in this way, which a school may not want."""
    phrases: Annotated[bool, Option("let players say ready-made phrases", "on|off", default="on")] = True
    """Players cannot write texts of their own, so phrases are harmless. But a teacher may want silence."""
    animated_pictures: Annotated[bool, Option("draw finished games as animated pictures", "on|off", default="on")] = True
    """A process takes up to 240 MB and ten seconds to draw a long game."""
    frames: Rate = Rate(60, 30)
    """Frames that each connection may send. The default is more than a person can click. The server refuses as many frames
    again with a message, and then disconnects the client, because each refusal takes it a tenth of a millisecond."""
    processor_of_address: Annotated[
        Rate, Option("processor time for one address: at once, and per second", "milliseconds")
    ] = Rate(5_000, 200)
    """Thirty people at play need 25 ms of processor time a second: 2 ms for a move, and 1 ms for entering a room. The pages
    of the lobby and of a room need 60 ms, so a class that begins at once needs 1,800 ms. Another machine may be three times
    slower. Even there a fifth of a core is enough for play, and four fifths are left to other addresses."""
    rooms_of_address: Annotated[Rate, Option("rooms that one address may make: at once, and per second", "rooms")] = Rate(
        30, 0.2
    )
    """All pupils of a class may make a room at once. But a program that makes rooms without end would fill the disk."""
    seats_taken_of_address: Annotated[Rate, Option("seats that one address may take: at once, and per second", "seats")] = (
        Rate(30, 0.2)
    )
    """All pupils of a class may take their seats at once. But one client must not take the seats of all rooms."""
    seats_of_address: Annotated[int, Option("seats that one address may take, uninvited, in a listed room", "seats")] = 1
    """A stranger gets one seat of a room in the lobby's list, and so cannot take all its seats and leave. Friends who share
    an address take more seats with the invitation, a text that players of the room pass on."""
    record_bytes_of_address: Annotated[
        Rate, Option("bytes of records stored for one address: at once, and per second", "bytes")
    ] = Rate(500_000, 100)
    """A hundred records of long games at once, and then 9 MB a day."""
    spectators: Annotated[int, Option("connections of spectators to each room", "connections")] = 100
    """The server sends every event to each spectator, so their number is limited. Players are not counted, so spectators
    cannot keep a player out."""
    spectators_of_address: Annotated[
        int, Option("connections of spectators to each room from one address", "connections")
    ] = 40
    """More than the pupils of a class, but fewer than `spectators`, so that one address cannot keep others out."""
    screens: Annotated[int, Option("connections to each seat: the pages and devices of one person", "connections")] = 20
    """More than the number of pages that a person opens and forgets to close."""
    absence: Annotated[float, Option("time away after which an agent may play for a person", "seconds", 0)] = 30.0
    """Long enough for a person to come back after a reload of the page, a tunnel or a restart of the server."""
    keep_unbegun: Annotated[
        float, Option("delete a room whose game never began after this time; 0: never", "days", 0, limit=False)
    ] = 30
    """In such a room no person has opened the invitation for that time, or no person has answered the first moves."""
    keep_abandoned: Annotated[
        float, Option("delete an unfinished game after this time without a move; 0: never", "days", 0, limit=False)
    ] = 0
    """By default, unfinished and finished games and records are kept for ever: on your own machine they are your own."""
    keep_finished: Annotated[float, Option("delete a finished game after this time; 0: never", "days", 0, limit=False)] = 0
    """The time begins again each time a client opens the game."""
    keep_records: Annotated[float, Option("delete an opened record after this time; 0: never", "days", 0, limit=False)] = 0
    """The time begins again each time a client opens the record."""
    lease: Annotated[float, Option("time for which a server owns a room without a renewal", "seconds", 0.5)] = 3.0
    """If one of several servers with one database stops, its clients wait this long until another server has their rooms."""
    ping: Annotated[float, Option("time between two pings of each WebSocket", "seconds", 0.5)] = 20.0
    """Many proxies close a connection on which nothing is sent for longer."""
    idle: float = 60.0
    """Seconds after which a room without clients is removed from memory, unless an agent thinks for it."""
    thought: Annotated[float, Option("an agent's time for a move, in addition to its budget", "seconds")] = 30.0
    """A process that hangs is killed after this time plus ten times the seconds of its agent's budget. The budget counts
    tenfold because other processes use the processor, too."""
    analysis: Annotated[float, Option("time for an analysis", "seconds")] = 300.0
    """When this time is up, an analysis ends with the moves that it has valued, because other analyses wait. Most games take
    less than a minute."""
    analyses: Annotated[int, Option("analyses that run or wait", "analyses")] = 10
    """Only one analysis runs at a time. The others wait."""
    analyses_of_address: Annotated[int, Option("analyses for one address that run or wait", "analyses")] = 3
    """Fewer than `analyses`, so that one address cannot keep others out."""
    reading: Annotated[float, Option("time to read an uploaded record", "seconds")] = 10.0
    """Twenty times as long as the longest game needs: 625 moves on a board of 25x25 are read in half a second."""
    records: int = 100
    """The number of uploaded records that are being read or wait for it. Each may take LARGEST_RECORD bytes of memory."""
    records_of_address: Annotated[int, Option("uploaded records of one address that are read or wait", "records")] = 40
    """All pupils of a class may open a record at once. But it is less than `records`, for other addresses."""
    reads_of_address: Annotated[
        Rate, Option("records and pictures that one address may read: at once, and per second", "reads")
    ] = Rate(300, 30)
    """A class may step through a game at once. A picture that is not in the cache takes the server about 10 ms."""
    kept: int = 32 << 20
    """Bytes of the cache in memory for records and pictures, which never change. About a thousand of them fit."""

    @property
    def root(self) -> str:
        """The prefix of the paths of all pages: `path` without a slash at its end."""
        return self.path.rstrip("/")

    def proxies(self) -> tuple[Network, ...]:
        """Return the networks of all proxies whose `X-Forwarded-For` the server believes."""
        return (*LOOPBACK, *self.proxy)

    def is_proxy(self, host: str) -> bool:
        """Return True if `host` is the address of a proxy whose `X-Forwarded-For` the server believes. It is False for a
        text that is no address.
        """
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.proxies())
