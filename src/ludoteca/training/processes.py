"""Lessons in processes of this machine: a process that dies has its lesson given again by a new one."""

from typing import Final, NamedTuple

from ludoteca.core.workers import LostWorkerError, Worker
from ludoteca.training.lessons import Learned, Lesson, Report
from ludoteca.training.settings import Settings, TrainingError

TRIES: Final = 3
"""A lesson whose process ended so often is not tried again."""


class Job(NamedTuple):
    """A lesson, and what is known before it."""

    lesson: Lesson
    learned: Learned


class Failed(NamedTuple):
    """Why a lesson could not be given."""

    why: str


class Processes:
    """As many workers as a round has lessons."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._workers: list[Worker] = []

    def play(self, lessons: list[Lesson], learned: Learned) -> list[Report]:
        """All lessons at once. Raises TrainingError."""
        while len(self._workers) < len(lessons):
            self._workers.append(self._new())
        for worker, lesson in zip(self._workers, lessons, strict=False):
            worker.send(Job(lesson, learned))
        return [self._report(number, Job(lesson, learned)) for number, lesson in enumerate(lessons)]

    def _new(self) -> Worker:
        return Worker("ludoteca.training.worker", self._settings)

    def _report(self, number: int, job: Job) -> Report:
        """What a worker answers, or one that takes its place. Raises TrainingError."""
        for tried in range(1, TRIES + 1):
            try:
                answer: Report | Failed = self._workers[number].receive()
            except LostWorkerError as error:
                if tried == TRIES:
                    raise TrainingError(
                        f"a lesson was given up: {TRIES} processes ended in it, the last one {error}"
                    ) from None
                self._workers[number] = self._new()
                self._workers[number].send(job)
            else:
                break
        if isinstance(answer, Failed):
            raise TrainingError(f"a lesson cannot be given: {answer.why}")
        return answer

    def close(self) -> None:
        """End the workers, and the lessons that they are giving."""
        for worker in self._workers:
            worker.connection.close()  # all of them begin to end
        for worker in self._workers:
            worker.end()
        self._workers.clear()
