"""`ludoteca play GAME`: in the terminal, against the computer or each other."""

import secrets
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, cast

import click
from click.core import ParameterSource
from rich.console import Console

from ludoteca.agents.agent import HINTS_BY, POSSIBLE, Agent, Decision, Meanwhile, all_compiled, derived_seed, new_agent
from ludoteca.agents.beside import Beside
from ludoteca.agents.explain import explain
from ludoteca.arena.programs.limits import FaultError
from ludoteca.cli import streams
from ludoteca.cli.files import RecordFile, replay_record
from ludoteca.cli.parameters import GamesGroup, options_for, read_chosen
from ludoteca.cli.progress import progress
from ludoteca.cli.screen import Screen, usual_language
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import IllegalActionError, ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.messages import ENGLISH, LANGUAGES, language_of
from ludoteca.core.native import Binding
from ludoteca.core.rng import SEED_BITS
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted

if TYPE_CHECKING:
    from ludoteca.cli.opponents import BotOpponents

QUIT: Final = "q"
HELP: Final = "help"
RULES: Final = "rules"
HINT: Final = "?"
PERSON: Final = "person"
OPPONENT: Final = "4"


def _common_options() -> list[click.Option]:
    """The options of a new game, and of one that is resumed."""
    return [
        click.Option(["--opponent"], default=OPPONENT, show_default=True,
                     help=f"who plays the other seats: {PERSON}, {POSSIBLE}"),
        click.Option(["--opponent-bot"], metavar="COMMAND",
                     help="the command line of a bot of your own, which plays the other seats (docs/bots.md)"),
        click.Option(["--seat"], type=int, default=1, show_default=True, help="yours; 1 moves first"),
        click.Option(["--language"], type=click.Choice(sorted(LANGUAGES)),
                     help="the language on the screen; by default that of LC_ALL, LC_MESSAGES or LANG, or English"),
    ]  # fmt: skip


