"""`ludoteca bot`: check a program before it plays, replay a game to it, and seat it in a room of a server."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import click
import msgspec

from ludoteca.arena.matches.check import Finding, Report, check
from ludoteca.arena.matches.defaults import LINES
from ludoteca.arena.matches.players import Entrant, LinesPlayer
from ludoteca.arena.matches.store import Store
from ludoteca.arena.matches.tournament import read_limits
from ludoteca.arena.matches.transcripts import Transcript, replay
from ludoteca.arena.programs.conversation import Conversation, Left
from ludoteca.arena.programs.executables import located
from ludoteca.arena.programs.limits import FaultError, Limits
from ludoteca.cli.files import replay_record
from ludoteca.cli.opponents import SHOWN_LINES
from ludoteca.cli.options import COUNT, GameName, NameValue
from ludoteca.cli.progress import progress
from ludoteca.cli.sandbox import warn_of_sandbox
from ludoteca.cli.settings import FixedSeed, Json, Limit, Setting, SettingsCommand
from ludoteca.cli.streams import say
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import load
from ludoteca.core.record import Record
from ludoteca.core.words import counted, escaped, quoted

SET_HELP: Final = "play only with this value of a parameter; repeat the option for more"
GAME_HELP: Final = "the game of a tournament, as its page names it; RECORD is its folder"
PROTOCOL_HELP: Final = "the program's protocol: lines, or the name of a protocol of the game's document"
NO_FILE: Final = ("No such file or directory", "ENOENT", "FileNotFoundError", "NoSuchFileException")
"""Texts that programming languages write to stderr if a file is missing."""
ROOM_MOVE_SECONDS: Final = 60.0
"""The default time limit of a move in a room, in which other players wait for the program."""
LONGEST_NAME: Final = 40
"""The number of characters of a name in a room."""


@click.group(name="bot", short_help="programs that play")
def command() -> None:
    """Check a program that plays, and seat it in a room of a server.

    docs/bots.md has the protocol, and examples in three languages.
    """


PROGRAM: Final = click.argument(
    "program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- PROGRAM [ARGUMENTS]..."
)


@dataclass(frozen=True)
class CheckSettings:
    """The options of `ludoteca bot check`."""

    set: Annotated[tuple[tuple[str, str], ...], Setting(SET_HELP, NameValue("players=3"))] = ()
    protocol: Annotated[str, Setting(PROTOCOL_HELP)] = LINES
    limit: Limit = ()
    seed: FixedSeed = 0
    json: Json = False


@dataclass(frozen=True)
class ConnectSettings:
    """The options of `ludoteca bot connect`."""

    name: Annotated[str, Setting("the bot's name in the room  [default: the name of the program's file]")] = ""
    limit: Limit = ()


@dataclass(frozen=True)
class ReplaySettings:
    """The options of `ludoteca bot replay`."""

    seat: Annotated[int, Setting("the seat of the bot; 1 moves first", COUNT)]
    game: Annotated[str, Setting(GAME_HELP, metavar="NAME")] = ""
    opening: Annotated[int, Setting("first moves that were drawn, if RECORD is a file", click.IntRange(min=0))] = 0
    limit: Limit = ()


@command.command(
    "check", cls=SettingsCommand, settings=CheckSettings,
    short_help="test a program in every situation and report its faults",
)  # fmt: skip
@click.argument("game", type=GameName(), metavar="GAME")
@PROGRAM
def check_command(game: str, program: tuple[str, ...], settings: CheckSettings) -> None:
    """Test a program in every situation of GAME, and report its faults.

    Every seat, all kinds of parameters, moves without a choice, the last move, opponents that give up, little time: all in
    one process, one game after another. The exit status is 0 if the program made no mistake.
    """
    limits = read_limits(dict(settings.limit), Limits())
    spec = registry.find(game)
    warn_of_sandbox()
    with progress(f"checking {program[0]}", measured=False):
        try:
            command = located(program, Path.cwd())
            entrant = Entrant(name=program[0], command=command, protocol=settings.protocol, limits=limits)
            report = check(spec, entrant, dict(settings.set), settings.seed)
        except FaultError as error:
            raise ParameterError(f"program: {error.detail}") from None
    if settings.json:
        say(msgspec.json.encode({**msgspec.to_builtins(report), "passed": report.passed}).decode())
    else:
        for line in told(report):
            say(line)
    sys.exit(0 if report.passed else 1)


@command.command("connect", cls=SettingsCommand, settings=ConnectSettings, short_help="seat a program in a room of a server")
@click.argument("link", metavar="ROOM-LINK")
@PROGRAM
def connect_command(link: str, program: tuple[str, ...], settings: ConnectSettings) -> None:
    """Seat a program in a room of a server, and play until the game is over.

    ROOM-LINK is the address of the room's page, an invitation, or the link to a seat. If the connection breaks, or the
    server restarts, the game goes on. After a fault of the program, the command gives up the game.
    """
    from ludoteca.cli.seat import Link, Seat, take_seat  # network libraries, which `check` does not need

    def tell(text: str) -> None:
        sys.stderr.write(f"{text}\n")

    where = Link.read(link)
    file = next((word for word in program if Path(word).is_file()), program[0])  # in `python3 bot.py` the second word
    limits = read_limits(dict(settings.limit), Limits(move=ROOM_MOVE_SECONDS))
    warn_of_sandbox()
    conversation = Conversation(program, limits, thinking=True)  # the room shares no processor with it
    try:
        token = where.token or take_seat(where, settings.name or Path(file).stem[:LONGEST_NAME], tell)
        over = Seat(where, token, conversation, tell).play()
        say(f"the game is over ({over.reason}): scores {over.scores}, returns {over.returns}")
    except FaultError as error:
        for line in list(conversation.exchange)[-SHOWN_LINES:]:
            say(f"  {escaped(line)}")
        say(f"the program gave up the game after a fault. {error}")
        sys.exit(1)
    finally:
        conversation.close()


@command.command(
    "replay", cls=SettingsCommand, settings=ReplaySettings,
    short_help="send a program the lines that a bot read in a finished game",
)  # fmt: skip
@click.argument("source", metavar="RECORD", type=click.Path(exists=True, path_type=Path))
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[-- PROGRAM [ARGUMENTS]...]")
def replay_command(source: Path, program: tuple[str, ...], settings: ReplaySettings) -> None:
    """Send a program the lines that a bot read in a finished game.

    Without PROGRAM the command prints the lines, so that you can save them and pipe them to a bot. With PROGRAM the program
    answers in the sandbox. The command shows each answer next to the recorded one, and the game goes on with the recorded
    one. RECORD is a record of `match --out`, or the folder of a tournament.
    """
    key, opening = settings.game, settings.opening
    if not key:
        if source.is_dir():
            raise ParameterError(f"{source} is a folder: --game NAME takes a game of its tournament.")
        record = replay_record(source)[0]
    else:
        with ExitStack() as stack:
            found = next((game for game in Store.reading(source, stack).games() if game.key == key), None)
        if found is None:
            raise ParameterError(f"game: {source} holds no game {quoted(key)}. Its results page lists the games.")
        record, opening = found.record, found.opening
    players = load(record.game, **record.parameters).num_players()
    if settings.seat > players:
        raise ParameterError(f"seat: read {settings.seat}, expected 1 to {players}")
    seat, allowed = settings.seat - 1, read_limits(dict(settings.limit), Limits())
    if not program:
        transcript = Transcript(Left(allowed.move, allowed.bank or None))
        for _ in replay(record, seat, transcript, opening):
            pass
        say("\n".join(transcript.lines))
        return
    warn_of_sandbox()
    _replay_to(LinesPlayer(located(program, Path.cwd()), allowed), record, seat, opening)


def _replay_to(player: LinesPlayer, record: Record, seat: int, opening: int) -> None:
    """Print a program's answers next to the recorded moves of `seat`, and end the program. `opening` is the number of random
    first moves.
    """
    try:
        for answer in replay(record, seat, player, opening):
            other = "" if answer.answered == answer.recorded else f"; the record has {answer.recorded}"
            say(f"move {answer.number}: {answer.answered} in {answer.seconds:.3f} s{other}")
    except FaultError as error:
        for line in list(player.exchange)[-SHOWN_LINES:]:
            say(f"  {escaped(line)}")
        say(str(error))
        sys.exit(1)
    finally:
        for line in player.errors.splitlines():
            sys.stderr.write(f"{escaped(line)}\n")
        player.close()


# The printed report


def told(report: Report) -> Iterator[str]:
    """Yield the lines of a report: the games played, and each kind of fault once, with the lines exchanged before it."""
    games = sum(report.situations.values())
    yield f"{report.game}: {counted(games, 'game')}, {counted(report.moves, 'move')}, {report.isolation}"
    for name, number in report.situations.items():
        yield f"  {name:<28} {counted(number, 'game')}"
    if report.passed:
        yield "No faults were found."
    by_fault: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_fault.setdefault(finding.fault, []).append(finding)
    for findings in by_fault.values():
        yield ""
        yield from _told_once(findings[0], SHOWN_LINES if report.protocol == LINES else len(findings[0].exchange))
        if len(findings) > 1:
            yield f"  This happened {len(findings)} times."
    if report.broken_off:
        yield ""
        yield "There were so many faults that the other games were not played."


def _told_once(finding: Finding, most: int) -> Iterator[str]:
    where = "".join(f", {name} {value}" for name, value in finding.parameters.items())
    yield f"{finding.fault}: {finding.detail}"
    yield f"  ({finding.situation}: seat {finding.seat}{where})"
    yield from (f"  {escaped(line)}" for line in finding.exchange[-most:])
    if finding.errors:
        yield "  Its standard error ended with:"
        yield from (f"  {escaped(line)}" for line in finding.errors.splitlines()[-SHOWN_LINES:])
        if any(words in finding.errors for words in NO_FILE):
            yield "  Bots start in an empty folder. Name a file by the folder of the program, not by a relative path."
            yield "  A program in the current folder sees only its own file there. Start this command in another folder."
