"""The entrants of matches, and the players in their seats: agents, programs that run during the whole game, and programs
that are run for each move.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, cast

import msgspec

from ludoteca.agents.agent import Agent, new_agent
from ludoteca.arena.matches.defaults import LINES
from ludoteca.arena.programs.box import Box
from ludoteca.arena.programs.conversation import Conversation, Left, alike
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.core.console import MoveProtocol
from ludoteca.core.errors import NotationError, ParameterError
from ludoteca.core.formats import Fill
from ludoteca.core.game import Game, State
from ludoteca.core.levels import needs_compiling
from ludoteca.core.position import InformationState
from ludoteca.core.record import Result
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import quoted

HERE: Final = "in this process"
"""The description of an agent's isolation: an agent runs inside the arena's process, not in a sandbox."""


class Entrant(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A participant in a match or a tournament: an agent of Ludoteca, or a program."""

    name: str
    """Unique in the match or tournament."""
    agent: str = ""
    """The name of an agent, as in `ludoteca play --opponent`. Empty for a program."""
    command: tuple[str, ...] = ()
    """The program and its arguments. Empty for an agent."""
    protocol: str = LINES
    """`lines` (`docs/bots.md`), or the name of a protocol that the game defines in its module `protocols`."""
    limits: Limits = Limits()
    thinking: bool = False
    """True if the program may think during the turns of others."""


class Player(ABC):
    """An entrant in one seat. The same object plays one game after another until it is closed.

    It receives only the information that its seat may have. Only `choose` raises errors, which are always FaultErrors.
    """

    faults: Sequence[tuple[str, str]] = ()
    """The faults after which the program may go on in this game, each with a detail. Its protocol decides this."""
    reads: bool = False
    """True if the player follows the game by the texts given to `see`."""

    isolation: str = HERE
    """A description of how the player's program is isolated from the machine."""

    @property
    def errors(self) -> str:
        """The text that the program wrote to standard error in this game."""
        return ""

    @abstractmethod
    def begin(self, state: InformationState, seed: int) -> None:
        """Begin a game. `state` is the information that the player's seat has, and `seed` is for the random numbers of an
        agent.

        If the program cannot be started, the first call of `choose` raises the error.
        """

    def see(self, mover: int, action: str) -> None:  # noqa: B027  # optional
        """Receive an action of the seat `mover`, as the text that the player's seat sees."""

    @abstractmethod
    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """Return one of the legal actions, which are sorted. `state` is the information that the player's seat has.

        Raises FaultError if the player's program does not give a legal answer in time. After that, every call in the same
        game raises this error again.
        """

    def end(self, state: InformationState, result: Result | None) -> None:  # noqa: B027  # optional
        """End the game. The result is None if the game was broken off."""

    def close(self) -> None:  # noqa: B027  # optional
        """End its program and all processes of that program."""


def tell(players: Sequence[Player], state: State, action: int) -> None:
    """Send all players a legal action in the texts that their seats see. `state` is the position in which the action is
    played. Call it before the action is applied, because some texts depend on this position.
    """
    for seat, player in enumerate(players):
        if player.reads:
            player.see(state.current_player(), text_for(seat, state, action))


def text_for(seat: int, state: State, action: int) -> str:
    """Return a legal action of this state in notation, with only as much of it as the seat sees."""
    return str(state.game.notation.action_to_string(state.view(seat).raw, state.seen_action(action, seat)))


def new_player(entrant: Entrant, game: Game, seat: int) -> Player:
    """Return the entrant as a player in one seat of the game.

    Raises ParameterError for an unknown agent or protocol, and FaultError for a program that is missing or cannot be run.
    """
    if entrant.agent:
        return AgentPlayer(entrant.agent, game, derived_seed(0, seat))
    return new_program(entrant, game.spec, forgets=not game.spec.perfect_information)


