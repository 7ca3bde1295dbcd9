"""The program of a process that chooses moves, analyses games, reads records, draws or compiles for the server. `python -m
ludoteca.server.thinking.worker NICE` reads jobs from standard input and writes replies to standard output. NICE is added to
its niceness.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import Any, BinaryIO, Final, TypeAlias, cast

import msgspec

from ludoteca.agents.agent import Agent, Decision, Meanwhile, all_compiled, budget_of, new_agent
from ludoteca.agents.analysis import value_moves
from ludoteca.agents.explain import advise
from ludoteca.agents.intervals import search_interval
from ludoteca.agents.warming import compile_search
from ludoteca.core.errors import LudotecaError, UnknownGameError, warn_in_one_line
from ludoteca.core.game import Game, State, load, open_record
from ludoteca.core.native import Binding
from ludoteca.core.position import InformationState, Position
from ludoteca.core.record import FromPosition, Record, Seed
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Scenes
from ludoteca.search.searcher import Budget, Settings
from ludoteca.server import jobs
from ludoteca.server.frames import Line
from ludoteca.server.refusals import RefusalError, sendable

GAMES: Final = 32
"""Games that are kept ready, each with its parameters."""

AGENTS: Final = 4
"""The number of agents that are kept with their search trees until their turn is over. Each may take 100 MB."""

Say: TypeAlias = Callable[[jobs.Reply], None]

_thinking: Final[dict[tuple[str, bytes], Agent]] = {}
"""The agents whose turn may not be over, by name and seed. The agent that was asked last is the last."""
_compiler: Final = ThreadPoolExecutor(1)
"""A thread with the usual priority, which compiles (or waits for a process that does) while a person waits for a move."""
_decoder: Final = msgspec.msgpack.Decoder(jobs.Job)


def main() -> None:
    """Do one job after the other until the server ends. The end of the server closes the input, and makes it impossible to
    write replies.
    """
    warn_in_one_line()
    _compiler.submit(int).result()  # its thread begins, and keeps the priority that it begins with
    os.nice(int(sys.argv[1]))  # of this thread; of all threads if the system has one niceness for a process
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text does not come between the replies

    def say(reply: jobs.Reply) -> None:
        out.write(jobs.frame(reply))
        out.flush()

    with suppress(BrokenPipeError), out:
        for job in _jobs(sys.stdin.buffer):
            try:
                say(do(job, say))
            except RefusalError as refusal:
                say(jobs.Failed(refusal.code, refusal.arguments[0], refusal.game))
            except LudotecaError as error:
                game = job.game if isinstance(job, jobs.Think | jobs.Compile) else ""
                say(jobs.Failed("thinking", sendable(error.message), game))


def _jobs(stream: BinaryIO) -> Iterator[jobs.Job]:
    """Yield the jobs from the stream. If the server was killed while it was sending a job, only a part of the job arrives,
    which is ignored.
    """
    while len(length := stream.read(jobs.LENGTH)) == jobs.LENGTH:
        expected = int.from_bytes(length, "big")
        data = stream.read(expected)
        if len(data) < expected:
            return
        yield _decoder.decode(data)


def do(job: jobs.Job, say: Say) -> jobs.Result:
    """Do a job, call `say` with reports of its progress, and return its result. Raises LudotecaError if it cannot be done.
    The server then refuses the client's request.
    """
    if isinstance(job, jobs.Think):
        return think(job, say)
    if isinstance(job, jobs.Compile):
        return compile_beside(job, say)
    if isinstance(job, jobs.Animate):
        return animate(job, say)
    return analyse(job, say) if isinstance(job, jobs.Analyse) else read(job, say)


def think(job: jobs.Think, say: Say, settings: Settings | None = None) -> jobs.Thought:
    """Let an agent choose an action, and return it. `settings` are the settings of the agent's search; None for
    the default.
    """
    game = _game(job.game, msgspec.json.encode(job.parameters))
    agent = _agent(job, game, say, settings)
    say(jobs.Progress(jobs.THINKING))
    state = InformationState(job.player, Position.from_bytes(game, job.view), job.seen, real=True)
    decision = agent.choose(state)
    if not job.explain:
        return jobs.Thought(int(decision.action), is_weaker=decision.is_weaker, is_early=_is_early(state, decision))
    value = decision.findings.choices[0].values[state.player] if decision.findings else 0.0
    budget = budget_of(job.agent, game)
    seed = int.from_bytes(job.seed, "big")
    interval = budget and search_interval(agent.game, state, decision, budget, seed, settings)
    advice = advise(state, decision, interval)
    others = [(Line(*step), worth) for step, worth in advice.others]
    reasons = [Line(*step) for step in advice.line], advice.worth, others, advice.is_guess
    return jobs.Thought(int(decision.action), float(value), *reasons, decision.is_weaker)


def _is_early(state: InformationState, decision: Decision) -> bool:
    findings = decision.findings
    if findings is None:  # an agent that glances at the position does not search either
        return len(state.redeal(new_rng(0)).candidates()) == 1
    return findings.choices[0].solved or findings.seconds == 0  # a result that is recalled takes no time


def _agent(job: jobs.Think, game: Game, say: Say, settings: Settings | None) -> Agent:
    """Return the agent that has already chosen an action of the same turn in this process, with its search tree, or else a
    new agent.
    """

    def is_ready(bindings: Sequence[Binding]) -> bool:
        if all_compiled(bindings):
            return True
        say(jobs.Progress(jobs.COMPILING if job.waits else jobs.INTERPRETED))
        return job.waits

    which, seed = (job.agent, job.seed), int.from_bytes(job.seed, "big")
    agent = _thinking.pop(which, None) or new_agent(job.agent, game, seed, settings, Meanwhile(is_ready=is_ready))
    if game.turns_have_moves():
        _thinking[which] = agent
        if len(_thinking) > AGENTS:
            del _thinking[next(iter(_thinking))]
    return agent


@lru_cache(GAMES)
def _game(name: str, parameters: bytes) -> Game:
    chosen: dict[str, Any] = msgspec.json.decode(parameters)
    return load(name, **chosen)


def compile_beside(job: jobs.Compile, say: Say) -> jobs.Finished:
    """Compile the functions with which agents search a game. The caller's agents play with interpreted functions
    meanwhile.
    """
    game = load(job.game, **job.parameters)

    def watch(share: float) -> None:
        say(jobs.Progress(jobs.COMPILING, share))

    if job.hurries:
        return jobs.Finished(_compiler.submit(compile_search, game, watch).result())
    return jobs.Finished(compile_search(game, watch))


def analyse(job: jobs.Analyse, say: Say) -> jobs.Finished:
    """Compile the functions that an analysis needs, and call `say` with the value of each move of a game."""
    record = Record.from_json(job.record)
    game = load(record.game, compiled=True, **record.parameters)
    say(jobs.Progress(jobs.COMPILING))
    _compiler.submit(compile_search, game, lambda share: say(jobs.Progress(jobs.COMPILING, share))).result()
    say(jobs.Progress(jobs.THINKING))
    for move in values_of(job):
        say(move)
    return jobs.Finished()


def values_of(job: jobs.Analyse, settings: Settings | None = None) -> Iterator[jobs.Valued]:
    """Yield the value of each move of a game, in the order of the game. `settings` are the settings of the searches; None
    for the default.
    """
    state = open_record(Record.from_json(job.record), compiled=True)
    before = state.game.state_at(state.start)
    values = value_moves(state, Budget(simulations=job.simulations), settings=settings)
    for move, action in zip(values, state.history(), strict=True):
        best = before.string_to_action(move.better[0]) if move.better else None
        yield jobs.Valued(*move, _pointed(before, action), None if best is None else _pointed(before, best))
        before.apply_action(action)


def _pointed(state: State, action: int) -> jobs.Pointed:
    """Return an action in words, and the ids of the items to touch for it, as the player to move sees them. A game without
    scenes has no items.
    """
    player = state.current_player()
    view, seen = state.view(player).raw, state.position.seen_action(action, player)
    if not state.game.spec.has("scene"):
        return jobs.Pointed(state.action_to_string(action), ())
    scenes = cast(Scenes, state.game.spec.module("scene"))
    (choice,) = scenes.choices(view, player, [action])
    return jobs.Pointed(scenes.describe(view, player, seen), choice.touches)


def animate(job: jobs.Animate, say: Say) -> jobs.Animated:
    """Draw a game as a GIF file. The server sends this job only if the packages for drawing are installed
    (`previews.HAS_PNG`).
    """
    from ludoteca.pictures.files import gif

    say(jobs.Progress(jobs.THINKING))
    state = open_record(Record.from_json(job.record))
    return jobs.Animated(gif(state, job.player, job.theme, title=state.game.spec.title))


def read(job: jobs.Read, say: Say) -> jobs.Found:
    """Replay the game of a record, and return a new record of the same game. The new record has none of the other content
    that the text may have.

    Raises RefusalError if this server does not have the game (`game`), or if the text is not a record that can be replayed
    (`record`).
    """
    say(jobs.Progress(jobs.THINKING))
    game = ""
    try:
        record = Record.from_json(job.text)
        game = record.game
        state = open_record(record)
    except UnknownGameError as error:
        raise RefusalError("game", error.message) from None
    except LudotecaError as error:
        raise RefusalError("record", error.message, game=game) from None
    ours = state.to_record()
    start = ours.start
    if isinstance(start, FromPosition):
        start = FromPosition(str(state.game.state_at(start)))
    ours = msgspec.structs.replace(ours, start=start, players=record.players).sealed()
    seed = bytes.fromhex(start.seed) if isinstance(start, Seed) else b""
    return jobs.Found(ours.game, ours.parameters, seed, ours.to_json(), record.players)


if __name__ == "__main__":
    main()
