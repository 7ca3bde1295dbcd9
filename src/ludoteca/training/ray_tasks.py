"""Lessons as tasks of a Ray cluster: one whose process or node dies is given again elsewhere; the driver alone stores."""

from typing import Any, Final

from ludoteca.core.clusters import join
from ludoteca.training.lessons import Learned, Lesson, Report
from ludoteca.training.processes import TRIES
from ludoteca.training.settings import Settings, TrainingError
from ludoteca.training.teachers import AnyTeacher, new_teacher

_teachers: Final[list[AnyTeacher]] = []
"""The teacher that this process of a cluster has, once there is one."""


class RayTasks:
    """A cluster that is running. Ludoteca, and the game, are installed on all its nodes."""

    def __init__(self, settings: Settings, address: str) -> None:
        """Raises ClusterError where there is no Ray, or no cluster at that address."""
        self._ray: Any = join(address)
        self._settings = self._ray.put(settings)
        self._task = self._ray.remote(num_cpus=1, max_retries=TRIES - 1)(give_on_node)

    def play(self, lessons: list[Lesson], learned: Learned) -> list[Report]:
        """All lessons, as many at once as the cluster has processors. Raises TrainingError."""
        known = self._ray.put(learned)
        try:
            reports: list[Report] = self._ray.get([self._task.remote(self._settings, lesson, known) for lesson in lessons])
        except self._ray.exceptions.RayError as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise TrainingError(f"a lesson was given up after {TRIES} tries: {reason}") from None
        return reports

    def close(self) -> None:
        """Leave the cluster; it forgets what it was doing."""
        self._ray.shutdown()


def give_on_node(settings: Settings, lesson: Lesson, learned: Learned) -> Report:
    """A task: one lesson, by the teacher of the lessons before."""
    if not _teachers or _teachers[0].settings != settings:
        _teachers[:] = [new_teacher(settings)]
    return _teachers[0].give(lesson, learned)
