"""A process that gives lessons: `python -m ludoteca.training.worker DESCRIPTOR` reads settings there, then jobs.

It ends when the other end of the connection closes, in the midst of a lesson, too.
"""

from contextlib import suppress

from ludoteca.core.errors import LudotecaError
from ludoteca.core.workers import connect
from ludoteca.training.processes import Failed, Job
from ludoteca.training.settings import Settings
from ludoteca.training.teachers import new_teacher


def main() -> None:
    """Give what is asked for, one lesson after the other."""
    connection = connect()
    with suppress(EOFError, ConnectionError):  # who asked has all that was wanted, or is gone
        settings: Settings = connection.recv()
        try:
            teacher = new_teacher(settings)
        except LudotecaError as error:
            connection.recv()
            connection.send(Failed(str(error)))
            return
        while True:
            job: Job = connection.recv()
            connection.send(teacher.give(*job))


if __name__ == "__main__":
    main()
