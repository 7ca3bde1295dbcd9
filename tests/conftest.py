"""Settings of all tests: what is left out unless it is asked for, and how several processes share the rest."""

import gc
import os
import re
import signal
from collections import Counter
from collections.abc import Generator
from functools import cache
from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from ludoteca.core import registry
from ludoteca.core.extras import install_command

os.environ["LC_ALL"] = "C.UTF-8"  # else programs would speak to their tests in the language of whoever runs them
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as commands have it: its threads cost every process a tenth of a second

gc.disable()  # while tests are collected: hundreds of thousands of objects, all of which stay

# who runs tests in the background has them ignore these signals, and so would the programs that tests interrupt
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

# machines are shared, so that a slow moment is no fault; every run tries the same examples, and a soak new ones
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ludoteca", patient, derandomize=True)
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

SAME_MACHINE_CODE: Final = {
    "agents/test_analysis.py": "okupacio",
    "agents/test_turns.py": "qinto",
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
    "search/test_proof.py": "okupacio",
    "search/test_searcher.py": "okupacio",
    "server/test_agents_think.py": "okupacio",
    "server/test_protocol.py": "okupacio",
    "server/test_shares.py": "okupacio",
    "test_against_version.py": "okupacio",
    "test_analyse.py": "okupacio",
    "test_learning.py": "okupacio",
    "test_play.py": "okupacio",
}
"""Files that run the compiled rules of one game."""

OF_MANY_GAMES: Final = ("test_laws.py", "search/test_ismcts.py", "agents/test_agents.py", "envs/test_batch.py")
"""Files that run those of many: the parameters of a test name its game."""

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
    "judge/test_classes.py",
    "judge/test_command.py",
    "judge/test_documents.py",
    "judge/test_packages.py",
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
    "test_template.py",
    "test_terminal.py",
    "training/",
)
"""Files that start browsers, servers or a process a test, that compile, or that play against another implementation."""

LONGEST_FIRST: Final = (
    "browser/test_programs.py",
    "metro",
    "okupacio",
    "browser/test_rooms.py",
    "qinto",
    "browser/test_games.py",
    "browser/test_lobby.py",
    "browser/test_access.py",
    "judge/test_documents.py",
    "test_process.py",
    "browser/test_learn.py",
    "server/test_rooms.py",
    "browser/test_layout.py",
    "browser/test_connections.py",
    "server/test_serve.py",
    "arena/test_bots.py",
    "test_template.py",
    "server/test_openapi.py",
    "cartas",
    "arena/test_box.py",
    "server/test_retention.py",
    "test_native.py",
    "server/test_http.py",
    "conclave",
    "server/test_strangers.py",
    "server/test_store.py",
    "server/test_limits.py",
    "test_laws_bite.py",
    "training/test_train.py",
    "arena/test_tournament.py",
    "judge/test_command.py",
    "browser/test_report.py",
    "metro/test_judging.py",
    "server/test_several.py",
)
"""Groups that take long, in the order in which they are started: a long one that starts last is waited for. The first one
compiles a game too, so that game's group is not the second."""


@cache
def game_names() -> list[str]:
    """The names of all games; the registry looks for those of other packages anew whenever it is asked."""
    return registry.names()


def group_of(nodeid: str) -> str:
    """The group of a test, which one process runs: a game, or the test's file.

    What runs the machine code of one game is one group, so that no process compiles, or waits for, what another one
    compiles; other files are groups, so that a server or a browser is started once for a file.
    """
    file, _, name = nodeid.removeprefix("tests/").partition("::")
    if file in OF_MANY_GAMES:
        named = [game for game in game_names() if game in name]
        return named[0] if named else file
    return SAME_MACHINE_CODE.get(file, file)


def is_slow(nodeid: str) -> bool:
    """True for all tests of a file that is slow as a whole; others have the mark where they stand."""
    file = nodeid.removeprefix("tests/").partition("::")[0]
    return file in SAME_MACHINE_CODE or (file.startswith(WHOLLY_SLOW) and file != "browser/test_static.py")


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses; and pytest may still bring tests together that share a fixture
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if is_slow(item.nodeid):
            item.add_marker("slow")
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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was skipped, by reason: a reason has the command that adds what is missing."""
    reports = terminalreporter.stats.get("skipped", [])
    for reason, count in Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports).most_common():
        terminalreporter.line(f"skipped {count}: {reason}")


def pytest_collection_finish() -> None:
    gc.freeze()  # or every full collection, while tests run, goes through all that was imported and collected
    gc.enable()


def rank(nodeid: str) -> int:
    group = group_of(nodeid)
    return LONGEST_FIRST.index(group) if group in LONGEST_FIRST else len(LONGEST_FIRST)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Gives a process the next group when it has all but done the one before, in the order of the tests.

    (`--dist loadgroup` would do that with marks, but pytest-xdist 3.8 overlooks them with pytest 9.2: its issue 1386.)
    """
    config.option.loadscopereorder = False
    scheduling = LoadScopeScheduling(config, log)
    scheduling._split_scope = group_of
    return scheduling
