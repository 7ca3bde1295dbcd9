"""Plays a game in the terminal: asks persons for their moves and opponents for theirs, and shows the board."""

import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console

from ludoteca.agents.agent import Agent, Decision, Meanwhile, all_compiled, budget_of, new_agent
from ludoteca.agents.beside import Beside
from ludoteca.agents.explain import explain
from ludoteca.agents.intervals import search_interval
from ludoteca.arena.programs.limits import FaultError
from ludoteca.cli import streams
from ludoteca.cli.files import RecordFile
from ludoteca.cli.progress import progress
from ludoteca.cli.screen import Screen
from ludoteca.cli.signals import INTERRUPTED, Interrupted, interruptible
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import IllegalActionError
from ludoteca.core.game import State
from ludoteca.core.levels import HINTS_BY
from ludoteca.core.messages import ENGLISH, language_of
from ludoteca.core.native import Binding
from ludoteca.core.seeds import derived_seed

if TYPE_CHECKING:
    from ludoteca.cli.opponents import BotOpponents

RESUMED: Final = getattr(signal, "SIGCONT", signal.SIGINT)
"""The signal after a stopped program is continued. Windows cannot stop programs, so it has another signal here."""
QUIT: Final = ("q", "quit", "exit")


class LeftError(Exception):
    """A person has left the game, or standard input has ended. `status` is the exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class TerminalGame:
    """A game in the terminal. `people` are the seats of persons. The other seats belong to agents with the name `opponent`,
    or to programs of bot authors. `seed` is for the random numbers of agents, and `file` gets the record of the game.
    """

    def __init__(
        self,
        state: State,
        people: set[int],
        opponent: "str | BotOpponents",
        seed: int,
        console: Console | None = None,
        file: RecordFile | None = None,
        language: str = ENGLISH,
    ) -> None:
        self.state = state
        self.people = people
        self.screen = Screen(state.game.spec, language)
        self.console = console or Console(highlight=False)
        self._opponent = opponent if isinstance(opponent, str) else ""
        self._bots = None if isinstance(opponent, str) else opponent
        self._seed = seed
        self._file = file
        self._unsaved = ""  # the reason if the file lacks the last move
        self._agents: dict[tuple[str, int], Agent] = {}
        self._beside: Beside | None = None  # the process that compiles their search
        self._is_weaker = False  # as it was last reported
        self._onlooker = min(people) if len(people) == 1 else SPECTATOR  # the only person here, or a spectator
        self._marked = list(state.placed(self._onlooker).items)
        self._news = ""  # the last move in words
        self._alone: int | None = None  # the one of several people who sees the screen now

    def play(self) -> int:
        """Play to the end, or until a person leaves. Return the exit status. The record is written after every move."""
        status = 0
        spec = self.state.game.spec
        self._print(self.screen.say("intro", spec.title))
        if language_of(spec.package, self.screen.language) != self.screen.language:
            self._print(self.screen.say("english", spec.title))
        try:
            while not self.state.is_terminal():
                player = self.state.current_player()
                action = self._ask_move(player) if player in self.people else self._ask_opponent(player)
                if action is not None:  # the person took no move back
                    self._news = self.screen.describe(self.state, self._onlooker, action)
                    before = self.state.clone()  # the opponents have the state itself
                    self.state.apply_action(action)
                    self._marked += self.state.placed(self._onlooker, before).items
                    self._save()  # before anything is shown
                    self._print(self._news)
        except LeftError as left:
            status = left.status
        except KeyboardInterrupt:  # an agent was searching
            status = INTERRUPTED
        if self._beside:
            self._beside.end()
        return self._end(status)

    def _end(self, status: int) -> int:
        """Show the end of the game, or that a person has left it. Return the exit status."""
        if not self.state.is_terminal():
            if status:  # the last line has no end yet
                self.console.print()
            self._print(self.screen.say("left"))
        else:
            self._draw(SPECTATOR)
            if not self.state.history():
                self._print(self.screen.say("dead"))
        if self._unsaved:
            self._save()
        if self._file and not self._unsaved:
            self._print(self.screen.say("saved", str(self._file.path)), soft_wrap=True)
        return status or int(bool(self._unsaved))

    def _ask_opponent(self, player: int) -> int:
        """Return the legal action of an agent or a bot. Raises LeftError after a bot's fault."""
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

    def _ask_move(self, player: int) -> int | None:
        """Return the legal action that a person types, or None if the person took back a move.

        Raises LeftError if the person leaves, or if standard input ends.
        """
        self._make_sure_of_being_alone(player)
        self._draw(player)
        commands = {
            "help": lambda: self._print(self.screen.help(self.state)),
            "h": lambda: self._print(self.screen.help(self.state)),
            "rules": self._show_rules,
            "moves": lambda: self._print(self.screen.moves(self.state)),
            "?": self._hint,
        }
        while True:
            text = self._ask(self.screen.say("prompt", self.screen.name(player)))
            word = text.lower()
            if word in QUIT:
                self._offer_to_save()
                raise LeftError(0)
            if word == "undo":
                self._undo()
                return None
            if word in commands:
                commands[word]()
            elif text:
                try:
                    action = self.screen.read(self.state, text)
                except IllegalActionError as error:
                    self._print(str(error))
                else:
                    self._marked = []  # earlier moves are not new any more
                    return action

    def _make_sure_of_being_alone(self, player: int) -> None:
        """Clear the screen, and wait until the player confirms to be alone in front of it, so that no other player sees
        hidden cards.

        Do nothing if only one person plays, or if no card is hidden. Raises LeftError if the person leaves, or if standard
        input ends.
        """
        hidden = self.state.view(player).tobytes() != self.state.view(SPECTATOR).tobytes()
        if len(self.people) == 1 or not hidden or player == self._alone:
            return
        self._alone = player
        self.console.clear()
        if self._ask(self.screen.say("alone", self.screen.name(player))).lower() in QUIT:
            raise LeftError(0)
        if self._news:
            self._print(self._news)

    def _undo(self) -> None:
        """Take back the last move of a person, and all moves after it. In a game with hidden information or against
        programs, print why this is not possible.
        """
        *earlier, _ = self.state.states()
        own = [state for state in earlier if state.current_player() in self.people]
        if not own or self._bots or not self.state.game.spec.perfect_information:
            key = "undo.none" if not own else "undo.bots" if self._bots else "undo.hidden"
            self._print(self.screen.say(key))
            return
        self.state = own[-1]
        self._marked, self._news = list(self.state.placed(self._onlooker).items), ""
        self._save()

    def _offer_to_save(self) -> None:
        """Ask for the name of a file for the record, if the game has none yet and a person at a terminal has played."""
        if self._file or not self.state.history() or not self.console.is_terminal or not sys.stdin.isatty():
            return
        while name := self._ask(self.screen.say("offer")):
            if Path(name).exists():
                self._print(self.screen.say("exists", name), soft_wrap=True)
                continue
            self._file = RecordFile(Path(name))
            self._save()
            if not self._unsaved:
                return
            self._file, self._unsaved = None, ""

    def _show_rules(self) -> None:
        """Show the rules of the game. After each picture, the person can return to the game."""
        paragraphs = list(self.screen.rules())
        if not paragraphs:
            self._print(self.screen.say("no_rules", self.state.game.spec.title))
        for number, (text, board) in enumerate(paragraphs, 1):
            self._print(text)
            if board:
                self.console.print()
                self.console.print(board)
                if number < len(paragraphs) and self._ask(self.screen.say("on")).lower() in QUIT:
                    return
            self.console.print()

    def _hint(self) -> None:
        """Show the action that an agent would play, and its reasons. Lines that were typed in the meantime are discarded."""
        player = self.state.current_player()
        state = self.state.information_state(player)
        agent = self._agent(HINTS_BY, player)
        with progress(self.screen.say("hinting")) as watch, interruptible():
            decision = agent.choose(state, watch)
            budget = budget_of(HINTS_BY, agent.game)
            interval = budget and search_interval(agent.game, state, decision, budget, self._seed)
        self._tell_strength(decision)
        self._print(self.screen.say("hint", explain(state, decision, self.screen.language, interval)))
        if streams.discard_typed():
            self._print(self.screen.say("discarded"))

    def _agent(self, name: str, player: int) -> Agent:
        """Return the agent of that name for that seat."""
        if (name, player) not in self._agents:
            seed, meanwhile = derived_seed(self._seed, name, player), Meanwhile(is_ready=self._is_ready)
            self._agents[name, player] = new_agent(name, self.state.game, seed, meanwhile=meanwhile)
        return self._agents[name, player]

    def _is_ready(self, bindings: Sequence[Binding]) -> bool:
        """Return True if agents can use compiled rules. If the rules are not compiled, start another process that compiles
        them, and return False until it has ended.

        If that process could not store the code, return True, and this process compiles the rules itself.
        """
        if all_compiled(bindings):
            return True
        self._beside = self._beside or Beside(self.state.game)
        if not self._beside.is_over():
            return False
        if not all_compiled(bindings):
            self._print(self.screen.say("compiling", self.state.game.spec.title))
        return True

    def _tell_strength(self, decision: Decision) -> None:
        """Print a message if agents play weaker because their search is not compiled yet, with the share that is compiled.
        Print another message when it is ready.
        """
        if decision.is_weaker and self._beside:
            self._print(self.screen.say("weaker", str(int(100 * self._beside.share))))
        elif self._is_weaker and self._beside and self._beside.is_over():
            self._print(self.screen.say("ready"))
        self._is_weaker = decision.is_weaker

    def _save(self) -> None:
        """Write the record. If that fails, report it and continue the game."""
        if self._file:
            try:
                self._file.write(self.state)
                self._unsaved = ""
            except OSError as error:
                self._unsaved = str(error.strerror)
                self._print(self.screen.say("unsaved", str(self._file.path), self._unsaved), soft_wrap=True)

    def _draw(self, seat: int) -> None:
        self.console.print()
        self.console.print(self.screen.draw(self.state, seat, self._marked))

    def _ask(self, prompt: str) -> str:
        """Return a line without the blanks around it. Raises LeftError if there is none."""
        try:
            with interruptible():
                return self._read_line(prompt).strip()
        except EOFError:
            raise LeftError(1) from None

    def _read_line(self, prompt: str) -> str:
        """Return a line that a person types. In a terminal, the line can be edited, the arrow keys bring back older lines,
        and the prompt is shown again after a stop (Ctrl-Z).
        """
        if self.console.is_terminal and sys.stdin.isatty():
            with suppress(ImportError):  # Windows has its own editing
                import readline  # noqa: F401  # `input` uses it
            while True:
                try:
                    with interruptible(RESUMED):
                        return input(prompt)
                except Interrupted as signaled:
                    if signaled.number == signal.SIGINT:
                        raise
                    self.console.print()  # the shell has written after the prompt
        return self.console.input(prompt, markup=False)

    def _print(self, text: str, *, soft_wrap: bool = False) -> None:
        self.console.print(text, markup=False, soft_wrap=soft_wrap)
