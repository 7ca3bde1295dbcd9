"""The command that installs an extra fits the way in which Ludoteca was installed."""

import json
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import PathDistribution
from importlib.util import find_spec
from pathlib import Path

import pytest

from ludoteca.core import extras, registry

ROOT = Path(__file__).parents[1]
PYTHON = shlex.quote(sys.executable)
PIP = f"{PYTHON} -m pip install" if find_spec("pip") else f"uv pip install --python {PYTHON}"
MARKED = "; sys_platform != 'emscripten'"


@pytest.mark.parametrize(
    ("receipt", "origin", "command"),
    [
        ("", {"dir_info": {"editable": True}, "url": "file:///home/me/my%20games"},
         f"{PIP} -e '/home/me/my games[pictures]'"),
        ("", {"archive_info": {}, "url": "file:///tmp/ludoteca.whl"}, f"{PIP} 'ludoteca[pictures]'"),
        ("", {}, f"{PIP} 'ludoteca[pictures]'"),
        ("pipx_metadata.json", {}, "pipx runpip ludoteca install 'ludoteca[pictures]'"),
        ("uv-receipt.toml", {}, "uv tool install --force 'ludoteca[pictures]'"),
    ],
    ids=["checkout", "wheel", "package index", "pipx", "uv"],
)  # fmt: skip
def test_the_command_for_an_extra(
    receipt: str, origin: dict[str, object], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "direct_url.json").write_text(json.dumps(origin), encoding="utf-8")
    if receipt:
        (tmp_path / receipt).touch()
        monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(extras, "distribution", lambda _: PathDistribution(tmp_path))
    assert extras.install_command("pictures") == command


PLAY = """
import importlib.abc, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"no {name}", name=name)

sys.meta_path.insert(0, Missing())
import ludoteca
from ludoteca.agents.agent import new_agent

for spec in ludoteca.registered_games():
    game = ludoteca.load(spec.name)
    state, agent = game.new_initial_state(2), new_agent("2", game)
    while not state.is_terminal():
        state.apply_action(agent.choose(state.information_state(state.current_player())).action)
    items = spec.module("scene").draw(state.view(0).raw, 0).items if spec.has("scene") else ()
    print(spec.name, state.is_terminal(), bool(items))
"""


def test_all_games_are_played_without_the_compiler_and_the_packages_of_the_server() -> None:
    """Browsers have neither (`sys_platform` is emscripten there)."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    missing = {each.partition(">")[0].replace("-", "_") for each in wanted if each.endswith(MARKED)}
    assert missing >= {"numba", "starlette", "uvicorn", "sqlalchemy"}
    done = subprocess.run(
        [sys.executable, "-c", f"missing = {missing}\n{PLAY}"], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    expected = [f"{spec.name} True {spec.has('scene')}" for spec in registry.registered_games()]
    assert done.stdout.splitlines() == expected
