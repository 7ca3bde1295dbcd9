"""Print figures of the structure, next to those of an earlier commit.

    python tools/structure.py           # the table
    python tools/structure.py --json    # today's figures as one object, as tools/structure_before.json has them

`tests/test_structure.py` holds the code lines of each package.
"""

import argparse
import ast
import io
import json
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[1] / "src" / "ludoteca"
BEFORE: Final = Path(__file__).with_name("structure_before.json")
COMMIT: Final = "b6abbdbf"
"""The commit of the figures in BEFORE."""
GROUPS: Final = {
    "games without judging": r"games/(?!\w+/judging/).*",
    "judge and judging": r"(judge|games/\w+/judging)/.*",
    "all packages": ".*",
}
"""Groups of files. The figure of each is the number of its code lines."""
TASKS: Final = {
    "to change a rule of {game}": r"games/{game}/((text|judging)/)?\w+\.py",
    "to follow a move": "server/(http|rooms|model|store)/.*",
    "to explain a verdict of {game}": r"judge/\w+\.py|core/judging\.py|games/{game}/judging/.*",
}
"""Tasks of a reader, and the files to read for each, by their folders. The figure is the number of their code lines."""
GAMES: Final = ("okupacio", "conclave", "cartas", "metro")
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
WORD: Final = re.compile(r"\b[A-Za-z_]\w*\b")


@cache
def read(path: Path) -> tuple[str, ast.Module]:
    """Return the text of a module and its syntax tree."""
    text = path.read_text(encoding="utf-8")
    return text, ast.parse(text)


def nodes(paths: Iterable[Path], *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    """Yield all nodes of these kinds."""
    return (node for path in paths for node in ast.walk(read(path)[1]) if isinstance(node, kinds))


def span(node: ast.AST) -> range:
    """Return the numbers of the node's lines."""
    return range(node.lineno, node.end_lineno + 1)  # type: ignore[attr-defined]


def code_lines(path: Path) -> set[int]:
    """Return the numbers of lines that are not blank, no comment and no docstring of a module, class or function."""
    text, _ = read(path)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {token.start[0] for token in tokens if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#")}
    docstrings = {
        line
        for node in nodes([path], ast.Module, ast.ClassDef, *FUNCTIONS)
        if ast.get_docstring(node) is not None  # type: ignore[arg-type]
        for line in span(node.body[0])  # type: ignore[attr-defined]
    }
    return {number for number, line in enumerate(text.splitlines(), 1) if line.strip()} - comments - docstrings


def body_lines(path: Path) -> set[int]:
    """Return the numbers of code lines in bodies of functions."""
    functions = nodes([path], *FUNCTIONS)
    return code_lines(path) & {line for node in functions for part in node.body for line in span(part)}  # type: ignore[attr-defined]


def depth(source: Path, paths: list[Path]) -> int:
    """Return the number of modules in the longest chain of imports, without imports in functions and for types."""
    names = {
        ".".join(path.relative_to(source.parent).with_suffix("").parts).removesuffix(".__init__"): path for path in paths
    }
    graph = {name: {found for found in imported(path, names) if found != name} for name, path in names.items()}
    levels: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        levels[name] = 1 + max((levels[below] for below in graph[name]), default=0)
    return max(levels.values())


def imported(path: Path, names: dict[str, Path]) -> Iterator[str]:
    """Yield the modules among `names` that a module imports at its top level."""
    package = ".".join(
        next(name for name, own in names.items() if own == path).split(".")[: -1 if path.stem != "__init__" else None]
    )
    for node in read(path)[1].body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            whole = (f"{module}.{alias.name}" for alias in node.names)
            yield from (name for name in {full if full in names else module for full in whole} if name in names)


def parameters(node: ast.AST) -> int:
    """Return the number of a function's parameters."""
    of = node.args  # type: ignore[attr-defined]
    return len(of.posonlyargs) + len(of.args) + len(of.kwonlyargs)


def figures(source: Path, patterns: Mapping[str, str] = GROUPS | TASKS) -> dict[str, int]:
    """Return all figures of a package's folder, by name. Raises ValueError for a pattern that matches no file."""
    paths = sorted(source.rglob("*.py"))
    lines = {path.relative_to(source).as_posix(): len(code_lines(path)) for path in paths}
    found: dict[str, int] = Counter(
        name.split("/")[0] if "/" in name else "root" for name in lines for _ in range(lines[name])
    )
    for name, pattern in patterns.items():
        for game in GAMES if "{game}" in name else ("",):
            wanted = [file for file in lines if re.fullmatch(pattern.replace("{game}", game), file)]
            if not wanted:
                raise ValueError(f"no file of {source} matches the pattern for {name!r}")
            found[name.format(game=game)] = sum(map(lines.__getitem__, wanted))
    private = [(node.name, path) for path in paths for node in nodes([path], *FUNCTIONS) if re.match("_[^_]", node.name)]  # type: ignore[attr-defined]
    words = {path: Counter(WORD.findall(read(path)[0])) for path in paths}
    classes = Counter(
        node.name for path in paths for node in read(path)[1].body if isinstance(node, ast.ClassDef) and node.name[0] != "_"
    )
    lengths = [parameters(node) for node in nodes(paths, *FUNCTIONS)]
    return found | {
        "in bodies of functions": sum(len(body_lines(path)) for path in paths),
        "import depth": depth(source, paths),
        "private functions with one caller": sum(words[path][name] == 2 for name, path in private),
        "public classes' names in several modules": sum(number > 1 for number in classes.values()),
        "longest parameter list": max(lengths),
        "functions with over eight parameters": sum(number > 8 for number in lengths),
    }


def main() -> None:
    """Print the table, or the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", nargs="?", type=Path, default=SOURCE, help="the package's folder")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    now = figures(given.source)
    if given.json:
        print(json.dumps(now, indent=2))
        return
    before = json.loads(BEFORE.read_text(encoding="utf-8"))
    print(f"{'code lines, and other figures':44}{COMMIT:>9}{'today':>9}")
    for name, number in now.items():
        print(f"{name:44}{before.get(name, 0):>9,}{number:>9,}")


if __name__ == "__main__":
    main()