def new_program(entrant: Entrant, spec: GameSpec, *, forgets: bool) -> "LinesPlayer | MovesPlayer":
    """Return the player for an entrant that is a program. With `forgets`, the player starts a new process for every game.
    Otherwise a program could remember the hidden cards of a deal that is played several times.

    Raises ParameterError for an unknown protocol, and FaultError for a program that is missing or cannot be run.
    """
    if entrant.protocol == LINES:
        return LinesPlayer(entrant.command, entrant.limits, forgets=forgets, thinking=entrant.thinking)
    own = protocols_of(spec)
    if entrant.protocol not in own:
        known = ", ".join([LINES, *own])
        raise ParameterError(f"protocol: read {quoted(entrant.protocol)}, expected for {spec.name}: {known}")
    return MovesPlayer(entrant.command, entrant.limits, own[entrant.protocol])


def protocols_of(spec: GameSpec) -> dict[str, MoveProtocol]:
    """Return the protocols for programs that the game itself defines, by name. Its document describes them."""
    return cast(dict[str, MoveProtocol], spec.module("protocols").PROTOCOLS) if spec.has("protocols") else {}


class AgentPlayer(Player):
    """An agent as a player. If the agent searches, it uses compiled rules. Other agents use the rules as `game` has them."""

    def __init__(self, name: str, game: Game, seed: int) -> None:
        self._name = name
        compiled = game.compiled or needs_compiling(name, game)
        self._game = game if game.compiled == compiled else Game(game.spec, game.parameters, compiled=compiled)
        self._agent: Agent = new_agent(name, self._game, seed)

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # the agent looks when it is asked
        self._agent = new_agent(self._name, self._game, seed)

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:  # noqa: ARG002  # agents know the rules
        return self._agent.choose(state).action


class FillerPlayer(Player):
    """A player that fills empty seats. Some formats that a game defines need it, because their groups must be complete."""

    def __init__(self, game: Game) -> None:
        self._fill: Fill = game.spec.module("formats").fill
        self._rng = new_rng(0)

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        return self._fill(state.view.raw, legal, self._rng)


class LinesPlayer(Player):
    """A program that speaks the line protocol (`docs/bots.md`)."""

    reads = True

    def __init__(self, command: Sequence[str], limits: Limits, *, forgets: bool = False, thinking: bool = False) -> None:
        self.late: FaultError | None = None
        """A fault after the last answer in a game, which changes no result. It may be found when the next game starts."""
        self._limits = limits
        self._forgets = forgets
        self._program = Conversation(command, limits, thinking=thinking)
        self.isolation = self._program.isolation
        self._failed: FaultError | None = None
        self._bank = limits.bank
        self._before: list[str] = []  # the legal actions of its last turn

    @property
    def errors(self) -> str:
        return self._program.errors

    @property
    def exchange(self) -> Sequence[str]:
        """The last lines of the game. The program has read the lines after `>` and written the lines after `<`."""
        return self._program.exchange

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # programs have their own random numbers
        game, self._failed, self.late = state.game, None, None
        self._bank, self._before = self._limits.bank, []
        try:
            position = written(state)
            self._program.begin(game.name, game.parameters, state.player, game.num_players(), self._left(), position)
        except FaultError as error:
            self._failed = error
        self.late = self._program.strayed

    def see(self, mover: int, action: str) -> None:
        """Receive an action. The program gets its line before the program's next turn, or at the end of the game."""
        self._program.see(mover, action)

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        if self._failed:
            raise self._failed
        try:
            return self._choose(state, legal)
        except FaultError as error:
            self._failed = error
            raise

    def _choose(self, state: InformationState, legal: Sequence[int]) -> int:
        actions, concede = question_of(state, legal)
        before, self._before = self._before, list(actions)
        answer = self._program.ask(written(state), (text for text in actions if text != concede), concede, self._left())
        self._bank -= self._program.seconds
        if answer in actions:
            return actions[answer]
        try:
            return _read(state, answer, actions)
        except FaultError as error:
            overtaken = "; it was legal when the program was asked before" if answer in before else ""
            raise self._program.fault(error.fault, error.detail + overtaken) from None

    def end(self, state: InformationState, result: Result | None) -> None:  # noqa: ARG002  # the program has seen the game
        if not self._failed:
            self.late = self._program.end(result)
        if self._forgets:
            self._program.hang_up()

    def close(self) -> None:
        self._program.close()

    def _left(self) -> Left:
        return Left(self._limits.move, max(self._bank, 0.0) if self._limits.bank else None)


