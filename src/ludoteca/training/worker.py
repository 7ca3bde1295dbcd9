"""A process that gives lessons: `python -m ludoteca.training.worker DESCRIPTOR` reads settings there, then jobs.

It ends when the other end of the connection closes, in the midst of a lesson, too.
"""

from contextlib import suppress

from ludoteca.core.errors import LudotecaError
from ludoteca.core.workers import connect
from ludoteca.training.lessons import Teacher
from ludoteca.training.processes import Failed, Job
from ludoteca.training.settings import Settings


def main() -> None:
    """Give what is asked for, one lesson after the other."""
    connection = connect()
    with suppress(EOFError, ConnectionError):  # who asked has all that was wanted, or is gone
        settings: Settings = connection.recv()
        try:
            teacher = Teacher(settings)
        except LudotecaError as error:
            connection.recv()
            connection.send(Failed(str(error)))
            return
        while True:
            job: Job = connection.recv()
            connection.send(teacher.give(*job))


if __name__ == "__main__":
    main()
