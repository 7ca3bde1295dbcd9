"""The structure: allowed imports, games named only in their own folders, sizes, and docstrings without conditions."""

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

import pytest
from tools.structure import code_lines

import ludoteca
from ludoteca.web import package

ROOT = Path(ludoteca.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
MAY_IMPORT = {
    "core": {"core"},
    "testing": {"core", "search", "testing"},
    "search": {"core", "search"},
    "agents": {"core", "search", "agents"},
    "pictures": {"core", "pictures"},
    "arena": {"core", "search", "agents", "arena"},
    "server": {"core", "search", "agents", "pictures", "server"},
    "envs": {"core", "search", "agents", "pictures", "envs"},
    "training": {"core", "search", "agents", "training"},
    "judge": {"core", "arena", "judge"},  # programs run in the same way as bots
    "web": {"", "core", "search", "agents", "server", "web"},
    "cli": {"", "core", "search", "agents", "arena", "judge", "envs", "pictures", "server", "training", "web", "cli"},
    "": {"core", "cli"},
}
"""Allowed imports by the first part of a module's name after `ludoteca`. A game may import core and its own folder."""

BARE = re.compile(r"\bRaises \w+(,? (and |or )?[A-Z]\w+)*\.(?= |$)|\bor (-1|0|None|(an|the) empty \w+)\.(?= |$)")
"""An error without its condition, as in "Raises NotationError.", or a special value without it, as in "or -1."."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path) for path in FILES}
GAMES = sorted(path.name for path in (ROOT / "games").iterdir() if (path / "__init__.py").exists())


class Look(NamedTuple):
    """A module, parsed once for all tests."""

    imports: frozenset[str]
    at_once: frozenset[str]
    """The modules that it imports at its top level."""
    at_run: frozenset[str]
    """The modules that it imports at its top level or in functions, without those for types."""
    words: frozenset[str]
    """Return every name and text in its code except docstrings, in lower case."""
    bare: tuple[str, ...]
    """The places in its docstrings that match BARE."""


@cache
def look_at(path: Path) -> Look:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    return Look(
        frozenset(imported(nodes, path)),
        frozenset(imported(import_nodes(tree, in_functions=False), path)) - {module_name(path)},
        frozenset(imported(import_nodes(tree, in_functions=True), path)) - {module_name(path)},
        frozenset(word.lower() for word in words(nodes)),
        tuple(
            f"{path.relative_to(ROOT)}:{node.lineno}: {found[0]}"
            for node in nodes
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            for found in BARE.finditer(" ".join(node.value.value.split()))
        ),
    )


def imported(nodes: Iterable[ast.AST], path: Path) -> Iterator[str]:
    """Return the modules of this repository that these nodes import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("ludoteca"))
        elif isinstance(node, ast.ImportFrom):
            module = str(node.module)
            if node.level:
                own = module_name(path)
                assert room(own) == "games", f"{path}:{node.lineno}: relative import outside of a game"
                package = own if path.name == "__init__.py" else own.rpartition(".")[0]
                module = resolve_name("." * node.level + (node.module or ""), package)
            full = (f"{module}.{alias.name}" for alias in node.names)
            yield from (name if name in NAMES else module for name in full if name.startswith("ludoteca"))


def room(name: str) -> str:
    return [*name.removesuffix(".__main__").split("."), ""][1]


def test_imports_go_the_right_way() -> None:
    for name, target in ((module_name(path), target) for path in FILES for target in look_at(path).imports):
        if room(name) == "games":
            own = ".".join(name.split(".")[:3])
            assert room(target) == "core" or f"{target}.".startswith(f"{own}."), f"{name} imports {target}"
        else:
            assert room(target) in MAY_IMPORT[room(name)], f"{name} imports {target}"


DRAWERS = ("model", "store", "thinking", "rooms", "http", "operation")


@pytest.mark.parametrize("number", range(len(DRAWERS)), ids=DRAWERS.__getitem__)
def test_a_drawer_of_the_server_imports_none_below_it(number: int) -> None:
    shared = "settings refusals frames jobs shares processor logs measures journal"
    allowed = {*shared.split(), *DRAWERS[: number + 1]}
    for path in sorted((ROOT / "server" / DRAWERS[number]).rglob("*.py")):
        found = {name.split(".")[2] for name in look_at(path).imports if room(name) == "server"}
        assert found <= allowed, f"{path} imports {found - allowed}"


def test_a_room_imports_neither_searches_nor_agents() -> None:
    """Directly or not: a page in a browser will run `server/model`."""
    reached = {path for path in FILES if path.parent == ROOT / "server" / "model"}
    to_follow = [(path, look_at(path).imports) for path in reached]
    paths = {module_name(path): path for path in FILES}
    while to_follow:
        path, targets = to_follow.pop()
        for target in targets:
            assert room(target) not in ("search", "agents"), f"{path} imports {target}"
            if paths[target] not in reached:
                reached.add(paths[target])
                to_follow.append((paths[target], look_at(paths[target]).at_once))


