"""`ludoteca play GAME`: in the terminal, against the computer or each other."""

import secrets
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Final, NoReturn, cast

import click
from click.core import ParameterSource
from rich.console import Console

from ludoteca.agents.agent import HINTS_BY, POSSIBLE, Agent, derived_seed, needs_compiling, new_agent
from ludoteca.agents.explain import explain
from ludoteca.agents.warming import USUAL
from ludoteca.cli import streams
from ludoteca.cli.files import read_record, read_text
from ludoteca.cli.progress import progress
from ludoteca.cli.saving import RecordFile
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import IllegalActionError, LudotecaError, NotationError, ParameterError
from ludoteca.core.game import Game, State, open_record
from ludoteca.core.rng import SEED_BITS
from ludoteca.core.spec import GameSpec, Parameter, Text, possible
from ludoteca.core.words import counted

QUIT: Final = "q"
HELP: Final = "help"
HINT: Final = "?"
PERSON: Final = "person"
OPPONENT: Final = "4"
ALONE: Final = "{} alone at the screen? Enter shows what the others may not see. "


class _Games(click.Group):
    """A command for every game, with its parameters as options, made when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return [name for name in registry.names() if registry.find(name).has("screen")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002
        return game_command(registry.find(cmd_name))


def _opponent_option() -> click.Option:
    return click.Option(["--opponent"], default=OPPONENT, show_default=True,
                        help=f"who plays the other seats: {PERSON}, {POSSIBLE}")  # fmt: skip


def _seat_option() -> click.Option:
    return click.Option(["--seat"], type=int, default=1, show_default=True, help="yours; 1 moves first")


@click.pass_context
def _group(ctx: click.Context, resume: Path | None, opponent: str, seat: int) -> None:
    given = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if ctx.invoked_subcommand:
        if resume:
            raise click.UsageError("--resume takes the game from its record: no GAME can be named beside it.", ctx)
        if given:
            raise click.UsageError(f"--{given[0]} belongs behind the game, or to --resume.", ctx)
    elif resume:
        _resume(resume, opponent, seat)
    else:
        raise click.UsageError("Missing the game, or --resume.", ctx)


command = _Games(
    name="play",
    params=[
        click.Option(["--resume"], type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="RECORD",
                     help="go on with a game that was left, and save it there"),
        _opponent_option(),
        _seat_option(),
    ],
    callback=_group,
    help="""Play a game in the terminal, against the computer or each other.

    Behind GAME stand its options; --opponent and --seat here are for --resume.
    """,
    invoke_without_command=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="GAME ...",
)  # fmt: skip


def _resume(path: Path, opponent: str, seat: int) -> None:
    """Go on with the game of a record, which is kept in the same file."""
    record = read_record(path)
    try:
        state = open_record(record)
    except LudotecaError as error:
        raise type(error)(f"{path}: {error}") from None
    if state.is_terminal():
        raise ParameterError(f"resume: {path}: the game is finished after {counted(len(record.actions), 'move')}")
    _play(state, opponent, seat, secrets.randbits(SEED_BITS), RecordFile(path))


def game_command(spec: GameSpec) -> click.Command:
    """`ludoteca play NAME` with the options of that game."""
    own = [
        _opponent_option(),
        _seat_option(),
        click.Option(["--seed"], type=int, help="a number: the same seed gives the same deal and opponent"),
        click.Option(["--save"], type=click.Path(dir_okay=False, path_type=Path),
                     help="write the record to this file, after every move"),
    ]  # fmt: skip
    chosen = [click.Option([f"--{kind.name}"], help=f"{kind.help} ({possible(kind)})") for kind in spec.parameters]

    def play(opponent: str, seat: int, seed: int | None, save: Path | None, **given: str | None) -> None:
        game = Game(spec, {name: value for name, value in _read_files(spec, given).items() if value is not None})
        if save and save.exists():
            raise ParameterError(f"save: {save} is there already, and is not written over; --resume goes on with a game")
        seed = secrets.randbits(SEED_BITS) if seed is None else seed
        _play(game.new_initial_state(seed), opponent, seat, seed, RecordFile(save) if save else None)

    return click.Command(spec.name, params=[*chosen, *own], callback=play, help=f"{spec.title}: {spec.summary}.")


def _play(state: State, opponent: str, seat: int, seed: int, file: RecordFile | None) -> NoReturn:
    """Play a game on, once it is clear that its opponents exist and that its record can be written; `seed` is theirs."""
    game = state.game
    players = game.num_players()
    if seat not in range(1, players + 1):
        raise ParameterError(f"seat: read {seat}, expected 1 to {players}")
    if opponent != PERSON:
        new_agent(opponent, game)  # interpreted, and only to see whether there is one of that name
    if file:
        try:
            file.write(state)
        except OSError as error:
            raise ParameterError(f"the record {file.path} cannot be written: {error.strerror}") from None
    cast(TextIOWrapper, sys.stdin).reconfigure(errors="replace")
    streams.replace_signs(getattr(game.notation, "PLAIN", {}))
    people = set(range(players)) if opponent == PERSON else {seat - 1}
    sys.exit(Table(state, people, opponent, seed, file=file).play())


def _read_files(spec: GameSpec, given: dict[str, str | None]) -> dict[str, str | None]:
    """A parameter that is written in a notation of its own may be the name of a file that holds it."""
    kinds = {kind.name: kind for kind in spec.parameters}
    return {name: _read_file(kinds[name], value) if value else value for name, value in given.items()}


def _read_file(kind: Parameter, value: str) -> str:
    if not isinstance(kind, Text):
        return value
    text = _text_of(value)
    try:
        return kind.canonical(value if text is None else text)
    except LudotecaError as error:
        what = value if text is not None else f"no file {value[:40]!r}, and read as a value"
        raise ParameterError(f"{kind.name}: {what}: {error}") from None


def _text_of(name: str) -> str | None:
    """The text of a file; None when there is none of that name."""
    try:
        return read_text(name)
    except OSError:
        return None


class EndOfInputError(Exception):
    """There is nobody any more who plays."""


class Table:
    """One game at this terminal: `people` are the seats of persons, agents called `opponent` have the others."""

    def __init__(
        self,
        state: State,
        people: set[int],
        opponent: str,
        seed: int,
        console: Console | None = None,
        file: RecordFile | None = None,
    ) -> None:
        self.state = state
        self.people = people
        self.screen = state.game.spec.module("screen")
        self.console = console or Console(highlight=False)
        self._opponent = opponent
        self._seed = seed
        self._file = file
        self._unsaved = ""  # why the file does not hold the last move
        self._agents: dict[tuple[str, int], Agent] = {}
        self._last = state.seen_actions(self._onlooker())[-1:]
        self._alone: int | None = None  # who of several people sees the screen now, where that matters

    def play(self) -> int:
        """Play to the end, or until a person leaves. Gives the exit status; the record is written after every move."""
        try:
            status = self._play()
        except EndOfInputError:
            status = self._leave(1)
        except KeyboardInterrupt:  # while an agent was thinking it plays nothing
            status = self._leave(INTERRUPTED)
        if self._unsaved:
            self._save()
        if self._file and not self._unsaved:
            self.console.print(f"The record is in {self._file.path}.", markup=False, soft_wrap=True)
        return status or int(bool(self._unsaved))

    def _save(self) -> None:
        """Write the record. That it cannot be written is told, and the game goes on."""
        if self._file:
            try:
                self._file.write(self.state)
                self._unsaved = ""
            except OSError as error:
                self._unsaved = str(error.strerror)
                self.console.print(
                    f"Not saved: {self._file.path}: {self._unsaved}. It is tried again after the next move.",
                    markup=False,
                    soft_wrap=True,
                )

    def _play(self) -> int:
        self.console.print(
            f"[bold]{self.state.game.spec.title}[/bold]. {HELP} explains the game, {HINT} gives a hint, {QUIT} leaves."
        )
        while not self.state.is_terminal():
            player = self.state.current_player()
            if player not in self.people:
                self._agents_turn(player)
            elif not self._turn(player):
                return self._leave(0)
        self._draw(SPECTATOR)
        self.console.print(self.screen.ending(self.state.view(SPECTATOR).raw))
        return 0

    def _leave(self, status: int) -> int:
        if status:  # the line of the prompt, or of what an agent does, has no end yet
            self.console.print()
        self.console.print("The game is left unfinished.")
        return status

    def _agents_turn(self, player: int) -> None:
        agent = self._agent(self._opponent, player)
        with progress(f"{self._name(player)} is thinking") as watch, interruptible():
            action = agent.choose(self.state.information_state(player), watch).action
        seen = self.state.action_to_string(self.state.seen_action(action, self._onlooker()))
        self._apply(action)
        self.console.print(f"{self._name(player)} plays {seen}.", markup=False)

    def _agent(self, name: str, player: int) -> Agent:
        """The agent of that name for that seat, made, and compiled if need be, when it is first asked."""
        if (name, player) not in self._agents:
            game = self.state.game
            with progress(f"Waiting for the compiled rules of {game.spec.title} ({USUAL})", measured=False):
                runs = Game(game.spec, game.parameters, compiled=needs_compiling(name))
                self._agents[name, player] = new_agent(name, runs, derived_seed(self._seed, name, player))
        return self._agents[name, player]

    def _hint(self, player: int) -> None:
        """What an agent would play, and why."""
        state = self.state.information_state(player)
        agent = self._agent(HINTS_BY, player)
        with progress("Looking for a hint") as watch, interruptible():
            decision = agent.choose(state, watch)
        self.console.print(f"Hint: {explain(state, decision)}", markup=False)

    def _onlooker(self) -> int:
        """The one person at this screen, or what several may all see."""
        return min(self.people) if len(self.people) == 1 else SPECTATOR

    def _turn(self, player: int) -> bool:
        """Ask until there is a legal action; False when the person leaves."""
        if self._must_be_alone(player) and self._ask(ALONE.format(self._name(player))) == QUIT:
            return False
        self._draw(player)
        while True:
            text = self._ask(f"{self._name(player)}: ")
            if text == QUIT:
                return False
            if text == HELP:
                self.console.print(self.screen.HELP)
            elif text == HINT:
                self._hint(player)
            elif text and self._try(text):
                return True

    def _try(self, text: str) -> bool:
        """Play what was typed, or say why not."""
        try:
            self._apply(self.state.string_to_action(text))
        except (NotationError, IllegalActionError) as error:
            self.console.print(f"Not played: {error}. {HELP} explains.", markup=False)
            return False
        self._last = self._last[-1:]  # what was played before is no news any more
        return True

    def _apply(self, action: int) -> None:
        self.state.apply_action(action)
        self._last.append(self.state.seen_actions(self._onlooker())[-1])
        self._save()  # before anything of it is shown

    def _ask(self, prompt: str) -> str:
        """A line without the blanks around it. Raises EndOfInputError."""
        try:
            with interruptible():
                return self.console.input(prompt, markup=False).strip()
        except EOFError:
            raise EndOfInputError from None

    def _must_be_alone(self, player: int) -> bool:
        """With several people at one screen it is cleared when another one's turn comes, if there is something to hide."""
        hidden = self.state.view(player).tobytes() != self.state.view(SPECTATOR).tobytes()
        if len(self.people) == 1 or not hidden or player == self._alone:
            return False
        self._alone = player
        self.console.clear()
        return True

    def _draw(self, seat: int) -> None:
        self.console.print()
        self.console.print(self.screen.draw(self.state.view(seat).raw, self._last))

    def _name(self, player: int) -> str:
        name: str = self.screen.player_name(player)
        return name[0].upper() + name[1:]
