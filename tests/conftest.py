"""Settings of all tests: which tests run only on request, and how several processes share the others."""

import gc
import math
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Generator
from functools import cache
from types import FrameType
from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from ludoteca.core import registry
from ludoteca.core.extras import install_command

os.environ["LC_ALL"] = "C.UTF-8"  # otherwise programs would print texts in the language of the developer
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as in commands: its threads cost every process a tenth of a second

gc.disable()  # during the collection of tests, which makes hundreds of thousands of objects that stay

# a background run ignores these signals, and so would its programs
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

# machines are shared, so a slow moment is no fault. Every run tries the same few examples. A soak tries many new ones
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ludoteca", patient, derandomize=True, max_examples=25)
settings.register_profile("soak", patient, max_examples=2000, print_blob=True)
settings.load_profile("ludoteca")

EXTRAS: Final = {
    "PIL": "pictures",
    "cssselect2": "pictures",
    "gymnasium": "gymnasium",
    "pettingzoo": "pettingzoo",
    "psycopg": "postgres",
    "pyarrow": "dataset",
    "pyspiel": "openspiel",
    "ray": "ray",
    "resvg_py": "pictures",
    "tinycss2": "pictures",
}
"""The libraries without which files of tests are skipped, and the extras that install them."""

ON_REQUEST: Final = ("soak", "examples")
"""Tests with these marks run only when `-m` names the mark."""

SOAK_ENDS: Final = float(os.environ.get("LUDOTECA_SOAK_ENDS", "inf"))
"""The Unix time at which `tools/soak.py` wants no more tests to run."""

SAME_MACHINE_CODE: Final = {
    "agents/test_analysis.py": "okupacio",
    "cartas/test_heuristics.py": "cartas",
    "cartas/test_policy.py": "cartas",
    "conclave/test_deal.py": "conclave",
    "conclave/test_features.py": "conclave",
    "metro/test_prolog.py": "metro",
    "metro/test_strategy.py": "metro",
    "okupacio/test_features.py": "okupacio",
    "qinto/test_deals.py": "qinto",
    "qinto/test_heuristics.py": "qinto",
    "search/test_deepening.py": "okupacio",
    "qinto/test_value.py": "qinto",
    "search/test_exact.py": "okupacio",
    "search/test_exact_cards.py": "cartas",
    "search/test_mcts.py": "okupacio",
    "search/test_searcher.py": "okupacio",
    "server/test_agents_think.py": "okupacio",
    "server/test_protocol.py": "okupacio",
    "server/test_shares.py": "okupacio",
    "test_analyse.py": "okupacio",
    "test_learning.py": "okupacio",
    "test_play.py": "okupacio",
}
"""Files that run the compiled rules of a single game."""

OF_MANY_GAMES: Final = (
    "test_laws.py",
    "search/test_ismcts.py",
    "agents/test_agents.py",
    "envs/test_batch.py",
    "web/test_pages.py",
)
"""Files that run the compiled rules of many games. The parameters of a test name its game."""

WHOLLY_SLOW: Final = (
    "agents/test_agents.py",
    "arena/test_bots.py",
    "arena/test_match.py",
    "arena/test_processes.py",
    "arena/test_tournament.py",
    "browser/",
    "cartas/test_oracle.py",
    "conclave/test_deal.py",
    "conclave/test_judging.py",
    "conclave/test_oracle.py",
    "judge/test_checker.py",
    "judge/test_classes.py",
    "judge/test_command.py",
    "judge/test_crashes.py",
    "judge/test_documents.py",
    "judge/test_packages.py",
    "judge/test_possible.py",
    "metro/test_checker.py",
    "metro/test_judging.py",
    "metro/test_oracle.py",
    "metro/test_prolog_bot.py",
    "okupacio/test_console.py",
    "okupacio/test_oracle.py",
    "qinto/test_oracle.py",
    "qinto/test_turns.py",
    "search/",
    "server/test_bots.py",
    "server/test_clocks.py",
    "server/test_limits.py",
    "server/test_openapi.py",
    "server/test_retention.py",
    "server/test_rooms.py",
    "server/test_secrets.py",
    "server/test_serve.py",
    "server/test_store.py",
    "soak/",
    "test_console_pages.py",
    "test_deals.py",
    "test_process.py",
    "test_resume.py",
    "test_sizes.py",
    "test_template.py",
    "test_terminal.py",
    "training/",
)
"""Files that start browsers, servers or a process for each test, compile, or play against another implementation."""

END_TO_END: Final = (
    "arena/test_match.py::test_a_match_ends_with_one_object_and_writes_its_records",
    "browser/test_games.py::test_mouse_plays_a_game_to_its_end",
    "browser/test_layout.py::test_nothing_jumps_to_the_end_of_a_game[(360, 640)-okupacio]",
    "cartas/test_oracle.py",
    "conclave/test_oracle.py",
    "judge/test_classes.py::test_a_class_is_judged_and_goes_on_where_it_was",
    "metro/test_oracle.py",
    "okupacio/test_oracle.py",
    "qinto/test_oracle.py",
    "server/test_kill.py",
    "server/test_secrets.py",
    "test_console_pages.py",
    "test_laws.py",
    "web/test_pages.py::test_a_game_of_another_package_plays_in_a_page_without_a_change",
)
"""Slow tests that `make test` runs nevertheless: each document's program and whole games against a second implementation,
all laws, secrecy, a game of each kind in a browser, a board that keeps its place, a killed server, a match and a class.
"""