@click.pass_context
def _group(
    ctx: click.Context, resume: Path | None, opponent: str, opponent_bot: str | None, seat: int, language: str | None
) -> None:
    given = [name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if ctx.invoked_subcommand:
        if resume:
            raise click.UsageError("--resume takes the game from its record: no GAME can be named beside it.", ctx)
        if given:
            raise click.UsageError(f"--{given[0]} belongs behind the game, or to --resume.", ctx)
        return
    if not resume:
        raise click.UsageError("Missing the game, or --resume.", ctx)
    record, state = replay_record(resume)
    if state.is_terminal():
        raise ParameterError(f"resume: {resume}: the game is finished after {counted(len(record.actions), 'move')}")
    _play(state, opponent, opponent_bot, seat, language, secrets.randbits(SEED_BITS), RecordFile(resume))


def game_command(spec: GameSpec) -> click.Command:
    """`ludoteca play NAME` with the options of that game."""
    own = [
        *_common_options(),
        click.Option(["--seed"], type=int, help="a number: the same seed gives the same deal and opponent"),
        click.Option(["--save"], type=click.Path(dir_okay=False, path_type=Path),
                     help="write the record to this file, after every move"),
    ]  # fmt: skip

    def play(
        opponent: str, opponent_bot: str | None, seat: int, language: str | None, seed: int | None, save: Path | None,
        **given: str | None,
    ) -> None:  # fmt: skip
        game = Game(spec, read_chosen(spec, given))
        if save and save.exists():
            raise ParameterError(f"save: {save} is there already, and is not written over; --resume goes on with a game")
        seed = secrets.randbits(SEED_BITS) if seed is None else seed
        file = RecordFile(save) if save else None
        _play(game.new_initial_state(seed), opponent, opponent_bot, seat, language, seed, file)

    return click.Command(spec.name, params=[*options_for(spec), *own], callback=play, help=f"{spec.title}: {spec.summary}.")


def _play(
    state: State, opponent: str, bot: str | None, seat: int, language: str | None, seed: int, file: RecordFile | None
) -> NoReturn:
    """Play a game on, once it is clear that its opponents exist and that its record can be written; `seed` is theirs."""
    game = state.game
    players = game.num_players()
    if seat not in range(1, players + 1):
        raise ParameterError(f"seat: read {seat}, expected 1 to {players}")
    people = set(range(players)) if opponent == PERSON and not bot else {seat - 1}
    bots = None
    if bot:
        from ludoteca.cli.opponents import BotOpponents  # the arena, which other games do without

        bots = BotOpponents(bot, state, set(range(players)) - people)
    elif opponent != PERSON:
        new_agent(opponent, game)  # interpreted, and only to see whether there is one of that name
    if file:
        try:
            file.write(state)
        except OSError as error:
            raise ParameterError(f"the record {file.path} cannot be written: {error.strerror}") from None
    cast(TextIOWrapper, sys.stdin).reconfigure(errors="replace")
    streams.replace_signs(getattr(game.notation, "PLAIN", {}))
    language = language or usual_language()
    table = TerminalGame(state, people, opponent, seed, file=file, language=language, bots=bots)
    with bots or nullcontext():
        sys.exit(table.play())


class LeftError(Exception):
    """A person leaves the game, or standard input ends: the exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class TerminalGame:
    """One game at this terminal: `people` are the seats of persons. Agents called `opponent`, or `bots`, have the others."""

    def __init__(
        self,
        state: State,
        people: set[int],
        opponent: str,
        seed: int,
        console: Console | None = None,
        file: RecordFile | None = None,
        language: str = ENGLISH,
        bots: "BotOpponents | None" = None,
    ) -> None:
        self.state = state
        self.people = people
        self.screen = Screen(state.game.spec, language)
        self.console = console or Console(highlight=False)
        self._opponent = opponent
        self._bots = bots
        self._seed = seed
        self._file = file
        self._unsaved = ""  # why the file does not hold the last move
        self._agents: dict[tuple[str, int], Agent] = {}
        self._beside: Beside | None = None  # what is compiled for them, once one was asked without it
        self._is_weaker = False  # what was said last about how agents play
        self._onlooker = min(people) if len(people) == 1 else SPECTATOR  # the one person here, or what several may all see
        self._last = state.seen_actions(self._onlooker)[-1:]
        self._news = ""  # what was played last
        self._alone: int | None = None  # which of several people sees the screen now, where that matters

    def play(self) -> int:
        """Play to the end, or until a person leaves. Gives the exit status; the record is written after every move."""
        status = 0
        spec = self.state.game.spec
        self._print(self.screen.say("intro", spec.title))
        if language_of(spec.package, self.screen.language) != self.screen.language:
            self._print(self.screen.say("english", spec.title))
        try:
            while not self.state.is_terminal():
                player = self.state.current_player()
                action = self._ask_move(player) if player in self.people else self._ask_opponent(player)
                self._news = self.screen.describe(self.state, self._onlooker, action)
                self.state.apply_action(action)
                self._last.append(self.state.seen_actions(self._onlooker)[-1])
                self._save()  # before anything of it is told
                self._print(self._news)
        except LeftError as left:
            status = left.status
        except KeyboardInterrupt:  # while an agent was thinking it plays nothing
            status = INTERRUPTED
        if self._beside:
            self._beside.end()
        if self.state.is_terminal():
            self._draw(SPECTATOR)
        else:
            if status:  # the line of the prompt, or of what an agent does, has no end yet
                self.console.print()
            self._print(self.screen.say("left"))
        if self._unsaved:
            self._save()
        if self._file and not self._unsaved:
            self._print(self.screen.say("saved", str(self._file.path)), soft_wrap=True)
        return status or int(bool(self._unsaved))

    def _ask_opponent(self, player: int) -> int:
        """The legal action of an agent or a bot. Raises LeftError after a bot's fault."""
        if self._bots:
            try:
                with progress(self.screen.say("thinking", self.screen.name(player)), measured=False), interruptible():
                    return self._bots.choose()
            except FaultError as fault:
                for line in self._bots.last_lines(player):
                    self._print(f"  {line}", soft_wrap=True)
                self._print(self.screen.say("fault", str(fault)), soft_wrap=True)
                raise LeftError(1) from None
        agent = self._agent(self._opponent, player)
        with progress(self.screen.say("thinking", self.screen.name(player))) as watch, interruptible():
            decision = agent.choose(self.state.information_state(player), watch)
        self._tell_strength(decision)
        return decision.action

    def _ask_move(self, player: int) -> int:
        """The legal action that a person types, who may ask for help before. Raises LeftError."""
        self._make_sure_of_being_alone(player)
        self._draw(player)
        answers = {HELP: self._help, RULES: self._show_rules, HINT: self._hint}
        while True:
            text = self._ask(self.screen.say("prompt", self.screen.name(player)))
            if text == QUIT:
                raise LeftError(0)
            if text in answers:
                answers[text]()
            elif text:
                try:
                    action = self.screen.read(self.state, text)
                except IllegalActionError as error:
                    self._print(str(error))
                else:
                    self._last = []  # what was played before is no news any more
                    return action

    def _make_sure_of_being_alone(self, player: int) -> None:
        """Where several people share the screen and something is hidden, clear it, and ask. Raises LeftError."""
        hidden = self.state.view(player).tobytes() != self.state.view(SPECTATOR).tobytes()
        if len(self.people) == 1 or not hidden or player == self._alone:
            return
        self._alone = player
        self.console.clear()
        if self._ask(self.screen.say("alone", self.screen.name(player))) == QUIT:
            raise LeftError(0)
        if self._news:
            self._print(self._news)

    def _help(self) -> None:
        self._print(self.screen.help(self.state))

    def _show_rules(self) -> None:
        """The rules, as far as the person likes: after each picture they are asked."""
        paragraphs = list(self.screen.rules())
        if not paragraphs:
            self._print(self.screen.say("no_rules", self.state.game.spec.title))
        for number, (text, board) in enumerate(paragraphs, 1):
            self._print(text)
            if board:
                self.console.print()
                self.console.print(board)
                if number < len(paragraphs) and self._ask(self.screen.say("on")) == QUIT:
                    return
            self.console.print()

    def _hint(self) -> None:
        """Show what an agent would play, and why."""
        player = self.state.current_player()
        state = self.state.information_state(player)
        agent = self._agent(HINTS_BY, player)
        with progress(self.screen.say("hinting")) as watch, interruptible():
            decision = agent.choose(state, watch)
        self._tell_strength(decision)
        self._print(self.screen.say("hint", explain(state, decision, self.screen.language)))

    def _agent(self, name: str, player: int) -> Agent:
        """The agent of that name for that seat, made when it is first asked."""
        if (name, player) not in self._agents:
            seed, meanwhile = derived_seed(self._seed, name, player), Meanwhile(is_ready=self._is_ready)
            self._agents[name, player] = new_agent(name, self.state.game, seed, meanwhile=meanwhile)
        return self._agents[name, player]

    def _is_ready(self, bindings: Sequence[Binding]) -> bool:
        """True when agents may go on compiled. Until then it is compiled beside the game; what cannot be kept is so here."""
        if all_compiled(bindings):
            return True
        self._beside = self._beside or Beside(self.state.game)
        if not self._beside.is_over():
            return False
        if not all_compiled(bindings):
            self._print(self.screen.say("compiling", self.state.game.spec.title))
        return True

    def _tell_strength(self, decision: Decision) -> None:
        """Say that agents play weaker than they will, how far that is, and when it is over."""
        if decision.is_weaker and self._beside:
            self._print(self.screen.say("weaker", str(int(100 * self._beside.share))))
        elif self._is_weaker and self._beside and self._beside.is_over():
            self._print(self.screen.say("ready"))
        self._is_weaker = decision.is_weaker

    def _save(self) -> None:
        """Write the record. If it cannot be written, say so; the game goes on."""
        if self._file:
            try:
                self._file.write(self.state)
                self._unsaved = ""
            except OSError as error:
                self._unsaved = str(error.strerror)
                self._print(self.screen.say("unsaved", str(self._file.path), self._unsaved), soft_wrap=True)

    def _draw(self, seat: int) -> None:
        self.console.print()
        self.console.print(self.screen.draw(self.state, seat, self._last))

    def _ask(self, prompt: str) -> str:
        """A line without the blanks around it. Raises LeftError when there is none."""
        try:
            with interruptible():
                return self.console.input(prompt, markup=False).strip()
        except EOFError:
            raise LeftError(1) from None

    def _print(self, text: str, *, soft_wrap: bool = False) -> None:
        self.console.print(text, markup=False, soft_wrap=soft_wrap)


command = GamesGroup(
    game_command,
    name="play",
    params=[
        click.Option(["--resume"], type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="RECORD",
                     help="go on with a game that was left, and save it there"),
        *_common_options(),
    ],
    callback=_group,
    help="""Play a game in the terminal, against the computer or each other.

    Behind GAME stand its options; --opponent, --seat and --language here are for --resume.
    """,
    invoke_without_command=True,
)  # fmt: skip