def question_of(state: InformationState, legal: Sequence[int]) -> tuple[dict[str, int], str]:
    """Return a pair: a dictionary with the text of each legal action as key and the action as value, and the text of the
    action that gives up. This text is empty if giving up is not legal, or if it is the only legal action.
    """
    notation, view, gives_up = state.game.notation, state.view.raw, state.game.rules.CONCEDE
    actions = {str(notation.action_to_string(view, action)): action for action in legal}
    return actions, next((text for text, action in actions.items() if action == gives_up and len(actions) > 1), "")


def written(state: InformationState) -> str:
    """Return the position as the seat sees it, in the game's notation."""
    return str(state.game.notation.position_to_string(state.view.raw))


def _read(state: InformationState, answer: str, actions: dict[str, int]) -> int:
    """Return the legal action that an answer means. The answer must not be the exact text of a legal action. `actions` are
    the legal actions by their texts.

    Raises FaultError if the answer names no action (UNREADABLE), or an action that is not legal (ILLEGAL).
    """
    game = state.game
    try:
        action = int(game.notation.string_to_action(state.view.raw, answer))
    except NotationError as error:
        fault = FaultError(Fault.UNREADABLE, f"it answered {quoted(answer)}: {error}")
    else:
        if action in actions.values():
            return action
        fault = FaultError(Fault.ILLEGAL, f"it answered {quoted(answer)}: {_why_not(state, action)}")
    if meant := alike(answer, actions):
        return actions[meant]
    raise fault


def _why_not(state: InformationState, action: int) -> str:
    """Return the reason why an action is not legal. It is found in a random deal that fits the information of the seat."""
    game = state.game
    return game.in_english(game.notation.refusal(state.redeal(new_rng(0)).raw, action))


class MovesPlayer(Player):
    """A program that is run once for every move, with a protocol that the game defines. After a fault, the program goes on
    playing.
    """

    errors = ""

    def __init__(self, command: Sequence[str], limits: Limits, protocol: MoveProtocol) -> None:
        self.faults: list[tuple[str, str]] = []
        self.exchange: list[str] = []
        """The input (after `>`) and the output (after `<`) of the program at its last move."""
        self._limits = limits
        self._protocol = protocol
        self._box = Box(command, limits)
        self.isolation = self._box.isolation
        self._bank = limits.bank

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # programs have their own random numbers
        self.errors, self._bank = "", self._limits.bank
        self.faults.clear()

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """Run the program and return its action. If the answer is not legal or too late, or if the program crashes, the
        protocol decides which action is played.
        """
        question = self._protocol.question(state)
        self.exchange = [f"> {line}" for line in question.splitlines()]
        seconds = min(self._limits.move, max(self._bank, 0.0)) if self._limits.bank else self._limits.move
        run = self._box.run(question.encode(), seconds=seconds)
        self._bank -= run.seconds
        self.errors += run.errors.decode(errors="replace")
        answer = run.output.decode(errors="replace")
        self.exchange += (f"< {line}" for line in answer.splitlines())
        if run.fault:
            return self._note(state, run.fault, run.detail)
        action = self._protocol.action(state, answer)
        if action is not None and action in legal:
            return action  # whatever its exit status says
        if run.status:
            return self._note(
                state, Fault.EXIT, f"it ended with exit status {run.status}, and its output was {quoted(answer)}"
            )
        if action is None:
            return self._note(state, Fault.UNREADABLE, f"it answered {quoted(answer)}")
        return self._note(state, Fault.ILLEGAL, f"it answered {quoted(answer.strip())}: {_why_not(state, action)}")

    def _note(self, state: InformationState, fault: Fault, detail: str) -> int:
        self.faults.append((str(fault), detail))
        return self._protocol.invalid(state)

    def close(self) -> None:
        self._box.close()
