"""A process that makes games: `python -m ludoteca.envs.dataset.worker DESCRIPTOR` reads a plan there, then jobs.

It ends when the other end of the connection closes, in the midst of a game, too.
"""

from contextlib import suppress

from ludoteca.core.errors import LudotecaError
from ludoteca.core.workers import connect
from ludoteca.envs.dataset.tracing import Plan, Tracer
from ludoteca.envs.dataset.workers import Failed, Job, trace


def main() -> None:
    """Make what is asked for, one game after the other."""
    connection = connect()
    with suppress(EOFError, ConnectionError):  # who asked has all that was wanted, or is gone
        plan: Plan = connection.recv()
        tracer = Tracer(plan)
        while True:
            job: Job = connection.recv()
            try:
                connection.send(trace(tracer, job))
            except LudotecaError as error:
                connection.send(Failed(str(error)))


if __name__ == "__main__":
    main()