CORE = """
    __init__ bits contract errors extras folders learned markup seeds signals words
    -
    quantities
    -
    choices codecache console fingerprint formats hints learners messages native playouts position reading rng
    spec steps tables value workers
    -
    clusters compiling features judging levels record registry scene worker
    -
    svg
    -
    game
    -
    guide symmetries
"""
"""The layers of core, separated by dashes. A module imports only modules of the layers above."""


def test_core_has_layers() -> None:
    layer = {name: number for number, names in enumerate(CORE.split(" -\n")) for name in names.split()}
    for path in sorted((ROOT / "core").glob("*.py")):
        for name in look_at(path).at_once:
            package, _, rest = name.partition("ludoteca.core.")
            if rest and not package:
                assert layer[rest.split(".")[0]] < layer[path.stem], f"{path.stem} imports {name}"


PURPOSES = {
    "": set[str](),
    "text": {"play"},
    "view": {"text"},
    "play": set[str](),
    "learn": {"play"},
    "judging": {"text", "play"},
}
"""The folders of a game, and the other folders that each may import."""


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_purpose_of_a_game_imports_only_those_it_needs(purpose: str) -> None:
    for home in (ROOT / "games" / game for game in GAMES):
        for path in {*(home / purpose).glob("*.py")} - {home / "__init__.py"}:  # the package offers all its purposes
            names = [name.removeprefix(f"{module_name(home)}.") for name in look_at(path).imports]
            found = {first for name in names if (first := name.split(".")[0]) in PURPOSES}
            assert found <= {purpose, *PURPOSES[purpose]}, f"{path} imports {found}"


def test_views_notation_and_programs_of_games_do_without_numpy() -> None:
    """Some modules also run in a browser, without NumPy. Only rules, agents' knowledge and learners have arrays."""
    for folder in (ROOT / "games" / game / purpose for game in GAMES for purpose in ("", "text", "view")):
        for path in {*folder.glob("*.py")} - {folder / "rules.py"}:
            assert not re.search(r"^\s*(import|from) numpy\b", path.read_text(encoding="utf-8"), re.MULTILINE), path


ARRAYS = """
    core/contract core/features core/game core/position core/rng core/tables core/value
    games/cartas/play/policy games/metro/play/heuristics games/okupacio/play/patterns games/okupacio/play/value
    agents/agent search/alphabeta search/deepener search/deepening search/exact search/leaf search/prior search/searcher
    search/tree
"""
"""The modules of the package for pages that import NumPy, and find the stand-in there, besides the rules of games."""


def test_few_modules_of_a_page_import_numpy() -> None:
    numpy = re.compile(r"^(import|from) numpy\b", re.MULTILINE)
    found = [path for path in package.files() if path.suffix == ".py" and numpy.search(path.read_text(encoding="utf-8"))]
    names = {path.relative_to(ROOT).with_suffix("").as_posix() for path in found if path.name != "rules.py"}
    assert names == {*ARRAYS.split()}


def test_a_page_has_every_module_that_its_modules_import() -> None:
    paths = [path for path in package.files() if path.suffix == ".py"]
    there = {module_name(path) for path in paths}
    missing = {module_name(path): look_at(path).at_once - there for path in paths}
    assert {name: absent for name, absent in missing.items() if absent} == {}


ARENA = ("programs", "matches", "figures")


@pytest.mark.parametrize("number", range(len(ARENA)), ids=ARENA.__getitem__)
def test_a_folder_of_the_arena_imports_none_below_it(number: int) -> None:
    for path in sorted((ROOT / "arena" / ARENA[number]).rglob("*.py")):
        found = {name.split(".")[2] for name in look_at(path).imports if room(name) == "arena"}
        assert found <= set(ARENA[: number + 1]), f"{path} imports {found}"


def words(nodes: list[ast.AST]) -> Iterator[str]:
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_named_in_its_own_folder_only(game: str) -> None:
    name = re.compile(rf"(?<![^\W\d_]){game}(?![^\W\d_])")  # "minimum" does not name Nim
    for path in FILES:
        if game not in path.parts:
            found = [word for word in look_at(path).words if name.search(word)]
            assert not found, f"{path} names {game}: {found}"


