"""Entrants and the players in their seats: agents, programs that live through a game, and programs run for each move."""

import time
from collections.abc import Sequence
from typing import Final, Protocol, cast

import msgspec

from ludoteca.agents.agent import Agent, derived_seed, needs_compiling, new_agent
from ludoteca.arena.box import Box
from ludoteca.arena.conversation import Conversation, Left, alike
from ludoteca.arena.limits import Fault, FaultError, Limits
from ludoteca.core.errors import NotationError, ParameterError
from ludoteca.core.formats import Fill
from ludoteca.core.game import Game, State
from ludoteca.core.position import InformationState
from ludoteca.core.protocols import MoveProtocol
from ludoteca.core.record import Result
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import quoted

LINES = "lines"
"""The protocol of `docs/bots.md`: one process that lives through the game."""


class Entrant(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One who takes part in a match or a tournament: an agent of ours, or a program."""

    name: str
    """Unique among those who take part."""
    agent: str = ""
    """The name of an agent, as `ludoteca play --opponent` takes it; empty for a program."""
    command: tuple[str, ...] = ()
    """The program and its arguments; empty for an agent."""
    protocol: str = LINES
    """`lines`, or the name of a protocol of the game's own (its module `protocols`)."""
    limits: Limits = Limits()


class Player(Protocol):
    """An entrant in one seat. It plays one game after another, and is closed at the end of all.

    It is told nothing but what its seat knows. Whatever its program does ends in a FaultError, never in another exception.
    """

    @property
    def isolation(self) -> str:
        """How its program is kept apart from the machine; `"in this process"` for an agent of ours."""

    @property
    def errors(self) -> str:
        """Its standard error in this game."""

    @property
    def faults(self) -> Sequence[tuple[str, str]]:
        """The faults of this game that did not end its part in it, as its protocol has it, each with a detail."""

    @property
    def reads(self) -> bool:
        """True where it follows the game by the texts that `see` gives it; for others nobody has to write them."""

    def begin(self, state: InformationState, seed: int) -> None:
        """A new game begins; the state is what its seat knows of it. The seed is for an agent's own random numbers.

        Raises nothing: what fails at the start is raised by the first `choose`.
        """

    def see(self, mover: int, action: str) -> None:
        """An action was played, by whichever seat: its text is that which this seat sees. Raises nothing."""

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """The action that it plays, one of the legal ones, which are sorted. Raises FaultError."""

    def end(self, state: InformationState, result: Result | None) -> None:
        """The game is over; the result is None where it was broken off. Raises nothing: a late fault changes no game."""

    def close(self) -> None:
        """End its program, with all that it started."""


def tell(players: Sequence[Player], state: State, action: int) -> None:
    """Tell all, each as its seat sees it, of a legal action that is about to be played in that state.

    Before, because some texts depend on the position in which the action is played.
    """
    for seat, player in enumerate(players):
        if player.reads:
            player.see(state.current_player(), text_for(seat, state, action))


def text_for(seat: int, state: State, action: int) -> str:
    """A legal action of that state in notation, as the seat sees it."""
    return str(state.game.notation.action_to_string(state.view(seat).raw, state.seen_action(action, seat)))


HERE: Final = "in this process"
"""The isolation of an agent of ours."""


def new_player(entrant: Entrant, game: Game, seat: int, seed: int) -> Player:
    """The entrant in one seat of the game. Raises ParameterError, which says what agents or protocols there are.

    A program that is missing or cannot be run is a FaultError; one that is started anew for every move is looked for now,
    too. The seed is for an agent's own random numbers, until `begin` brings another.
    """
    if entrant.agent:
        return AgentPlayer(entrant.agent, game, derived_seed(seed, seat))
    return new_program(entrant, game.spec, forgets=not game.spec.perfect_information)


def new_program(entrant: Entrant, spec: GameSpec, *, forgets: bool) -> "LinesPlayer | MovesPlayer":
    """The entrant that is a program. Raises ParameterError, which says what protocols there are.

    One that forgets has a new process for every game: where something is hidden, it could else remember a deal that is
    played several times.
    """
    if entrant.protocol == LINES:
        return LinesPlayer(entrant.command, entrant.limits, forgets=forgets)
    own = protocols_of(spec)
    if entrant.protocol not in own:
        known = ", ".join([LINES, *own])
        raise ParameterError(f"protocol: read {quoted(entrant.protocol)}, expected for {spec.name}: {known}")
    return MovesPlayer(entrant.command, entrant.limits, own[entrant.protocol])


def protocols_of(spec: GameSpec) -> dict[str, MoveProtocol]:
    """The protocols of the game's own document, by name."""
    return cast(dict[str, MoveProtocol], spec.module("protocols").PROTOCOLS) if spec.has("protocols") else {}


class AgentPlayer:
    """An agent of ours. It runs as the referee's game does; one that searches runs compiled in any case."""

    isolation = HERE
    errors = ""
    faults: Sequence[tuple[str, str]] = ()
    reads = False

    def __init__(self, name: str, game: Game, seed: int) -> None:
        self._name = name
        compiled = game.compiled or needs_compiling(name, game)
        self._game = game if game.compiled == compiled else Game(game.spec, game.parameters, compiled=compiled)
        self._agent: Agent = new_agent(name, self._game, seed)

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # the agent looks when it is asked
        """Begin a game with random numbers, and a memory, of its own."""
        self._agent = new_agent(self._name, self._game, seed)

    def see(self, mover: int, action: str) -> None:
        """An agent reads no texts."""

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:  # noqa: ARG002  # agents know the rules
        """What the agent plays."""
        return self._agent.choose(state).action

    def end(self, state: InformationState, result: Result | None) -> None:
        """There is nothing to tell an agent."""

    def close(self) -> None:
        """There is no program to end."""


class LinesPlayer:
    """A program that speaks the line protocol (`docs/bots.md`)."""

    faults: Sequence[tuple[str, str]] = ()
    reads = True

    def __init__(self, command: Sequence[str], limits: Limits, *, forgets: bool = False) -> None:
        self.late: FaultError | None = None
        """What it did wrong after its last answer in a game, too late to change it; known when the next begins at last."""
        self._limits = limits
        self._forgets = forgets
        self._program = Conversation(command, limits)
        self._failed: FaultError | None = None
        self._bank = limits.bank
        self._before: list[str] = []  # what was legal at its last turn

    @property
    def isolation(self) -> str:
        """How the program is kept apart from the machine."""
        return self._program.isolation

    @property
    def errors(self) -> str:
        """Its standard error in this game (`Conversation.errors`)."""
        return self._program.errors

    @property
    def exchange(self) -> Sequence[str]:
        """The last lines of the game: those that the program read after `>`, those that it wrote after `<`."""
        return self._program.exchange

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # programs have chance of their own
        """Greet the program and tell it of the game; the first `choose` raises what fails here."""
        game, self._failed, self.late = state.game, None, None
        self._bank, self._before = self._limits.bank, []
        try:
            position = written(state)
            self._program.begin(game.name, game.parameters, state.player, game.num_players(), self._left(), position)
        except FaultError as error:
            self._failed = error
        self.late = self._program.strayed

    def see(self, mover: int, action: str) -> None:
        """Tell the program, before its next turn or at the end."""
        self._program.see(mover, action)

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """Ask the program. Raises FaultError, and the same whenever it is asked again in this game."""
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
        began = time.monotonic()
        answer = self._program.ask(written(state), (text for text in actions if text != concede), concede, self._left())
        self._bank -= time.monotonic() - began
        if answer in actions:
            return actions[answer]
        try:
            return _read(state, answer, actions)
        except FaultError as error:
            overtaken = "; it was legal when the program was asked before" if answer in before else ""
            raise self._program.fault(error.fault, error.detail + overtaken) from None

    def end(self, state: InformationState, result: Result | None) -> None:  # noqa: ARG002  # a program has seen it all
        """Tell the program how the game ended."""
        if not self._failed:
            self.late = self._program.end(result)
        if self._forgets:
            self._program.hang_up()

    def close(self) -> None:
        """End the program."""
        self._program.close()

    def _left(self) -> Left:
        return Left(self._limits.move, max(self._bank, 0.0) if self._limits.bank else None)


def question_of(state: InformationState, legal: Sequence[int]) -> tuple[dict[str, int], str]:
    """Return the legal actions by their texts, and the text of the action that gives up; "" if it is the only one."""
    notation, view, gives_up = state.game.notation, state.view.raw, state.game.rules.CONCEDE
    actions = {str(notation.action_to_string(view, action)): action for action in legal}
    return actions, next((text for text, action in actions.items() if action == gives_up and len(actions) > 1), "")


def written(state: InformationState) -> str:
    """The position as the seat sees it, in the game's notation."""
    return str(state.game.notation.position_to_string(state.view.raw))


def _read(state: InformationState, answer: str, actions: dict[str, int]) -> int:
    """The legal action that an answer in other words than ours stands for. Raises FaultError."""
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
    """Why the action is not legal, asked of one of the deals that fit what the seat knows."""
    game = state.game
    return game.in_english(game.notation.refusal(state.redeal(new_rng(0)).raw, action))


class MovesPlayer:
    """A program that is run for every move, in a protocol of the game's own. What it does wrong does not end its game."""

    reads = False

    def __init__(self, command: Sequence[str], limits: Limits, protocol: MoveProtocol) -> None:
        self.errors = ""
        self.faults: list[tuple[str, str]] = []
        self.exchange: list[str] = []
        """The question and the answer of its last move."""
        self._limits = limits
        self._protocol = protocol
        self._box = Box(command, limits)
        self._bank = limits.bank

    @property
    def isolation(self) -> str:
        """How the program is kept apart from the machine."""
        return self._box.isolation

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # programs have chance of their own
        """There is nothing to tell before the first move."""
        self.errors, self._bank = "", self._limits.bank
        self.faults.clear()

    def see(self, mover: int, action: str) -> None:
        """It is told of all that was played when it is asked."""

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """Run the program; an invalid answer, a late one and a crash are noted, and answered by the protocol."""
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

    def end(self, state: InformationState, result: Result | None) -> None:
        """There is no process to tell."""

    def close(self) -> None:
        """Take the box down."""
        self._box.close()


class FillerPlayer:
    """Plays as the game's `formats.fill` does."""

    isolation: Final = "in this process"
    errors: Final = ""
    reads: Final = False
    faults: Final[Sequence[tuple[str, str]]] = ()

    def __init__(self, game: Game) -> None:
        self._fill: Fill = game.spec.module("formats").fill
        self._rng = new_rng(0)

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # what a player is told
        """A new game, with random numbers of its own."""
        self._rng = new_rng(seed)

    def see(self, mover: int, action: str) -> None:
        """It reads no texts."""

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """What the filler plays."""
        return self._fill(state.view.raw, legal, self._rng)

    def end(self, state: InformationState, result: Result | None) -> None:
        """Nothing is remembered."""

    def close(self) -> None:
        """Nothing was started."""
