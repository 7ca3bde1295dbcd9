"""The process that thinks or reads: `python -m ludoteca.server.thinking.worker NICE` reads jobs and writes replies."""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import Any, BinaryIO, Final

import msgspec

from ludoteca.agents.agent import Agent, Decision, needs_compiling, new_agent, new_searcher
from ludoteca.agents.analysis import value_moves
from ludoteca.agents.explain import explain, write_line
from ludoteca.core.errors import LudotecaError, warn_in_one_line
from ludoteca.core.game import Game, load, open_record
from ludoteca.core.position import InformationState, Position
from ludoteca.core.record import Record
from ludoteca.search.searcher import Budget
from ludoteca.server.refusals import RefusalError
from ludoteca.server.thinking import workers
from ludoteca.server.thinking.reading import find_game
from ludoteca.server.thinking.workers import (
    Analyse,
    Failed,
    Finished,
    Found,
    Job,
    Progress,
    Read,
    Reply,
    Think,
    Thought,
    Valued,
)

GAMES: Final = 32
"""So many games with their parameters are kept ready."""

_loaded: Final[set[str]] = set()
"""The games whose compiled code this process has."""
_compiler: Final = ThreadPoolExecutor(1)
"""Its thread does not stand back: it compiles, or waits for who does, once a game, while a person waits for a move."""
_decoder: Final = msgspec.msgpack.Decoder(Job)


def main() -> None:
    """Do one job after the other, until the input ends or nobody hears the replies: then the server has ended."""
    warn_in_one_line()
    _compiler.submit(int).result()  # its thread begins, and keeps the priority that it begins with
    os.nice(int(sys.argv[1]))  # of this thread; where a system knows that of processes only, of all
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whoever prints something does not print it between the replies
    with suppress(BrokenPipeError), out:
        for job in _jobs(sys.stdin.buffer):
            _do(job, out)


def _jobs(stream: BinaryIO) -> Iterator[Job]:
    """The jobs that were sent whole: a server that is killed may leave a part of one."""
    while len(length := stream.read(workers.LENGTH)) == workers.LENGTH:
        expected = int.from_bytes(length, "big")
        data = stream.read(expected)
        if len(data) < expected:
            return
        yield _decoder.decode(data)


def _do(job: Job, out: BinaryIO) -> None:
    def say(reply: Reply) -> None:
        out.write(workers.frame(reply))
        out.flush()

    try:
        if isinstance(job, Think):
            say(think(job, say))
        else:
            say(analyse(job, say) if isinstance(job, Analyse) else read(job, say))
    except RefusalError as refusal:
        say(Failed(refusal.code, str(refusal.arguments[0])))
    except LudotecaError as error:
        say(Failed("thinking", str(error)))


def think(job: Think, say: Callable[[Reply], None]) -> Thought:
    """Have the agent choose."""
    game = _game(job.game, msgspec.json.encode(job.parameters), needs_compiling(job.agent))
    agent = _prepared(game, job, say)
    state = InformationState(job.player, Position.from_bytes(game, job.view), job.seen, real=True)
    decision = agent.choose(state)
    return _explained(state, decision) if job.explain else Thought(int(decision.action))


def _prepared(game: Game, job: Think, say: Callable[[Reply], None]) -> Agent:
    if game.compiled and game.name not in _loaded:
        say(Progress(workers.COMPILING))
    agent = _compiler.submit(new_agent, job.agent, game, int.from_bytes(job.seed, "big")).result()
    if game.compiled:
        _loaded.add(game.name)
    say(Progress(workers.THINKING))
    return agent


def _explained(state: InformationState, decision: Decision) -> Thought:
    found = decision.findings
    line = write_line(state, found.line if found else [decision.action])
    value = found.choices[0].values[state.player] if found else 0.0
    return Thought(int(decision.action), explain(state, decision), float(value), line)


@lru_cache(GAMES)
def _game(name: str, parameters: bytes, compiled: bool) -> Game:
    chosen: dict[str, Any] = msgspec.json.decode(parameters)
    return load(name, compiled=compiled, **chosen)


def analyse(job: Analyse, say: Callable[[Reply], None]) -> Finished:
    """Value every move."""
    last = open_record(Record.from_json(job.record))
    game = Game(last.game.spec, last.game.parameters, compiled=True)
    say(Progress(workers.COMPILING))
    _compiler.submit(new_searcher, game).result()
    say(Progress(workers.THINKING))
    state = game.deserialize_state(job.record)
    for move in value_moves(state, Budget(simulations=job.simulations)):
        say(Valued(*move))
    return Finished()


def read(job: Read, say: Callable[[Reply], None]) -> Found:
    """Play a record again. Raises RefusalError."""
    say(Progress(workers.THINKING))
    return find_game(job.text)


if __name__ == "__main__":
    main()
