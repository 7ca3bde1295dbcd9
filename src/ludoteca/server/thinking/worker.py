"""The process that thinks or reads: `python -m ludoteca.server.thinking.worker NICE` reads jobs and writes replies."""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import Any, BinaryIO, Final, TypeAlias

import msgspec

from ludoteca.agents.agent import Agent, needs_compiling, new_agent
from ludoteca.agents.analysis import judging_searcher, value_moves
from ludoteca.agents.explain import advise
from ludoteca.core.errors import LudotecaError, UnknownGameError, warn_in_one_line
from ludoteca.core.game import Game, load, open_record
from ludoteca.core.position import InformationState, Position
from ludoteca.core.record import FromPosition, Record, Seed
from ludoteca.search.searcher import Budget
from ludoteca.server.refusals import RefusalError
from ludoteca.server.thinking import workers
from ludoteca.server.thinking.workers import (
    Analyse,
    Failed,
    Finished,
    Found,
    Job,
    Progress,
    Read,
    Reply,
    Result,
    Think,
    Thought,
    Valued,
)

GAMES: Final = 32
"""Games, each with its parameters, that are kept ready."""

AGENTS: Final = 4
"""Agents that are kept, with what they have found, until their turn is over: each may have 100 MB."""

Say: TypeAlias = Callable[[Reply], None]

_thinking: Final[dict[tuple[str, bytes], Agent]] = {}
"""The agents whose turn may not be over, by name and seed: the one that was asked last is the last."""
_loaded: Final[set[str]] = set()
"""The games whose compiled code this process has."""
_compiler: Final = ThreadPoolExecutor(1)
"""Its thread has the usual priority: it compiles, or waits for a process that does, while a person waits for a move."""
_decoder: Final = msgspec.msgpack.Decoder(Job)


def main() -> None:
    """Do one job after the other, until the input ends or nobody reads the replies: then the server has ended."""
    warn_in_one_line()
    _compiler.submit(int).result()  # its thread begins, and keeps the priority that it begins with
    os.nice(int(sys.argv[1]))  # of this thread; where a system knows that of processes only, of all
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that is printed comes between the replies

    def say(reply: Reply) -> None:
        out.write(workers.frame(reply))
        out.flush()

    with suppress(BrokenPipeError), out:
        for job in _jobs(sys.stdin.buffer):
            try:
                say(do(job, say))
            except RefusalError as refusal:
                say(Failed(refusal.code, str(refusal.arguments[0])))
            except LudotecaError as error:
                say(Failed("thinking", str(error)))


def _jobs(stream: BinaryIO) -> Iterator[Job]:
    """The jobs that were sent whole: a server that is killed may leave a part of one."""
    while len(length := stream.read(workers.LENGTH)) == workers.LENGTH:
        expected = int.from_bytes(length, "big")
        data = stream.read(expected)
        if len(data) < expected:
            return
        yield _decoder.decode(data)


def do(job: Job, say: Say) -> Result:
    """Do a job, and say how it goes on. Raises RefusalError and other LudotecaErrors."""
    if isinstance(job, Think):
        return think(job, say)
    return analyse(job, say) if isinstance(job, Analyse) else read(job, say)


def think(job: Think, say: Say) -> Thought:
    """Have an agent choose an action."""
    chosen = msgspec.json.encode(job.parameters)
    game = _game(job.game, chosen, compiled=False)
    game = _game(job.game, chosen, compiled=True) if needs_compiling(job.agent, game) else game
    if game.compiled and game.name not in _loaded:
        say(Progress(workers.COMPILING))
    agent = _agent(job, game)
    if game.compiled:
        _loaded.add(game.name)
    say(Progress(workers.THINKING))
    state = InformationState(job.player, Position.from_bytes(game, job.view), job.seen, real=True)
    decision = agent.choose(state)
    if not job.explain:
        return Thought(int(decision.action))
    value = decision.findings.choices[0].values[state.player] if decision.findings else 0.0
    return Thought(int(decision.action), float(value), advise(state, decision))


def _agent(job: Think, game: Game) -> Agent:
    """The agent that has thought about the same turn already, if it is here; else a new one."""
    which = job.agent, job.seed
    agent = (
        _thinking.pop(which, None) or _compiler.submit(new_agent, job.agent, game, int.from_bytes(job.seed, "big")).result()
    )
    if game.turns_have_moves():
        _thinking[which] = agent
        if len(_thinking) > AGENTS:
            del _thinking[next(iter(_thinking))]
    return agent


@lru_cache(GAMES)
def _game(name: str, parameters: bytes, *, compiled: bool) -> Game:
    chosen: dict[str, Any] = msgspec.json.decode(parameters)
    return load(name, compiled=compiled, **chosen)


def analyse(job: Analyse, say: Say) -> Finished:
    """Value every move of a game."""
    last = open_record(Record.from_json(job.record))
    game = Game(last.game.spec, last.game.parameters, compiled=True)
    say(Progress(workers.COMPILING))
    _compiler.submit(judging_searcher, game).result()
    say(Progress(workers.THINKING))
    state = game.deserialize_state(job.record)
    for move in value_moves(state, Budget(simulations=job.simulations)):
        say(Valued(*move))
    return Finished()


def read(job: Read, say: Say) -> Found:
    """Play a record again, and leave out whatever else its text may hold. Raises RefusalError."""
    say(Progress(workers.THINKING))
    try:
        state = open_record(Record.from_json(job.text))
    except UnknownGameError as error:
        raise RefusalError("game", str(error)) from None
    except LudotecaError as error:
        raise RefusalError("record", str(error)) from None
    ours = state.to_record()
    if isinstance(ours.start, FromPosition):
        ours = msgspec.structs.replace(ours, start=FromPosition(str(state.game.state_at(ours.start)))).sealed()
    seed = bytes.fromhex(ours.start.seed) if isinstance(ours.start, Seed) else b""
    return Found(ours.game, ours.parameters, seed, ours.to_json())


if __name__ == "__main__":
    main()
