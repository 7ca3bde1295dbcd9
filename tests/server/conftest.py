"""What tests of the server share: real servers and real databases."""

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.agents.agent import new_searcher
from ludoteca.core.game import load
from tests.server.postgres import Cluster, cluster, lacking
from tests.server.serving import Served, serve


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the tests that need no other."""
    with serve(tmp_path_factory.mktemp("data") / "games.sqlite") as served:
        yield served


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    with serve(tmp_path / "games.sqlite") as served:
        yield served


@pytest.fixture(scope="session")
def compiled() -> None:
    """The game that agents search in, in the tests of the server: their own processes stand back, and would compile long."""
    new_searcher(load("okupacio", compiled=True))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A real PostgreSQL."""
    if reason := lacking():
        pytest.skip(reason)
    with cluster() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of each kind: what `Store.open` takes."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.sqlite"
    made: Cluster = request.getfixturevalue("postgres")
    return made.url(made.new_database())