WAITING: Final = ("arena/", "browser/", "server/", "soak/", "test_resume.py", "test_terminal.py")
"""The beginnings of groups that wait for browsers, servers, clocks and terminals. The other groups compute."""

LONGEST_FIRST: Final = (
    # these compute
    "judge/test_documents.py",
    "okupacio",
    "judge/test_right.py",
    "metro",
    "cartas",
    "qinto",
    "test_console_pages.py",
    "judge/",
    "test_process.py",
    "test_native.py",
    "test_bits.py",
    "test_template.py",
    "conclave",
    "training/",
    "test_cli.py",
    "test_consoles.py",
    "test_laws_bite.py",
    "test_deals.py",
    "envs/",
    # these wait
    "browser/test_layout.py",
    "browser/test_rooms.py",
    "browser/test_access.py",
    "browser/test_lobby.py",
    "browser/test_games.py",
    "browser/",
    "server/test_retention.py",
    "server/test_rooms.py",
    "server/test_kill.py",
    "server/test_serve.py",
    "arena/test_tournament.py",
    "server/",
)
"""The beginnings of groups that take long, in the order in which they start: a run waits for its last group."""


@cache
def game_names() -> list[str]:
    """Return the names of all games. The registry looks for games of other packages at each call."""
    return registry.names()


def group_of(nodeid: str) -> str:
    """Return the group of a test: a game, or the test's file. One process runs a group.

    Tests that run the machine code of one game are one group, so that no process compiles, or waits for, what another
    process compiles. Other files are groups, so that a server or a browser starts once for a file.
    """
    file, _, name = nodeid.removeprefix("tests/").partition("::")
    if file in OF_MANY_GAMES:
        named = [game for game in game_names() if game in name]
        return named[0] if named else file
    return SAME_MACHINE_CODE.get(file, file)


def is_slow(nodeid: str) -> bool:
    """Return True for all tests of a file that is slow as a whole. Other slow tests have the mark themselves."""
    file = nodeid.removeprefix("tests/").partition("::")[0]
    return file in SAME_MACHINE_CODE or (file.startswith(WHOLLY_SLOW) and file != "browser/test_static.py")


def needs_services(item: pytest.Item) -> bool:
    """Return True if a test uses a database, a browser, or programs that its mark says how to install."""
    reasons = [str(mark.kwargs["reason"]) for mark in item.iter_markers("skipif")]
    fixtures = {"postgres", "chromium"} & {*getattr(item, "fixturenames", ())}
    return bool(fixtures) or "postgresql" in item.name or any(re.search("apt-get install|npm ci", why) for why in reasons)


@pytest.hookimpl(tryfirst=True)  # before `-m` selects tests, and before pytest groups tests by fixture
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if is_slow(item.nodeid):
            item.add_marker("slow")
        if item.nodeid.removeprefix("tests/").startswith(END_TO_END):
            item.add_marker("end_to_end")
        if needs_services(item):
            item.add_marker("services")
    asked = str(config.getoption("markexpr"))
    unasked = [mark for mark in ON_REQUEST if mark not in asked]
    left = {item for item in items if any(map(item.get_closest_marker, unasked))}
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = sorted((item for item in items if item not in left), key=lambda item: rank(item.nodeid))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a file that needs a missing extra, and name the command that installs it."""
    report = yield
    found = re.search(
        r"ModuleNotFoundError: No module named '(\w+)|MissingExtraError: this needs (\w+)", report.longreprtext
    )
    if found and (extra := EXTRAS.get(found[1] or found[2])):
        report.outcome = "skipped"
        report.longrepr = str(collector.path), 1, f"Skipped: {found[1] or found[2]} is missing: {install_command(extra)}"
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    if time.time() > SOAK_ENDS:
        pytest.skip("not begun within the budget")


def stop(number: int, frame: FrameType | None) -> None:
    pytest.skip("stopped at the end of the budget")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Stop a long test at the end of the budget, unless it has an alarm of its own. An interrupted Playwright would hang."""
    is_long = item.get_closest_marker("soak") or item.get_closest_marker("hypothesis")
    if math.isinf(SOAK_ENDS) or not is_long or signal.getitimer(signal.ITIMER_REAL)[0] or "browser/" in item.nodeid:
        return (yield)
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(SOAK_ENDS - time.time(), 0.001))
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if time.time() > SOAK_ENDS:  # whatever the interruption has broken
            pytest.skip("stopped at the end of the budget")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the number of skipped tests by reason. A reason has the command that installs what is missing."""
    reports = terminalreporter.stats.get("skipped", [])
    for reason, count in Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports).most_common():
        terminalreporter.line(f"skipped {count}: {reason}")


def pytest_collection_finish() -> None:
    gc.freeze()  # otherwise every full collection goes through all imported and collected objects
    gc.enable()


def rank(nodeid: str) -> int:
    group = group_of(nodeid)
    return next((number for number, long in enumerate(LONGEST_FIRST) if group.startswith(long)), len(LONGEST_FIRST))


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # pytest-xdist has no types
    """Assigns groups in the order of the tests. Every second process begins with tests that wait, the others with the rest.

    So some processes wait while others compute. `--dist loadgroup` assigns groups by marks, but pytest-xdist 3.8 does not
    see marks with pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        is_for_waiting = int(node.gateway.id.removeprefix("gw")) % 2 == 0
        fitting = (group for group in self.workqueue if group.startswith(WAITING) == is_for_waiting)
        if first := next(fitting, ""):
            self.workqueue.move_to_end(first, last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    config.option.loadscopereorder = False
    return Scheduling(config, log)
