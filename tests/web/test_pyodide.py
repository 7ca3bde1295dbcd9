"""The versions of Pyodide and msgspec that go together, and errors that say how to get them."""

import json
from pathlib import Path

import pytest

from ludoteca.core.errors import LudotecaError
from ludoteca.web import libraries, pyodide

WEB = Path(__file__).parents[2] / "web"


def test_the_versions_are_those_that_the_repository_installs() -> None:
    wanted = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["devDependencies"]["pyodide"]
    assert wanted == pyodide.VERSION
    name, version = pyodide.MSGSPEC.split("-")[:2]
    assert f"\n{name}=={version} " in (WEB / "wheels.txt").read_text(encoding="utf-8")
    assert f"Pyodide {wanted} " in (Path(pyodide.__file__).parent / "LICENCES.txt").read_text(encoding="utf-8")


def test_an_error_has_the_command_that_gets_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(LudotecaError, match=rf"read version none, .* npm install --prefix \S+ pyodide@{pyodide.VERSION}"):
        pyodide.find(tmp_path)
    home = tmp_path / "node_modules" / "pyodide"
    home.mkdir(parents=True)
    (home / "package.json").write_text(json.dumps({"version": pyodide.VERSION}))
    with pytest.raises(LudotecaError, match=r"is missing: pip download .* --platform pyemscripten_\w+_wasm32 .* msgspec=="):
        pyodide.find(tmp_path)


def test_an_error_names_the_package_of_a_missing_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, wheel = tmp_path / "node_modules" / "pyodide" / "package.json", tmp_path / "wheels" / pyodide.MSGSPEC
    for file in (home, wheel):
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"version": pyodide.VERSION}))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LudotecaError, match="apt install lld"):
        libraries.check_linker()
    with pytest.raises(LudotecaError, match="apt install nodejs"):
        pyodide.find(tmp_path)