def import_nodes(node: ast.AST, *, in_functions: bool) -> Iterator[ast.AST]:
    """Return the imports of a module, without those for types, and with or without those in functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)) and (
            in_functions or not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        ):
            yield from import_nodes(child, in_functions=in_functions)


def test_no_import_cycles() -> None:
    TopologicalSorter({module_name(path): look_at(path).at_run for path in FILES}).prepare()


def test_files_have_fewer_than_500_lines() -> None:
    assert [path for path in FILES if path.read_text(encoding="utf-8").count("\n") >= 500] == []


def test_docstrings_say_when_an_error_is_raised_or_a_special_value_returned() -> None:
    assert [place for path in FILES for place in look_at(path).bare] == []


MOST_LINES = {
    "root": 44, "agents": 667, "arena": 3557, "cli": 3550, "core": 3649, "envs": 1808, "games": 16097, "judge": 2118,
    "pictures": 421, "search": 2042, "server": 6874, "testing": 1214, "training": 967,
    "web": 839,
}  # fmt: skip
"""The most code lines of each package. A change that raises a number says in its message which capability pays for it."""


def test_no_package_has_more_code_lines() -> None:
    found = Counter[str]()
    for path in FILES:
        package, *rest = path.relative_to(ROOT).parts
        found[package if rest else "root"] += len(code_lines(path))
    assert {package: number for package, number in found.items() if number > MOST_LINES.get(package, 0)} == {}


PRESCRIBED = """
    rules notation console screen scene features symmetries heuristics endgame value options protocols guide lesson
    levels formats judging
"""
"""The modules that every game may have."""
SHARED_CLASSES: dict[str, str] = {}
SHARED_MODULES = {
    "settings": "each program has the options that its users may set",
    "web": "a command and a module of the server, and both are about pages",
}
"""Names that several packages may have."""
OPEN_CLASSES = """
    Change Control Effort Failed Line Look Manner Memory
    Options Outcome Plan Play Player Preview Program Report Result Seat Settings
    Situation Standing Step Store Text Turn Turns Words
"""
OPEN_MODULES = """
    console files formats judge levels pages reading record signals store tables tiles tournament valuing warm words
    worker workers
"""
"""Names that several packages have, without a decision yet. A name leaves the list once only one package has it."""


def names_of(path: Path, what: str) -> Iterator[str]:
    """Return the public name of a module, unless every game may have it, or the public names of its classes."""
    if what == "classes":
        yield from (node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef))
    elif room(module_name(path)) != "games" or path.stem not in PRESCRIBED.split():
        yield path.stem


@pytest.mark.parametrize(
    ("what", "shared", "undecided"),
    [("classes", SHARED_CLASSES, OPEN_CLASSES), ("modules", SHARED_MODULES, OPEN_MODULES)],
)
def test_a_public_name_belongs_to_one_package(what: str, shared: dict[str, str], undecided: str) -> None:
    rooms: dict[str, set[str]] = {}
    for path in FILES:
        for name in names_of(path, what):
            rooms.setdefault(name, set()).add(room(module_name(path)))
    several = {name for name, of in rooms.items() if len(of) > 1 and not name.startswith("_")}
    assert several == {*shared, *undecided.split()}


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import ludoteca", ["numpy", "numba", "click", "rich", "importlib.metadata", "ludoteca.core", "ludoteca.games"]),
        ("import ludoteca.cli", ["click", "numpy", "rich", "importlib.metadata", "ludoteca.core", "ludoteca.games"]),
        ("import ludoteca; ludoteca.load('okupacio')", ["numba", "click", "rich", "importlib.metadata", "filelock"]),
        (  # a room will also run in a page without a server
            "import pkgutil, importlib, ludoteca.server.model as m\n"
            "for each in pkgutil.iter_modules(m.__path__): importlib.import_module(f'{m.__name__}.{each.name}')",
            [
                "asyncio",
                "sqlalchemy",
                "starlette",
                "uvicorn",
                "numba",
                "ludoteca.search",
                "ludoteca.agents",
                "ludoteca.server.store",
            ],
        ),
    ],
)
def test_what_is_not_needed_is_not_loaded(code: str, absent: list[str]) -> None:
    report = f"{code}\nimport sys\nprint([name for name in {absent} if name in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", report],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONWARNINGS": "error"},
    )
    assert result.stdout == "[]\n"


def test_no_class_extends_a_library_of_the_server() -> None:
    """Libraries keep their public functions, but change details on which a subclass relies."""
    extended = [
        f"{path.relative_to(ROOT)}: {ast.unparse(base)}"
        for path in FILES
        if room(module_name(path)) in ("server", "cli")
        for base, library in bases(path)
        if library in ("uvicorn", "websockets", "sqlalchemy")
    ]
    assert extended == []


def bases(path: Path) -> Iterator[tuple[ast.expr, str]]:
    """Return the base classes in a module, with the first part of the name of the module that each comes from."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    modules: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name.partition(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules |= {alias.asname or alias.name: node.module or "" for alias in node.names}
    for node in nodes:
        for base in node.bases if isinstance(node, ast.ClassDef) else []:
            first = re.split(r"[.\[]", ast.unparse(base))[0]
            yield base, modules.get(first, "").partition(".")[0]
